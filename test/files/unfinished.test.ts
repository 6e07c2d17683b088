import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { removeAtSignal } from '../../src/files/unfinished.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { untilFile } from '../_wait.ts'
import { wiki as command } from '../cli/harness.ts'
import { commitFiles, create, newWiki } from '../operations/_wiki.ts'

/** The listeners of the test runner count as those of a server: they wait until the test is over. */
const runners = new Map<NodeJS.Signals, NodeJS.SignalsListener[]>()
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
let kill: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  for (const signal of signals) {
    runners.set(signal, process.listeners(signal) as NodeJS.SignalsListener[])
    process.removeAllListeners(signal)
  }
  kill = vi.spyOn(process, 'kill').mockImplementation(() => true)
})

afterEach(() => {
  for (const [signal, listeners] of runners) for (const listener of listeners) process.on(signal, listener)
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Creates files by their path, without end. */
const writes = `
  const { closeSync, openSync } = require('node:fs')
  for (let at = 0; ; at++) try { closeSync(openSync(process.argv[1] + '/' + at, 'w')) } catch {}
`

describe('a signal', () => {
  test.each(signals)('%s removes what is unfinished, and ends the process', async signal => {
    const folder = await temporaryDirectory()
    const [file, inner, done] = ['file', 'inner', 'done'].map(name => join(folder, name)) as [string, string, string]
    mkdirSync(inner)
    for (const path of [file, join(inner, 'a'), done]) writeFileSync(path, 'x')
    const finish = [file, inner, done].map(removeAtSignal)
    finish[2]?.()
    process.emit(signal, signal)
    expect(readdirSync(folder)).toEqual(['done'])
    expect(kill).toHaveBeenCalledWith(process.pid, signal)
    for (const one of finish) one()
    expect(signals.map(one => process.listenerCount(one))).toEqual([0, 0, 0])
  })

  test('removes the files of each bundle', async () => {
    const folder = await temporaryDirectory()
    vi.resetModules()
    const other = await import('../../src/files/unfinished.ts')
    expect(other.removeAtSignal).not.toBe(removeAtSignal)
    const finish = [removeAtSignal, other.removeAtSignal].map((remove, at) => {
      const path = join(folder, `file ${at}`)
      writeFileSync(path, 'x')
      return remove(path)
    })
    process.emit('SIGINT', 'SIGINT')
    expect(readdirSync(folder)).toEqual([])
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT')
    for (const one of finish) one()
    expect(process.listenerCount('SIGINT')).toBe(0)
  })

  test('removes a folder into which another process still writes', async () => {
    const folder = await temporaryDirectory()
    const inner = join(folder, 'inner')
    mkdirSync(inner)
    const writer = spawn(process.execPath, ['-e', writes, inner], { stdio: 'ignore' })
    try {
      while (readdirSync(inner).length < 2000) await turn()
      const finish = removeAtSignal(inner)
      process.emit('SIGINT', 'SIGINT')
      expect(readdirSync(folder)).toEqual([])
      expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT')
      finish()
    } finally {
      writer.kill('SIGKILL')
    }
  })

  test.each(['before', 'after'])('is left to a server that listens from %s, and finishes its requests', async when => {
    const file = join(await temporaryDirectory(), 'file')
    writeFileSync(file, 'x')
    if (when === 'before') process.once('SIGTERM', () => undefined)
    const finish = removeAtSignal(file)
    if (when === 'after') process.once('SIGTERM', () => undefined)
    process.emit('SIGTERM', 'SIGTERM')
    expect(existsSync(file)).toBe(true)
    expect(kill).not.toHaveBeenCalled()
    finish()
  })
})

/**
 * Sends the signal as soon as a command has written a temporary file; returns what is left in the folder then. Its programs wait
 * for the file `go` of the wiki.
 */
async function interrupted(
  argv: readonly string[],
  folder: string,
  cwd: string,
  isTemporary = (_name: string) => true,
): Promise<string[]> {
  const news = () => readdirSync(folder).filter(isTemporary)
  const running = command(argv, { cwd, stdin: 'text' })
  let ended = false
  void running.finally(() => (ended = true))
  while (news().length === 0 && !ended) await turn()
  expect(news()).toEqual([expect.any(String)])
  process.emit('SIGINT', 'SIGINT')
  const left = news()
  writeFileSync(join(cwd, 'go'), '')
  await running
  return left
}

describe('Ctrl-C leaves no temporary file of', () => {
  test.each([
    ['an export', ['export', '-o', 'OUT/wiki.xml']],
    ['a compressed export', ['export', '-o', 'OUT/wiki.xml.gz']],
    ['media files', ['export', 'A', '-o', '-', '--files', 'OUT']],
    ['a media file', ['file', 'get', 'Pic.png', '-o', 'OUT/pic.png']],
  ])('%s', async (_, argv) => {
    const { wiki, directory } = await newWiki({ A: 'x' })
    await commitFiles(wiki, { 'File/Pic.png': 'p'.repeat(2_000_000) })
    const out = await temporaryDirectory()
    expect(
      await interrupted(
        argv.map(word => word.replace('OUT', out)),
        out,
        directory,
      ),
    ).toEqual([])
  })

  test.skipIf(!hasGit)('a text that git converts', { tags: 'long' }, async () => {
    const { wiki, directory } = await newWiki()
    await create(wiki, 'A', 'x')
    await commitFiles(wiki, { '.gitattributes': '*.wiki filter=slow\n' })
    git(directory, 'config', 'filter.slow.clean', `${untilFile(join(directory, 'go'))}; cat`)
    const temporary = await temporaryDirectory()
    vi.stubEnv('TMPDIR', temporary)
    expect(await interrupted(['page', 'edit', 'A', '-f', '-'], temporary, directory)).toEqual([])
  })

  test.skipIf(!hasGit)('a text that a hook sees', async () => {
    const { wiki, directory } = await newWiki()
    await create(wiki, 'A', 'x')
    mkdirSync(join(directory, '.git/hooks'), { recursive: true })
    writeFileSync(join(directory, '.git/hooks/pre-commit'), `#!/bin/sh\n${untilFile(join(directory, 'go'))}\n`, {
      mode: 0o755,
    })
    const isHookFolder = (name: string) => name.startsWith('wiki-hooks-')
    const left = await interrupted(['page', 'edit', 'A', '-f', '-'], join(directory, '.git'), directory, isHookFolder)
    expect(left).toEqual([])
  })
})
