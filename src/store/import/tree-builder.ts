/** The trees of a branch that grows commit by commit, held in memory as bytes of which each commit changes a few. */

import { WikiError } from '../../core/errors.ts'
import { comparePaths } from '../format/paths.ts'
import { fileModes, parseTree, treeMode } from '../git/objects.ts'
import type { PackedObject } from '../git/pack-writer.ts'
import type { ReadObject } from '../git/walk.ts'
import type { PackSeries } from './pack-series.ts'

const newFileMode = '100644'

interface Entry {
  /** Name, with a slash after a folder's, as git sorts. */
  readonly key: string
  readonly mode: string
  hash: string
  /** Offset of the entry in the bytes. */
  offset: number
  readonly bytes: number
}

interface Folder {
  entries: Entry[]
  content: Buffer
  /** Bytes of `content` that are used. */
  length: number
  readonly children: Map<string, Folder>
  isChanged: boolean
  /** As last written, in a reused buffer: the base of the next delta. */
  packed: PackedObject | null
  kept: Buffer
}

export class TreeBuilder {
  readonly #read: ReadObject
  #root: Folder

  private constructor(read: ReadObject, root: Folder) {
    this.#read = read
    this.#root = root
  }

  /** Starts with the tree of this hash; null: empty. */
  static async open(read: ReadObject, tree: string | null): Promise<TreeBuilder> {
    return new TreeBuilder(read, tree === null ? blankFolder() : folderOf((await read(tree)).content))
  }

  /** Blob at a path; null if there is none. */
  async blobAt(path: string): Promise<string | null> {
    const names = path.split('/')
    const last = names.pop() as string
    let folder: Folder | null = this.#root
    for (const name of names) {
      folder = await this.#child(folder, name)
      if (folder === null) return null
    }
    return entryOf(folder, last)?.hash ?? null
  }

  /**
   * Sets the blob at a path; null removes it. Returns the former blob. Throws `wiki-title-collision` if a file would replace a
   * folder or a folder a file.
   */
  async set(path: string, hash: string | null): Promise<string | null> {
    const names = path.split('/')
    const last = names.pop() as string
    const chain = [this.#root]
    for (const name of names) {
      const above = chain.at(-1) as Folder
      const child = await this.#child(above, name)
      if (child === null && hash === null) return null
      if (child === null) checkFree(above, name, path)
      chain.push(child ?? addChild(above, name))
    }
    const folder = chain.at(-1) as Folder
    if (place(folder, `${last}/`).isThere || isFilled(folder.children.get(last))) refuse(path, 'a folder of subpages')
    const before = entryOf(folder, last)?.hash ?? null
    if (before === hash) return before
    put(folder, last, hash)
    for (const each of chain) each.isChanged = true
    return before
  }

  /** Writes the trees that changed; returns the root's hash. */
  write(pack: PackSeries): string {
    return (writeFolder(this.#root, pack) ?? packFolder(this.#root, pack)).hash
  }

  async #child(folder: Folder, name: string): Promise<Folder | null> {
    const existing = folder.children.get(name)
    if (existing !== undefined) return existing
    const { at, isThere } = place(folder, `${name}/`)
    if (!isThere) return null
    const child = folderOf((await this.#read((folder.entries[at] as Entry).hash)).content)
    folder.children.set(name, child)
    return child
  }
}

function blankFolder(): Folder {
  return {
    entries: [],
    content: Buffer.alloc(256),
    length: 0,
    children: new Map(),
    isChanged: true,
    packed: null,
    kept: Buffer.alloc(0),
  }
}

function folderOf(content: Buffer): Folder {
  let offset = 0
  const entries = parseTree(content).map(({ mode, name, hash }) => {
    const bytes = mode.length + Buffer.byteLength(name) + 22
    const entry = { key: mode === treeMode ? `${name}/` : name, mode, hash, offset, bytes }
    offset += bytes
    return entry
  })
  return { ...blankFolder(), entries, content: Buffer.from(content), length: content.length, isChanged: false }
}

function addChild(folder: Folder, name: string): Folder {
  const child = blankFolder()
  folder.children.set(name, child)
  return child
}

function checkFree(folder: Folder, name: string, path: string): void {
  if (place(folder, name).isThere) refuse(path, 'a file')
}

/** Returns true if a folder, possibly unwritten, contains a file. The recursion is as deep as the longest path. */
function isFilled(folder: Folder | undefined): boolean {
  if (folder === undefined) return false
  return folder.length > 0 || [...folder.children.values()].some(isFilled)
}

function refuse(path: string, other: string): never {
  throw new WikiError('wiki-title-collision', { params: [path, other] })
}

/** Binary search for a key: its index, or the index at which it would be inserted. */
function place(folder: Folder, key: string): { at: number; isThere: boolean } {
  let low = 0
  let high = folder.entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (comparePaths((folder.entries[middle] as Entry).key, key) < 0) low = middle + 1
    else high = middle
  }
  return { at: low, isThere: folder.entries[low]?.key === key }
}

function entryOf(folder: Folder, name: string): Entry | undefined {
  const { at, isThere } = place(folder, name)
  const entry = isThere ? folder.entries[at] : undefined
  return entry !== undefined && fileModes.has(entry.mode) ? entry : undefined
}

/** Sets, adds or removes an entry; a key with a slash is a folder's. */
function put(folder: Folder, key: string, hash: string | null): void {
  const { at, isThere } = place(folder, key)
  const entry = folder.entries[at]
  if (!isThere || entry === undefined) {
    if (hash !== null) insert(folder, at, key, hash)
  } else if (hash === null) remove(folder, at)
  else {
    entry.hash = hash
    folder.content.write(hash, entry.offset + entry.bytes - 20, 'hex')
  }
}

function insert(folder: Folder, at: number, key: string, hash: string): void {
  const isFolder = key.endsWith('/')
  const mode = isFolder ? treeMode : newFileMode
  const head = Buffer.from(`${mode} ${isFolder ? key.slice(0, -1) : key}\0`)
  const offset = folder.entries[at]?.offset ?? folder.length
  const bytes = head.length + 20
  makeRoom(folder, offset, bytes)
  head.copy(folder.content, offset)
  folder.content.write(hash, offset + head.length, 'hex')
  for (let next = at; next < folder.entries.length; next++) (folder.entries[next] as Entry).offset += bytes
  folder.entries.splice(at, 0, { key, mode, hash, offset, bytes })
}

function makeRoom(folder: Folder, offset: number, bytes: number): void {
  const length = folder.length + bytes
  if (length > folder.content.length) {
    const larger = Buffer.alloc(length * 2)
    folder.content.copy(larger, 0, 0, folder.length)
    folder.content = larger
  }
  folder.content.copyWithin(offset + bytes, offset, folder.length)
  folder.length = length
}

function remove(folder: Folder, at: number): void {
  const { offset, bytes } = folder.entries[at] as Entry
  folder.content.copyWithin(offset, offset + bytes, folder.length)
  folder.length -= bytes
  folder.entries.splice(at, 1)
  for (let next = at; next < folder.entries.length; next++) (folder.entries[next] as Entry).offset -= bytes
}

/** Null for an empty folder. Folders nest no deeper than paths are long. */
function writeFolder(folder: Folder, pack: PackSeries): PackedObject | null {
  for (const [name, child] of folder.children) {
    if (!child.isChanged) continue
    const written = writeFolder(child, pack)
    put(folder, `${name}/`, written?.hash ?? null)
    if (written === null) folder.children.delete(name)
  }
  return folder.length === 0 ? null : packFolder(folder, pack)
}

function packFolder(folder: Folder, pack: PackSeries): PackedObject {
  const packed = pack.add('tree', folder.content.subarray(0, folder.length), folder.packed)
  if (folder.kept.length < folder.length) folder.kept = Buffer.allocUnsafe(folder.content.length)
  folder.content.copy(folder.kept, 0, 0, folder.length)
  folder.packed = { ...packed, content: folder.kept.subarray(0, folder.length) }
  folder.isChanged = false
  return packed
}
