/** Objects in as many packs as it takes: one alone would grow beyond what can be read without native git. */

import type { ObjectType } from '../git/backend.ts'
import { type PackedObject, PackWriter } from '../git/pack-writer.ts'

const packBytes = 1024 * 1024 * 1024
const packObjects = 2_000_000

export class PackSeries {
  readonly #folder: string
  #pack: PackWriter | null = null

  /** Writes into a folder. */
  constructor(folder: string) {
    this.#folder = folder
  }

  add(type: ObjectType, content: Buffer, base: PackedObject | null = null): PackedObject {
    if (this.#pack !== null && (this.#pack.size > packBytes || this.#pack.count > packObjects)) this.finish()
    this.#pack ??= new PackWriter(this.#folder)
    return this.#pack.add(type, content, base)
  }

  /** Completes what was begun, durably. */
  finish(): void {
    this.#pack?.finish()
    this.#pack = null
  }

  abandon(): void {
    this.#pack?.abandon()
    this.#pack = null
  }
}
