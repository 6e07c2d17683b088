/**
 * Compaction: base and tail become a new base, and later additions to the tail become the new tail. It runs in slices and without
 * the index lock, which is taken only for the exchange of the files.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { removeFile, renameFile } from '../../files/private-files.ts'
import { openFile } from '../../files/private-files-async.ts'
import { readBytes } from '../../files/read-file.ts'
import { pathBeside, tryFolderLock } from '../repository/lock-file.ts'
import { writeBase } from './base-file.ts'
import { countBefore } from './catalog-parts.ts'
import { checksum } from './checksum.ts'
import type { RevisionIndex } from './revision-index.ts'
import { atOnce, inSlices } from './slices.ts'
import { contentsOf, type FrameHead, generationOf, headerOf } from './stored-index.ts'
import { appendFrame, fileSize, readTail } from './tail-file.ts'

/** A tail longer than this is compacted, which takes time in proportion to the base: */
const shortestTail = 256 * 1024
/** so a large base allows a longer tail, this part of its bytes. Every process that opens the index reads the whole tail. */
const tailShare = 1 / 64

/** Attempts to take the index lock, and the milliseconds between them. Updates hold it while they run. */
const [lockTries, lockPause] = [250, 20]

/** Length of the tail in a folder, as a multiple of the maximum: compaction is due above 1. */
export function tailExcess(folder: string): number {
  return fileSize(`${folder}/tail`) / Math.max(shortestTail, fileSize(`${folder}/base`) * tailShare)
}

/** Source of a new base: a stored index, and the part of the tail that it has read. */
interface Snapshot {
  readonly index: RevisionIndex
  readonly folder: string
  readonly tail: number
  /** Checksum of these bytes of the tail. */
  readonly sum: number
}

/**
 * Compacts a stored index that others may continue to use, yielding to the event loop every few milliseconds. Returns false,
 * without effect, if another process does so or changes the files meanwhile, or `goesOn` returns false.
 */
export async function compactInSlices(index: RevisionIndex, folder: string, goesOn: () => boolean): Promise<boolean> {
  const release = tryFolderLock(`${folder}/compaction.lock`)
  if (release === null) return false
  const temporary = temporaryIn(folder, 'base')
  try {
    const snapshot = snapshotOf(index.fork(), folder)
    if (!(await inSlices(writeBase(temporary, headerOf(snapshot.index), contentsOf(snapshot.index)), goesOn)))
      return false
    await synced(temporary)
    return await exchange(snapshot, temporary, goesOn)
  } finally {
    removeFile(temporary)
    release()
  }
}

/** Compacts a stored index at once; false if another process has the lock or has changed the files. */
export function compactNow(index: RevisionIndex, folder: string): boolean {
  const release = tryFolderLock(`${folder}/lock`)
  if (release === null) return false
  const temporary = temporaryIn(folder, 'base')
  try {
    const snapshot = snapshotOf(index, folder)
    atOnce(writeBase(temporary, headerOf(index), contentsOf(index)))
    return exchangeFiles(snapshot, temporary)
  } finally {
    removeFile(temporary)
    release()
  }
}

/** Path of a temporary file. The next owner of the index lock removes it if its process is dead. */
function temporaryIn(folder: string, name: string): string {
  return pathBeside(`${folder}/${name}`, '-compacted')
}

function snapshotOf(index: RevisionIndex, folder: string): Snapshot {
  const { tail } = index.stored
  return { index, folder, tail, sum: startSum(folder, tail) }
}

function startSum(folder: string, length: number): number {
  return checksum(readBytes(`${folder}/tail`).subarray(0, length))
}

async function synced(path: string): Promise<void> {
  const file = await openFile(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function exchange(snapshot: Snapshot, temporary: string, goesOn: () => boolean): Promise<boolean> {
  for (let round = 0; round < lockTries && goesOn(); round++) {
    const release = tryFolderLock(`${snapshot.folder}/lock`)
    try {
      if (release !== null) return exchangeFiles(snapshot, temporary)
    } finally {
      release?.()
    }
    await sleep(lockPause)
  }
  return false
}

/**
 * Puts a new base in place, followed by the frames that the snapshot lacks. A kill between the two leaves a base with a tail of
 * another generation, which is ignored: its commits are read from git again.
 */
function exchangeFiles({ index, folder, tail, sum }: Snapshot, temporary: string): boolean {
  const { generation } = index
  const isSame =
    generation !== null && generation === generationOf(`${folder}/base`) && fileSize(`${folder}/tail`) >= tail
  if (!isSame || startSum(folder, tail) !== sum) return false
  const next = generationOf(temporary) as string
  const newTail = temporaryIn(folder, 'tail')
  const left = index.files.deletedSince()
  let length = 0
  for (const { head, bytes } of readTail<FrameHead>(`${folder}/tail`, generation, tail).frames)
    length = appendFrame(newTail, next, length, renumbered(head, left), [bytes])
  renameFile(temporary, `${folder}/base`)
  if (length === 0) removeFile(`${folder}/tail`)
  else renameFile(newTail, `${folder}/tail`)
  return true
}

/** Deleted files are not in the new base: the ordinals after them shift. */
function renumbered(head: FrameHead, left: readonly number[]): FrameHead {
  const gone = new Set(left)
  const unchanged = head.files.filter(([ordinal]) => !gone.has(ordinal))
  return { ...head, files: unchanged.map(([ordinal, row]) => [ordinal - countBefore(left, ordinal), row]) }
}
