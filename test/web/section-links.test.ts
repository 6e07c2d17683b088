/** A section's link is made in one text and opened in another. */

import { describe, expect, test } from 'vitest'
import { movePage } from '../../src/operations/move-page.ts'
import { ada, commitFiles, create, edit } from '../operations/_wiki.ts'
import { attributeOf, linksOf, newSite, type Site, textOf } from './_site.ts'

const wikitext = 'Lead.\n\n== Ebb ==\nLow water.\n\n== Flood ==\nHigh water.\n\n== Notes ==\na\n'
const markdown = wikitext.replace(/== (\w+) ==/g, '## $1')

/** The link to the source of the section with this heading. */
async function linkTo({ page }: Site, path: string, heading: string): Promise<string> {
  const link = (await page(path)).elements.find(one => attributeOf(one, 'aria-label') === `Edit section: ${heading}`)
  return attributeOf(link!, 'href')!
}

/** The text that a link opens, and the message above it. */
async function opened(
  { page }: Site,
  link: string,
): Promise<{ text: string; number: string | undefined; said: string }> {
  const { elements } = await page(link)
  const box = elements.find(({ tagName }) => tagName === 'textarea')!
  const field = elements.find(one => attributeOf(one, 'name') === 'section')
  const notice = elements.find(one => attributeOf(one, 'class')?.startsWith('notice warning'))
  return {
    text: textOf(box.childNodes).trim(),
    number: field && attributeOf(field, 'value'),
    said: textOf(notice?.childNodes ?? []),
  }
}

describe.each([
  ['Tides.wiki', 'Tides', wikitext],
  ['Tides.md', 'Tides', markdown],
])('%s', (path, title, source) => {
  const open = async (): Promise<{ site: Site; link: string; change: (text: string) => Promise<void> }> => {
    const site = await newSite()
    const change = async (text: string) => {
      await commitFiles(site.wiki, { [path]: text })
      await site.wiki.store.refresh()
    }
    await change(source)
    return { site, link: await linkTo(site, `/wiki/${title}`, 'Flood'), change }
  }
  const flood = source.slice(source.indexOf('Flood') - 3, source.indexOf('Notes') - 4).trim()
  const ebb = (text: string) => text.replace(/^.*Ebb.*$/m, line => `${line.replace('Ebb', 'Slack')}\nStill.\n\n${line}`)

  test('opens the section in the same text', async () => {
    const { site, link } = await open()
    expect(await opened(site, link)).toEqual({ text: flood, number: '2', said: '' })
  })

  test('opens the same section after one was put in front of it by git', async () => {
    const { site, link, change } = await open()
    await change(ebb(source))
    expect(await opened(site, link)).toEqual({ text: flood, number: '3', said: '' })
    await change(source.replace(/.*Ebb[\s\S]*?(?=.*Flood)/, ''))
    expect(await opened(site, link)).toEqual({ text: flood, number: '1', said: '' })
  })

  test.each([
    ['its heading was changed', (text: string) => text.replace('Flood', 'High tide')],
    ['it was removed', (text: string) => text.replace(/.*Flood[\s\S]*?(?=.*Notes)/, '')],
    ['another one has the same heading', (text: string) => text.replace('Ebb', 'Flood')],
  ])('shows the whole page and says so where %s', async (_, changed) => {
    const { site, link, change } = await open()
    await change(changed(source))
    const { text, number, said } = await opened(site, link)
    expect([text, number]).toEqual([changed(source).trim(), undefined])
    expect(said).toMatch(/whole page/)
  })

  test('a number alone, and a text that the page never had', async () => {
    const { site, link, change } = await open()
    await change(ebb(source))
    const other = link.replace(/in=\w+/, 'in=000000000000')
    expect((await opened(site, other)).said).toMatch(/whole page/)
    expect((await opened(site, link.replace(/in=\w+&?/, ''))).text).toMatch(/Ebb/)
    for (const odd of ['in=.*', 'in=', 'in=0', 'in=zzzzzzzzzzzz'])
      expect((await site.ask(link.replace(/in=\w+/, odd))).status).toBe(200)
  })
})

test('the text that a link names is found after a move', async () => {
  const site = await newSite()
  await create(site.wiki, 'Tides', wikitext)
  const link = await linkTo(site, '/wiki/Tides', 'Flood')
  await movePage(site.wiki, { from: 'Tides', to: 'Sea', redirect: false, author: ada, comment: null })
  await edit(site.wiki, 'Sea', wikitext.replace('== Ebb', '== Slack ==\n.\n\n== Ebb'))
  const there = link.replace('/Tides', '/Sea')
  expect((await opened(site, there)).text).toBe('== Flood ==\nHigh water.')
  expect(linksOf(await site.page('/wiki/Sea')).filter(one => one.includes('section=')).length).toBe(4)
})
