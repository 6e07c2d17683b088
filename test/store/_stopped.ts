/** Processes that pause at one point of their work until they are resumed: native git, and a writer of ours. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { type FileHandle, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDirectory, usualSignature } from '../_setup.ts'
import { inTime } from '../_wait.ts'

export interface Stopped {
  /** Resumes it; resolves when it has ended. */
  readonly go: () => Promise<{ readonly status: number | null; readonly errors: string }>
}

/** Git reports each step in a line so long that no pipe holds two, so it is never beyond the last line read. */
const longName = 'x'.repeat(120_000)

/** Starts git; resolves when it has read its index the given number of times, and has not locked it since. */
export async function stopGit(directory: string, args: readonly string[], reads = 1): Promise<Stopped> {
  const pipe = join(await temporaryDirectory(), 'trace')
  execFileSync('mkfifo', [pipe])
  const { name, address } = usualSignature
  const who = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: address }
  const committer = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: address }
  const trace = { GIT_TRACE2_EVENT: pipe, GIT_TRACE2_PARENT_SID: longName }
  const env = { ...process.env, ...who, ...committer, ...trace }
  const ended = endOf(spawn('git', args, { cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe'] }))
  const steps = await open(pipe)
  await readUntil(steps, '"key":"read/cache_nr"', reads)
  return {
    go: async () => {
      await readUntil(steps, '', Number.POSITIVE_INFINITY)
      await steps.close()
      return ended
    },
  }
}

/** Reads lines until one has occurred that often, or the end. */
async function readUntil(file: FileHandle, wanted: string, times: number): Promise<void> {
  const chunk = Buffer.alloc(4096)
  let line = ''
  for (let met = 0; met < times; ) {
    const { bytesRead } = await file.read(chunk)
    if (bytesRead === 0) return
    const parts = (line + chunk.toString('latin1', 0, bytesRead)).split('\n')
    line = parts.pop() as string
    met += parts.filter(part => wanted !== '' && part.includes(wanted)).length
  }
}

/**
 * Loaded before a writer: directly after it has renamed a file to the path in STOP_AFTER it reports it on standard
 * output, and waits until its standard input is closed.
 */
const stopper = `
  const fs = require('node:fs')
  const { readSync, renameSync, writeSync } = fs
  fs.renameSync = (from, to) => {
    renameSync(from, to)
    if (to !== process.env.STOP_AFTER) return
    writeSync(1, 'stopped')
    readSync(0, Buffer.alloc(1))
  }
  require('node:module').syncBuiltinESMExports()`

/** Starts a child of `_child.ts` that writes texts; resolves when it pauses after it renamed a file to that path. */
export async function stopWriter(
  script: string,
  directory: string,
  texts: Readonly<Record<string, string | null>>,
  path: string,
): Promise<Stopped & { readonly kill: Stopped['go'] }> {
  const program = join(await temporaryDirectory(), 'stop.cjs')
  await writeFile(program, stopper)
  const env = { ...process.env, STOP_AFTER: join(directory, path) }
  const words = ['--require', program, script, 'change', directory, JSON.stringify(texts)]
  const writer = spawn(process.execPath, words, { cwd: directory, env })
  const ended = endOf(writer)
  onTestFinished(() => void writer.kill('SIGKILL'))
  const stopped = new Promise(resolve => writer.stdout.once('data', resolve))
  const early = ended.then(({ errors }) => {
    throw new Error(`the writer never wrote ${path}: ${errors}`)
  })
  await inTime(`the writer writes ${path}`, Promise.race([stopped, early]))
  early.catch(() => {})
  return {
    go: () => {
      writer.stdin.end()
      return ended
    },
    kill: () => {
      writer.kill('SIGKILL')
      return ended
    },
  }
}

function endOf(child: ChildProcess): ReturnType<Stopped['go']> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return new Promise(resolve => child.once('close', status => resolve({ status, errors })))
}
