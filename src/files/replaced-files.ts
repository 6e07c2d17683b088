/**
 * Old files of a work tree that were replaced or removed. A program that opened one before (`cat >>`, `tee -a`, an editor) still writes
 * to it. So the old file is not deleted but moved to a folder of the git directory, with a list of what each one held: one that holds
 * something else later has text that is nowhere else. They are kept within limits of number, bytes and age; one with such text until
 * a person has taken it.
 */

import { createHash } from 'node:crypto'
import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { appendLines, makeFolder, removeFile, renameFile, writeFile } from './private-files.ts'
import { randomName } from './random-name.ts'
import { readText } from './read-file.ts'
import { readRegular, type WorkFile } from './work-file.ts'

/** An old file, as the list has it. */
interface Replaced {
  /** Its name in the folder. */
  readonly id: string
  /** Path that it had, from the top of the work tree. */
  readonly path: string
  /** Its bytes, the time of its last change in nanoseconds, and the SHA-256 of its content. */
  readonly size: number
  readonly changed: string
  readonly content: string
  /** Time when it was replaced, in milliseconds. */
  readonly time: number
}

/** Text that was written to a file after it had been replaced. */
export interface LateText {
  /** Path of the file that was replaced. */
  readonly path: string
  /** Path of the old file, which has the text. */
  readonly file: string
}

/** Limits of the old files that are kept. */
export interface ReplacedLimits {
  readonly number: number
  readonly bytes: number
  readonly milliseconds: number
}

const usualLimits: ReplacedLimits = { number: 256, bytes: 64 * 1024 * 1024, milliseconds: 24 * 60 * 60 * 1000 }

/** Extent of a list, as this process has left it. */
interface Extent {
  readonly length: number
  readonly number: number
  readonly bytes: number
  /** Time of the oldest file. */
  readonly oldest: number
}

const extents = new Map<string, Extent>()

/**
 * Moves an old file of the work tree to the folder. Returns false, without a change, if it cannot: the folder is on another disk or
 * full, or the file has another name and its text is not lost. The caller holds the lock of the work tree.
 */
export function keepReplaced(
  folder: string,
  from: string,
  { path, found }: { readonly path: string; readonly found: WorkFile },
  limits = usualLimits,
): boolean {
  const { size, mtimeNs, nlink } = found.stat
  if (nlink > 1n || size > limits.bytes) return false
  const id = randomName()
  const one = { id, path, size: Number(size), changed: `${mtimeNs}`, content: hashOf(found.content), time: Date.now() }
  try {
    makeFolder(folder)
    makeRoom(folder, one, limits)
    add(folder, one)
    renameFile(from, join(folder, id))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return false
  }
}

/** Lists the old files that were written to after they had been replaced. */
export function lateTexts(folder: string): LateText[] {
  return readList(folder)
    .filter(one => stateOf(folder, one) === 'written')
    .map(({ id, path }) => ({ path, file: join(folder, id) }))
}

function add(folder: string, one: Replaced): void {
  const line = lineOf(one)
  appendLines(listIn(folder), line)
  const { length, number, bytes, oldest } = extents.get(folder) as Extent
  extents.set(folder, {
    length: length + Buffer.byteLength(line),
    number: number + 1,
    bytes: bytes + one.size,
    oldest: Math.min(oldest, one.time),
  })
}

/** Deletes the oldest files if there are too many: down to half, so that this is seldom. */
function makeRoom(folder: string, { size, time }: Replaced, limits: ReplacedLimits): void {
  const length = statSync(listIn(folder), { throwIfNoEntry: false })?.size ?? 0
  if (extents.get(folder)?.length !== length) extents.set(folder, extentOf(readList(folder), length))
  const { number, bytes, oldest } = extents.get(folder) as Extent
  const isFull = number >= limits.number || bytes + size > limits.bytes || oldest < time - limits.milliseconds
  if (isFull) dropOldest(folder, time, limits)
}

function dropOldest(folder: string, time: number, limits: ReplacedLimits): void {
  const kept: Replaced[] = []
  let [number, bytes] = [0, 0]
  for (const one of readList(folder).reverse()) {
    const state = stateOf(folder, one)
    if (state === 'gone') continue
    number++
    bytes += one.size
    const isWithin = number <= limits.number / 2 && bytes <= limits.bytes / 2 && one.time >= time - limits.milliseconds
    if (state === 'written' || isWithin) kept.push(one)
    else removeFile(join(folder, one.id))
  }
  const text = kept.reverse().map(lineOf).join('')
  // It may name text that has come already.
  writeFile(`${listIn(folder)}.new`, text, { isSynced: true })
  renameFile(`${listIn(folder)}.new`, listIn(folder))
  // Those with text are not counted: they would leave no room for others.
  extents.set(folder, {
    ...extentOf(
      kept.filter(one => stateOf(folder, one) !== 'written'),
      0,
    ),
    length: Buffer.byteLength(text),
  })
}

function extentOf(list: readonly Replaced[], length: number): Extent {
  const bytes = list.reduce((sum, { size }) => sum + size, 0)
  return { length, number: list.length, bytes, oldest: Math.min(...list.map(({ time }) => time)) }
}

/** `written`: it holds something else than when it was replaced. `gone`: a person has taken or deleted it. */
function stateOf(folder: string, { id, size, changed, content }: Replaced): 'same' | 'written' | 'gone' {
  const stat = lstatSync(join(folder, id), { throwIfNoEntry: false, bigint: true })
  if (stat === undefined) return 'gone'
  if (stat.size === BigInt(size) && `${stat.mtimeNs}` === changed) return 'same'
  const now = readRegular(join(folder, id))
  return now !== null && typeof now === 'object' && hashOf(now.content) === content ? 'same' : 'written'
}

function listIn(folder: string): string {
  return join(folder, 'list')
}

function lineOf(one: Replaced): string {
  return `${JSON.stringify(one)}\n`
}

/** Skips torn lines. */
function readList(folder: string): Replaced[] {
  let text: string
  try {
    text = readText(listIn(folder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return []
  }
  return text.split('\n').flatMap(line => {
    try {
      const one: Replaced = JSON.parse(line)
      return /^[\w-]+$/.test(one.id) && typeof one.path === 'string' ? [one] : []
    } catch {
      return []
    }
  })
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
