/** The files of a revision index: a base that holds an earlier state, and a tail with the changes since. */

import { crc32 } from 'node:zlib'
import { removeFile, renameFile } from '../../files/private-files.ts'
import { pathBeside } from '../repository/lock-file.ts'
import { type BaseContents, openBase, writeBase } from './base-file.ts'
import type { CatalogParts } from './catalog-parts.ts'
import { type AuthorRow, HeapPlaces, type PageRow } from './records.ts'
import { type Header, RevisionIndex, type StoredFile } from './revision-index.ts'
import { inSlices } from './slices.ts'
import { type IndexState, stateOf } from './state.ts'
import { appendFrame, type Frame, fileSize, readTail } from './tail-file.ts'

/** Changed whenever the file format changes: older files are rebuilt. */
const formatVersion = 15

/** First version whose ids follow the main line. */
const mainLineVersion = 11

/** Unchanged settings are omitted. */
type FrameState = Omit<IndexState, 'config' | 'settings'> & Partial<Pick<IndexState, 'config' | 'settings'>>

/** Header of a frame of the tail. */
export interface FrameHead extends FrameState {
  readonly lengths: readonly [
    revisions: number,
    commits: number,
    comments: number,
    originals: number,
    editors: number,
    deletions: number,
  ]
  readonly authors: readonly AuthorRow[]
  readonly users: readonly string[]
  readonly pages: readonly [number, PageRow][]
  readonly files: readonly [number, StoredFile][]
}

/** Opens the index in a folder, with this many bytes of block cache; null if it is missing, incomplete, or of another version. */
export function openIndex(folder: string, memory?: number): RevisionIndex | null {
  const base = openBase<Header>(`${folder}/base`, memory)
  if (base === null) return null
  if (base.header.version !== formatVersion) {
    base.file.close()
    return null
  }
  return readOn(RevisionIndex.of(base), folder)
}

/** Returns true if a folder holds an index of an earlier version, whose ids followed the first parents. */
export function isOutdated(folder: string): boolean {
  const base = openBase<Header>(`${folder}/base`)
  base?.file.close()
  return base !== null && base.header.version < mainLineVersion
}

/** Generation of a base file; null if it cannot be read. */
export function generationOf(path: string): string | null {
  const base = openBase<Header>(path)
  base?.file.close()
  return base?.header.generation ?? null
}

/**
 * Returns the index with additions by others to the tail since it was read: a new one if there are any, because readers may use
 * this one. The whole index must be on disk.
 */
export function readOn(index: RevisionIndex, folder: string): RevisionIndex {
  if (index.generation === null) return index
  const tail = readTail<FrameHead>(`${folder}/tail`, index.generation, index.stored.tail)
  const next = tail.frames.length === 0 ? index : index.fork()
  for (const frame of tail.frames) apply(next, frame)
  next.stored = next.extent(tail.length > 0 ? tail.length : index.stored.tail)
  return next
}

function apply(index: RevisionIndex, { head, bytes }: Frame<FrameHead>): void {
  let at = 0
  const parts = head.lengths.map(length => {
    at += length
    return bytes.subarray(at - length, at)
  })
  const [revisions, commits, comments, originals, editors, deletions] = parts as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  index.log.append(revisions, commits, comments)
  index.originals.append(originals)
  index.editors.append(editors)
  index.deletions.append(deletions)
  index.people.append(head)
  index.pages.restore(head.pages)
  index.files.restore(head.files)
  index.state = stateOf({ ...index.state, ...head })
}

/**
 * Stores the changes since the index was last stored: as a frame of the tail, or all of it, in slices, as a new base. Requires the
 * index lock. Returns a function that puts a new base in place and returns the index to continue with, as one step: others read
 * this index until then. If it throws, the index must not be stored again, because its state on disk is unknown.
 */
export async function saveIndex(index: RevisionIndex, folder: string): Promise<() => RevisionIndex> {
  const { tail } = index.stored
  // Frames that this index holds may be gone from disk: somebody deleted the tail, or found it damaged.
  const isCut = fileSize(`${folder}/tail`) < tail
  const isBased = index.generation !== null && index.generation === generationOf(`${folder}/base`)
  if (!isBased || isCut) return rewrite(index, folder)
  appendChanges(index, folder)
  return () => index
}

function appendChanges(index: RevisionIndex, folder: string): void {
  const { tail } = index.stored
  const { log, people, originals, editors, deletions } = index.stored
  const pairs = [
    index.originals.since(originals),
    index.editors.since(editors),
    index.deletions.since(deletions),
  ] as const
  const bytes = [...index.log.since(log), ...pairs] as const
  const head: FrameHead = {
    ...frameState(index),
    ...index.people.since(people),
    lengths: [bytes[0].length, bytes[1].length, bytes[2].length, bytes[3].length, bytes[4].length, bytes[5].length],
    pages: index.pages.takeChanged(),
    files: index.files.takeChanged(),
  }
  index.stored = index.extent(appendFrame(`${folder}/tail`, index.generation as string, tail, head, bytes))
}

function frameState({ state, stored }: RevisionIndex): FrameState {
  const { config, settings, ...rest } = state
  return config === stored.config ? rest : { ...rest, config, settings }
}

async function rewrite(index: RevisionIndex, folder: string): Promise<() => RevisionIndex> {
  const temporary = pathBeside(`${folder}/base`, '-new')
  await inSlices(writeBase(temporary, headerOf(index), contentsOf(index)))
  return () => {
    // A base with the same contents may have existed before, with a tail that leads elsewhere.
    removeFile(`${folder}/tail`)
    renameFile(temporary, `${folder}/base`)
    const stored = openIndex(folder)
    if (stored === null) return index
    index.close()
    return stored
  }
}

/**
 * Returns the header of a base. Its generation depends on the contents alone, so every clone and both backends write
 * the same bytes.
 */
export function headerOf({ state }: RevisionIndex): (checksum: number) => Header {
  const text = JSON.stringify(state)
  return checksum => {
    const generation = `${state.tip ?? 'empty'}-${crc32(text, checksum).toString(16)}`
    return { version: formatVersion, generation, ...state }
  }
}

/** The regions of a base for an index. The index must not change before all is read. */
export function contentsOf({ log, originals, editors, deletions, people, pages, files }: RevisionIndex): BaseContents {
  const heap = new HeapPlaces()
  const [pageParts, fileParts] = [pages.parts(heap), files.parts(heap, files.deletedSince())]
  return {
    ...log.parts(),
    originals: originals.parts(),
    editors: editors.parts(),
    deletions: deletions.parts(),
    ...people.parts(heap),
    ...regionsOf('pages', pageParts),
    ...regionsOf('files', fileParts),
    heap: concatenated(people.textParts(), pageParts.texts, fileParts.texts),
  }
}

function regionsOf(name: string, { rows, byKey, byPath, twins }: CatalogParts): BaseContents {
  return { [name]: rows, [`${name}ByKey`]: byKey, [`${name}ByPath`]: byPath, [`${name}Twins`]: twins }
}

function* concatenated(...all: readonly Iterable<Buffer>[]): Generator<Buffer> {
  for (const parts of all) yield* parts
}
