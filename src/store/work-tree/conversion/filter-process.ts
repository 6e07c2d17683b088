/**
 * Git processes that convert many contents in turn, so that a filter's process runs once. Source: git-hash-object(1),
 * `--stdin-paths`; git-cat-file(1), `--batch`, `--filters`.
 */

import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { makeFolder, removeFile, writeFile } from '../../../files/private-files.ts'
import { endGroup, type GitResult, type Running } from '../../repository/process.ts'
import type { ReadAttributes } from './attribute-files.ts'
import { type ConversionPlace, largest, openPrivateTree, type PrivateTree } from './private-tree.ts'

/** Milliseconds that a filter may take for one content. */
const patience = 30_000

/** A running git that serves one request at a time. Its end rejects all later requests. */
class SerialRequests {
  readonly #running: Running
  #last: Promise<unknown> = Promise.resolve()
  #isEnded = false

  constructor(running: Running) {
    this.#running = running
  }

  /** Writes a request and reads up to the end mark, which is removed; returns status null or a failure if git ended. */
  ask(question: string, mark: string): Promise<GitResult> {
    const result = this.#last.then(() => this.#ask(question, mark))
    this.#last = result
    return result
  }

  #ask(question: string, mark: string): Promise<GitResult> {
    const { child, stdout, ended, errors } = this.#running
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      let size = 0
      const finish = (status: number | null, content: Buffer = Buffer.alloc(0)) => {
        clearTimeout(timer)
        stdout.off('data', take)
        stdout.pause()
        resolve({ status, stdout: content, stderr: errors() })
      }
      const take = (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        const whole = endsWith(chunks, size, mark)
        if (whole !== null) finish(0, whole)
        else if (size > largest) give()
      }
      const give = () => {
        this.end()
        finish(null)
      }
      const timer = setTimeout(give, patience)
      if (this.#isEnded) return finish(null)
      stdout.on('data', take)
      stdout.resume()
      ended.then(
        status => finish(status || null),
        () => finish(null),
      )
      child.stdin.write(question)
    })
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#running.child.stdin.end()
    endGroup(this.#running.child.pid)
  }
}

/** The mark comes last, so only the end of the output is compared. */
function endsWith(chunks: Buffer[], size: number, mark: string): Buffer | null {
  const length = Buffer.byteLength(mark)
  if (size < length) return null
  if ((chunks.at(-1) as Buffer).length < length) chunks.splice(0, chunks.length, Buffer.concat(chunks))
  const last = chunks.at(-1) as Buffer
  if (!last.subarray(last.length - length).equals(Buffer.from(mark))) return null
  const whole = Buffer.concat(chunks)
  return whole.subarray(0, whole.length - length)
}

/** A running git, and the tree that it runs in. */
interface Opened {
  readonly tree: PrivateTree
  readonly requests: SerialRequests
}

/** Ends a git. The conversion that could not start one has the error. */
function end(opened: Promise<Opened>): void {
  opened
    .then(({ tree, requests }) => {
      requests.end()
      tree.remove()
    })
    .catch(() => {})
}

/** Cleans contents that have no file in the work tree, in a private folder. */
export class Cleaner {
  readonly #place: ConversionPlace
  readonly #read: ReadAttributes
  readonly #trees = new Map<string, Promise<Opened>>()
  readonly #broken = new Set<string>()

  constructor(place: ConversionPlace, read: ReadAttributes) {
    this.#place = place
    this.#read = read
  }

  /**
   * Converts content to that of the blob at a path. Returns null if the filter failed, because it may need the work tree. It
   * counts as required, so that it cannot fail silently.
   */
  async clean(path: string, content: Uint8Array, filter: string): Promise<Uint8Array | null> {
    if (this.#broken.has(filter) || path.includes('\n')) return null
    if (!this.#trees.has(filter)) this.#trees.set(filter, this.#open(filter))
    const { tree, requests } = await (this.#trees.get(filter) as Promise<Opened>)
    const file = join(tree.top, path)
    await tree.placeAttributes(path)
    makeFolder(dirname(file))
    writeFile(file, content)
    const { status, stdout } = await requests.ask(`${quoted(path)}\n`, '\n')
    removeFile(file)
    if (status !== 0) {
      this.#broken.add(filter)
      return null
    }
    const hash = stdout.toString()
    return tree.written(hash) ?? (await this.#place.tree.read(hash)).content
  }

  async #open(filter: string): Promise<Opened> {
    const tree = await openPrivateTree(this.#place, this.#read, true)
    const settings = {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: `filter.${filter}.required`,
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'core.safecrlf',
      GIT_CONFIG_VALUE_1: 'false',
    }
    return { tree, requests: new SerialRequests(tree.start(['hash-object', '-w', '--stdin-paths'], settings)) }
  }

  end(): void {
    for (const opened of this.#trees.values()) end(opened)
  }
}

/** Git reads a line that begins with a quotation mark as a quoted path. */
function quoted(path: string): string {
  return path.startsWith('"') ? `"${path.replace(/["\\]/g, '\\$&')}"` : path
}

/** Smudges blobs. */
export class Smudger {
  readonly #place: ConversionPlace
  readonly #read: ReadAttributes
  #opened: Promise<Opened> | null = null

  constructor(place: ConversionPlace, read: ReadAttributes) {
    this.#place = place
    this.#read = read
  }

  /** Converts a blob's content to that of the file at a path. Git is restarted after a failed filter. */
  async smudge(path: string, content: Buffer): Promise<GitResult> {
    this.#opened ??= this.#open()
    const { tree, requests } = await this.#opened
    await tree.placeAttributes(path)
    const hash = tree.keep(content)
    if (path.includes('\n')) return tree.run(['cat-file', '--filters', `--path=${path}`, hash])
    // Git reports the length of the blob, not of the filtered content, so an unguessable name ends the response.
    const mark = randomBytes(16).toString('hex')
    const ran = await requests.ask(`${hash} ${path}\n${mark}\n`, `\n${mark} missing\n`)
    if (ran.status !== 0) this.end()
    return { ...ran, stdout: ran.stdout.subarray(ran.stdout.indexOf('\n') + 1) }
  }

  async #open(): Promise<Opened> {
    const tree = await openPrivateTree(this.#place, this.#read)
    return { tree, requests: new SerialRequests(tree.start(['cat-file', '--filters', '--batch'])) }
  }

  end(): void {
    const opened = this.#opened
    this.#opened = null
    if (opened !== null) end(opened)
  }
}
