import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsGit } from '../_setup.ts'
import { git, sampleWiki, wiki } from './harness.ts'

test('wiki undo undoes, refuses with both differences, and reports its result', { tags: 'long' }, async () => {
  const cwd = sampleWiki()
  const edit = (text: string) => wiki(['page', 'edit', 'Fire station', '-f', '-', '-m', 'x'], { cwd, stdin: text })
  await edit('The station is red.\n\nOne.')
  await edit('The station is blue.\n\nOne.')
  await edit('The station is blue.\n\nTwo.')
  const preview = await wiki(['undo', 'Fire station@prev', '--dry-run'], { cwd })
  expect(preview).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('-The station is blue.\n+The station is red.'),
  })
  const done = await wiki(['undo', 'Fire station@prev'], { cwd })
  expect(done.stderr).toMatch(/^Undid revision \d+ of "Fire station" as revision \d+ \([0-9a-f]{7,}\)\n$/)
  expect((await wiki(['page', 'get', 'Fire station'], { cwd })).stdout).toBe('The station is red.\n\nTwo.\n')
  const id = Number(/Undid revision (\d+)/.exec(done.stderr)?.[1])
  await edit('The station is green.\n\nTwo.')
  const refused = await wiki(['undo', String(id)], { cwd })
  expect(refused.status).toBe(3)
  expect(refused.stderr).toContain(`What the undo of revision ${id} changes:`)
  expect(refused.stderr).toContain('{+red+}')
  const json = await wiki(['undo', String(id), '--json'], { cwd })
  expect(JSON.parse(json.stderr)).toMatchObject({ errorKey: 'undo-failure', base: id })
})

test('wiki undo of a move brings the page and the links to it back, in one commit', async context => {
  needsGit(context)
  const cwd = sampleWiki()
  await wiki(['page', 'create', 'Plan', '-f', '-'], { cwd, stdin: 'See [[Fire station]].' })
  const id = (await wiki(['history', 'Fire station', '-n', '1'], { cwd })).stdout.split('\t')[0]
  await wiki(['page', 'move', 'Fire station', 'House', '--update-links'], { cwd })
  const before = Number(git(cwd, ['rev-list', '--count', 'HEAD']))
  const done = await wiki(['undo', 'House@latest'], { cwd })
  expect(Number(git(cwd, ['rev-list', '--count', 'HEAD']))).toBe(before + 1)
  expect(done.stderr).toMatch(/^Undid revision \d+ of "Fire station" as revision \d+ \([0-9a-f]{7,}\)\n$/)
  expect(done.status).toBe(0)
  expect((await wiki(['page', 'get', 'Plan'], { cwd })).stdout).toBe('See [[Fire station]].\n')
  expect((await wiki(['page', 'get', 'House'], { cwd })).status).toBe(2)
  const { stdout } = await wiki(['history', 'Fire station'], { cwd })
  expect(stdout).toContain(`\n${id}\t`)
  // A new index numbers it alike.
  rmSync(join(cwd, '.git/wiki/main'), { recursive: true, force: true })
  expect((await wiki(['history', 'Fire station'], { cwd })).stdout).toBe(stdout)
  await wiki(['undo', 'HEAD'], { cwd })
  const again = (await wiki(['history', 'House'], { cwd })).stdout
  expect(again).toContain(`\n${id}\t`)
  expect(again.endsWith(stdout)).toBe(true)
  expect((await wiki(['page', 'get', 'Plan'], { cwd })).stdout).toBe('See [[House|Fire station]].\n')
})

test.each([
  ['40..', 'is not a range'],
  ['..40', 'is not a range'],
  ['1...2', 'is not a range'],
])('wiki undo %s is wrong usage', async (range, message) => {
  const cwd = sampleWiki()
  const { status, stderr } = await wiki(['undo', range], { cwd })
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

test('wiki undo HEAD undoes the last commit, HEAD~2 the one two before it', { tags: 'long' }, async () => {
  const cwd = sampleWiki()
  const edit = (text: string) => wiki(['page', 'edit', 'Fire station', '-f', '-', '-m', 'x'], { cwd, stdin: text })
  for (const text of ['One.\n\nTwo.', 'First.\n\nTwo.', 'First.\n\nSecond.']) await edit(text)
  const undone = async (name: string) => {
    const { status, stderr } = await wiki(['undo', name], { cwd })
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^Undid [0-9a-f]{7,} of "Fire station" in [0-9a-f]{7,}\n$/),
    ])
    return (await wiki(['page', 'get', 'Fire station'], { cwd })).stdout
  }
  expect(await undone('HEAD')).toBe('First.\n\nTwo.\n')
  expect(await undone('HEAD~2')).toBe('One.\n\nTwo.\n')
  expect(await wiki(['undo', 'HEAD~999'], { cwd })).toMatchObject({ status: 2, stdout: '' })
})
