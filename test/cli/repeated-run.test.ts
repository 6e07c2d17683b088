/** A command whose index turns out to be damaged while it runs: it is run again only if that is the same as a first run. */

import { afterEach, expect, test, vi } from 'vitest'
import type { Context } from '../../src/cli/context.ts'
import { type RepeatedInput, runRepeatedly } from '../../src/cli/repeated-run.ts'
import { WikiError } from '../../src/core/errors.ts'
import { Store } from '../../src/store/store.ts'
import { git, needsGit } from '../_setup.ts'
import { dumpOf } from '../operations/_dump.ts'
import { ada, gitText, newWiki } from '../operations/_wiki.ts'
import { wiki } from './harness.ts'

afterEach(() => vi.restoreAllMocks())

const damaged = () => new WikiError('wiki-index-damaged')
const count = (directory: string) => git(directory, 'rev-list', '--count', 'HEAD')

/** Lets the index be damaged once, when a command writes. */
function damageOnce(when: 'before' | 'after'): void {
  const { commit } = Store.prototype
  vi.spyOn(Store.prototype, 'commit').mockImplementationOnce(async function (this: Store, plan) {
    if (when === 'after') await commit.call(this, plan)
    throw damaged()
  })
}

test('text from stdin is saved by the second run, too', async context => {
  needsGit(context)
  const { directory } = await newWiki({ Tides: 'High.' })
  damageOnce('before')
  const result = await wiki(['page', 'edit', 'Tides', '-f', '-'], { cwd: directory, stdin: 'From stdin.' })
  expect(result.status).toBe(0)
  expect(gitText(directory, 'Tides.wiki')).toBe('From stdin.\n')
})

test('an answer at the terminal counts for both runs', async context => {
  needsGit(context)
  const { directory } = await newWiki({ Tides: 'High.', Ferry: 'f' })
  damageOnce('before')
  const options = { cwd: directory, stdin: 'y\n', tty: ['stdin', 'stderr'] as const }
  expect((await wiki(['page', 'delete', 'Tides'], options)).status).toBe(0)
})

test('a command that has written is not run again', async context => {
  needsGit(context)
  const { wiki: opened, directory } = await newWiki({ Tides: 'High.' })
  await opened.store.commit(() => ({
    changes: [{ path: 'Tides.wiki', content: Buffer.from('Low.\n') }],
    ...{ author: ada, comment: '', subject: 'Edit' },
  }))
  const before = Number(count(directory))
  damageOnce('after')
  const result = await wiki(['undo', 'HEAD'], { cwd: directory })
  const head = git(directory, 'rev-parse', 'HEAD')
  expect([result.status, result.stderr]).toEqual([2, expect.stringContaining(`saved as commit ${head}`)])
  expect(Number(count(directory))).toBe(before + 1)
  expect(gitText(directory, 'Tides.wiki')).toBe('High.\n')
})

test('a command that has read its input in chunks says what to do', async context => {
  needsGit(context)
  const { directory } = await newWiki({ Tides: 'High.' })
  const { openImport } = Store.prototype
  vi.spyOn(Store.prototype, 'openImport').mockImplementationOnce(async function (this: Store) {
    const session = await openImport.call(this)
    vi.spyOn(session, 'endReading').mockImplementation(() => {
      throw damaged()
    })
    return session
  })
  const stdin = dumpOf([{ title: 'Quay', revisions: [{ text: 'q' }] }])
  const imported = await wiki(['import', '-'], { cwd: directory, stdin })
  expect(imported).toMatchObject({ status: 2, stderr: expect.stringContaining('run the command again') })
  expect((await wiki(['import', '-'], { cwd: directory, stdin })).status).toBe(0)
})

test.for([
  ['has printed', { hasPrinted: true, draft: undefined }],
  ['has kept what was written in the editor', { hasPrinted: false, draft: '/tmp/draft' }],
  ['has done neither', { hasPrinted: false, draft: undefined }],
] as const)('a command that %s', async ([name, state]) => {
  const store = { rebuild: vi.fn(async () => {}), lastWritten: async () => null }
  const context = { ...state, wiki: async () => ({ store }) } as unknown as Context
  const input = { restart: () => true } as RepeatedInput
  const run = vi.fn(async () => {}).mockRejectedValueOnce(damaged())
  const done = await runRepeatedly(context, input, run).catch(error => error.hint)
  const isRepeated = name === 'has done neither'
  expect(done).toBe(isRepeated ? undefined : 'It is rebuilt: run the command again')
  expect([run.mock.calls.length, store.rebuild.mock.calls.length]).toEqual([isRepeated ? 2 : 1, 1])
})
