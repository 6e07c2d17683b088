/** Objects from `git cat-file --batch`: one process for single requests, and one for many at once. */

import { WikiError } from '../../core/errors.ts'
import { feed, gitFailure, output, type Running } from '../repository/process.ts'
import type { GitObject, ObjectType } from './backend.ts'
import { maxObjectBytes } from './objects.ts'

interface Waiting {
  readonly resolve: (object: GitObject | null) => void
  readonly reject: (error: unknown) => void
}

/** A long-lived `git cat-file --batch`: responses come in the order of the requests. */
export class BatchReader {
  ended = false
  readonly #child: Running['child']
  readonly #waiting: Waiting[] = []

  constructor(running: Running) {
    this.#child = running.child
    const objects = new BatchOutput()
    running.stdout.on('data', (chunk: Buffer) => {
      for (const object of objects.take(chunk)) {
        const waiting = this.#waiting.shift()
        if (object instanceof WikiError) waiting?.reject(object)
        else waiting?.resolve(object)
      }
    })
    running.ended.then(
      () => this.#fail(gitFailure(running)),
      error => this.#fail(error),
    )
  }

  read(hash: string): Promise<GitObject | null> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new Error('git cat-file has ended'))
      this.#waiting.push({ resolve, reject })
      this.#child.stdin.write(`${hash}\n`)
    })
  }

  close(): void {
    this.ended = true
    this.#child.stdin.end()
    this.#child.kill()
  }

  #fail(error: unknown): void {
    this.ended = true
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

/** Reads many objects with a `git cat-file --batch --buffer` started for them. One that is missing or too large is null. */
export async function* readMany(running: Running, hashes: Iterable<string>): AsyncIterable<GitObject | null> {
  const failure = feed(running, hashes)
  const objects = new BatchOutput()
  try {
    for await (const chunk of output(running)) {
      for (const object of objects.take(chunk)) yield object instanceof WikiError ? null : object
    }
  } catch (error) {
    throw failure() ?? error
  } finally {
    running.child.kill()
  }
}

/** Assembles git's responses from the chunks of its output. */
class BatchOutput {
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes of the response being received, header and final LF included; 0 until its header is complete. */
  #wanted = 0
  /** Remaining bytes of an object that is too large to be held. */
  #passed = 0;

  /** Takes a chunk; returns the objects that it completes, and an error for one that is too large. */
  *take(received: Buffer): Generator<GitObject | WikiError | null> {
    const chunk = received.subarray(this.#passed)
    this.#passed -= received.length - chunk.length
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#wanted) return
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#length)
    let at = 0
    for (let end = this.#endAt(bytes, at); end > at; end = this.#endAt(bytes, at)) {
      const object = objectIn(bytes, at, end)
      at = end
      this.#wanted = 0
      yield object
    }
    if (this.#wanted > maxObjectBytes) {
      yield tooLarge(bytes.toString('latin1', at, at + hashDigits))
      this.#passed = this.#wanted - (bytes.length - at)
      this.#wanted = 0
      at = bytes.length
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : []
    this.#length = bytes.length - at
  }

  /** Returns the end of the response that begins at an offset, or the offset itself if the response is incomplete. */
  #endAt(bytes: Buffer, at: number): number {
    const head = bytes.indexOf(0x0a, at) + 1
    if (head === 0) return at
    const size = sizeIn(bytes, at, head)
    this.#wanted = head - at + (size === null ? 0 : size + 1)
    return at + this.#wanted <= bytes.length ? at + this.#wanted : at
  }
}

const hashDigits = 40

function tooLarge(hash: string): WikiError {
  return new WikiError('rest-resource-limit-exceeded', { params: [`object ${hash}`, `${maxObjectBytes} bytes`] })
}

/** Size from a response's first line; null if the object is missing. */
function sizeIn(bytes: Buffer, at: number, head: number): number | null {
  const size = bytes.toString('latin1', at, head - 1).split(' ')[2]
  return size === undefined ? null : Number(size)
}

function objectIn(bytes: Buffer, at: number, end: number): GitObject | null {
  const head = bytes.indexOf(0x0a, at) + 1
  const [, type, size] = bytes.toString('latin1', at, head - 1).split(' ')
  if (size === undefined) return null
  const content = bytes.subarray(head, end - 1)
  // A small object does not retain the others of its chunk; a large one is not held twice.
  return { type: type as ObjectType, content: content.length > bytes.length / 2 ? content : Buffer.from(content) }
}
