/** Objects in as many packs as needed: a single one would grow beyond what can be read without native git. */

import type { ObjectType } from '../git/backend.ts'
import { type PackedObject, PackWriter } from '../git/pack-writer.ts'

const packBytes = 1024 * 1024 * 1024
const packObjects = 2_000_000

export class PackSeries {
  readonly #folder: string
  readonly #limits: { readonly bytes: number; readonly objects: number }
  #pack: PackWriter | null = null
  /** The complete packs, without extension. */
  readonly names: string[] = []

  /** Writes into a folder. */
  constructor(folder: string, { bytes = packBytes, objects = packObjects } = {}) {
    this.#folder = folder
    this.#limits = { bytes, objects }
  }

  add(type: ObjectType, content: Buffer, base: PackedObject | null = null): PackedObject {
    const { bytes, objects } = this.#limits
    if (this.#pack !== null && (this.#pack.size > bytes || this.#pack.count >= objects)) this.finish()
    this.#pack ??= new PackWriter(this.#folder)
    return this.#pack.add(type, content, base)
  }

  /** Completes the current pack, durably. */
  finish(): void {
    const name = this.#pack?.finish() ?? null
    if (name !== null) this.names.push(name)
    this.#pack = null
  }

  abandon(): void {
    this.#pack?.abandon()
    this.#pack = null
  }
}
