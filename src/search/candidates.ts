/** Which pages can answer a query, told by the terms alone. */

import { titleTerm } from './document.ts'
import { bm25, boosts, type Candidate, type Totals } from './hydrate.ts'
import type { Language } from './language.ts'
import { marks } from './marks.ts'
import type { Query, QueryFilter, QueryKey, QueryPart } from './query.ts'
import type { LiveSegment } from './segment/build.ts'
import { fields, type Postings } from './segment/postings.ts'
import { expandKey, type FoundTerm, readStem, readTerm } from './terms.ts'

/** A query with the terms that its keys mean. */
export interface PreparedQuery {
  readonly query: Query
  /** True where one of the parts will do. */
  readonly any: boolean
  /** Parts that similar words will do for. */
  readonly similar: ReadonlySet<QueryPart>
  readonly terms: ReadonlyMap<string, FoundTerm>
  /** The terms of each key. */
  readonly expanded: ReadonlyMap<QueryKey, readonly FoundTerm[]>
}

/** Which pages may be found. */
export interface PageScope {
  readonly namespaces?: readonly number[] | undefined
}

/** Terms that were read for one search. */
export type KnownTerms = Map<string, FoundTerm | undefined>

interface PrepareOptions {
  readonly any?: boolean
  readonly similar?: ReadonlyMap<QueryPart, Iterable<string>>
  /** What was read for the same search before; what is read is added. */
  readonly known?: KnownTerms
}

/** Reads the terms that a query means; `similar` has those that will do for some of its parts. */
export function prepareQuery(
  segments: readonly LiveSegment[],
  query: Query,
  { any = false, similar = new Map<QueryPart, Iterable<string>>(), known = new Map() }: PrepareOptions = {},
): PreparedQuery {
  const terms = new Map<string, FoundTerm>()
  const expanded = new Map<QueryKey, readonly FoundTerm[]>()
  const read = knownReader(segments, query.language, known)
  const parts = query.parts.map(part => withoutForms(part, read))
  for (const part of [...parts, ...query.excluded]) {
    for (const key of part.alternatives.flat()) {
      const names = key.stem ? [key.key] : new Set([...expandKey(segments, key), ...(similar.get(part) ?? [])])
      const found = [...names].flatMap(name => read(name) ?? [])
      for (const term of found) terms.set(term.term, term)
      expanded.set(key, found)
    }
  }
  return { query: { ...query, parts }, any, similar: new Set(similar.keys()), terms, expanded }
}

type Read = (name: string) => FoundTerm | undefined

function knownReader(segments: readonly LiveSegment[], language: Language, known: KnownTerms): Read {
  const read: Read = name => {
    if (!known.has(name)) {
      const isStem = name.startsWith(marks.stem)
      known.set(name, isStem ? readStem(segments, name, { language, read }) : readTerm(segments, name))
    }
    return known.get(name)
  }
  return read
}

/** A word that has one form only needs no other: both halves of its weight are for the same pages. */
function withoutForms(part: QueryPart, read: Read): QueryPart {
  const stem = part.alternatives.flat().find(key => key.stem)
  const forms = stem === undefined ? [] : (read(stem.key)?.forms ?? [])
  if (forms.length !== 1 || forms[0] !== part.words[0]) return part
  const others = part.alternatives.filter(keys => !keys.some(key => key.stem))
  return { ...part, alternatives: others.map(keys => keys.map(key => ({ ...key, weight: 1 }))) }
}

/** Lists the pages that hold what a query names: of phrases, their words. */
export function listCandidates(
  segments: readonly LiveSegment[],
  prepared: PreparedQuery,
  { namespaces }: PageScope,
): Candidate[] {
  const wanted = namespaces === undefined ? null : new Set(namespaces)
  return segments.flatMap(({ segment, dead }, from) => {
    const matches = matchSegment(segments[from]!, from, prepared)
    const found: Candidate[] = []
    for (let ordinal = 0; ordinal < matches.length; ordinal++) {
      if (matches[ordinal] === 0 || dead.has(ordinal)) continue
      if (wanted?.has(segment.namespace(ordinal)) === false) continue
      found.push({ from, ordinal, id: segment.id(ordinal) })
    }
    return found
  })
}

/** A bit for each document of a segment. */
type Bits = Uint8Array<ArrayBuffer>

function matchSegment(live: LiveSegment, from: number, prepared: PreparedQuery): Bits {
  const { query, any } = prepared
  const required: Bits[] = []
  const optional: Bits[] = []
  for (const part of query.parts) {
    if (part.minor) continue
    const bits = matchPart(live, from, part, prepared)
    if (any && isOptional(part)) optional.push(bits)
    else required.push(bits)
  }
  if (optional.length > 0) required.push(optional.reduce(either))
  for (const filter of query.filters) {
    const bits = matchFilter(live, filter)
    if (bits !== null) required.push(filter.negated ? inverse(bits) : bits)
  }
  for (const part of query.excluded) {
    if (part.kind !== 'phrase' || part.words.length === 1) required.push(inverse(matchPart(live, from, part, prepared)))
  }
  return required.length === 0 || !isAsking(query) ? allBits(live, isAsking(query)) : required.reduce(both)
}

/** True where a query says what a page has, not only what it has not. */
export function isAsking({ parts, filters }: Query): boolean {
  return parts.length > 0 || filters.some(({ negated }) => !negated)
}

/** Quoted phrases and titles are meant as they are. */
export function isOptional(part: QueryPart): boolean {
  return part.kind !== 'phrase' && !part.inTitle
}

function matchPart({ segment }: LiveSegment, from: number, part: QueryPart, { expanded }: PreparedQuery): Bits {
  return part.alternatives
    .map(keys =>
      keys
        .map(key => {
          const bits = new Uint8Array(segment.count)
          for (const { postings } of expanded.get(key)!) if (postings[from]) mark(bits, postings[from], part.inTitle)
          return bits
        })
        .reduce(both),
    )
    .reduce(either)
}

function mark(bits: Bits, { documents, counts }: Postings, inTitle: boolean): void {
  for (let at = 0; at < documents.length; at++) {
    const base = at * fields.length
    if (!inTitle || counts[base]! > 0 || counts[base + 1]! > 0) bits[documents[at]!] = 1
  }
}

function both(a: Bits, b: Bits): Bits {
  for (let at = 0; at < a.length; at++) a[at]! &= b[at]!
  return a
}

function either(a: Bits, b: Bits): Bits {
  for (let at = 0; at < a.length; at++) a[at]! |= b[at]!
  return a
}

function inverse(bits: Bits): Bits {
  return bits.map(bit => 1 - bit)
}

function allBits({ segment }: LiveSegment, value: boolean): Bits {
  return new Uint8Array(segment.count).fill(Number(value))
}

/** The value of a filter is a folded title; null where only the text can tell. */
function matchFilter({ segment }: LiveSegment, { kind, value }: QueryFilter): Bits | null {
  if (kind === 'source') return null
  const bits = new Uint8Array(segment.count)
  if (kind === 'prefix') {
    for (const entry of segment.withPrefix(marks.title + value)) {
      const { documents, counts } = segment.postings(entry)
      // Only the page's own title counts, which is its first.
      for (const [at, document] of documents.entries())
        if (counts[(at + 1) * fields.length - 1] === 1) bits[document] = 1
    }
  } else {
    const entry = segment.find(marks[kind] + value)
    if (entry !== undefined) mark(bits, segment.postings(entry), false)
  }
  return bits
}

/** Makes the value of a `prefix:` filter. */
export function prefixValue(namespace: number, name: string): string {
  return `${namespace}:${titleTerm(name)}`
}

/** The engine's own. Source: minisearch 7, weights of prefix and fuzzy matches. */
const [prefixWeight, fuzzyWeight] = [0.375, 0.45]

/**
 * Keeps the candidates that the engine will score highest: by the same formula, on arrays. Which of them comes first, the
 * engine says.
 */
export function keepBest(
  segments: readonly LiveSegment[],
  prepared: PreparedQuery,
  candidates: readonly Candidate[],
  { totals, most, always }: { totals: Totals; most: number; always: ReadonlySet<number> },
): readonly Candidate[] {
  if (candidates.length <= most) return candidates
  const scores = segments.map(({ segment }) => new Float64Array(segment.count))
  const averages = totals.lengths.map(sum => sum / totals.count)
  for (const [key, terms] of prepared.expanded) {
    for (const term of terms) addScores(segments, scores, term, { weight: weightOf(key, term.term), averages, totals })
  }
  const scoreOf = ({ id, from, ordinal }: Candidate): number => (always.has(id) ? Infinity : scores[from]![ordinal]!)
  const sorted = Float64Array.from(candidates, scoreOf).sort()
  const least = sorted[sorted.length - most]!
  return candidates.filter(candidate => scoreOf(candidate) >= least).slice(0, 2 * most)
}

function weightOf({ key, prefix, weight }: QueryKey, term: string): number {
  if (term === key) return weight
  const distance = term.length - key.length
  if (prefix && term.startsWith(key)) return (weight * prefixWeight * term.length) / (term.length + 0.3 * distance)
  return (weight * fuzzyWeight * term.length) / (term.length + 1)
}

function addScores(
  segments: readonly LiveSegment[],
  scores: readonly Float64Array[],
  { postings, frequency }: FoundTerm,
  { weight, averages, totals }: { weight: number; averages: readonly number[]; totals: Totals },
): void {
  const rarity = frequency.map(count => Math.log(1 + (totals.count - count + 0.5) / (count + 0.5)))
  const factors = fields.map((field, at) => weight * boosts[field] * rarity[at]!)
  const { k, b, d } = bm25
  for (const [from, list] of postings.entries()) {
    if (list === null) continue
    const { segment } = segments[from]!
    for (let at = 0; at < list.documents.length; at++) {
      const ordinal = list.documents[at]!
      for (let field = 0; field < fields.length; field++) {
        const count = list.counts[at * fields.length + field]!
        if (count === 0) continue
        const length = segment.fieldLength(ordinal, field) / averages[field]!
        scores[from]![ordinal]! += factors[field]! * (d + (count * (k + 1)) / (count + k * (1 - b + b * length)))
      }
    }
  }
}
