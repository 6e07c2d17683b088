/** Bytes that arrive piece by piece, kept on disk until all are there. */

import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, openFile, removeFile, writeAll } from './private-files.ts'
import { randomName } from './random-name.ts'

/** A file of its own that nobody else sees. It is gone once it is closed, or its process ends. */
export class Spool {
  readonly #file: number
  readonly #path: string
  #size = 0

  /** Opens a new file in a folder, which is made if it is missing. */
  constructor(folder: string) {
    makeFolder(folder)
    this.#path = join(folder, randomName())
    this.#file = openFile(this.#path, 'wx+', 0o600)
    // Windows keeps the name of an open file: there it is removed at the end.
    this.#remove()
  }

  /** Bytes. */
  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    writeAll(this.#file, piece, this.#size)
    this.#size += piece.length
  }

  /** Reads all of them into memory. */
  content(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#size)
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#file, bytes, at, bytes.length - at, at)
      if (read === 0) throw new Error('A spool is shorter than what was written')
      at += read
    }
    return bytes
  }

  close(): void {
    closeSync(this.#file)
    this.#remove()
  }

  #remove(): void {
    try {
      removeFile(this.#path)
    } catch {
      // Tried again when it is closed.
    }
  }
}
