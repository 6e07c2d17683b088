/** Titles that match typed text by their prefix, or by the prefix of a word inside: in any case and without accents. */

import type { LiveSegment } from '../segment/build.ts'
import { numberedTitle, type StoredDocument } from '../segment/document.ts'
import { fields } from '../segment/postings.ts'
import { termPrefixes, titleTerm } from '../words/term-prefixes.ts'
import { distanceRows, transpositions } from './similar-terms.ts'
import { isCut, listRows } from './title-rows.ts'

/** A partly typed title. */
export interface TitleRequest {
  /** Without its namespace. */
  readonly typed: string
  readonly namespaces: readonly number[]
  readonly limit: number
  /** True if only whole-title prefixes count, and titles that pages give themselves. */
  readonly beginnings?: boolean
}

/** A page with a matching title. */
export interface TitleHit {
  /** Page id. */
  readonly id: number
  readonly namespace: number
  /** Number of the matched title: 0 for its own, 1 for that of its first redirect. */
  readonly matched: number
  /** 0: equal; 1: a prefix; 2: the prefix of a word inside; 3: similar. */
  readonly tier: number
  /** Incoming links from its own segment, including those of deleted documents. */
  readonly links: number
  /** True if it was selected by these links; false if all were listed. */
  readonly chosen: boolean
  /** Index of its segment. */
  readonly from: number
}

/** Maximum titles examined for similar ones. */
const maxTitles = 20_000

/** Documents selected among many with matching titles. */
const maxChosen = (limit: number): number => 2 * limit + 20

/** Maximum look-ups of incoming links in segments for found titles. */
const maxLooks = 2_048

/** Minimum letters of a title for which similar ones are found. */
const shortestMisspelt = 5

/** Lists the titles with this prefix, or with a word that has it; if there are none, similar ones. */
export function* findTitles(
  segments: readonly LiveSegment[],
  { typed, namespaces, limit, beginnings = false }: TitleRequest,
): Generator<TitleHit, void, undefined> {
  const folded = titleTerm(typed)
  if (folded === '') return
  if (beginnings) yield* ownTitles(segments, typed, namespaces)
  const most = maxChosen(limit)
  const found = new Set<number>()
  const places = beginnings ? [termPrefixes.title] : [termPrefixes.title, termPrefixes.titleWord]
  for (const [tier, prefix] of places.entries()) {
    for (const namespace of namespaces) {
      for (const hit of titlesWith(segments, `${prefix}${namespace}:${folded}`, { tier: tier + 1, most })) {
        found.add(hit.id)
        yield hit
      }
    }
    // Titles with the prefix inside come after titles that begin with it.
    if (found.size >= limit) return
  }
  if (beginnings || found.size > 0 || folded.length < shortestMisspelt) return
  for (const prefix of [termPrefixes.title, termPrefixes.titleWord]) {
    for (const namespace of namespaces) {
      const place = `${prefix}${namespace}:`
      yield* similarTitles(segments, place, folded)
      for (const swapped of transpositions(folded)) yield* titlesWith(segments, place + swapped, { tier: 3, most })
    }
  }
}

/** Better matches first, and of these the ones in the main namespace. */
export function byPlace(a: TitleHit, b: TitleHit): number {
  return a.tier - b.tier || a.namespace - b.namespace
}

/** Keeps the hits with most links within their own segments, if counting links in all segments would take long. */
export function keepLinked(hits: TitleHit[], { limit, segments }: { limit: number; segments: number }): TitleHit[] {
  if (hits.length * segments <= maxLooks) return hits
  return hits
    .sort((a, b) => byPlace(a, b) || b.links - a.links)
    .slice(0, maxChosen(limit))
    .map(hit => ({ ...hit, chosen: true }))
}

/** The exact title is always among them. */
function* titlesWith(
  segments: readonly LiveSegment[],
  term: string,
  { tier, most }: { tier: number; most: number },
): Generator<TitleHit, void, undefined> {
  for (const [from, live] of segments.entries()) {
    const { segment } = live
    const { start, end, exact } = segment.titleRows(term)
    const hitAt = (row: number, rank: number, chosen: boolean): TitleHit => {
      const ordinal = segment.titleOrdinal(row)
      const [id, links] = [segment.id(ordinal), segment.linksTo(ordinal)]
      return {
        id,
        namespace: segment.namespace(ordinal),
        matched: segment.titleMatched(row),
        tier: rank,
        links,
        chosen,
        from,
      }
    }
    const begin = tier === 1 ? start + exact : start
    const range = { start: begin, end }
    const cut = isCut(live, range)
    for (const row of listRows(live, { start, end: begin }, most)) yield hitAt(row, 0, false)
    for (const row of listRows(live, range, most)) yield hitAt(row, tier, cut)
  }
}

/** Titles that pages give themselves, and short forms of titles: BIP 32 for `Bip-0032`. */
function* ownTitles(
  segments: readonly LiveSegment[],
  typed: string,
  namespaces: readonly number[],
): Generator<TitleHit, void, undefined> {
  const numbered = numberedTitle(typed)
  const number = /^0*(\d{1,15})$/.exec(titleTerm(typed))?.[1]
  for (const namespace of namespaces) {
    const names: [name: string, tier: number][] = [
      [`${termPrefixes.ownTitle}${namespace}:${titleTerm(typed)}`, 0],
      [`${termPrefixes.shortTitle}${namespace}:${titleTerm(typed)}`, 1],
    ]
    if (numbered !== null) names.push([`${termPrefixes.shortTitle}${namespace}:${numbered}`, 0])
    if (number !== undefined) names.push([`${termPrefixes.shortTitle}${namespace}:${number}`, 1])
    for (const [from, live] of segments.entries()) {
      for (const [name, tier] of names) {
        const entry = live.segment.find(name)
        if (entry !== undefined) yield* filedHits(live, entry, { from, tier })
      }
    }
  }
}

function* filedHits(
  { segment, dead }: LiveSegment,
  entry: Parameters<LiveSegment['segment']['postings']>[0],
  { from, tier }: { from: number; tier: number },
): Generator<TitleHit, void, undefined> {
  const { documents, counts } = segment.postings(entry)
  for (const [at, ordinal] of documents.entries()) {
    if (dead.has(ordinal)) continue
    const matched = counts[(at + 1) * fields.length - 1]! - 1
    const [id, namespace, links] = [segment.id(ordinal), segment.namespace(ordinal), segment.linksTo(ordinal)]
    yield { id, namespace, matched, tier, links, chosen: false, from }
  }
}

/** Titles whose prefix differs from the typed text by one letter, or by two if it is long. */
function* similarTitles(
  segments: readonly LiveSegment[],
  place: string,
  folded: string,
): Generator<TitleHit, void, undefined> {
  const most = folded.length < 8 ? 1 : 2
  let left = maxTitles
  for (const [from, live] of segments.entries()) {
    const rows = distanceRows(folded, most)
    const walk = live.segment.walk()
    let entry = walk(place)
    while (entry?.term.startsWith(place) && left-- > 0) {
      rows.advance(entry.term.slice(place.length))
      const isSimilar = rows.isBegun()
      if (isSimilar) yield* filedHits(live, entry, { from, tier: 3 })
      const next = isSimilar ? '' : rows.next()
      entry = next === null ? undefined : walk(next === '' ? null : place + next)
    }
  }
}

/** Reads what results show of a document. */
export function readStored({ segment }: LiveSegment, ordinal: number): StoredDocument {
  return JSON.parse(segment.stored(ordinal).toString()) as StoredDocument
}
