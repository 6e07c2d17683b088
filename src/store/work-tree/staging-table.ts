/**
 * Git's index as a table by path and stage. The entries stay the bytes that were read, and bytes are made only for changed ones: an
 * edit changes one of perhaps a hundred thousand.
 */

import { bytesOfEntry, entryIn, markAt, markIn, placeOfEntry, type StagedEntry, stageAt, stageOf } from './staging.ts'
import { headerBytes, type IndexBytes, joinEntries, prepareIndexFile, readIndexFile } from './staging-file.ts'

/** An entry that was set or, if null, removed. */
interface Change {
  readonly name: Buffer
  readonly stage: number
  readonly entry: StagedEntry | null
}

export class StagingTable {
  #index: IndexBytes
  /** The mark that all of its entries have. */
  #mark: number | undefined
  readonly #changes = new Map<string, Change>()

  private constructor(index: IndexBytes) {
    this.#index = index
  }

  /** Reads an index; an empty table if there is none. Throws `wiki-bad-repository` for unsupported and damaged ones. */
  static read(path: string): StagingTable {
    return new StagingTable(readIndexFile(path))
  }

  /** Number of entries. */
  get size(): number {
    this.#apply()
    return this.#index.starts.length
  }

  get(name: Buffer, stage = 0): StagedEntry | undefined {
    const change = this.#changes.get(keyOf(name, stage))
    if (change !== undefined) return change.entry ?? undefined
    const { row, isFound } = this.#find(name, stage)
    return isFound ? this.#entryAt(row) : undefined
  }

  /** Adds an entry, or replaces the one of its name and stage. */
  set(entry: StagedEntry): void {
    const [name, stage] = [entry.name, stageOf(entry)]
    this.#changes.set(keyOf(name, stage), { name, stage, entry })
  }

  delete(name: Buffer, stage = 0): void {
    this.#changes.set(keyOf(name, stage), { name, stage, entry: null })
  }

  /** Returns true if the name of an entry without a conflict begins with these bytes. */
  hasStart(start: Buffer): boolean {
    const isStart = (name: Buffer) => name.subarray(0, start.length).equals(start)
    for (const { name, stage, entry } of this.#changes.values())
      if (entry !== null && stage === 0 && isStart(name)) return true
    for (let { row } = this.#find(start, 0); row < this.#index.starts.length; row++) {
      const entry = this.#entryAt(row)
      if (!isStart(entry.name)) return false
      if (stageOf(entry) === 0 && !this.#changes.has(keyOf(entry.name, 0))) return true
    }
    return false
  }

  /** All entries, in git's order: by the bytes of their names, then by stage. */
  entries(): StagedEntry[] {
    this.#apply()
    return Array.from(this.#index.starts, (_, row) => this.#entryAt(row))
  }

  /** Marks of the entries that were read or written last: see `prepare`. */
  *marks(): Iterable<number> {
    const { bytes, starts } = this.#index
    for (const start of starts) yield markIn(bytes, start)
  }

  /**
   * Writes the table under another name, synced; resolves to the function that replaces the index file. Requires `index.lock`. `mark`, 32 bits, replaces the device in all entries: git ignores
   * it (unless it was built with USE_STDEV, and then only reads the files once more) and keeps it until it recreates an entry. It
   * identifies indexes that derive from this one.
   */
  async prepare(path: string, mark = this.#mark): Promise<() => void> {
    this.#apply()
    const { bytes, starts } = this.#index
    if (mark !== undefined && mark !== this.#mark)
      for (let row = 0; row < starts.length; row++) markAt(bytes, starts[row] as number, mark)
    this.#mark = mark
    return prepareIndexFile(path, this.#index)
  }

  /** Writes the changes into the bytes: in place, or between copies of the bytes before and after them. */
  #apply(): void {
    const { bytes, starts, end } = this.#index
    const pieces: Buffer[] = []
    let [copied, count] = [headerBytes, starts.length]
    for (const { name, stage, entry } of [...this.#changes.values()].sort(inOrder)) {
      const { row, isFound } = this.#find(name, stage)
      const [from, to] = [this.#startOf(row), this.#startOf(row + Number(isFound))]
      const made = entry === null ? Buffer.alloc(0) : bytesOfEntry(entry)
      if (this.#mark !== undefined && entry !== null) markAt(made, 0, this.#mark)
      if (made.length === to - from) made.copy(bytes, from)
      else pieces.push(bytes.subarray(copied, from), made)
      if (made.length !== to - from) copied = to
      count += Number(entry !== null) - Number(isFound)
    }
    this.#changes.clear()
    if (pieces.length > 0) this.#index = joinEntries([...pieces, bytes.subarray(copied, end)], count)
  }

  /** The row of an entry, or the one before which it would stand. */
  #find(name: Buffer, stage: number): { readonly row: number; readonly isFound: boolean } {
    let [low, high] = [0, this.#index.starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const order = this.#compare(middle, name, stage)
      if (order === 0) return { row: middle, isFound: true }
      if (order < 0) low = middle + 1
      else high = middle
    }
    return { row: low, isFound: false }
  }

  #compare(row: number, name: Buffer, stage: number): number {
    const { bytes } = this.#index
    const { start, nameStart, nameEnd } = this.#placeOf(row)
    return bytes.compare(name, 0, name.length, nameStart, nameEnd) || stageAt(bytes, start) - stage
  }

  #entryAt(row: number): StagedEntry {
    return entryIn(this.#index.bytes, this.#placeOf(row))
  }

  #placeOf(row: number) {
    return placeOfEntry(this.#index.bytes, this.#startOf(row))
  }

  #startOf(row: number): number {
    return this.#index.starts[row] ?? this.#index.end
  }
}

function inOrder(a: Change, b: Change): number {
  return Buffer.compare(a.name, b.name) || a.stage - b.stage
}

/** Names that are not UTF-8 must stay distinct. */
function keyOf(name: Buffer, stage: number): string {
  return `${stage} ${name.toString('latin1')}`
}
