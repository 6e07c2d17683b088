/** `wiki compare` over a whole wiki: the changes of a branch, as a gate or the comment of a pull request needs them. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeOnce, needsGit } from '../_setup.ts'
import { git, gitWiki, sampleWiki, temporaryFolder, wiki } from './harness.ts'

const alice = 'Alice <alice@example.org>'

/** `main` and `draft`, each with an edit that the other has not. */
const parted = madeOnce(async () => {
  const folder = await gitWiki([{ files: { 'A.wiki': 'one\n', 'B.wiki': 'two\n' }, message: 'Begin', user: alice }])
  git(folder, ['checkout', '-q', '-b', 'draft'])
  await wiki(['page', 'edit', 'A', '-f', '-', '-m', 'of the draft'], { cwd: folder, stdin: 'one, drafted\n' })
  git(folder, ['checkout', '-q', 'main'])
  await wiki(['page', 'edit', 'B', '-f', '-', '-m', 'of main'], { cwd: folder, stdin: 'two, of main\n' })
  git(folder, ['checkout', '-q', 'draft'])
  return folder
})

test('three dots and --since omit the changes of the first side', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = await parted()
  const pages = async (...args: string[]) => {
    const { stdout } = await wiki(['compare', ...args, '--json'], { cwd })
    return (JSON.parse(stdout).pages as { title: string }[]).map(({ title }) => title)
  }
  expect(await pages('main..draft')).toEqual(['A', 'B'])
  expect(await pages('main...draft')).toEqual(['A'])
  expect(await pages('main...')).toEqual(['A'])
  expect(await pages('--since', 'main')).toEqual(['A'])
})

test('histories without a common commit are compared with two dots', async context => {
  needsGit(context)
  const cwd = await parted()
  git(cwd, ['checkout', '-q', '--orphan', 'other'])
  git(cwd, ['commit', '-q', '-m', 'anew'])
  const { status, stderr } = await wiki(['compare', 'main...other'], { cwd })
  expect(status).toBe(2)
  expect(stderr).toContain('main..other')
})

test('a branch that only the remote has is named with its remote', async context => {
  needsGit(context)
  const origin = await parted()
  const clone = join(temporaryFolder(), 'clone')
  git(origin, ['clone', '-q', '-b', 'draft', `file://${origin}`, clone])
  for (const name of ['main', 'main~1']) {
    const { status, stderr } = await wiki(['check', '--since', name], { cwd: clone })
    expect([status, stderr]).toEqual([2, expect.stringMatching(new RegExp(`origin/${name}\n$`))])
  }
})

test('a clone that lacks a commit names the git fetch that gets it', { tags: 'long' }, async context => {
  needsGit(context)
  const origin = await parted()
  const clone = join(temporaryFolder(), 'clone')
  git(origin, ['clone', '-q', '--depth=1', '-b', 'draft', `file://${origin}`, clone])
  const { stderr } = await wiki(['compare', 'origin/main..HEAD'], { cwd: clone })
  const command = /git (fetch .*)/.exec(stderr)?.[1]
  expect(command).toBe('fetch --depth=1 origin +refs/heads/main:refs/remotes/origin/main')
  git(clone, command!.split(' '))
  expect((await wiki(['compare', 'origin/main..HEAD'], { cwd: clone })).status).toBe(1)
  const base = await wiki(['compare', 'origin/main...HEAD'], { cwd: clone })
  expect(base.stderr).toContain('git fetch --unshallow origin')
  git(clone, ['fetch', '-q', '--unshallow', 'origin'])
  expect((await wiki(['compare', 'origin/main...HEAD', '--stat'], { cwd: clone })).stdout).toMatch(/^M A: .*\n$/)
})

test('a shallow clone names the fetch that gets the missing parents of a name', { tags: 'long' }, async context => {
  needsGit(context)
  const origin = await parted()
  const clone = join(temporaryFolder(), 'clone')
  git(origin, ['clone', '-q', '--depth=1', '-b', 'draft', `file://${origin}`, clone])
  for (const range of ['HEAD^..HEAD', 'HEAD~1...HEAD']) {
    const { status, stderr } = await wiki(['compare', range], { cwd: clone })
    expect({ range, status, stderr }).toEqual({ range, status: 2, stderr: expect.stringContaining('HEAD') })
    expect(stderr).toMatch(/git fetch --deepen=1 origin\n$/)
  }
  expect((await wiki(['check', '--range', 'HEAD^^2~2..HEAD'], { cwd: clone })).stderr).toContain('--deepen=4 ')
  for (const page of ['A', 'A@prev'])
    expect(await wiki(['compare', page], { cwd: clone })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('shallow and may not hold it: git fetch --unshallow'),
    })
  git(clone, ['fetch', '-q', '--deepen=1', 'origin'])
  for (const range of ['HEAD^..HEAD', 'HEAD~1...HEAD'])
    expect((await wiki(['compare', range], { cwd: clone })).stdout).toMatch(/^M A: .*\n$/)
})

test('a page alone is compared with its previous state, by its title or its file', async () => {
  const cwd = sampleWiki()
  const whole = await wiki(['compare', '2', '4'], { cwd })
  for (const name of ['Fire station', 'Fire_station.wiki', './Fire_station.wiki', join(cwd, 'Fire_station.wiki')])
    expect(await wiki(['compare', name], { cwd }), name).toEqual(whole)
  expect(await wiki(['compare', 'Fire station@prev', 'Fire_station.wiki'], { cwd })).toEqual(whole)
  expect((await wiki(['compare', 'Main Page'], { cwd })).stderr).toContain('is the first one of its page')
})

test('a title with two dots is a title', async () => {
  const cwd = sampleWiki()
  for (const text of ['a\n', 'b\n']) await wiki(['page', 'edit', 'To be...', '-f', '-'], { cwd, stdin: text })
  const { status, stderr } = await wiki(['compare', 'To be...'], { cwd })
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
})

test.each([
  ['history', 'Fire_station.wiki'],
  ['page', 'get', './Fire_station.wiki'],
  ['page', 'edit', 'Fire_station.wiki', '-f', '-'],
])('files are named as titles are: %s %s %s', async (...argv) => {
  const cwd = sampleWiki()
  const run = (name: string, folder: string) =>
    wiki(
      argv.map(arg => (arg.endsWith('.wiki') ? name : arg)),
      { cwd: folder, stdin: 'new\n' },
    )
  const byTitle = await run('Fire station', sampleWiki())
  expect((await run(argv.find(arg => arg.endsWith('.wiki'))!, cwd)).status).toBe(byTitle.status)
  expect(byTitle.status).toBe(0)
})

test('a comment fits a pull request and says what is omitted', { tags: 'long' }, async context => {
  needsGit(context)
  const cwd = await gitWiki([
    {
      files: { 'Old.wiki': 'gone\n'.repeat(5000), 'Sides.wiki': `${'word '.repeat(4000)}end\n` },
      message: 'Begin',
      user: alice,
    },
  ])
  git(cwd, ['checkout', '-q', '-b', 'draft'])
  for (let at = 0; at < 60; at++)
    writeFileSync(join(cwd, `Page_${at}.wiki`), `@everyone #1 <b>${at}</b> </pre>\n`.repeat(500))
  writeFileSync(join(cwd, 'Sides.wiki'), `${'word '.repeat(2000)}changed ${'word '.repeat(2000)}end\n`)
  git(cwd, ['rm', '-q', 'Old.wiki'])
  git(cwd, ['add', '.'])
  git(cwd, ['commit', '-q', '-m', 'Much'])
  const { stdout } = await wiki(['compare', 'main...draft', '--markdown'], { cwd })
  expect(stdout.length).toBeLessThanOrEqual(65_536)
  expect(stdout.length).toBeGreaterThan(30_000)
  expect(stdout).toMatch(/^\*\*62 pages:\*\* 1 changed, 60 added, 1 deleted\n/m)
  expect(stdout).toContain('Not shown, for length: ')
  expect(stdout).not.toContain('gone')
  expect(stdout.match(/<pre>/g)!.length).toBe(stdout.match(/<\/pre>/g)!.length)
})

test('a comment counts the new problems of each page, and names unchanged pages with new problems', {
  tags: 'long',
}, async context => {
  needsGit(context)
  const files = { 'Old.wiki': '[[Gone before\n', 'Ebb.wiki': 'Low.\n', 'To_ebb.wiki': '#REDIRECT [[Ebb]]\n' }
  const cwd = await gitWiki([{ files, message: 'Begin', user: alice }])
  const comment = async () => (await wiki(['compare', 'main...draft', '--markdown'], { cwd })).stdout
  git(cwd, ['checkout', '-q', '-b', 'draft'])
  writeFileSync(join(cwd, 'Old.wiki'), 'More.\n\n[[Gone before\n')
  git(cwd, ['commit', '-qam', 'No problem'])
  expect(await comment()).toContain('\n\nNo new problems.\n\n|')
  writeFileSync(join(cwd, 'New.wiki'), '[[Open and <tt>old</tt>\n')
  for (let at = 0; at < 5; at++) writeFileSync(join(cwd, `Long_${at}.wiki`), `[[x${at}]]\n`.repeat(4000))
  git(cwd, ['rm', '-q', 'Ebb.wiki'])
  git(cwd, ['add', '.'])
  git(cwd, ['commit', '-qm', 'Some'])
  const text = await comment()
  expect(text).toMatch(/^\*\*20003 new problems:\*\* 1 error, /m)
  expect(text).toContain('Unchanged, but with new problems: <code>To&#95;ebb&#46;wiki</code>.')
  expect(text).toMatch(/^\| <code>New<\/code> \| added .* \| 1 warning, 1 note \|$/m)
  expect(text).toMatch(/^\| <code>Long 0<\/code> .* \| 4000 notes \|$/m)
  expect(text).toMatch(/^\| <code>Old<\/code> .* \| {2}\|$/m)
  expect(text.length).toBeLessThanOrEqual(65_536)
})

describe('media files and moved pages of a range', () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

  async function withPicture(): Promise<string> {
    const text = 'A first line.\nA second line, which stays.\nA third one, which stays as well.\n'
    const cwd = await gitWiki([{ files: { 'Old.wiki': text }, message: 'Begin', user: 'Alice <alice@example.org>' }])
    git(cwd, ['checkout', '-q', '-b', 'draft'])
    git(cwd, ['mv', 'Old.wiki', 'New.wiki'])
    writeFileSync(join(cwd, 'New.wiki'), `${text}A fourth.\n`)
    writeFileSync(join(cwd, 'Map.png'), Buffer.from(pixel, 'base64'))
    git(cwd, ['add', '.'])
    git(cwd, ['commit', '-qm', 'Draft'])
    return cwd
  }

  test('each format shows them', async context => {
    needsGit(context)
    const cwd = await withPicture()
    const run = async (...args: string[]) => (await wiki(['compare', 'main...draft', ...args], { cwd })).stdout
    expect(await run()).toBe('R Old → New: +1 -0 ~0 lines, +10 bytes; in: (beginning)\nA Map.png: 70 bytes\n')
    expect(await run('--markdown')).toMatch(
      /\*\*2 pages and files:\*\* 1 added, 1 moved[\s\S]*Map&#46;png<\/code> \| added \| \| \+70/,
    )
    const html = await run('--html')
    expect(html).toContain(`<td></td><td><img src="data:image/png;base64,${pixel}" alt="After"><br>70 bytes</td>`)
    expect(html).toContain('img-src data:')
    expect(JSON.parse(await run('--json')).files).toEqual([
      { kind: 'added', path: 'Map.png', size: { from: null, to: 70 } },
    ])
    expect(html).toContain(
      '<h1>main...draft</h1>\n<p>2 pages and files: 1 added, 1 moved.</p>\n<p>No new problems.</p>\n',
    )
    expect(html).toContain('<h2>Old → New <small>moved, +1 -0 ~0 lines, +10 bytes; in: (beginning)</small></h2>')
    const patch = await run('--unified')
    git(cwd, ['checkout', '-q', 'main'])
    writeFileSync(join(cwd, 'change.patch'), patch)
    git(cwd, ['apply', '--index', 'change.patch'])
    expect(git(cwd, ['diff', '--cached', '--stat', 'draft', '--', 'New.wiki', 'Old.wiki'])).toBe('')
  })

  test('a moved file is one change', async context => {
    needsGit(context)
    const cwd = await withPicture()
    git(cwd, ['mv', 'Map.png', 'Chart & 1.png'])
    writeFileSync(join(cwd, 'Copy.png'), Buffer.from(pixel, 'base64'))
    writeFileSync(join(cwd, 'New.wiki'), '[[File:Map.png]]\n')
    git(cwd, ['add', '.'])
    git(cwd, ['commit', '-qm', 'Moved'])
    const run = async (...args: string[]) => (await wiki(['compare', 'draft~1..draft', ...args], { cwd })).stdout
    const moved = { kind: 'moved', path: 'Chart & 1.png', from: 'Map.png', size: { from: 70, to: 70 } }
    expect(JSON.parse(await run('--json')).files).toEqual([moved, expect.objectContaining({ kind: 'added' })])
    expect(await run()).toContain('\nR Map.png → Chart & 1.png: 70 bytes\nA Copy.png: 70 bytes\n')
    expect(await run('--markdown')).toMatch(/Map&#46;png<\/code> → <code>Chart &#38; 1&#46;png<\/code> \| moved/)
    const html = await run('--html')
    const picture = (name: string): string =>
      `<td><img src="data:image/png;base64,${pixel}" alt="${name}"><br>70 bytes</td>`
    expect(html).toContain(
      `<h2>Map.png → Chart &amp; 1.png <small>moved, 70 bytes</small></h2>\n<table>\n<tr class="file">${picture('Before')}${picture('After')}`,
    )
    expect(html).toMatch(/<p>New problems: 1 warning\.<\/p>\n<ul>\n<li>New\.wiki:1:3: warning: missing-file: /)
  })
})

test('a moved picture with edits is one change, and JSON has the figures and the new problems', async context => {
  needsGit(context)
  const pixels = (seed: number, length: number): Buffer =>
    Buffer.from(Array.from({ length }, (_, at) => (Math.imul(at + seed, 2654435761) >>> 13) & 255))
  const cwd = await gitWiki([{ files: { 'Home.md': '![a](Coast.png)\n' }, message: 'Begin', user: alice }])
  git(cwd, ['reset', '-q', '--hard'])
  const files = { 'Map.png': pixels(1, 4000), 'Coast.png': pixels(9000, 4000), 'a/Plan.png': pixels(20000, 4000) }
  git(cwd, ['checkout', '-q', '-b', 'draft'])
  mkdirSync(join(cwd, 'a'))
  for (const [path, bytes] of Object.entries(files)) writeFileSync(join(cwd, path), bytes)
  writeFileSync(join(cwd, 'Gone.png'), pixels(40000, 100))
  git(cwd, ['add', '-A'])
  git(cwd, ['commit', '-qm', 'Pictures'])
  git(cwd, ['branch', '-f', 'main'])
  mkdirSync(join(cwd, 'b'))
  git(cwd, ['mv', 'Map.png', 'b/Map.png'])
  git(cwd, ['mv', 'Coast.png', 'Shore.png'])
  git(cwd, ['mv', 'a/Plan.png', 'b/Plan.png'])
  git(cwd, ['rm', '-q', 'Gone.png'])
  writeFileSync(join(cwd, 'b/Map.png'), pixels(1, 4100))
  writeFileSync(join(cwd, 'Shore.png'), Buffer.concat([pixels(9000, 3900), pixels(7, 50)]))
  writeFileSync(join(cwd, 'b/Plan.png'), pixels(50000, 4000))
  writeFileSync(join(cwd, 'New.png'), pixels(60000, 100))
  git(cwd, ['add', '-A'])
  git(cwd, ['commit', '-qm', 'Move'])
  const body = JSON.parse((await wiki(['compare', 'main..draft', '--json'], { cwd })).stdout)
  expect(body.files.map(({ kind, from, path }: Record<string, string>) => `${kind} ${from ?? ''} ${path}`)).toEqual([
    'deleted  Gone.png',
    'added  New.png',
    'moved Coast.png Shore.png',
    'moved Map.png b/Map.png',
    'moved a/Plan.png b/Plan.png',
  ])
  expect(body.files[3].size).toEqual({ from: 4000, to: 4100 })
  expect(body.summary).toEqual({
    ...{ pages: 0, files: 5, changed: 0, added: 1, moved: 3, deleted: 1 },
    problems: { error: 0, warning: 1, note: 0 },
  })
  const checked = JSON.parse((await wiki(['check', '--range', 'main..draft', '--json'], { cwd })).stdout)
  expect(body.problems).toEqual(checked.problems)
  expect(body.problems).toMatchObject([{ kind: 'missing-file', path: 'Home.md' }])
})

test('a hostile title neither mentions anybody nor links an issue', async context => {
  needsGit(context)
  const cwd = await parted()
  writeFileSync(join(cwd, '@everyone fixes #1 & GH-2.md'), 'text\n')
  git(cwd, ['add', '-A'])
  git(cwd, ['commit', '-qm', 'Mention'])
  const { stdout } = await wiki(['compare', '--since', 'main', '--markdown'], { cwd })
  expect(stdout).toContain('<summary><code>&#64;everyone fixes &#35;1 &#38; GH-2')
  expect(stdout.replace(/<(code|pre)>[\s\S]*?<\/\1>/g, '')).not.toContain('everyone')
})

test('the hint to fetch names a whole branch, whatever characters it has', async () => {
  const cwd = sampleWiki()
  for (const branch of ['entwürfe', 'ab下書き\u3000案', 'a/b@c'])
    expect((await wiki(['compare', `origin/${branch}..HEAD`], { cwd })).stderr).toContain(
      `+refs/heads/${branch}:refs/remotes/origin/${branch}`,
    )
})
