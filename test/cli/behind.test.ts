/** The command line on files of the work tree that are older than their pages. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { sampleWiki, wiki } from './harness.ts'

const station = (house: string, crew: string) => `== House ==\n${house}\n\n== Crew ==\n${crew}\n`
const before = ['The old fire station is blue.', 'Nobody.\nOr Bob.'] as const
const path = 'Fire_station.wiki'

/** The crew is edited here, and the house by another user since. */
async function behindWiki(theirs = station('The old fire station is green.', before[1])): Promise<string> {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, path), station(before[0], 'Somebody.\nOr Bob.'))
  await saveElsewhere(cwd, { [path]: theirs })
  return cwd
}

async function saveElsewhere(cwd: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const store = openStore({ directory: cwd })
  const changes = Object.entries(texts).map(([name, text]) => ({ path: name, content: Buffer.from(text) }))
  const author = { name: 'Bob', address: 'bob@example.org' }
  await store.commit(() => ({ changes, author, comment: 'theirs', subject: 'theirs' }))
  store.close()
}

const merged = station('The old fire station is green.', 'Somebody.\nOr Bob.')
const page = async (cwd: string) => (await wiki(['page', 'get', 'Fire station'], { cwd })).stdout
const file = (cwd: string) => readFileSync(join(cwd, path), 'utf8')

test('status shows the revision from which a file was edited, in columns', async () => {
  const cwd = await behindWiki()
  writeFileSync(join(cwd, 'Main_Page.wiki'), 'Hello again.\n')
  const shown = await wiki(['status'], { cwd, tty: ['stdout'], env: { NO_COLOR: '1' } })
  expect(shown.stdout).toContain(
    `  modified   ${path}  behind: edited from revision 4, latest is 6\n  modified   Main_Page.wiki\n`,
  )
  expect((await wiki(['status'], { cwd })).stdout).toBe(
    `modified\t${path}\tFire station\tbehind: edited from revision 4, latest is 6\nmodified\tMain_Page.wiki\tMain Page\n`,
  )
  expect(JSON.parse((await wiki(['status', '--json'], { cwd })).stdout).changes).toEqual([
    { path, kind: 'modified', key: 'Fire_station', title: 'Fire station', behind: { base: 4, latest: 6 } },
    { path: 'Main_Page.wiki', kind: 'modified', key: 'Main_Page', title: 'Main Page' },
  ])
})

test('commit merges and reports it, and a dry run announces it', async () => {
  const cwd = await behindWiki()
  const told = 'behind: edited from revision 4, latest is 6'
  expect((await wiki(['commit', '--dry-run'], { cwd })).stdout).toBe(`modified\t${path}\tmerged; ${told}\n`)
  const result = await wiki(['commit', '-m', 'Crew'], { cwd })
  expect(result.stderr).toMatch(
    new RegExp(
      `^Recorded "Fire station" in [0-9a-f]{7,}\n${path} was merged with newer edits of others \\(${told}\\)\n$`,
    ),
  )
  expect([await page(cwd), file(cwd)]).toEqual([merged, merged])
})

test('a conflicting commit exits with 3, shows both differences, and can be resolved as its hint says', {
  tags: 'long',
}, async () => {
  const cwd = await behindWiki(station(before[0], 'Everybody.\nOr Bob.'))
  const mine = file(cwd)
  for (const extra of [[], ['--dry-run']]) {
    const result = await wiki(['commit', '-m', 'Crew', ...extra], { cwd })
    expect(result.status).toBe(3)
    expect(result.stderr).toBe(
      'wiki: Edit conflict: somebody else has changed Fire station\n' +
        'Yours, since revision 4:\n@@ line 3 @@\n  \n  == Crew ==\n+ Somebody.\n- Nobody.\n  Or Bob.\n' +
        'Theirs, until revision 6:\n@@ line 3 @@\n  \n  == Crew ==\n+ Everybody.\n- Nobody.\n  Or Bob.\n' +
        `hint: Put both edits together in the file, then: wiki page edit "Fire station" --base 6 -f "${path}"\n`,
    )
  }
  const json = JSON.parse((await wiki(['commit', '--json'], { cwd })).stderr)
  expect(json).toMatchObject({ errorKey: 'edit-conflict', base: 4, current: 6, local: {}, remote: {} })
  expect([await page(cwd), file(cwd)]).toEqual([station(before[0], 'Everybody.\nOr Bob.'), mine])
  const settled = station(before[0], 'Everybody, and somebody.\nOr Bob.')
  writeFileSync(join(cwd, path), settled.trimEnd())
  expect((await wiki(['page', 'edit', 'Fire station', '--base', '6', '-f', path], { cwd })).status).toBe(0)
  expect(await page(cwd)).toBe(settled)
  expect((await wiki(['status'], { cwd })).stdout).toBe('')
})

test.each([
  ['-f file', (cwd: string) => ({ argv: ['-f', path], stdin: '', cwd })],
  ['-f -', (cwd: string) => ({ argv: ['-f', '-'], stdin: file(cwd), cwd })],
])("page edit %s of the page's own file merges it, in the work tree as well", async (_, how) => {
  const cwd = await behindWiki()
  const { argv, ...options } = how(cwd)
  const result = await wiki(['page', 'edit', 'Fire station', ...argv], options)
  expect(result.stderr).toMatch(/^Saved "Fire station" as revision 7 .*, merged with the newer edits of others\n$/)
  expect([await page(cwd), file(cwd)]).toEqual([merged, merged])
  expect((await wiki(['status'], { cwd })).stdout).toBe('')
})

test('page edit of a text made from the file merges it, and leaves the file alone', async () => {
  const cwd = await behindWiki()
  const mine = file(cwd)
  await wiki(['page', 'edit', 'Fire station', '-f', '-'], { cwd, stdin: mine.replace('Or Bob.', 'Or Bob, or Ada.') })
  expect(await page(cwd)).toBe(merged.replace('Or Bob.', 'Or Bob, or Ada.'))
  expect(file(cwd)).toBe(mine)
  await wiki(['commit'], { cwd })
  expect(await page(cwd)).toBe(merged.replace('Or Bob.', 'Or Bob, or Ada.'))
})

test('page edit of the file is refused on conflicts, and if the page was created or deleted meanwhile', async () => {
  const cwd = await behindWiki(station(before[0], 'Everybody.\nOr Bob.'))
  writeFileSync(join(cwd, 'New.wiki'), 'Mine.\n')
  writeFileSync(join(cwd, 'Main_Page.wiki'), 'Hello, mine.\n')
  await saveElsewhere(cwd, { 'New.wiki': 'Theirs.\n' })
  await wiki(['page', 'delete', 'Main Page', '--yes'], { cwd })
  for (const [title, name] of [
    ['Fire station', path],
    ['New', 'New.wiki'],
    ['Main Page', 'Main_Page.wiki'],
  ] as const)
    expect([title, (await wiki(['page', 'edit', title, '-f', name], { cwd })).status]).toEqual([title, 3])
  expect((await wiki(['page', 'get', 'New'], { cwd })).stdout).toBe('Theirs.\n')
})

test('a file whose page was moved or deleted is saved as the hint says', { tags: 'long' }, async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, path), station(before[0], 'Somebody.\nOr Bob.'))
  writeFileSync(join(cwd, 'Main_Page.wiki'), 'Hello, mine.\n')
  await wiki(['page', 'move', 'Fire station', 'Watch'], { cwd })
  await wiki(['page', 'delete', 'Main Page', '--yes'], { cwd })
  expect((await wiki(['commit', 'Fire station'], { cwd })).stderr).toBe(
    `wiki: Cannot record ${path}: the page is now "Watch"; nothing was written\n` +
      `hint: Save your text there: wiki page edit "Watch" --base 4 -f "${path}"; then remove the file\n`,
  )
  expect((await wiki(['page', 'edit', 'Watch', '--base', '4', '-f', path], { cwd })).status).toBe(0)
  expect((await wiki(['page', 'get', 'Watch'], { cwd })).stdout).toBe(station(before[0], 'Somebody.\nOr Bob.'))
  expect((await wiki(['commit', 'Main Page'], { cwd })).stderr).toContain(
    'somebody else deleted it; nothing was written\nhint: Remove the file, or create it again: wiki page create',
  )
  expect((await wiki(['page', 'create', 'Main Page', '-f', 'Main_Page.wiki'], { cwd })).status).toBe(0)
  expect((await wiki(['status'], { cwd })).stdout).toContain(path)
})

test('a text not made from the file replaces the latest revision', async () => {
  const cwd = await behindWiki()
  const whole = station('The new fire station is green.', before[1])
  await wiki(['page', 'edit', 'Fire station', '-f', '-'], { cwd, stdin: whole })
  expect(await page(cwd)).toBe(whole)
})

test('an editor beside an outdated file starts from the latest revision', async () => {
  const cwd = await behindWiki()
  const env = { EDITOR: `sed -i 's/green/red/'` }
  expect((await wiki(['page', 'edit', 'Fire station'], { cwd, env })).status).toBe(0)
  expect(await page(cwd)).toBe(station('The old fire station is red.', before[1]))
})

test('commit refuses an empty file, and blanks it with --allow-empty', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'Main_Page.wiki'), '')
  const refused = await wiki(['commit'], { cwd })
  expect(refused.status).toBe(2)
  expect(refused.stderr).toContain('The text of Main Page is empty; nothing was written\nhint: Add --allow-empty')
  expect((await wiki(['commit', '--allow-empty'], { cwd })).status).toBe(0)
  expect(existsSync(join(cwd, '.git', 'wiki', 'bases'))).toBe(false)
})
