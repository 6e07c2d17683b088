/** The enumerator of crash states finds what it is for: it is tried on small programs, wrong and right ones. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../_setup.ts'
import { Recording } from './operations.mjs'
import { type State, statesOf } from './states.mjs'
import { parseTrace, startTraced, whyNoTrace } from './trace.mjs'

const whyNot = whyNoTrace()

/** Runs a program that changes a folder with the file `old`, which has "old", and returns the recording. */
async function recordingOf(program: string): Promise<Recording> {
  const top = await temporaryDirectory()
  writeFileSync(join(top, 'old'), 'old')
  const recording = new Recording(top)
  recording.mark('step', 0)
  const prelude = `
    const fs = require('node:fs')
    const put = (path, text, isSynced) => {
      const file = fs.openSync(path, 'w')
      fs.writeSync(file, text)
      if (isSynced) fs.fsyncSync(file)
      fs.closeSync(file)
    }
    const sync = path => { const file = fs.openSync(path, 'r'); fs.fsyncSync(file); fs.closeSync(file) };`
  const log = join(await temporaryDirectory(), 'trace')
  const { status, stderr, calls } = await startTraced(log, [process.execPath, '-e', prelude + program], { cwd: top })
    .done
  expect(`${status}${stderr}`).toBe('0')
  recording.add(calls, top)
  recording.mark('ack', 0)
  return recording
}

/** The files of each state, as `name=content`, without those that are the same. */
function contentsOf(states: readonly State[], isChosen = (_: State) => true): string[] {
  const found = states.filter(isChosen).map(({ tree }) =>
    [...tree.paths()]
      .filter(({ node }) => node.data !== undefined)
      .map(({ path, id }) => `${path}=${tree.bytes(id)}`)
      .join(' '),
  )
  return [...new Set(found)].toSorted()
}

const isAcknowledged = ({ cut }: State): boolean => cut.acknowledged === 0
const replace = (isSynced: boolean) => `put('new', 'text', ${isSynced}); fs.renameSync('new', 'old')`

// Each starts one small process under strace.
describe.skipIf(whyNot !== null)(`the states after a cut${whyNot === null ? '' : ` (skipped: ${whyNot})`}`, () => {
  test('a file that is renamed before it is synced may be empty or torn', async () => {
    const { states } = statesOf(await recordingOf(replace(false)), 'journal')
    expect(contentsOf(states)).toEqual([
      'new= old=old',
      'new=te old=old',
      'new=text old=old',
      'old=',
      'old=old',
      'old=te',
      'old=text',
    ])
  })

  test('a file that is synced first is the old or the new one', async () => {
    const { states } = statesOf(await recordingOf(replace(true)), 'folders')
    expect(contentsOf(states).filter(state => !state.includes('new='))).toEqual(['old=old', 'old=text'])
    expect(contentsOf(states, isAcknowledged)).toContain('old=old')
  })

  test('after the folder is synced it is the new one', async () => {
    const recording = await recordingOf(`${replace(true)}; sync('.')`)
    for (const model of ['journal', 'folders'])
      expect(contentsOf(statesOf(recording, model).states, isAcknowledged)).toEqual(['old=text'])
  })

  test('a sync under a lock leaves the lock, empty; a sync after its release does not', async () => {
    const locked = (body: string) => `put('lock', 'owner', false); ${body}`
    const under = await recordingOf(locked(`${replace(true)}; sync('.'); fs.unlinkSync('lock')`))
    expect(contentsOf(statesOf(under, 'journal').states, isAcknowledged)).toContain('lock= old=text')
    const after = await recordingOf(locked(`${replace(true)}; fs.unlinkSync('lock'); sync('.')`))
    expect(contentsOf(statesOf(after, 'journal').states, isAcknowledged)).toEqual(['old=text'])
  })

  test('a folder that was not synced into its own folder takes its files along, in the worst case only', async () => {
    const recording = await recordingOf(`fs.mkdirSync('deep'); put('deep/file', 'text', true); sync('deep')`)
    expect(contentsOf(statesOf(recording, 'folders').states, isAcknowledged)).toContain('old=old')
    expect(contentsOf(statesOf(recording, 'journal').states, isAcknowledged)).toEqual(['deep/file=text old=old'])
  })

  test('a rename between folders may leave both names, never none', async () => {
    const recording = await recordingOf(`fs.mkdirSync('deep'); sync('.'); fs.renameSync('old', 'deep/old')`)
    const states = contentsOf(statesOf(recording, 'folders').states, isAcknowledged)
    expect(states).toEqual(['deep/old=old', 'deep/old=old old=old', 'old=old'])
  })

  test('children, their working directories and appended pieces are seen', async () => {
    const recording = await recordingOf(
      `fs.mkdirSync('deep'); require('node:child_process').execFileSync('sh', ['-c', 'cd deep && echo one > a && echo two >> a && mv a b && sync'])`,
    )
    expect(contentsOf(statesOf(recording, 'folders').states, isAcknowledged)).toEqual(['deep/b=one\ntwo\n old=old'])
  })

  test('equal seeds give equal states', async () => {
    const recording = await recordingOf(replace(false))
    const hashes = (seed: number) => statesOf(recording, 'folders', { seed }).states.map(({ hash }) => hash)
    expect(hashes(3)).toEqual(hashes(3))
  })
})

describe('a trace', () => {
  test('has calls that others interrupt as one, in the order of their ends, and no failed one', () => {
    const calls = parseTrace(
      [
        String.raw`7  fsync(3<\x2f\x61> <unfinished ...>`,
        String.raw`8  rename("\x61", "\x62") = 0`,
        String.raw`8  unlink("\x61") = -1 ENOENT (No such file or directory)`,
        '7  <... fsync resumed>)              = 0',
        '7  +++ exited with 0 +++',
      ].join('\n'),
    )
    expect(calls.map(({ pid, name, began, ended }) => [pid, name, began, ended])).toEqual([
      [8, 'rename', 2, 2],
      [7, 'fsync', 1, 4],
    ])
  })

  test('whose strings were cut short is refused', () => {
    expect(() => parseTrace(String.raw`7  write(3<\x2f\x61>, "\x61"..., 9) = 9`)).toThrow('cut a string')
  })
})
