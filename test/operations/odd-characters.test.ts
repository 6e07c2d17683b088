/** Characters that no page can hold: new ones are replaced or refused, those of files from git stay where nobody changed them. */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyPatchToPages } from '../../src/operations/apply-patch.ts'
import { commitWork } from '../../src/operations/commit-work.ts'
import { exportDump } from '../../src/operations/export-dump.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { checkCharacters } from '../../src/operations/resources/source.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { needsGit } from '../_setup.ts'
import { sending } from '../rest/_asking.ts'
import { ada, commitFiles, create, edit, newWiki } from './_wiki.ts'

const odd = 'one\rtwo\r\nNUL \0 SOH \x01 end\nBOM \ufffe cafe\u0301\nlast\n'

async function fileOf(wiki: Wiki, title: string): Promise<string> {
  const { latest } = wiki.store.findPage(title)!
  return wiki.store.text(wiki.store.revision(latest)!)
}

test('a text is saved with LF, composed, and U+FFFD for what XML cannot express', async () => {
  const { wiki } = await newWiki()
  await create(wiki, 'A', odd)
  expect(await fileOf(wiki, 'A')).toBe('one\ntwo\nNUL \ufffd SOH \ufffd end\nBOM \ufffd caf\u00e9\nlast\n')
})

test('an edit elsewhere keeps such characters of a file from git, which readers can read', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'A.wiki': odd })
  const app = createApp(wiki, { allowAnonymous: true })
  const read = (await (await app.request('/v1/page/A')).json()) as { source: string; latest: object }
  expect(read.source).toBe(odd.slice(0, -1))
  for (const [source, expected] of [
    [read.source, odd],
    // A browser replaces NUL and the lone CR.
    [
      read.source.replace('last', 'new').replaceAll('\r\n', '\n').replaceAll('\r', '\n').replaceAll('\0', '\ufffd'),
      odd.replace('last', 'new'),
    ],
    [read.source.replace('last', 'newest').replace('end', 'END'), odd.replace('last', 'newest').replace('end', 'END')],
  ] as const) {
    const { latest } = await readPage(wiki, { title: 'A', base: '' })
    expect((await app.request('/v1/page/A', sending('PUT', { source, comment: null, latest }))).status).toBe(200)
    expect(await fileOf(wiki, 'A')).toBe(expected)
  }
})

test('HTML of such a file has none of them', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'A.wiki': odd, 'T.wiki': '{{:A}}\n', 'M.md': odd })
  const app = createApp(wiki)
  for (const title of ['A', 'T', 'M']) {
    const html = await (await app.request(`/v1/page/${title}/html`)).text()
    expect(html).toContain('SOH')
    expect([title, /[\0\x01\ufffe]/.test(html)]).toEqual([title, false])
  }
})

test('the sum in a dump is that of the text in the dump', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'A.wiki': odd })
  let xml = ''
  for await (const piece of exportDump(wiki, { titles: ['A'] })) xml += piece
  const [, bytes, sha1, text] = /<text bytes="(\d+)" sha1="(\w+)"[^>]*>([^<]*)<\/text>/.exec(xml)!
  const read = Buffer.from(text!.replaceAll('&#13;', '\r'))
  const sum = BigInt(`0x${createHash('sha1').update(read).digest('hex')}`)
  expect([Number(bytes), sha1]).toEqual([read.length, sum.toString(36).padStart(31, '0')])
})

describe('a file that is recorded as it is', () => {
  beforeEach(needsGit)

  test('may not get such a character, but may keep it', async () => {
    const { wiki, directory } = await newWiki({ A: 'a' })
    await commitFiles(wiki, { 'B.wiki': 'b \x01\n' })
    writeFileSync(join(directory, 'A.wiki'), 'a\nb \ufffe\n')
    await expect(commitWork(wiki, { comment: null, author: ada })).rejects.toMatchObject({
      code: 'wiki-bad-character',
      message: expect.stringContaining('U+FFFE, which no page can hold, in line 2'),
    })
    writeFileSync(join(directory, 'A.wiki'), 'a2\n')
    writeFileSync(join(directory, 'B.wiki'), 'b \x01 2\n')
    expect((await commitWork(wiki, { comment: null, author: ada })).recorded).toHaveLength(2)
    expect(await fileOf(wiki, 'B')).toBe('b \x01 2\n')
  })

  test('may not get one from a patch', async () => {
    const { wiki } = await newWiki({ A: 'a' })
    const patch = '--- a/A.wiki\n+++ b/A.wiki\n@@ -1 +1 @@\n-a\n+a\x02\n'
    await expect(applyPatchToPages(wiki, { patch, comment: null, author: ada })).rejects.toMatchObject({
      code: 'wiki-bad-character',
    })
  })
})

// Looked for once for each place, the character takes longer than a test may.
test('a character that a text has everywhere is looked for once', () => {
  checkCharacters('A', '\x01'.repeat(4_000_000), `${'x'.repeat(4_000_000)}\x01`)
})

test('an edit of text that is not UTF-8 is still refused', async () => {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { 'A.wiki': Buffer.from([0x61, 0xff, 0x0a]) })
  const { latest, source } = await readPage(wiki, { title: 'A', base: '' })
  await expect(
    updatePage(wiki, { title: 'A', source: `${source}b`, base: latest.id, comment: null, author: ada }),
  ).rejects.toMatchObject({ code: 'wiki-not-utf8' })
})

describe('the byte order mark of a file', () => {
  const marked = '\ufeffone\ntwo\nthree\n'

  test.each([
    ['whatever a client makes of it', 'one\ntwo\nTHREE', '\ufeffone\ntwo\nTHREE\n'],
    ['when it is sent too', '\ufeffone\ntwo\nTHREE', '\ufeffone\ntwo\nTHREE\n'],
    ['when the first line changes', 'ONE\ntwo\nthree', '\ufeffONE\ntwo\nthree\n'],
    ['and is no edit', 'one\ntwo\nthree', marked],
    ['unless the text goes', '', ''],
  ])('stays, %s', async (_, source, expected) => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, { 'A.wiki': marked })
    const tip = wiki.store.tip
    await edit(wiki, 'A', source)
    expect(await fileOf(wiki, 'A')).toBe(expected)
    expect(wiki.store.tip === tip).toBe(expected === marked)
  })

  test('stays in a merge with a newer edit', async () => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, { 'A.wiki': '\ufeffone\n\ntwo\n\nthree\n' })
    const base = wiki.store.findPage('A')!.latest
    await edit(wiki, 'A', 'ONE\n\ntwo\n\nthree')
    await edit(wiki, 'A', 'one\n\ntwo\n\nTHREE', { base })
    expect(await fileOf(wiki, 'A')).toBe('\ufeffONE\n\ntwo\n\nTHREE\n')
  })
})
