import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textWidth } from '../../src/cli/render/text.ts'
import { type Edit, git, gitWiki, temporaryFolder, wiki } from './harness.ts'

const edits: readonly Edit[] = [
  { files: { 'Ferry.wiki': 'The ferry waits.\n', 'Tides.wiki': 'High.\n' }, message: 'Begun\n\nWith a body' },
  {
    files: { 'Ferry.wiki': 'The old ferry waits.\n' },
    message: '渡し船は古いので、もう一度よく見てください。とても長い要約です。',
    user: '山田太郎と彼の友人たち全員 <y@example.org>',
  },
  { files: { 'Tides.wiki': null }, message: 'No tides here' },
]

test('wiki log lists changes for programs, and in the form of the API', async () => {
  const cwd = await gitWiki(edits)
  const records = (await wiki(['log'], { cwd })).stdout.split('\n').map(line => line.split('\t'))
  expect(records.map(([id, , kind, page]) => [id, kind, page])).toEqual([
    ['deleted', 'D', 'Tides'],
    ['3', '', 'Ferry'],
    ['2', 'N', 'Tides'],
    ['1', 'N', 'Ferry'],
    ['', undefined, undefined],
  ])
  const { changes, latest } = JSON.parse((await wiki(['log', '--author', '山田', '--json'], { cwd })).stdout)
  expect(changes).toMatchObject([{ id: 3, type: 'edit', page: { title: 'Ferry' } }])
  expect(latest).toContain('/v1/changes?user=')
  const lines = (await wiki(['log', '--jsonl', '--title', 'Tides'], { cwd })).stdout.trim().split('\n')
  expect(lines.map(line => JSON.parse(line).id)).toEqual([null, 2])
})

test('wiki history --jsonl of a deleted page begins with the deletion, as in wiki log', async () => {
  const cwd = await gitWiki(edits)
  const lines = (await wiki(['history', 'Tides', '--jsonl'], { cwd })).stdout.trim().split('\n')
  const [deletion, revision] = lines.map(line => JSON.parse(line))
  expect(deletion).toMatchObject({ type: 'delete', id: null, comment: 'No tides here', page: { title: 'Tides' } })
  expect(deletion.commit).toMatch(/^[0-9a-f]{40}$/)
  expect(revision).toMatchObject({ id: 2 })
  expect(lines).toHaveLength(2)
})

test('wiki log -p shows each change, and --stat its statistics', async () => {
  const cwd = await gitWiki(edits)
  const patch = (await wiki(['log', '-p', '-n', '2'], { cwd })).stdout
  expect(patch).toContain('deletion of Tides by')
  expect(patch).toMatch(/revision 3 of Ferry by 山田太郎と彼の友人たち全員, \S+ \([0-9a-f]{7,}\)\n {4}渡し船/)
  expect(patch).toContain('~ The{+ old+} ferry waits.')
  expect((await wiki(['log', '--stat', '--older-than', '2'], { cwd })).stdout).toMatch(
    /of Ferry by .*\n {4}Begun\n\n {4}With a body\n\+1 -0 ~0 lines, \+16 bytes/,
  )
})

test.each([40, 60, 72, 80, 100, 200])('no row is wider than a terminal of %i columns', async columns => {
  const cwd = await gitWiki(edits)
  for (const argv of [
    ['log'],
    ['log', '--hash'],
    ['history', 'Ferry'],
    ['history', 'Ferry', '--hash', '--date', 'relative'],
  ]) {
    const { stdout } = await wiki(argv, { cwd, tty: ['stdout'], columns })
    for (const line of stdout.split('\n'))
      expect(textWidth(line.replace(/\u001b\[\d*m/g, ''))).toBeLessThanOrEqual(columns)
    expect(stdout).not.toContain('With a body')
  }
})

test('wiki log --follow prints changes as they arrive', { tags: 'long' }, async () => {
  const cwd = await gitWiki(edits)
  let stop = (): void => {}
  const stopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let edited = false
  const seen: string[] = []
  const { status, stderr } = await wiki(['log', '--follow', '-n', '1', '--jsonl'], {
    cwd,
    stopped,
    watch: text => {
      seen.push(...text.trim().split('\n'))
      if (edited) return stop()
      edited = true
      void wiki(['page', 'edit', 'Ferry', '-f', '-'], { cwd, stdin: 'New.' })
    },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(seen.map(line => JSON.parse(line).type)).toEqual(['delete', 'edit'])
})

test.each([
  [['log', '-p', '--stat'], 'Only one of'],
  [['log', '--follow', '--json'], '--jsonl'],
  [['log', '--since', 'someday'], 'Unrecognized value for parameter "since"'],
  [['log', '-n', '0'], 'between 1'],
])('%j is wrong usage', async (argv, message) => {
  const { status, stderr } = await wiki(argv, { cwd: await gitWiki(edits) })
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

test('wiki history is filtered by author and date, and names commits', async () => {
  const cwd = await gitWiki(edits)
  const of = async (...options: string[]) =>
    JSON.parse((await wiki(['history', 'Ferry', ...options, '--json'], { cwd })).stdout).revisions
  expect((await of('--author', '山田')).map(({ id }: { id: number }) => id)).toEqual([3])
  expect(await of('--since', 'yesterday')).toEqual([])
  expect(await of('--until', '2000-01-01')).toEqual([])
  expect((await of('--hash'))[0].commit).toMatch(/^[0-9a-f]{40}$/)
  expect((await of())[0].commit).toBeUndefined()
  expect((await of('--older-than', '@latest')).map(({ id }: { id: number }) => id)).toEqual([1])
})

test('a shallow clone reports what it lacks', async () => {
  const origin = await gitWiki(edits)
  const folder = temporaryFolder()
  git(folder, ['clone', '-q', '--depth', '1', `file://${origin}`, 'clone'])
  const cwd = join(folder, 'clone')
  for (const argv of [['log'], ['history', 'Ferry'], ['blame', 'Ferry']])
    expect((await wiki(argv, { cwd })).stderr).toContain('This clone is shallow')
  for (const argv of [['log'], ['history', 'Ferry'], ['blame', 'Ferry']])
    expect((await wiki(argv, { cwd: origin })).stderr).toBe('')
})

test('wiki log starts before or after any revision', async () => {
  const cwd = await gitWiki(edits)
  const ids = async (...options: string[]) =>
    (await wiki(['log', ...options], { cwd })).stdout.split('\n').map(line => line.split('\t')[0])
  expect(await ids('--older-than', 'Ferry@latest')).toEqual(['2', '1', ''])
  expect(await ids('--newer-than', 'Ferry@prev')).toEqual(['deleted', '3', '2', ''])
})
