/** A new page and its links follow the conventions of a repository of another kind. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPage } from '../../src/operations/create-page.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { initWiki } from '../../src/operations/init-wiki.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { findPage } from '../../src/operations/resources/find-page.ts'
import { mainPageTitle } from '../../src/operations/resources/main-page.ts'
import { TitleRedirect } from '../../src/operations/resources/title-redirect.ts'
import { restorePage } from '../../src/operations/restore-page.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import { openWiki } from '../../src/operations/wiki.ts'
import type { Store } from '../../src/store/store.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { ada } from './_wiki.ts'

beforeEach(context => needsGit(context))

async function repositoryOf(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await temporaryDirectory()
  git(directory, 'init', '-q', '-b', 'main')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'Files')
  return directory
}

async function created(files: Readonly<Record<string, string>>, title: string): Promise<string> {
  const directory = await repositoryOf(files)
  const wiki = await openWiki({ directory })
  await createPage(wiki, { title, source: 'text', comment: '', author: ada })
  await wiki.close()
  return git(directory, 'show', '--format=', '--name-only', 'HEAD')
}

const lowerCase = Object.fromEntries(Array.from({ length: 10 }, (_, number) => [`note-${number}.md`, 'text']))
const inDocs = Object.fromEntries(Object.keys(lowerCase).map(name => [`docs/${name}`, 'text']))

describe('a new page', () => {
  test.each([
    ['is Markdown in a wiki of Markdown', { 'Home.md': 'a', 'More.md': 'b', 'x.wiki': 'c' }, 'New page', 'New-page.md'],
    [
      'has dashes where others have',
      { 'Home.md': 'a', 'A-b.md': 'b', 'C d.md': 'c', 'E-f.md': 'd' },
      'New page',
      'New-page.md',
    ],
    ['has spaces where others have', { 'Home.md': 'a', 'A b.md': 'b' }, 'New page', 'New page.md'],
    ['has spaces beside names in capitals', { 'CODE_OF_CONDUCT.md': 'a', 'x/A b.md': 'b' }, 'New page', 'New page.md'],
    [
      'keeps spaces where its title has a capital',
      { ...inDocs, 'docs/b c.md': 'a', 'D_e.md': 'b', 'F_g.md': 'c' },
      'Docs/New page',
      'docs/New page.md',
    ],
    ['has underscores where most have', { 'A b.md': 'a', 'A_c.md': 'b', 'A_d.md': 'c' }, 'New page', 'New_page.md'],
    ['has the extension of others', { 'a.mediawiki': 'a', 'b.mediawiki': 'b', 'c.mw': 'c' }, 'New', 'New.mediawiki'],
    [
      'lies in the folder that is there',
      { 'docs/a/b c.md': 'a', 'D.md': 'b' },
      'Docs/a/New page',
      'docs/a/New page.md',
    ],
    ['lies below the folder that is there', { 'docs/a.md': 'a', 'b c.md': 'b' }, 'docs/X/Y', 'docs/X/Y.md'],
    ['lies in the folder of pictures', { 'A.md': 'a', 'images/b.svg': '<svg/>' }, 'Images/New', 'images/New.md'],
    ['lies in the folder of its root', { 'wiki.json': '{"root":"docs"}', 'docs/a/b.md': 'a' }, 'A/C', 'docs/a/C.md'],
    ['lies in the folder of a namespace', { 'A.wiki': 'a', 'talk/B c.wiki': 'b' }, 'Talk:C d', 'talk/C d.wiki'],
    ['lies in a folder named in full', { 'a.wiki': 'a', 'b/c.wiki': 'b', 'bcd/e.wiki': 'c' }, 'Bc/E', 'Bc/E.wiki'],
    ['begins in lower case where others do', { ...lowerCase, 'README.md': 'r' }, 'Note 19', 'note_19.md'],
    ['keeps a name in capitals', { ...lowerCase, 'a b.md': 'r' }, 'CHANGES', 'CHANGES.md'],
    ['has a capital where others do', { ...lowerCase, 'X.md': '', 'Y.md': '', 'Z.md': '' }, 'Note 19', 'Note_19.md'],
    ['has none in notes', { 'note.md': 'a', 'a-b.md': 'b' }, 'New page', 'New_page.md'],
    ['is wikitext in a wiki of wikitext', { 'Home.wiki': 'a', 'x.md': 'c' }, 'New page', 'New_page.wiki'],
    ['is wikitext in an empty one', { 'a.zip': '' }, 'New page', 'New_page.wiki'],
    ['is wikitext as a template', { 'Home.md': 'a' }, 'Template:T', 'Template/T.wiki'],
  ])('%s', async (_, files, title, path) => {
    expect(await created(files as unknown as Record<string, string>, title)).toBe(path)
  })
})

describe('a title with spaces in a wiki whose files have dashes', () => {
  async function gollum() {
    const files = { 'Home.md': '[[Page name]]', 'Page-name.md': 'text', 'Old-guide.rst': 'guide' }
    const wiki = await openWiki({ directory: await repositoryOf(files) })
    await wiki.store.refresh()
    return wiki
  }
  const paths = ({ store }: { store: Store }) => [...store.pages()].map(({ path }) => path).sort()

  test.each([
    ['Page name', 'Page-name'],
    ['page_name', 'Page-name'],
    ['Old guide', 'Old-guide.rst'],
    ['Old-guide', 'Old-guide.rst'],
  ])('%s is read as %s, and by an exact read redirected there', async (title, key) => {
    const wiki = await gollum()
    expect(findPage(wiki.store, { title })).toMatchObject({ key })
    expect(() => findPage(wiki.store, { title, exact: true })).toThrow(TitleRedirect)
    await wiki.close()
  })

  test('an edit saves the page that was read, and creates no second one', async () => {
    const wiki = await gollum()
    const { latest } = findPage(wiki.store, { title: 'Page name' })
    const edit = { title: 'Page name', source: 'more', base: latest, comment: null, author: ada }
    expect(await updatePage(wiki, edit)).toMatchObject({ created: false, page: { key: 'Page-name' } })
    const again = createPage(wiki, { title: 'Page name', source: 'x', comment: null, author: ada })
    await expect(again).rejects.toMatchObject({ code: 'apierror-articleexists' })
    expect(paths(wiki)).toEqual(['Home.md', 'Old-guide.rst', 'Page-name.md'])
    await wiki.close()
  })

  test('a deleted page is found and restored by it', async () => {
    const wiki = await gollum()
    await deletePages(wiki, { titles: ['Page name'], comment: null, author: ada })
    expect(findPage(wiki.store, { title: 'Page name', deleted: true })).toMatchObject({ key: 'Page-name' })
    expect(await restorePage(wiki, { title: 'Page name', comment: null, author: ada })).toMatchObject({
      key: 'Page-name',
      paths: ['Page-name.md'],
    })
    expect(paths(wiki)).toEqual(['Home.md', 'Old-guide.rst', 'Page-name.md'])
    await wiki.close()
  })

  test('a page moves to a name with dashes, and back over its note', { tags: 'long' }, async () => {
    const wiki = await gollum()
    const move = { from: 'Page name', to: 'Another name', comment: null, author: ada, updateLinks: true }
    expect(await movePage(wiki, move)).toMatchObject({ to: { key: 'Another-name', path: 'Another-name.md' } })
    await movePage(wiki, { ...move, from: move.to, to: move.from })
    expect(paths(wiki)).toEqual(['Another-name.md', 'Home.md', 'Old-guide.rst', 'Page-name.md'])
    await wiki.close()
  })
})

describe('wiki init', () => {
  test('adds nothing to a repository that has pages', async () => {
    const directory = await repositoryOf({ 'Home.md': 'a' })
    expect(await initWiki({ directory, author: ada })).toMatchObject({ written: [], commit: null, pages: 1 })
  })

  test('adds only the named settings', async () => {
    const directory = await repositoryOf({ 'Home.md': 'a' })
    expect(await initWiki({ directory, author: ada, settings: { name: 'Ours' } })).toMatchObject({
      written: ['wiki.json'],
    })
    expect(git(directory, 'show', 'HEAD:wiki.json')).toBe('{\n  "name": "Ours"\n}')
  })
})

describe('pages of other formats', () => {
  test.each(['rst', 'adoc', 'asciidoc', 'textile', 'org'])(
    '.%s is a text whose title has the extension',
    async ending => {
      const wiki = await openWiki({ directory: await repositoryOf({ [`Guide.${ending}`]: 'a' }) })
      await wiki.store.refresh()
      expect([...wiki.store.pages()]).toMatchObject([{ title: `Guide.${ending}`, model: 'text' }])
      await wiki.close()
    },
  )

  test('.markdown is Markdown', async () => {
    const wiki = await openWiki({ directory: await repositoryOf({ 'Guide.markdown': 'a' }) })
    await wiki.store.refresh()
    expect([...wiki.store.pages()]).toMatchObject([{ title: 'Guide', model: 'markdown' }])
    await wiki.close()
  })
})

test.each([
  ['gollum', { 'Home.md': 'a', 'x.wiki': 'b' }],
  ['notes', { 'README.md': 'a', 'x.md': 'b' }],
  ['paths', { 'README.mediawiki': 'a', 'x.wiki': 'b' }],
  ['auto', { 'README.mediawiki': 'a', 'x.md': 'b' }],
  ['auto', {}],
  ['mediawiki', { 'Home.md': 'a', 'wiki.json': '{ "links": "mediawiki" }' }],
])('the status reports %s links', async (links, files) => {
  const wiki = await openWiki({ directory: await repositoryOf({ ...files, LICENSE: 'x' }) })
  expect(await wikiStatus(wiki)).toMatchObject({ links })
  await wiki.close()
})

test.each([
  ['the one of the setting', { 'Main_Page.wiki': 'a', 'Home.md': 'b' }, 'Main Page'],
  ['Home', { 'Home.md': 'b', 'README.md': 'c' }, 'Home'],
  ['README', { 'README.md': 'c' }, 'README'],
  ['the one of the setting, which can be created', { 'a.md': 'c' }, 'Main Page'],
])('the main page is %s', async (_, files, title) => {
  const wiki = await openWiki({ directory: await repositoryOf(files as unknown as Record<string, string>) })
  await wiki.store.refresh()
  expect(mainPageTitle(wiki.store)).toBe(title)
  await wiki.close()
})
