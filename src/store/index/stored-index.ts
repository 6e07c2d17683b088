/** The files of a revision index: a base that holds it as it was once, and a tail of what came since. */

import { rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { openBase, writeBase } from './base-file.ts'
import type { Catalog, CatalogRow } from './catalog.ts'
import { type AuthorRow, HeapWriter, type PageRow } from './records.ts'
import { type Header, RevisionIndex, type StoredFile } from './revision-index.ts'
import { type IndexState, stateOf } from './state.ts'
import { appendFrame, type Frame, fileSize, readTail } from './tail-file.ts'

/** Changes whenever the files are read differently: older ones are built anew. */
const formatVersion = 6

/** A tail longer than this is folded into a new base, which takes time by the size of it: */
const shortestTail = 256 * 1024
/** so a large base has a longer one, of this part of its bytes. Whoever opens the index reads all of the tail. */
const tailShare = 1 / 64

/** Settings that are as they were before are left out. */
type FrameState = Omit<IndexState, 'config' | 'settings'> & Partial<Pick<IndexState, 'config' | 'settings'>>

interface FrameHead extends FrameState {
  readonly lengths: readonly [revisions: number, commits: number, comments: number, originals: number]
  readonly authors: readonly AuthorRow[]
  readonly users: readonly string[]
  readonly pages: readonly [number, PageRow][]
  readonly files: readonly [number, StoredFile][]
}

/** Opens the index in a folder; null where there is none, or it is of another version or not whole. */
export function openIndex(folder: string): RevisionIndex | null {
  const base = openBase<Header>(`${folder}/base`)
  if (base === null) return null
  if (base.header.version !== formatVersion) {
    base.file.close()
    return null
  }
  const index = RevisionIndex.of(base)
  readOn(index, folder)
  return index
}

/** Generation of the base in a folder; null where there is none that can be read. */
export function generationAt(folder: string): string | null {
  const base = openBase<Header>(`${folder}/base`)
  base?.file.close()
  return base?.header.generation ?? null
}

/** Takes in what others appended to the tail since it was read. All that the index holds must be on disk. */
export function readOn(index: RevisionIndex, folder: string): void {
  if (index.generation === null) return
  const tail = readTail<FrameHead>(`${folder}/tail`, index.generation, index.stored.tail)
  for (const frame of tail.frames) apply(index, frame)
  index.stored = index.extent(tail.length > 0 ? tail.length : index.stored.tail)
}

function apply(index: RevisionIndex, { head, bytes }: Frame<FrameHead>): void {
  let at = 0
  const parts = head.lengths.map(length => {
    at += length
    return bytes.subarray(at - length, at)
  })
  const [revisions, commits, comments, originals] = parts as [Buffer, Buffer, Buffer, Buffer]
  index.log.append(revisions, commits, comments)
  index.originals.append(originals)
  index.people.append(head)
  index.pages.restore(head.pages)
  index.files.restore(head.files)
  index.state = stateOf({ ...index.state, ...head })
}

/**
 * Stores what was added since the index was last stored: as a frame of the tail, or all of it as a new base. Only the holder
 * of the index lock may. Gives the index to go on with. Where it throws, the index must not be stored again: it is no longer
 * known what of it is on disk.
 */
export function saveIndex(index: RevisionIndex, folder: string): RevisionIndex {
  const { tail } = index.stored
  // Frames that this index holds may be gone from disk: somebody deleted the tail, or found it damaged.
  const isCut = fileSize(`${folder}/tail`) < tail
  const isBased = index.generation !== null && index.generation === generationAt(folder)
  const isLong = tail > Math.max(shortestTail, fileSize(`${folder}/base`) * tailShare)
  if (!isBased || isLong || isCut) return rewrite(index, folder)
  const { log, people, originals } = index.stored
  const bytes = [...index.log.since(log), index.originals.since(originals)] as const
  const head: FrameHead = {
    ...frameState(index),
    ...index.people.since(people),
    lengths: [bytes[0].length, bytes[1].length, bytes[2].length, bytes[3].length],
    pages: index.pages.takeChanged(),
    files: index.files.takeChanged(),
  }
  index.stored = index.extent(appendFrame(`${folder}/tail`, index.generation as string, tail, head, bytes))
  return index
}

function frameState({ state, stored }: RevisionIndex): FrameState {
  const { config, settings, ...rest } = state
  return config === stored.config ? rest : { ...rest, config, settings }
}

function rewrite(index: RevisionIndex, folder: string): RevisionIndex {
  const heap = new HeapWriter()
  const pages = regionsOf('pages', index.pages, heap)
  const files = regionsOf('files', withoutDeleted(index.files), heap)
  const contents = {
    ...index.log.regions(),
    originals: index.originals.sorted(),
    ...index.people.regions(heap),
    ...pages,
    ...files,
    heap: heap.bytes(),
  }
  // Made of the contents alone, so that every clone and both backends write the same bytes.
  const state = JSON.stringify(index.state)
  const generation = (checksum: number) => `${index.state.tip ?? 'empty'}-${crc32(state, checksum).toString(16)}`
  const header = (checksum: number): Header => ({
    version: formatVersion,
    generation: generation(checksum),
    ...index.state,
  })
  // A base of the same contents may have been there before, with a tail that leads elsewhere.
  rmSync(`${folder}/tail`, { force: true })
  writeBase(`${folder}/base`, header, contents)
  const stored = openIndex(folder)
  if (stored === null) return index
  index.close()
  return stored
}

function regionsOf<Row extends CatalogRow>(name: string, catalog: Catalog<Row>, heap: HeapWriter) {
  const { rows, byKey, byPath } = catalog.serialize(heap)
  return { [name]: rows, [`${name}ByKey`]: byKey, [`${name}ByPath`]: byPath }
}

function withoutDeleted(files: Catalog<StoredFile>): Catalog<StoredFile> {
  const kept = RevisionIndex.create().files
  for (let ordinal = 0; ordinal < files.count; ordinal++) {
    const row = files.at(ordinal)
    if (!row.deleted) kept.push(row)
  }
  return kept
}
