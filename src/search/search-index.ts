/** The full-text index of a wiki: which pages hold the words of a query, best first. MiniSearch is behind it. */

import MiniSearch, { type AsPlainObject, type Options } from 'minisearch'
import { isSignKey, listKeys, textOfKey } from './keys.ts'
import { loosenQuery, parseQuery, type Query, type QueryKey, replaceWords } from './query.ts'

/** A page as the index takes it. */
export interface SearchDocument {
  /** Page id. */
  readonly id: number
  /** Id of the revision the text is from. */
  readonly revision: number
  /** Prefixed title, reading form. */
  readonly title: string
  readonly text: string
  readonly namespace: number
}

/** A page that a search found. */
export interface SearchHit {
  readonly id: number
  /** Comparable within one search only. */
  readonly score: number
  /** The words of the index that matched. */
  readonly terms: readonly string[]
  /** What to mark in the page's text: the query, loosened as far as was needed to find something. */
  readonly query: Query
}

/** Which of the matching pages to return. */
export interface SearchRequest {
  /** At most this many. */
  readonly limit: number
  /** Only pages of these namespaces; of all where it is missing. */
  readonly namespaces?: readonly number[]
  /** Only pages for which it is true. */
  readonly accept?: (id: number) => boolean
}

/** What is remembered of an indexed page beside its words. */
type Indexed = Pick<SearchDocument, 'revision' | 'namespace'>

interface SavedIndex {
  readonly version: number
  /** Page id, revision id, namespace. */
  readonly pages: readonly (readonly [number, number, number])[]
  readonly index: AsPlainObject
}

/** To be raised with every change of the keys that a text has. */
const savedVersion = 1

const fields = ['title', 'text']

/** A word in the title counts as much as this many in the text. */
const titleBoost = 4

/**
 * How many replaced or deleted pages, and what part of all, may leave their words behind before these are vacuumed.
 * That is done at once: MiniSearch's own way waits on timers, which would hold back the end of a command.
 */
const dirtAllowed = { count: 20, factor: 0.1 }

const engineOptions: Options = {
  fields,
  tokenize: listKeys,
  processTerm: key => key,
  autoVacuum: false,
  logger: () => undefined,
}

/** The full-text index. Words, their accents and scripts without spaces: see `listKeys`; queries: see `parseQuery`. */
export class SearchIndex {
  readonly #engine: MiniSearch
  readonly #pages: Map<number, Indexed>

  private constructor(engine: MiniSearch, pages: Map<number, Indexed>) {
    this.#engine = engine
    this.#pages = pages
  }

  /** Makes an index of no pages. */
  static create(): SearchIndex {
    return new SearchIndex(new MiniSearch(engineOptions), new Map())
  }

  /** Reads what `toJSON` made; null where it is damaged or from another version: build a new one then. */
  static load(json: string): SearchIndex | null {
    try {
      const saved = JSON.parse(json) as SavedIndex
      if (!isSound(saved)) return null
      const pages = saved.pages.map(([id, revision, namespace]) => [id, { revision, namespace }] as const)
      return new SearchIndex(MiniSearch.loadJS(saved.index, engineOptions), new Map(pages))
    } catch {
      return null
    }
  }

  /** Serializes the index: JSON text for `load`. Forgets the words of replaced pages first. */
  toJSON(): string {
    this.#vacuum()
    const pages = [...this.#pages].map(([id, { revision, namespace }]) => [id, revision, namespace] as const)
    return JSON.stringify({ version: savedVersion, pages, index: this.#engine.toJSON() } satisfies SavedIndex)
  }

  /** Indexes a page, in place of what was indexed for its id. */
  put(document: SearchDocument): void {
    const { id, revision, namespace } = document
    this.delete(id)
    this.#engine.add(document)
    this.#pages.set(id, { revision, namespace })
  }

  /** Takes a page out; does nothing where it is not in. */
  delete(id: number): void {
    if (!this.#pages.delete(id)) return
    this.#engine.discard(id)
    if (this.#engine.dirtCount >= dirtAllowed.count && this.#engine.dirtFactor >= dirtAllowed.factor) this.#vacuum()
  }

  /** The revision that is indexed for a page; undefined where none is. */
  has(id: number): number | undefined {
    return this.#pages.get(id)?.revision
  }

  /** Lists the ids of the indexed pages. */
  ids(): Iterable<number> {
    return this.#pages.keys()
  }

  /**
   * Finds the pages that hold everything a query names, best first; pages of equal score in order of their ids.
   * Where there are none it forgives more: first accents and a last word that is only begun, then one or two wrong
   * letters in a word. Of a quoted phrase it knows the words, not their order: check hits with `holdsPhrases`.
   */
  search(query: string | Query, request: SearchRequest): SearchHit[] {
    const asked = typeof query === 'string' ? parseQuery(query) : query
    const exact = this.#find(asked, request)
    if (exact.length > 0) return exact
    const loose = loosenQuery(asked)
    const begun = this.#find(loose, request)
    return begun.length > 0 ? begun : this.#find(loose, request, { similar: true })
  }

  #find(query: Query, request: SearchRequest, { similar = false } = {}): SearchHit[] {
    const keys = distinctKeys(query)
    if (keys.length === 0) return []
    const results = this.#engine.search(keys.map(({ key }) => key).join(' '), {
      tokenize: text => text.split(' '),
      combineWith: 'AND',
      prefix: (_, index) => keys[index]!.prefix,
      fuzzy: similar ? (_, index) => mistakesAllowed(keys[index]!) : false,
      boost: { title: titleBoost },
      filter: result => this.#isWanted(result.id, request),
    })
    const ranked = results.map(result => ({ result, score: roundScore(result.score) }))
    ranked.sort((a, b) => b.score - a.score || a.result.id - b.result.id)
    const best = ranked.slice(0, Math.max(0, request.limit))
    return best.map(({ result: { id, match }, score }) => {
      const found = Object.keys(match)
      const words = found.filter(key => !isSignKey(key))
      return { id, score, terms: found.map(textOfKey), query: similar ? replaceWords(query, words) : query }
    })
  }

  #isWanted(id: number, { namespaces, accept }: SearchRequest): boolean {
    if (namespaces && !namespaces.includes(this.#pages.get(id)!.namespace)) return false
    return accept?.(id) ?? true
  }

  #vacuum(): void {
    if (this.#engine.dirtCount > 0) void this.#engine.vacuum({ batchSize: Number.POSITIVE_INFINITY })
  }
}

function distinctKeys(query: Query): QueryKey[] {
  const keys = new Map<string, QueryKey>()
  for (const key of query.parts.flatMap(part => part.keys)) {
    if (!key.prefix || !keys.has(key.key)) keys.set(key.key, key)
  }
  return [...keys.values()]
}

function mistakesAllowed({ key, literal }: QueryKey): number | false {
  if (literal || key.length < 4) return false
  return key.length < 8 ? 1 : 2
}

/** Sums of the same numbers in another order differ in their last digits; pages must not change places for that. */
function roundScore(score: number): number {
  return Number(score.toPrecision(9))
}

/** True where all that a search will read is there. */
function isSound(saved: SavedIndex): boolean {
  if (saved.version !== savedVersion) return false
  const { documentIds, fieldIds, fieldLength, documentCount, averageFieldLength, nextId } = saved.index
  const entries = Object.entries(documentIds)
  const pageIds = new Set(saved.pages.map(([id]) => id))
  return (
    fields.every((field, index) => fieldIds[field] === index) &&
    Array.isArray(averageFieldLength) &&
    Number.isInteger(nextId) &&
    documentCount === entries.length &&
    pageIds.size === entries.length &&
    entries.every(([shortId, id]) => pageIds.has(id) && fieldLength[shortId]?.length === fields.length)
  )
}
