/** Objects to be written: built in memory, then made durable together before a ref may name them. */

import { randomUUID } from 'node:crypto'
import { closeSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import { contentSynced, namesSynced, noteName } from '../../files/durable.ts'
import {
  makeFolder,
  makeOneFolder,
  openFile,
  removeFile,
  renameFile,
  setTime,
  writeAll,
} from '../../files/private-files.ts'
import { readOpen } from '../../files/read-file.ts'
import { isSynced } from '../repository/sync-settings.ts'
import type { GitObject, ObjectType } from './backend.ts'
import { frameObject, hashFrame, loosePath } from './objects.ts'
import { PackWriter } from './pack-writer.ts'
import type { ReadObject } from './walk.ts'

/** More objects than this are written as one pack: each file needs a sync of its own. */
const looseLimit = 512

/** Content of our `.keep` files. */
export const keepNote = 'wiki: written while git collected garbage\n'

/** A fast level: a page is small, and git repacks it later. */
const compression = { level: 1 }

export class NewObjects {
  readonly #objects = new Map<string, { type: ObjectType; frame: Buffer; content: Buffer }>()
  /** Path of the pack that contains them. */
  #pack: string | null = null
  #isKept = false

  /** Adds an object; returns its hash. */
  add(type: ObjectType, content: Buffer): string {
    const frame = frameObject(type, content)
    const hash = hashFrame(frame)
    this.#objects.set(hash, { type, frame, content })
    return hash
  }

  /** Reads one of these objects, or one of the repository. */
  reader(read: ReadObject): ReadObject {
    return async (hash): Promise<GitObject> => this.#objects.get(hash) ?? (await read(hash))
  }

  /** Bytes of all of them. */
  get bytes(): number {
    let sum = 0
    for (const { frame } of this.#objects.values()) sum += frame.length
    return sum
  }

  /**
   * Writes all of them and syncs them to disk, with their names: a branch must not name a commit that may be missing. They become loose
   * objects, or many of them a pack. `isKept` writes a pack that `git gc` preserves.
   */
  async write(objectDirectory: string, { isKept = false } = {}): Promise<void> {
    if (isKept || this.#objects.size > looseLimit) this.#writePack(`${objectDirectory}/pack`, isKept)
    else
      await writeLoose(
        [...this.#objects].map(([hash, { frame }]) => ({ path: loosePath(objectDirectory, hash), frame })),
      )
    if (isSynced(`${objectDirectory}/`, 'loose-object')) await namesSynced(objectDirectory)
  }

  /** Returns true if the objects are still on disk as written: git packs loose objects, or prunes them. */
  areLoose(objectDirectory: string): boolean {
    if (this.#pack !== null) return existsSync(this.#pack)
    return [...this.#objects.keys()].every(hash => existsSync(loosePath(objectDirectory, hash)))
  }

  /** Writes them again, wherever else they may be. */
  async rewrite(objectDirectory: string, options: { readonly isKept: boolean }): Promise<void> {
    this.#pack = null
    await this.write(objectDirectory, options)
  }

  /**
   * Writes them once more as a pack that `git gc` preserves, unless they are in one. Its name is synced with all others: under the
   * branch's lock nothing is.
   */
  keep(objectDirectory: string): void {
    if (!this.#isKept) this.#writePack(`${objectDirectory}/pack`, true)
  }

  #writePack(folder: string, isKept: boolean): void {
    makeFolder(folder)
    const name = againIfPruned(() => {
      const pack = new PackWriter(folder)
      try {
        for (const { type, content } of this.#objects.values()) pack.add(type, content)
      } catch (error) {
        pack.abandon()
        throw error
      }
      return pack.finish(isKept ? keepNote : null)
    })
    this.#pack = name === null ? null : `${folder}/${name}.pack`
    this.#isKept = isKept
  }
}

/** Attempts to write objects beside `git gc --prune=now`, which removes temporary files of any age. */
const pruneAttempts = 20

function againIfPruned<Written>(write: () => Written): Written {
  for (let attempt = 1; ; attempt++)
    try {
      return write()
    } catch (error) {
      if (!isPruned(error, attempt)) throw error
    }
}

function isPruned(error: unknown, attempt: number): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && attempt < pruneAttempts
}

/** A loose object to be. */
interface Loose {
  readonly path: string
  readonly frame: Buffer
}

/**
 * All are synced together (see `syncFile`); then they get their names one after the other, as they were added, parts before what
 * names them. After a cut none of them lacks a part, so that git and the record may keep a commit that they find.
 */
async function writeLoose(objects: readonly Loose[]): Promise<void> {
  const written = await Promise.allSettled(objects.map(writeUnnamed))
  try {
    for (const [at, outcome] of written.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason
      await nameLoose(objects[at] as Loose, outcome.value)
    }
  } catch (error) {
    for (const outcome of written)
      if (outcome.status === 'fulfilled' && outcome.value !== null) removeFile(outcome.value)
    throw error
  }
}

/** Returns the path of the object under another name; null if it is there. */
async function writeUnnamed({ path, frame }: Loose, attempt = 1): Promise<string | null> {
  if (await isThere(path, frame)) return null
  // `git gc` removes files with this prefix eventually. Another store of this process may be writing the same object.
  const temporary = `${dirname(path)}/tmp_obj_${randomUUID()}`
  const file = openIn(temporary)
  try {
    try {
      writeAll(file, deflateSync(frame, compression))
      if (isSynced(path, 'loose-object')) await contentSynced(file)
    } finally {
      closeSync(file)
    }
    return temporary
  } catch (error) {
    removeFile(temporary)
    if (!isPruned(error, attempt)) throw error
    return writeUnnamed({ path, frame }, attempt + 1)
  }
}

async function nameLoose(object: Loose, temporary: string | null, attempt = 1): Promise<void> {
  if (temporary === null) return
  try {
    renameFile(temporary, object.path)
  } catch (error) {
    if (!isPruned(error, attempt)) throw error
    await nameLoose(object, await writeUnnamed(object), attempt + 1)
  }
}

/**
 * Returns true if the object exists, and is on disk. It gets a new time, so that a running `git gc` does not prune it. Git does not
 * sync loose objects, so one of its own may not be on disk yet, and a power cut may have left an earlier one empty: that counts as missing.
 */
async function isThere(path: string, frame: Buffer): Promise<boolean> {
  // Most are new: creating an error for each would take longer.
  if (!existsSync(path)) return false
  try {
    setTime(path, new Date())
    const file = openFile(path, 'r')
    try {
      if (!inflateSync(readOpen(file), { maxOutputLength: frame.length }).equals(frame)) return false
      if (isSynced(path, 'loose-object')) await contentSynced(file)
    } finally {
      closeSync(file)
    }
    noteName(path)
    return true
  } catch {
    return false
  }
}

/** Attempts to write into a new folder, which git may remove while it is empty. */
const folderAttempts = 50

/** Creates a file and its folder: `git gc` removes empty folders, even new ones. */
function openIn(path: string): number {
  for (let attempt = 0; ; attempt++) {
    try {
      return openFile(path, 'wx', 0o444)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === folderAttempts) throw error
      makeObjectFolder(dirname(path))
    }
  }
}

/**
 * Creates a folder whose parent exists. Node's recursive `mkdir` is avoided because it reports a read-only file system as a
 * missing folder.
 */
function makeObjectFolder(path: string): void {
  try {
    makeOneFolder(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
