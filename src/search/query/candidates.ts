/** Finds the pages that can match a query, by their terms alone. */

import type { LiveSegment } from '../segment/build.ts'
import { titleTerm } from '../segment/document.ts'
import { intersect, union, without } from '../segment/ordinals.ts'
import { fields, type Postings } from '../segment/postings.ts'
import type { Language } from '../words/language.ts'
import { termPrefixes } from '../words/term-prefixes.ts'
import { withPhrase } from './phrases.ts'
import type { PreparedQuery } from './prepared-query.ts'
import { type Choice, excludedIn, type Query, type QueryFilter, type QueryKey, type QueryPart } from './query.ts'
import { type TermMemory, termMemory } from './term-memory.ts'
import { expandKey, type FoundTerm, readStem, readTerm } from './terms.ts'

/** Restriction of the pages to search. */
export interface PageScope {
  readonly namespaces?: readonly number[] | undefined
}

interface PrepareOptions {
  readonly any?: boolean
  readonly similar?: ReadonlyMap<QueryPart, Iterable<string>>
  /** Cache of terms; terms that are read are added to it. */
  readonly memory?: TermMemory
}

/** Reads the terms that a query means; `similar` has replacements for some of its parts. */
export function prepareQuery(
  segments: readonly LiveSegment[],
  query: Query,
  { any = false, similar = new Map<QueryPart, Iterable<string>>(), memory = termMemory() }: PrepareOptions = {},
): PreparedQuery {
  const terms = new Map<string, FoundTerm>()
  const expanded = new Map<QueryKey, readonly FoundTerm[]>()
  const read = reader(segments, query.language, memory)
  const parts = query.parts.map(part => withoutForms(part, read))
  for (const part of [...parts, ...query.excluded, ...excludedIn(query.choices)]) {
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

function reader(segments: readonly LiveSegment[], language: Language, memory: TermMemory): Read {
  const read: Read = name =>
    name.startsWith(termPrefixes.stem)
      ? memory.get(name, language, () => readStem(segments, name, { language, read }))
      : memory.get(name, null, () => readTerm(segments, name))
  return read
}

/** A word with only one form needs no other terms: both halves of its weight go to the same pages. */
function withoutForms(part: QueryPart, read: Read): QueryPart {
  const stem = part.alternatives.flat().find(key => key.stem)
  const forms = stem === undefined ? [] : (read(stem.key)?.forms ?? [])
  if (forms.length !== 1 || forms[0] !== part.words[0]) return part
  const others = part.alternatives.filter(keys => !keys.some(key => key.stem))
  return { ...part, alternatives: others.map(keys => keys.map(key => ({ ...key, weight: 1 }))) }
}

/** Lists the pages that match a query: the ordinals of each segment. */
export function listCandidates(
  segments: readonly LiveSegment[],
  prepared: PreparedQuery,
  { namespaces }: PageScope,
): Uint32Array[] {
  return segments.map((live, from) => {
    const found = matchSegment(live, from, prepared)
    const outside = namespaces === undefined ? [] : [listOutside(live, found, namespaces)]
    const ordinals = without(found, [...outside, Uint32Array.from(live.dead).sort()])
    return withPhrases(live, from, { prepared, ordinals })
  })
}

/** Phrases are looked for last, in the few pages that are left. Those of choices have been found by then. */
function withPhrases(
  live: LiveSegment,
  from: number,
  { prepared, ordinals }: { readonly prepared: PreparedQuery; readonly ordinals: Uint32Array },
): Uint32Array {
  const { parts, excluded } = prepared.query
  const keep = (left: Uint32Array, part: QueryPart, isWanted: boolean): Uint32Array =>
    withPhrase(live, from, { part, prepared, ordinals: left, isWanted })
  const wanted = parts.filter(({ isChoice }) => !isChoice).reduce((left, part) => keep(left, part, true), ordinals)
  return excluded.reduce((left, part) => keep(left, part, false), wanted)
}

/** Lists those of other namespaces. */
function listOutside({ segment }: LiveSegment, found: Uint32Array, namespaces: readonly number[]): Uint32Array {
  const own = segment.namespaces()
  const outside: number[] = []
  for (let at = 0; at < found.length; at++) {
    if (!namespaces.includes(own[found[at]!]!)) outside.push(found[at]!)
  }
  return Uint32Array.from(outside)
}

function matchSegment(live: LiveSegment, from: number, prepared: PreparedQuery): Uint32Array {
  const { query, any } = prepared
  if (!isAsking(query)) return new Uint32Array()
  const required: Uint32Array[] = []
  const optional: Uint32Array[] = []
  for (const part of query.parts) {
    if (part.isChoice) continue
    const target = any && isOptional(part) ? optional : required
    target.push(matchPart(from, part, prepared))
  }
  if (optional.length > 0) required.push(union(optional))
  for (const choice of query.choices) required.push(matchChoice(live, from, { choice, prepared }))
  const excluded = query.excluded
    .filter(part => part.kind !== 'phrase' || part.words.length === 1)
    .map(part => matchPart(from, part, prepared))
  for (const filter of query.filters) {
    const list = matchFilter(live, filter)
    if (list !== null) (filter.negated ? excluded : required).push(list)
  }
  return without(required.length === 0 ? allOrdinals(live) : intersect(required), excluded)
}

interface ChoiceTarget {
  readonly choice: Choice
  readonly prepared: PreparedQuery
}

function matchChoice(live: LiveSegment, from: number, { choice, prepared }: ChoiceTarget): Uint32Array {
  const match = (one: Choice): Uint32Array => matchChoice(live, from, { choice: one, prepared })
  if ('any' in choice) return union(choice.any.map(match))
  if ('all' in choice) return intersect(choice.all.map(match))
  if ('not' in choice) return without(allOrdinals(live), [match(choice.not)])
  if ('filter' in choice) {
    const list = matchFilter(live, choice.filter) ?? new Uint32Array()
    return choice.filter.negated ? without(allOrdinals(live), [list]) : list
  }
  const part = 'at' in choice ? prepared.query.parts[choice.at]! : choice.part
  return withPhrase(live, from, { part, prepared, ordinals: matchPart(from, part, prepared), isWanted: true })
}

/** True if a query has a condition; it may have only exclusions. */
export function isAsking({ parts, filters, excluded, choices }: Query): boolean {
  return parts.length + filters.length + excluded.length + choices.length > 0
}

/** Quoted phrases and titles are matched exactly. */
export function isOptional(part: QueryPart): boolean {
  return part.kind !== 'phrase' && !part.inTitle
}

function matchPart(from: number, { alternatives, inTitle }: QueryPart, { expanded }: PreparedQuery): Uint32Array {
  const matchKey = (key: QueryKey): Uint32Array => {
    const lists = expanded.get(key)!.flatMap(({ postings }) => postings[from] ?? [])
    return union(lists.map(list => (inTitle ? inTitles(list) : list.documents)))
  }
  return union(alternatives.map(keys => intersect(keys.map(matchKey))))
}

function inTitles({ documents, counts }: Postings): Uint32Array {
  return documents.filter((_, at) => counts[at * fields.length]! + counts[at * fields.length + 1]! > 0)
}

function allOrdinals({ segment }: LiveSegment): Uint32Array {
  return Uint32Array.from({ length: segment.count }, (_, ordinal) => ordinal)
}

/** The value of a filter is a folded title; null if only the text can decide. */
function matchFilter({ segment }: LiveSegment, { kind, value }: QueryFilter): Uint32Array | null {
  if (kind === 'source') return null
  if (kind !== 'prefix') {
    const entry = segment.find(termPrefixes[kind] + value)
    return entry === undefined ? new Uint32Array() : segment.postings(entry).documents
  }
  const { start, end } = segment.titleRows(termPrefixes.title + value)
  const ordinals: number[] = []
  // Only the page's own title counts, which is the first.
  for (let row = start; row < end; row++) if (segment.titleMatched(row) === 0) ordinals.push(segment.titleOrdinal(row))
  return Uint32Array.from(ordinals).sort()
}

/** Makes the value of a `prefix:` filter. */
export function prefixValue(namespace: number, name: string): string {
  return `${namespace}:${titleTerm(name)}`
}
