/**
 * Programs that a small process starts for the test process. To start a program the system copies the page tables of the
 * process that starts it: from a test process of 300 MB `git rev-parse` takes 8 ms of CPU, from a small one 2.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The original function, if a test file replaces the module.
const { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } = process.getBuiltinModule('node:fs')

export interface StartOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Number of bytes of output that counts as too many. */
  readonly maxBuffer: number
}

/** Requests to the small process, and its responses. */
interface Pipes {
  readonly requests: number
  readonly answers: number
}

/** Milliseconds after which the small process counts as failed. */
const patience = 60_000
/** Milliseconds between two checks for it. */
const pause = 5
const isPossible = process.platform !== 'win32'
let pipes: Pipes | undefined

/** Runs a program to its end, without input, and returns its standard output. Throws the error of `execFileSync` if it fails. */
export function runSmall(program: string, parameters: readonly string[], options: StartOptions): Buffer {
  const all = { ...options, stdio: ['ignore', 'pipe', 'pipe'] as ('ignore' | 'pipe')[] }
  if (!isPossible) return execFileSync(program, parameters, all)
  pipes ??= startSmallProcess()
  const request = Buffer.from(JSON.stringify({ program, parameters, options: all }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(request.length)
  write(pipes.requests, Buffer.concat([length, request]))
  const head = JSON.parse(read(pipes.answers, read(pipes.answers, 4).readUInt32LE()).toString())
  const [stdout, stderr] = [read(pipes.answers, head.out), read(pipes.answers, head.errors)]
  if (head.status === 0 && head.error === undefined) return stdout
  const { status, signal, error: code } = head
  const said = `Command failed: ${[program, ...parameters].join(' ')}\n${stderr}`
  throw Object.assign(new Error(code === undefined ? said : `${program}: ${code}`), {
    status,
    signal,
    code,
    stdout,
    stderr,
  })
}

/** It ends when this process has ended, because then the other end of its pipe is closed. */
function startSmallProcess(): Pipes {
  const folder = mkdtempSync(join(tmpdir(), 'wiki-small-'))
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')] as const
  const { error, stderr } = spawnSync('mkfifo', [requests, answers])
  if (error !== undefined || stderr.length > 0) throw new Error(`mkfifo fails: ${error?.message ?? stderr}`)
  const script = join(import.meta.dirname, '_small-process.mjs')
  spawn(process.execPath, [script, requests, answers], { stdio: 'ignore' }).unref()
  waitForReader(requests)
  const opened = { requests: openSync(requests, 'w'), answers: openSync(answers, 'r') }
  rmSync(folder, { recursive: true })
  return opened
}

/** Opening a pipe for writing does not block only if another process reads it. */
function waitForReader(pipe: string): void {
  for (let tries = 0; !isRead(pipe); tries++) {
    if (tries > patience / pause) throw new Error('the process that starts programs for the tests does not come up')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
}

function isRead(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false
    throw error
  }
}

function read(pipe: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    const count = readSync(pipe, bytes, at, length - at, null)
    if (count === 0) throw new Error('the process that starts programs for the tests has ended')
    at += count
  }
  return bytes
}

function write(pipe: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(pipe, bytes, at)
}
