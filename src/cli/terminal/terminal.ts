/**
 * The process as an `Io`. Streams are opened lazily: `process.stdout` alone costs 3 ms of startup, while a synchronous
 * write to the descriptor costs 0.5 ms and completes however the process ends.
 */

import { fstatSync, statSync } from 'node:fs'
import { WikiError } from '../../core/errors.ts'
import { writeSome } from '../../files/private-files.ts'
import { BrokenPipe, type Input, type Io, mostInput, type Output } from './io.ts'

/** Returns the process's own streams, environment and signals. */
export function processIo(version: () => string): Io {
  return {
    stdin: processInput(),
    stdout: processOutput(1, () => process.stdout),
    stderr: processOutput(2, () => process.stderr),
    env: process.env,
    get cwd() {
      return currentFolder()
    },
    version,
    stopped: () =>
      new Promise(resolve => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
      }),
  }
}

/** Throws `wiki-usage` if the folder was deleted: only paths from the root mean something then. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    const hint = 'Change to another folder, or name the wiki by its whole path: wiki -C /path/to/wiki'
    throw new WikiError('wiki-usage', { params: ['The current folder was deleted'], hint, cause: error })
  }
}

function processOutput(fd: 1 | 2, stream: () => NodeJS.WriteStream): Output {
  return {
    get isTTY() {
      return mayBeTerminal(fd) && stream().isTTY === true
    },
    get columns() {
      return (mayBeTerminal(fd) && stream().columns) || 80
    },
    async write(chunk) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const written = writeNow(fd, bytes)
      if (written < bytes.length) await writeLater(stream(), bytes.subarray(written))
    },
  }
}

/** Writes until all is written or the descriptor would block. Returns the number of bytes written. */
function writeNow(fd: number, bytes: Uint8Array): number {
  let written = 0
  try {
    while (written < bytes.length) written += writeSome(fd, bytes, written)
  } catch (error) {
    if (!hasCode(error, 'EAGAIN')) throw brokenPipeOr(error)
  }
  return written
}

/** Writes the rest to a pipe whose other end made it non-blocking. */
function writeLater(stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  // A failure is reported twice: to the callback and, later, as an event that would end the process.
  if (stream.listenerCount('error') === 0) stream.on('error', () => {})
  return new Promise((resolve, reject) => {
    stream.write(bytes, error => {
      if (error) reject(brokenPipeOr(error))
      else resolve()
    })
  })
}

function processInput(): Input {
  return {
    get isTTY() {
      return mayBeTerminal(0) && process.stdin.isTTY === true
    },
    async bytes() {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of process.stdin) {
        size += chunk.length
        if (size > mostInput)
          throw Object.assign(new Error('the input is too large'), { code: 'EFBIG', syscall: 'read' })
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
    chunks: () => process.stdin,
    async line() {
      const { createInterface } = await import('node:readline/promises')
      const lines = createInterface({ input: process.stdin })
      for await (const line of lines) return line
      return ''
    },
  }
}

/** Rules out files, pipes and /dev/null without loading Node's terminal module. */
function mayBeTerminal(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isCharacterDevice() && stat.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    return false
  }
}

function brokenPipeOr(error: unknown): unknown {
  return hasCode(error, 'EPIPE') || hasCode(error, 'EOF') ? new BrokenPipe('nobody reads the output') : error
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
