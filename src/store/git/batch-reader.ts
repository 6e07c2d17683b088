/** Objects from `git cat-file --batch`: one process for single requests, and one for many at once. */

import { createHash } from 'node:crypto'
import { WikiError } from '../../core/errors.ts'
import { missingObject } from '../repository/missing-object.ts'
import { feed, gitFailure, output, type Running } from '../repository/process.ts'
import type { GitObject, ObjectType } from './backend.ts'
import { hasHash, lineFeed, maxObjectBytes } from './objects.ts'

interface Waiting {
  readonly hash: string
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
    const objects = new BatchOutput(() => this.#waiting[0]?.hash)
    running.stdout.on('data', (chunk: Buffer) => {
      try {
        for (const object of objects.take(chunk)) {
          const waiting = this.#waiting.shift()
          if (object instanceof WikiError) waiting?.reject(object)
          else waiting?.resolve(object)
        }
      } catch (error) {
        this.#fail(error)
        this.close()
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
      this.#waiting.push({ hash, resolve, reject })
      this.#child.stdin.write(`${hash}\n`)
    })
  }

  /** Ends once it has answered what it was asked. */
  finish(): void {
    this.#child.stdin.end()
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
  const asked = new Asked()
  const failure = feed(running, asked.noting(hashes))
  const objects = new BatchOutput(() => asked.first)
  try {
    for await (const chunk of output(running)) {
      for (const object of objects.take(chunk)) {
        asked.answered()
        yield object instanceof WikiError ? null : object
      }
    }
  } catch (error) {
    throw failure() ?? error
  } finally {
    running.child.kill()
  }
}

/**
 * Reads one object in pieces with a `git cat-file --batch` started for it. Errors: wiki-objects-missing for one that is missing, that goes
 * on after its size, or that has another hash.
 */
export async function* streamObject(running: Running, hash: string): AsyncIterable<Buffer> {
  running.child.stdin.end(`${hash}\n`)
  const digest = createHash('sha1')
  let head = ''
  let left = 0
  try {
    for await (const chunk of output(running)) {
      let at = 0
      if (!head.endsWith('\n')) {
        const end = chunk.indexOf(lineFeed)
        at = end < 0 ? chunk.length : end + 1
        head += chunk.toString('latin1', 0, at)
        checkHead(head, hash, { isWhole: end >= 0 })
        if (end < 0) continue
        const [, type, size] = head.trimEnd().split(' ')
        if (size === undefined) throw missingObject(hash)
        left = Number(size) + 1
        digest.update(`${type} ${size}\0`)
      }
      const content = chunk.subarray(at, at + Math.max(0, left - 1))
      digest.update(content)
      left -= chunk.length - at
      if (left < 0 || (left === 0 && chunk.at(-1) !== lineFeed)) throw missingObject(hash)
      if (content.length > 0) yield content
    }
    if (left !== 0 || digest.digest('hex') !== hash) throw missingObject(hash)
  } finally {
    running.child.kill()
  }
}

/** Requested hashes that git has not answered. */
export class Asked {
  #at = 0
  readonly #hashes: string[] = [];

  /** Passes hashes on as they are requested. */
  *noting(hashes: Iterable<string>): Iterable<string> {
    for (const hash of hashes) {
      this.#hashes.push(hash)
      yield hash
    }
  }

  get first(): string | undefined {
    return this.#hashes[this.#at]
  }

  answered(): void {
    if (++this.#at < answersAtOnce) return
    this.#hashes.splice(0, this.#at)
    this.#at = 0
  }
}

/** Answers after which their requests are removed together. */
const answersAtOnce = 4096

/** Maximum bytes of the line before a content: hash, type, size. */
const longestHead = 128

/**
 * Refuses a response that is not the one to this request. Git writes all bytes of a loose object, also if its header says that there
 * are fewer: they would be taken for the next responses. Errors: wiki-objects-missing.
 */
export function checkHead(head: string, asked: string | undefined, { isWhole }: { readonly isWhole: boolean }): void {
  const isRight =
    asked !== undefined && (isWhole ? head.startsWith(asked) : asked.startsWith(head.slice(0, hashDigits)))
  if (!isRight || head.length > longestHead) throw missingObject(asked ?? head.slice(0, hashDigits))
}

/** Refuses a content that goes on after its size. Errors: wiki-objects-missing. */
export function checkEnd(byte: number | undefined, asked: string | undefined): void {
  if (byte !== lineFeed) throw missingObject(asked ?? '')
}

/** Assembles git's responses from the chunks of its output. */
class BatchOutput {
  readonly #asked: () => string | undefined
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes of the response being received, header and final LF included; 0 until its header is complete. */
  #wanted = 0
  /** Remaining bytes of an object that is too large to be held. */
  #passed = 0

  /** `asked` names the object whose response comes next. */
  constructor(asked: () => string | undefined) {
    this.#asked = asked
  }

  /**
   * Takes a chunk; returns the objects that it completes, null for one that is missing or has another hash, and an error for one that is
   * too large. Throws for output that is not the responses to the requests: see `checkHead`.
   */
  *take(received: Buffer): Generator<GitObject | WikiError | null> {
    const chunk = received.subarray(this.#passed)
    this.#passed -= received.length - chunk.length
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#wanted) return
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#length)
    let at = 0
    for (let end = this.#endAt(bytes, at); end > at; end = this.#endAt(bytes, at)) {
      const object = objectIn(bytes, at, end, this.#asked())
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
    const end = bytes.indexOf(lineFeed, at)
    if (at === bytes.length) return at
    const line = bytes.toString('latin1', at, end < 0 ? at + longestHead + 1 : Math.min(end, at + longestHead + 1))
    checkHead(line, this.#asked(), { isWhole: end >= 0 })
    if (end < 0) return at
    const head = end + 1
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

function objectIn(bytes: Buffer, at: number, end: number, asked: string | undefined): GitObject | null {
  const head = bytes.indexOf(lineFeed, at) + 1
  const [, type, size] = bytes.toString('latin1', at, head - 1).split(' ')
  if (size === undefined) return null
  checkEnd(bytes[end - 1], asked)
  const content = bytes.subarray(head, end - 1)
  // A small object does not retain the others of its chunk; a large one is not held twice.
  const own = content.length > bytes.length / 2 ? content : Buffer.from(content)
  const object = { type: type as ObjectType, content: own }
  return hasHash(object, asked as string) ? object : null
}
