import { beforeAll, describe, expect, test } from 'vitest'
import { readPage, readPageBare } from '../../src/operations/read-page.ts'
import { TitleRedirect } from '../../src/operations/resources/title-redirect.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { base, commitFiles, create, newWiki } from './_wiki.ts'

const license = { url: 'https://creativecommons.org/licenses/by-sa/4.0/', title: 'CC BY-SA 4.0' }
const pages = {
  'RT Target': 'Text of the target.',
  'RT Sub/page one': 'x',
  'RT Redirect': '#REDIRECT [[RT Target#Section]]',
  'RT Self': '#REDIRECT [[RT Self]]',
  'RT Missing': '#REDIRECT [[No such page]]',
  'RT Special': '#REDIRECT [[Special:Version]]',
  'RT Interwiki': '#REDIRECT [[de:Foo bar]]',
  'Talk:RT Target': 'talk',
  Éclair: 'e',
}

let wiki: Wiki

beforeAll(async () => {
  wiki = (await newWiki(pages, { license, interwiki: { de: 'https://de.example.org/$1' } })).wiki
})

describe('readPage', () => {
  test('returns the fields in the documented order', async () => {
    const time = new Date('2024-05-06T07:08:09.999Z')
    const id = await create(wiki, 'User:Ada/x.json', '{"a":1}', { time })
    const page = await readPage(wiki, { title: 'user:ada/x.json', base })
    expect(JSON.stringify(page)).toBe(
      JSON.stringify({
        id: page.id,
        key: 'User:Ada/x.json',
        title: 'User:Ada/x.json',
        latest: { id, timestamp: '2024-05-06T07:08:09Z' },
        content_model: 'json',
        license,
        source: '{"a":1}',
      }),
    )
  })

  test.each([
    ['RT Target', 'RT_Target'],
    ['rT_Target', 'RT_Target'],
    ['_RT__Target_', 'RT_Target'],
    ['RT Target#x', 'RT_Target'],
    [':RT Target', 'RT_Target'],
    ['talk : RT Target', 'Talk:RT_Target'],
    ['éclair', 'Éclair'],
    ['E\u0301clair', 'Éclair'],
  ])('%j is found as %s', async (title, key) => {
    expect((await readPage(wiki, { title, base })).key).toBe(key)
  })

  test.each(['RT target', 'Nosuchns:x', 'Talk:RT Redirect'])('%j does not exist', async title => {
    await expect(readPage(wiki, { title, base })).rejects.toMatchObject({
      code: 'rest-nonexistent-title',
      status: 404,
      message: `The specified page (${title}) does not exist`,
    })
  })

  test.each(['', 'RT<bad>', 'Talk:', 'Special:Version', 'de:Foo', '../x', 'a~~~', 'x'.repeat(256)])(
    '%j is not a title: 404',
    async title => {
      const rejected = { code: 'rest-invalid-title', status: 404 }
      await expect(readPage(wiki, { title, base })).rejects.toMatchObject(rejected)
      await expect(readPageBare(wiki, { title, base, exact: true })).rejects.toMatchObject(rejected)
    },
  )

  test('a text is returned unchanged except for one final line feed', async () => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, { 'None.wiki': 'a', 'One.wiki': 'a\n', 'Two.wiki': 'a\n\n', 'Windows.wiki': 'a\r\nb\r\n' })
    const sources = ['None', 'One', 'Two', 'Windows'].map(async title => (await readPage(wiki, { title, base })).source)
    expect(await Promise.all(sources)).toEqual(['a', 'a', 'a\n', 'a\r\nb\r'])
  })

  test('an empty repository has no pages', async () => {
    const { wiki } = await newWiki()
    await expect(readPage(wiki, { title: 'X', base })).rejects.toMatchObject({ code: 'rest-nonexistent-title' })
  })
})

describe('exact titles', () => {
  test.each([
    ['RT Target', 'RT_Target'],
    ['rT_Target', 'RT_Target'],
    ['RT_Target#x', 'RT_Target'],
    ['image:x', null],
    ['RT_Target', null],
    ['E\u0301clair', null],
    ['No such page', null],
  ])('%j is redirected to %j', async (title, key) => {
    const thrown = await readPage(wiki, { title, base, exact: true }).catch((error: unknown) => error)
    expect(thrown instanceof TitleRedirect ? thrown.key : null).toBe(key)
  })
})

describe('redirects', () => {
  test.each([
    ['RT Redirect', '/v1/page/RT_Target'],
    ['RT Missing', '/v1/page/No_such_page'],
    ['RT Special', '/v1/page/Special%3AVersion'],
    ['RT Interwiki', '/v1/page/de%3AFoo_bar'],
    ['RT Self', undefined],
    ['RT Target', undefined],
  ])('%s redirects to %s, and is read itself', async (title, target) => {
    const page = await readPage(wiki, { title, base })
    expect(page.source).toBe(pages[title as keyof typeof pages])
    expect(page.redirect_target).toBe(target)
    expect('redirect_target' in page).toBe(target !== undefined)
    const bare = await readPageBare(wiki, { title, base })
    expect(bare.redirect_target).toBe(target && `${target}/bare`)
  })
})

describe('readPageBare', () => {
  test('has html_url instead of the source', async () => {
    const { source, ...page } = await readPage(wiki, { title: 'RT Sub/page one', base })
    const bare = await readPageBare(wiki, { title: 'RT Sub/page one', base })
    expect(source).toBe('x')
    expect(bare).toEqual({ ...page, html_url: `${base}/page/RT_Sub%2Fpage_one/html` })
    expect(Object.keys(bare).at(-1)).toBe('html_url')
  })

  test('the title in the route is encoded as in RFC 3986', async () => {
    const { wiki } = await newWiki({ "!*'();:@&=$,~.-_x+?%q": 'x' })
    const { html_url } = await readPageBare(wiki, { title: "!*'();:@&=$,~.-_x+?%q", base })
    expect(html_url).toBe(`${base}/page/%21%2A%27%28%29%3B%3A%40%26%3D%24%2C~.-_x%2B%3F%25q/html`)
  })
})
