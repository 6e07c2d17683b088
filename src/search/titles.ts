/** Titles that begin as somebody types: in any case and without accents, from the beginning or from a word inside. */

import { marks, type StoredDocument, titleTerm } from './document.ts'
import type { LiveSegment } from './segment/build.ts'
import { fields } from './segment/postings.ts'
import { behindPrefix, distanceRows } from './terms.ts'

/** A title as somebody has typed it so far. */
export interface TitleRequest {
  /** Without its namespace. */
  readonly typed: string
  readonly namespaces: readonly number[]
  readonly limit: number
  /** True where only titles that begin so count. */
  readonly beginnings?: boolean
}

/** A page with a title that was sought. */
export interface TitleHit {
  /** Page id. */
  readonly id: number
  /** Which of its titles was found: 0 for its own, 1 for that of its first redirect. */
  readonly matched: number
  /** 0: it is the title; 1: it begins so; 2: a word in it does; 3: it is similar. */
  readonly tier: number
  /** The title as it is filed. */
  readonly term: string
}

/** Titles that are looked at, at most: where more begin so, the first ones have to do. */
const mostTitles = 20_000

/** Misspelt titles have to have as many letters. */
const shortestMisspelt = 5

/** Lists the titles that begin so, or have a word that does; where there are none, those that are similar. */
export function* findTitles(
  segments: readonly LiveSegment[],
  { typed, namespaces, beginnings = false }: TitleRequest,
): Generator<TitleHit, void, undefined> {
  const folded = titleTerm(typed)
  if (folded === '') return
  let left = mostTitles
  const places = beginnings ? [marks.title] : [marks.title, marks.titleWord]
  for (const [tier, mark] of places.entries()) {
    for (const namespace of namespaces) {
      for (const hit of titlesWith(segments, `${mark}${namespace}:`, folded, tier + 1)) {
        if (left-- <= 0) return
        yield hit
      }
    }
  }
  if (beginnings || left < mostTitles || folded.length < shortestMisspelt) return
  for (const mark of [marks.title, marks.titleWord]) {
    for (const namespace of namespaces) yield* similarTitles(segments, `${mark}${namespace}:`, folded)
  }
}

function* titlesWith(
  segments: readonly LiveSegment[],
  place: string,
  folded: string,
  tier: number,
): Generator<TitleHit, void, undefined> {
  const whole = place + folded
  for (const live of segments) {
    for (const entry of live.segment.withPrefix(whole)) {
      const isWhole = tier === 1 && entry.term.length === whole.length
      yield* hitsOf(live, entry, isWhole ? 0 : tier)
    }
  }
}

function* hitsOf(
  { segment, dead }: LiveSegment,
  entry: Parameters<LiveSegment['segment']['postings']>[0],
  tier: number,
): Generator<TitleHit, void, undefined> {
  const { documents, counts } = segment.postings(entry)
  for (const [at, ordinal] of documents.entries()) {
    if (dead.has(ordinal)) continue
    yield { id: segment.id(ordinal), matched: counts[(at + 1) * fields.length - 1]! - 1, tier, term: entry.term }
  }
}

/** Titles whose beginning differs from what was typed in one letter, or in two where it is long. */
function* similarTitles(
  segments: readonly LiveSegment[],
  place: string,
  folded: string,
): Generator<TitleHit, void, undefined> {
  const most = folded.length < 8 ? 1 : 2
  let left = mostTitles
  for (const live of segments) {
    const rows = distanceRows(folded)
    const walk = live.segment.walk()
    let entry = walk(place)
    while (entry?.term.startsWith(place) && left-- > 0) {
      const name = entry.term.slice(place.length)
      const { isSimilar, different } = rows.beginningWithin(name, most)
      if (isSimilar) yield* hitsOf(live, entry, 3)
      entry = walk(different === 0 ? null : behindPrefix(place + name.slice(0, different)))
    }
  }
}

/** Reads what results show of a document. */
export function readStored({ segment }: LiveSegment, ordinal: number): StoredDocument {
  return JSON.parse(segment.stored(ordinal).toString()) as StoredDocument
}
