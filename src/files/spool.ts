/** Stores bytes on disk that arrive in pieces, until they are complete. */

import { closeSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, openFile, removeFile, writeAll } from './private-files.ts'
import { randomName } from './random-name.ts'

/** A temporary file without a visible name. It disappears when it is closed, or when its process ends. */
export class Spool {
  readonly #file: number
  readonly #path: string
  #size = 0

  /** Creates a file in a folder, which is created if missing. */
  constructor(folder: string) {
    makeFolder(folder)
    this.#path = join(folder, randomName())
    this.#file = openFile(this.#path, 'wx+', 0o600)
    // Windows keeps the name of an open file, so it is removed on close.
    this.#remove()
  }

  /** Size in bytes. */
  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    writeAll(this.#file, piece, this.#size)
    this.#size += piece.length
  }

  /** Reads the whole content into memory. */
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
      // Closing tries again.
    }
  }
}
