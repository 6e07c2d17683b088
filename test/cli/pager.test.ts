import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleWiki, temporaryFolder, wiki } from './harness.ts'

const page = ['page', 'get', 'Main Page']

/** A pager that writes its input to a file. */
function pager(script = 'cat') {
  const file = join(temporaryFolder(), 'paged')
  return { command: `${script} > ${file}`, text: () => (existsSync(file) ? readFileSync(file, 'utf8') : null) }
}

test('output to a terminal goes through the pager', async () => {
  const { command, text } = pager()
  const result = await wiki(page, { cwd: sampleWiki(), tty: ['stdout'], env: { WIKI_PAGER: command } })
  expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(text()).toBe('Hello.\n')
})

test('LESS is FRX unless it is set', async () => {
  const { command, text } = pager('echo "$LESS"')
  const run = (env: Record<string, string>) =>
    wiki(page, { cwd: sampleWiki(), tty: ['stdout'], env: { ...env, PAGER: command } })
  await run({})
  expect(text()).toBe('FRX\n')
  await run({ LESS: 'S' })
  expect(text()).toBe('S\n')
})

test.each([
  ['not a terminal', [], {}, []],
  ['--no-pager', ['--no-pager'], {}, ['stdout']],
  ['a dumb terminal', [], { TERM: 'dumb' }, ['stdout']],
  ['WIKI_PAGER before PAGER, and empty', [], { WIKI_PAGER: '' }, ['stdout']],
] as const)('no pager: %s', async (_, options, env, tty) => {
  const { command, text } = pager()
  const result = await wiki([...page, ...options], { cwd: sampleWiki(), tty, env: { PAGER: command, ...env } })
  expect(result.stdout).toBe('Hello.\n')
  expect(text()).toBe(null)
})

test('if the pager cannot be run, the text is printed directly', async () => {
  const result = await wiki(page, { cwd: sampleWiki(), tty: ['stdout'], env: { PAGER: 'no-such-pager 2>/dev/null' } })
  expect(result).toMatchObject({ status: 0, stdout: 'Hello.\n' })
})

test('if the pager cannot be run, colours stay colours, and a long text is whole', async () => {
  const env = { PAGER: 'no-such-pager 2>/dev/null', FORCE_COLOR: '1' }
  const cwd = sampleWiki()
  const run = (argv: readonly string[]) => wiki(argv, { cwd, tty: ['stdout'], env })
  const list = await run(['page', 'list'])
  expect([list.stdout.includes('\u001b['), list.stdout.includes('\u241b')]).toEqual([true, false])
  const long = 'A long line of the text.\n'.repeat(4_000)
  writeFileSync(join(cwd, 'Long.wiki'), long)
  expect((await run(['show', 'Long', '--work'])).stdout.length).toBeGreaterThan(long.length)
})

test('leaving the pager early is not an error, and the exit status of a check stays', async () => {
  const cwd = sampleWiki()
  const run = (argv: readonly string[]) => wiki(argv, { cwd, tty: ['stdout'], env: { PAGER: 'true' } })
  expect((await run(['history', 'Fire station', '--all'])).status).toBe(0)
  expect((await run(['compare', '2', '4'])).status).toBe(1)
})
