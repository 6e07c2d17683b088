/**
 * The index over segments: each change adds a small segment, and segments are merged from time to time. Segments in memory
 * answer like those in files, so documents that could not be stored are found too.
 */

import { makeFolder, removeFile } from '../files/private-files.ts'
import type { Query } from './query/query.ts'
import type { SearchRequest } from './query/ranking.ts'
import { type TermMemory, termMemory } from './query/term-memory.ts'
import { countDocuments } from './query/terms.ts'
import { readStored, type TitleHit, type TitleRequest } from './query/titles.ts'
import {
  type IndexContent,
  type IndexedState,
  type IndexResult,
  type SearchIndex,
  searchContent,
  titlesOf,
} from './search-index.ts'
import { type LiveSegment, mergeSegments } from './segment/build.ts'
import { type SegmentBuilder, segmentBuilder } from './segment/builder.ts'
import {
  fileSink,
  fileSource,
  memorySink,
  memorySource,
  type PageCache,
  pageCache,
  pagesOf,
  type Sink,
} from './segment/checked-file.ts'
import { analyseDocument, type SearchDocument, type StoredDocument } from './segment/document.ts'
import {
  manifestStamp,
  readManifest,
  removeIndex,
  removeUnlisted,
  segmentName,
  segmentPath,
  type Totals,
  writeManifest,
} from './segment/folder.ts'
import { chooseFull, chooseLeast } from './segment/merge-choice.ts'
import { fields } from './segment/postings.ts'
import { type BlockCache, blockCache, blocksOf, Segment } from './segment/segment.ts'
import { linkTermOf, termPrefixes } from './words/term-prefixes.ts'

/** Attempts to read a list whose segments are missing. */
const maxAttempts = 3

/** Bytes of collected documents in memory at which they become a segment. */
const maxGathered = 64 * 2 ** 20

/** Minimum documents of a segment while more are coming. */
const minGathered = 250

/** File pages that a merge caches, and blocks of each dictionary: it reads each only once. */
const mergedPages = 512
const mergedBlocks = 4

/** A segment of the index. */
interface Part {
  segment: Segment
  readonly dead: Set<number>
  /** Its file; null if it is only in memory. */
  name: string | null
  /** Bytes that are not yet written to a file. */
  content: Buffer | null
}

/** Bytes that an index may cache; the default suits a command. */
export interface SearchMemory {
  /** Postings of terms. */
  readonly terms: number
  /** Pages of the files. */
  readonly pages: number
  /** Decoded blocks of the dictionaries. */
  readonly blocks: number
}

const noTotals: Totals = { count: 0, lengths: fields.map(() => 0) }

/** The index of a folder, or of none. */
export class SegmentedIndex implements SearchIndex {
  readonly #folder: string | null
  readonly #bounds: SearchMemory | undefined
  #cache: PageCache
  #blocks: BlockCache
  #parts: Part[] = []
  #gathered: SegmentBuilder | null = null
  #totals: Totals = noTotals
  #stamp = ''
  /** Pages that link to a page, by its id. */
  readonly #links = new Map<number, number>()
  readonly #memory: TermMemory
  #isUnsaved = false
  /** Note of the last `save`, or the one that the opener of the index set. */
  note = ''

  private constructor(folder: string | null, memory: SearchMemory | undefined) {
    this.#folder = folder
    this.#bounds = memory
    this.#cache = pageCache(memory && pagesOf(memory.pages))
    this.#blocks = blockCache(memory && blocksOf(memory.blocks))
    this.#memory = termMemory(memory?.terms)
  }

  /** Opens the index of a folder, or an empty one; without a folder it lives in memory. */
  static open(folder: string | null, memory?: SearchMemory): SegmentedIndex {
    const index = new SegmentedIndex(folder, memory)
    index.reload()
    return index
  }

  /** Loads what other processes stored. Unsaved changes are dropped, and damaged segments count as missing. */
  reload(): void {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      this.close()
      this.#stamp = this.#folder === null ? '' : manifestStamp(this.#folder)
      if (this.#read()) return
    }
    this.close()
  }

  /** Returns false if a segment is missing or damaged: another process may have replaced the list meanwhile. */
  #read(): boolean {
    const manifest = this.#folder === null ? null : readManifest(this.#folder)
    try {
      for (const { name, dead } of manifest?.segments ?? []) {
        const segment = openSegment(segmentPath(this.#folder!, name), this.#cache, this.#blocks)
        this.#parts.push({ segment, dead: new Set(dead), name, content: null })
      }
    } catch {
      return false
    }
    this.note = manifest?.note ?? ''
    this.#totals = manifest?.totals ?? noTotals
    return true
  }

  /** Removes all documents, stored or not. */
  discard(): void {
    if (this.#folder !== null) removeIndex(this.#folder)
    this.close()
    this.#stamp = ''
  }

  /** True if another process has stored something since this one read or wrote. */
  get isOutdated(): boolean {
    return this.#folder !== null && manifestStamp(this.#folder) !== this.#stamp
  }

  /** True if there are unsaved changes. */
  get isUnsaved(): boolean {
    return this.#isUnsaved
  }

  close(): void {
    for (const { segment } of this.#parts) segment.close()
    this.#cache = pageCache(this.#bounds && pagesOf(this.#bounds.pages))
    this.#blocks = blockCache(this.#bounds && blocksOf(this.#bounds.blocks))
    this.#parts = []
    this.#gathered = null
    this.#totals = noTotals
    this.#clearCaches()
    this.#isUnsaved = false
    this.note = ''
  }

  // Changes

  /** Indexes pages, replacing their previous documents, and removes other pages. */
  update(documents: readonly SearchDocument[], removed: Iterable<number> = []): void {
    this.remove(removed)
    const distinct = [...new Map(documents.map(document => [document.id, document])).values()]
    for (const document of distinct.sort((a, b) => a.id - b.id)) this.gather(document)
    this.flush()
  }

  /** Removes pages. */
  remove(ids: Iterable<number>): void {
    for (const id of ids) this.#drop(id)
    this.#clearCaches()
  }

  /**
   * Adds a page, which is searchable after `flush`; until then its previous document is found. Pages come in order of their
   * ids. Returns true when a flush is due: soon at first, so that there are results, and rarely later.
   */
  gather(document: SearchDocument): boolean {
    this.#gathered ??= segmentBuilder()
    this.#gathered.add(analyseDocument(document))
    const { count, bytes } = this.#gathered
    return bytes > maxGathered || count >= Math.max(minGathered, this.#totals.count)
  }

  /** Makes a segment of the collected pages, which replace their previous documents. */
  flush(): void {
    const gathered = this.#gathered
    if (gathered === null) return
    this.#gathered = null
    const sink = memorySink()
    gathered.write(sink)
    const content = sink.content()
    const segment = new Segment(memorySource(content), undefined, this.#blocks)
    for (let ordinal = 0; ordinal < segment.count; ordinal++) this.#drop(segment.id(ordinal))
    this.#parts.push({ segment, dead: new Set(), name: null, content })
    this.#isUnsaved = true
    this.#clearCaches()
    const lengths = this.#totals.lengths.map((sum, field) => sum + totalLength(segment, field))
    this.#totals = { count: this.#totals.count + segment.count, lengths }
  }

  #drop(id: number): void {
    for (const { segment, dead } of this.#parts) {
      const ordinal = segment.ordinalOf(id)
      if (ordinal < 0 || dead.has(ordinal)) continue
      dead.add(ordinal)
      this.#isUnsaved = true
      const lengths = this.#totals.lengths.map((sum, field) => sum - segment.fieldLength(ordinal, field))
      this.#totals = { count: this.#totals.count - 1, lengths }
    }
  }

  /** Stores what is only in memory, with a note that the next opener of the folder receives. */
  save(note: string): void {
    const folder = this.#folder
    this.note = note
    if (folder === null) return
    makeFolder(folder)
    writeManifest(folder, this.#written(folder, note))
    this.#stamp = manifestStamp(folder)
    this.#isUnsaved = false
  }

  #written(folder: string, note: string) {
    this.#parts = this.#parts.filter(part => part.dead.size < part.segment.count || this.#forget(part))
    const segments = this.#parts.map(part => ({ name: this.#nameOf(folder, part), dead: [...part.dead] }))
    return { segments, totals: this.#totals, note }
  }

  /** Names a part and writes it to its file if needed; its bytes are then released from memory. */
  #nameOf(folder: string, part: Part): string {
    if (part.name !== null) return part.name
    const name = segmentName()
    const sink = fileSink(segmentPath(folder, name))
    sink.write(part.content!)
    sink.close()
    part.segment = openSegment(segmentPath(folder, name), this.#cache, this.#blocks)
    part.name = name
    part.content = null
    return name
  }

  #forget(part: Part): false {
    part.segment.close()
    return false
  }

  /** Removes files of the folder that are not part of the stored index; only the owner of the lock may call it. */
  tidy(): void {
    const names = this.#parts.flatMap(({ name }) => (name === null ? [] : [{ name }]))
    if (this.#folder !== null) removeUnlisted(this.#folder, names)
  }

  /**
   * Merges segments if there are enough of one size, or if half of one is deleted. It works in time slices; the index must not
   * be changed meanwhile. `quick` merges only small segments; `all` merges as far as it pays, however few they are. Returns
   * false if there is nothing to merge; call `save` afterwards.
   */
  async merge({ quick = false, all = false } = {}): Promise<boolean> {
    const chosen = chooseFull(this.#parts, quick) ?? (all ? chooseLeast(this.#parts) : null)
    if (chosen === null) return false
    const name = this.#folder === null ? null : segmentName()
    const sink = memorySink()
    const target = name === null ? sink : fileSink(segmentPath(this.#folder!, name))
    try {
      await this.#mergeUncached(target, chosen)
    } catch (error) {
      if (name !== null) removeFile(segmentPath(this.#folder!, name))
      throw error
    }
    const segment =
      name === null
        ? new Segment(memorySource(sink.content()), undefined, this.#blocks)
        : openSegment(segmentPath(this.#folder!, name), this.#cache, this.#blocks)
    const merged = { segment, dead: new Set<number>(), name, content: null }
    this.#parts = [merged, ...this.#parts.filter(part => !chosen.includes(part) || this.#forget(part))]
    this.#clearCaches()
    return true
  }

  /** Reads the files without the cache, so that the cached pages of queries stay. */
  async #mergeUncached(sink: Sink, parts: readonly Part[]): Promise<void> {
    const cache = pageCache(mergedPages)
    const opened: Segment[] = []
    try {
      const segments = parts.map(({ segment, dead, name }): LiveSegment => {
        if (name === null) return { segment, dead }
        opened.push(openSegment(segmentPath(this.#folder!, name), cache, blockCache(mergedBlocks)))
        return { segment: opened.at(-1)!, dead }
      })
      await mergeSegments(sink, segments)
    } finally {
      for (const segment of opened) segment.close()
    }
  }

  /** True if large segments should be merged. */
  isMergeable(): boolean {
    return chooseFull(this.#parts, false) !== null
  }

  // Queries

  get #content(): IndexContent {
    return { segments: this.#parts, totals: this.#totals, memory: this.#memory }
  }

  get count(): number {
    return this.#totals.count
  }

  search(query: string | Query, request: SearchRequest): IndexResult {
    return searchContent(this.#content, query, { ...request, incoming: id => this.#incomingOf(id) })
  }

  titles(request: TitleRequest): TitleHit[] {
    const stored = (id: number) => this.stored(id)
    return titlesOf(this.#content, request, { linksTo: hit => this.#linksTo(hit), stored })
  }

  incoming(title: string): number {
    return countDocuments(this.#parts, linkTermOf(title))
  }

  redirectsTo(title: string): number[] {
    return this.#withTerm(termPrefixes.redirect + title)
  }

  linkingBy(name: string): number[] {
    return this.#withTerm(termPrefixes.linkName + name)
  }

  /** True if a page has links by names, even one that has since been indexed again. */
  hasLinkNames(): boolean {
    return this.#parts.some(({ segment }) => {
      const entry = segment.walk()(termPrefixes.linkName)
      return entry?.term.startsWith(termPrefixes.linkName) ?? false
    })
  }

  #withTerm(term: string): number[] {
    return this.#parts.flatMap(({ segment, dead }) => {
      const entry = segment.find(term)
      const ordinals = entry === undefined ? [] : [...segment.postings(entry).documents]
      return ordinals.filter(ordinal => !dead.has(ordinal)).map(ordinal => segment.id(ordinal))
    })
  }

  #incomingOf(id: number): number {
    const cached = this.#links.get(id)
    if (cached !== undefined) return cached
    const place = this.#placeOf(id)
    const count = place === undefined ? 0 : this.#countLinks(place)
    this.#links.set(id, count)
    return count
  }

  /** A document's record counts the links from its own segment, unless some of them may come from deleted documents. */
  #countLinks({ part, ordinal }: { part: Part; ordinal: number }): number {
    const own = part.segment.linksTo(ordinal)
    const isTrue = own === 0 || part.dead.size === 0
    const others = isTrue ? this.#parts.filter(other => other !== part) : this.#parts
    if (others.length === 0) return own
    return (isTrue ? own : 0) + countDocuments(others, linkTermOf(readStored(part, ordinal).title))
  }

  /** For titles chosen among many: the links in their own segment as it was made, and those in the others. */
  #linksTo({ id, links, chosen, from }: TitleHit): number {
    if (!chosen || this.#links.has(id)) return this.#incomingOf(id)
    const others = this.#parts.filter((_, at) => at !== from)
    return links + (others.length === 0 ? 0 : countDocuments(others, linkTermOf(this.stored(id)?.title ?? '')))
  }

  /** Clears the caches of queries. */
  #clearCaches(): void {
    this.#memory.clear()
    this.#links.clear()
  }

  stored(id: number): StoredDocument | undefined {
    const place = this.#placeOf(id)
    return place === undefined ? undefined : readStored(place.part, place.ordinal)
  }

  state(id: number): IndexedState | undefined {
    const place = this.#placeOf(id)
    if (place === undefined) return undefined
    const { segment } = place.part
    return { revision: segment.revision(place.ordinal), fingerprint: segment.fingerprint(place.ordinal) }
  }

  *ids(): Iterable<number> {
    for (const { segment, dead } of this.#parts) {
      for (let ordinal = 0; ordinal < segment.count; ordinal++) if (!dead.has(ordinal)) yield segment.id(ordinal)
    }
  }

  #placeOf(id: number): { part: Part; ordinal: number } | undefined {
    for (const part of this.#parts) {
      const ordinal = part.segment.ordinalOf(id)
      if (ordinal >= 0 && !part.dead.has(ordinal)) return { part, ordinal }
    }
    return undefined
  }
}

/** Closes files that are no longer segments. */
function openSegment(path: string, cache: PageCache, blocks: BlockCache): Segment {
  const source = fileSource(path)
  try {
    return new Segment(source, cache, blocks)
  } catch (error) {
    source.close()
    throw error
  }
}

function totalLength(segment: Segment, field: number): number {
  let sum = 0
  for (let ordinal = 0; ordinal < segment.count; ordinal++) sum += segment.fieldLength(ordinal, field)
  return sum
}
