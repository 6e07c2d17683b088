import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { linkTargets } from '../../src/operations/naming/wiki-names.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { git, needsGit } from '../_setup.ts'
import { mostInOneTurn } from '../_turns.ts'
import { commitFiles, create, newWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

const htmlOf = async (wiki: Wiki, title: string): Promise<string> =>
  (await renderPage(wiki, { title, bodyOnly: true })).html

/** A wiki of files, committed with git as users of other wikis do. */
async function wikiOf(files: Readonly<Record<string, string | Buffer>>): Promise<Wiki> {
  const { wiki, directory } = await newWiki({})
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'Files')
  return wiki
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('wikitext links to files by their paths', async () => {
  const wiki = await wikiOf({
    'bip-0340.mediawiki': 'a [[bip-0341.mediawiki|341]] [[bip-0340/notes.md#part]] [[bip-9.mediawiki]]',
    'bip-0341.mediawiki': 'b',
    'bip-0340/notes.md': '[up](../bip-0341.mediawiki)',
    'bip-0340/types.mediawiki': '[[../bip-0341.mediawiki|b]]',
  })
  expect(await htmlOf(wiki, 'Bip-0340')).toMatch(
    /<a rel="mw:WikiLink" href="\.\/Bip-0341" title="Bip-0341"[^>]*>341<\/a>/,
  )
  expect(await htmlOf(wiki, 'Bip-0340')).toContain('href="./Bip-0340/notes#part"')
  expect(await htmlOf(wiki, 'Bip-0340')).toContain('href="./Bip-9.mediawiki?action=edit&amp;redlink=1"')
  expect(await htmlOf(wiki, 'Bip-0340/notes')).toContain('href="./Bip-0341"')
  expect(await htmlOf(wiki, 'Bip-0340/types')).toContain('href="./Bip-0341"')
})

test('wikitext shows pictures by their paths, and any other picture is text', { tags: 'long' }, async () => {
  const wiki = await wikiOf({
    'a/page.wiki':
      '<img src="b.png" width=20 alt="B" /> [[File:./b.png]] <img src="https://x.example/b.png"> <img src="none.png">',
    'a/b.png': pixel,
  })
  const html = await htmlOf(wiki, 'A/page')
  expect(html.match(/<img [^>]*resource="\.\/File:A\/b\.png"/g)).toHaveLength(2)
  expect(html).toContain('alt="B"')
  expect(html).toContain('&lt;img src="<a rel="mw:ExtLink nofollow"')
  expect(html).toContain('&lt;img src="none.png">')
})

test('a Gollum wiki is detected by its pages, and names match files in any folder', { tags: 'long' }, async () => {
  const wiki = await wikiOf({
    'Home.md': '[[The house|House Proteron]] ![](images/x.png)',
    'cards/House-Proteron.md': 'a',
    'images/x.png': pixel,
  })
  const html = await htmlOf(wiki, 'Home')
  expect(html).toMatch(/href="\.\/Cards\/House-Proteron"[^>]*>The house</)
  expect(html).toContain('resource="./File:Images/x.png"')
  expect((await wikiStatus(wiki)).links).toBe('gollum')
})

test('a red link is rendered again once its page exists', async () => {
  const wiki = await wikiOf({ 'a.md': '[b](b)', 'c.md': 'c' })
  expect(await htmlOf(wiki, 'A')).toContain('redlink')
  await create(wiki, 'Docs/b', 'x')
  expect(await htmlOf(wiki, 'A')).not.toContain('redlink')
})

test("MediaWiki's link rules only know titles", async () => {
  const wiki = await wikiOf({
    'a.wiki': '[[b.wiki]] <img src="b.png">',
    'b.wiki': 'b',
    'b.png': pixel,
    'wiki.json': '{"links":"mediawiki"}',
  })
  const html = await htmlOf(wiki, 'A')
  expect(html).toContain('href="./B.wiki?action=edit&amp;redlink=1"')
  expect(html).toContain('&lt;img src="b.png">')
})

test('others run while the names of a wiki are collected', { tags: 'long' }, async () => {
  const { wiki } = await newWiki()
  const notes = Array.from({ length: 300 }, (_, at) => [`Folder/注 ${at}.md`, 'a'])
  await commitFiles(wiki, { 'wiki.json': '{"links": "notes"}', ...Object.fromEntries(notes) })
  // Each name is composed when it is indexed.
  const { normalize } = String.prototype
  const countNames = (step: () => void) =>
    vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
      step()
      return normalize.call(this, form)
    })
  const most = await mostInOneTurn(countNames, async () => {
    const links = ['注 7', 'None'].map(target => ({ from: 'Folder/注_1', target, syntax: 'name' as const }))
    const [found, none] = await linkTargets(wiki.store, links)
    expect(found?.key).toBe('Folder/注_7')
    expect(none).toBe(null)
  })
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(50)
})
