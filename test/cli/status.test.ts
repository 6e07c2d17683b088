import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasGit } from '../_setup.ts'
import { git, sampleWiki, temporaryFolder, wiki } from './harness.ts'

const terminal = { tty: ['stdout', 'stderr'] } as const

test('status at a terminal reports the state of the wiki and the next step', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'Main_Page.wiki'), 'Hello again.\n')
  const { stdout } = await wiki(['status'], { cwd, ...terminal, env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(
    /^Sample on main, [0-9a-f]{7,}\n4 pages, 5 revisions, 0 files \(read by [a-z-]+\)\nLinks as in a folder of files: titles and paths \(wiki config get links\)\n\nNot recorded yet:\n {2}modified {3}Main_Page\.wiki\n\nRecord it with: wiki commit -m "What changed"\n$/,
  )
})

test('status in a script prints only changes, and reports the link rules on stderr', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'Main_Page.wiki'), 'Hello again.\n')
  const { stdout, stderr } = await wiki(['status'], { cwd })
  expect(stdout).toBe('modified\tMain_Page.wiki\tMain Page\n')
  expect(stderr).toBe('Links as in a folder of files: titles and paths (wiki config get links)\n')
  expect((await wiki(['status', '--quiet'], { cwd })).stderr).toBe('')
})

test.skipIf(process.platform === 'win32')('tabs and line ends in the name of a file do not add fields', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'A\tnew\nmodified\tB.wiki'), 'x')
  const { stdout } = await wiki(['status'], { cwd })
  expect(stdout).toMatch(/^\S+\tA new modified B\.wiki\t[^\t\n]*\n$/)
})

test.skipIf(process.platform === 'win32')('a changed file mode is not an edit', async () => {
  const cwd = sampleWiki()
  chmodSync(join(cwd, 'Main_Page.wiki'), 0o755)
  expect((await wiki(['status', '--exit-code'], { cwd })).stdout).toBe('')
})

test('the name of a file cannot write escape sequences to a terminal, with colours or without', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'A\u001b]0;evil\u0007.wiki'), 'x')
  for (const color of ['always', 'never']) {
    const { stdout } = await wiki(['status', '--color', color], { cwd, ...terminal })
    expect(stdout).toContain('A␛]0;evil␇.wiki')
    expect(stdout).not.toContain('\u001b]')
  }
})

test('a file without a valid title is shown with the reason', async () => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'A[b].wiki'), 'x')
  const { stdout } = await wiki(['status'], { cwd, ...terminal, env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/added {6}A\[b\]\.wiki {2}it has one of </)
})

test('status warns of a detached HEAD', async () => {
  const cwd = sampleWiki()
  git(cwd, ['checkout', '-q', '--detach'])
  expect((await wiki(['status'], { cwd, ...terminal })).stdout).toContain('HEAD is detached')
})

test('a version saved by another program, and kept by a write, is shown with the way to restore it', async () => {
  const cwd = sampleWiki()
  const version = 'Main_Page.wiki.kept-0a1b2c3d'
  writeFileSync(join(cwd, version), 'of an editor\n')
  const { stdout } = await wiki(['status'], { cwd, ...terminal, env: { NO_COLOR: '1' } })
  expect(stdout).toContain(`and kept:\n  ${version}\n`)
  expect(stdout).toContain(`  mv "${version}" "Main_Page.wiki"\n  rm "${version}"\n`)
  expect((await wiki(['status'], { cwd })).stdout).toBe(`kept\t${version}\t\tMain_Page.wiki\n`)
  const line = (await wiki(['status', '--jsonl'], { cwd })).stdout
  expect(JSON.parse(line)).toEqual({ path: version, original: 'Main_Page.wiki', kind: 'kept' })
  expect((await wiki(['status', '--exit-code'], { cwd })).status).toBe(1)
  expect((await wiki(['commit', '-m', 'nothing'], { cwd })).stderr).not.toContain('Saved')
})

test.skipIf(!hasGit)('without a terminal, provisional ids and missing history are reported on stderr', async () => {
  const cwd = sampleWiki()
  const remote = join(temporaryFolder(), 'remote.git')
  git(cwd, ['clone', '-q', '--bare', '.', remote])
  git(cwd, ['remote', 'add', 'origin', remote])
  git(cwd, ['fetch', '-q', 'origin'])
  git(cwd, ['branch', '-q', '--set-upstream-to', `origin/${git(cwd, ['branch', '--show-current']).trim()}`])
  writeFileSync(join(cwd, 'Mine.wiki'), 'mine\n')
  await wiki(['commit', '-m', 'Mine'], { cwd })
  const { stdout, stderr } = await wiki(['status'], { cwd })
  expect(stdout).toBe('')
  const shallow = join(temporaryFolder(), 'shallow')
  git(cwd, ['clone', '-q', '--depth', '1', `file://${remote}`, shallow])
  expect((await wiki(['status'], { cwd: shallow })).stderr).toContain('older history is missing')
  expect(stderr).toMatch(/Not in origin\/\w+ yet: revision \d+; its id may change when you pull\n/)
})
