/**
 * Merges edits of two sides that touch: unit by unit, which are lines, sentences, or cells of a row. A unit has a version on each side,
 * or it is deleted; new units stand in the gaps between.
 *
 * Source: docs/reference/comparison.md#merging.
 */

import { type Edit, type Pair, withReach } from './anchored-edits.ts'
import type { Span } from './changes.ts'
import { isWord, splitWords } from './sentences.ts'

/** A list of units and their numbers, equal for equal units of all lists. */
export interface UnitList {
  readonly ids: Int32Array
  readonly textAt: (index: number) => string
}

/** One text by base, mine and theirs. */
export interface ThreeWays<Kind> {
  readonly base: Kind
  readonly mine: Kind
  readonly theirs: Kind
}

/** The ranges of units of a merged text in each side, or of those that they replace; null for a side without them. */
export interface Whereabouts {
  /** The side whose units these are; null for both. */
  readonly writer: 'mine' | 'theirs' | null
  readonly mine: Span | null
  readonly theirs: Span | null
}

/** Units of a merged text. */
export interface Piece extends Whereabouts {
  readonly texts: readonly string[]
}

/** An edit that is a new version of one unit, or that adds, removes or replaces units. */
interface FineEdit extends Edit {
  readonly isVersion: boolean
  /** False for a version that may be another unit where the first one was. */
  readonly isSure: boolean
}

/** Decisions that depend on the kind of units. Null refuses. */
export interface UnitRules {
  readonly isWeak: (id: number) => boolean
  readonly isBlank: (id: number) => boolean
  /** Returns true for a unit that the base has: it is itself, and no version of another one. */
  readonly isOld: (id: number) => boolean
  /** Returns `same` if one unit must be a new version of another, `other` if it cannot be, else the least likeness of their words. `place` is the first one's. */
  readonly kinship: (base: string, side: string, place: number) => 'same' | 'other' | number
  /** Merges two versions of a unit. */
  readonly mergeVersions: (base: string, mine: string, theirs: string, place: number) => string | null
  /** Returns true if new versions of two neighbours, the unit at a place and the next one, are independent. */
  readonly areApart: (place: number, versions: { readonly first: string; readonly second: string }) => boolean
  /** Returns true if an addition means the same beside units that the other side changed, or removed if there are none `now`. */
  readonly mayStandBy: (addition: readonly string[], old: Span, now: readonly string[], isBelow: boolean) => boolean
  /** Returns which of two additions at one place, before a unit, comes first; `either` if both orders mean the same. */
  readonly order: (
    mine: readonly string[],
    theirs: readonly string[],
    place: number,
  ) => 'mine' | 'theirs' | 'either' | null
}

/** Edits of both sides within a range of the base, each with the corresponding range. */
export interface Group extends ThreeWays<Span> {
  readonly mineEdits: readonly Edit[]
  readonly theirsEdits: readonly Edit[]
}

/** Merges a group of edits; null if it is not certain that the result is what both sides meant. */
export function mergeGroup(lists: ThreeWays<UnitList>, group: Group, rules: UnitRules): Piece[] | null {
  const { base, mine, theirs } = lists
  const refined = (list: UnitList, edits: readonly Edit[]): FineEdit[] =>
    refine(
      { base: base.ids, side: list.ids, isWeak: rules.isWeak, isBlank: rules.isBlank },
      base,
      list,
      edits,
      group.base,
      rules,
    )
  const sides = { mine: refined(mine, group.mineEdits), theirs: refined(theirs, group.theirsEdits) }
  const meetings = findMeetings(lists, sides, rules)
  return meetings && weave(lists, group, sides, meetings)
}

/** Likeness from which two units are versions of one. */
export const sameLikeness = 0.7
/** Likeness from which they are so beyond doubt although others were added or removed beside them. */
const sureLikeness = 0.8
/** By how much it must surpass any other pair's: less if as many units stand there as before, each at its place. */
const leastMargin = 0.2
const orderedMargin = 0.05
/** Maximum units of one edit times its units of the base that are compared with each other. */
const maxPairs = 4000

/** Divides edits at units of which both versions are known. */
function refine(
  pair: Pair,
  base: UnitList,
  side: UnitList,
  edits: readonly Edit[],
  within: Span,
  rules: UnitRules,
): FineEdit[] {
  const fine: FineEdit[] = []
  for (const edit of edits) {
    const isAnchored = edit.reach.start === edit.base.start && edit.reach.end === edit.base.end
    const pairs = isAnchored ? findVersions(base, side, edit, rules) : []
    let [at, sideAt] = [edit.base.start, edit.side.start]
    const replace = (end: number, sideEnd: number): void => {
      const spans = { base: { start: at, end }, side: { start: sideAt, end: sideEnd } }
      const reach = isAnchored ? spans.base : edit.reach
      if (!hasSameUnits(base, spans.base, side, spans.side))
        fine.push({ ...spans, reach, isVersion: false, isSure: false })
      at = end
      sideAt = sideEnd
    }
    for (const [place, sidePlace, isSure] of pairs) {
      replace(place, sidePlace)
      at++
      sideAt++
      if (base.ids[place] !== side.ids[sidePlace])
        fine.push({ base: span(place), side: span(sidePlace), reach: span(place), isVersion: true, isSure })
    }
    replace(edit.base.end, edit.side.end)
  }
  const reaching = withReach(pair, fine, within)
  return fine.map((edit, at) => (edit.isVersion ? edit : { ...edit, reach: union(edit.reach, reaching[at]!.reach) }))
}

/** Finds the units of an edit that both versions of are certain, in order; none if two could be meant. */
function findVersions(
  base: UnitList,
  side: UnitList,
  edit: Edit,
  rules: UnitRules,
): [place: number, sidePlace: number, isSure: boolean][] {
  const [rows, columns] = [edit.base.end - edit.base.start, edit.side.end - edit.side.start]
  if (rows === 0 || columns === 0 || rows * columns > maxPairs) return []
  const bags = (list: UnitList, span: Span) => slice(list, span).map(bagOf)
  const [baseBags, sideBags] = [bags(base, edit.base), bags(side, edit.side)]
  const likeness = baseBags.map((bag, row) =>
    sideBags.map((other, column) => {
      const [from, to] = [edit.base.start + row, edit.side.start + column]
      if (base.ids[from] === side.ids[to]) return rules.isWeak(base.ids[from]!) ? 0 : 1
      if (rules.isOld(side.ids[to]!)) return 0
      const kinship = rules.kinship(base.textAt(from), side.textAt(to), from)
      return kinship === 'same' ? 1 : kinship === 'other' ? 0 : atLeast(kinship, likenessOf(bag, other))
    }),
  )
  const pairs: [number, number, boolean][] = []
  for (const [row, values] of likeness.entries()) {
    const best = Math.max(...values)
    const column = values.indexOf(best)
    const rivals = [
      ...values.filter((_, at) => at !== column),
      ...likeness.filter((_, at) => at !== row).map(other => other[column]!),
    ]
    if (best <= 0 || (best < sameLikeness && rows + columns > 2)) continue
    const margin = rows === columns && row === column ? orderedMargin : leastMargin
    if (rivals.some(rival => Math.abs(rival) > best - margin)) return []
    pairs.push([
      edit.base.start + row,
      edit.side.start + column,
      best >= (rows === columns ? sameLikeness : sureLikeness),
    ])
  }
  const isInOrder = pairs.every(([, place], at) => at === 0 || place > pairs[at - 1]![1])
  return isInOrder && !isMixed(pairs, { base: edit.base.start, side: edit.side.start }, baseBags, sideBags) ? pairs : []
}

/** Share of a unit's words that shows that it was put into another one, or came out of it. */
const mixedShare = 0.3

type Bag = ReadonlyMap<string, number>

/** Returns true if a unit without a version has words that a version of another one gained or lost: units were joined or divided. */
function isMixed(
  pairs: readonly (readonly [place: number, sidePlace: number, isSure: boolean])[],
  start: { readonly base: number; readonly side: number },
  baseBags: readonly Bag[],
  sideBags: readonly Bag[],
): boolean {
  const [places, sidePlaces] = [
    new Set(pairs.map(pair => pair[0] - start.base)),
    new Set(pairs.map(pair => pair[1] - start.side)),
  ]
  const gone = baseBags.filter((_, at) => !places.has(at))
  const come = sideBags.filter((_, at) => !sidePlaces.has(at))
  return pairs.some(([place, sidePlace]) => {
    const [old, now] = [baseBags[place - start.base]!, sideBags[sidePlace - start.side]!]
    return gone.some(bag => sharesMore(now, old, bag)) || come.some(bag => sharesMore(old, now, bag))
  })
}

/** Returns true if one text has many words of a bag that the other has not. */
function sharesMore(one: Bag, other: Bag, bag: Bag): boolean {
  const shared = [...bag.keys()].filter(word => one.has(word) && !other.has(word))
  return shared.length > 0 && shared.length >= mixedShare * bag.size
}

/** A likeness that does not suffice still makes another one less certain. */
function atLeast(least: number, likeness: number): number {
  return likeness >= least ? likeness : -likeness
}

export function bagOf(text: string): Map<string, number> {
  const bag = new Map<string, number>()
  for (const word of splitWords(text)) if (isWord(word)) bag.set(word, (bag.get(word) ?? 0) + 1)
  return bag
}

/** Share of common words, from 0 to 1. More words in a text are a version of it. */
export function likenessOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0
  for (const [word, count] of a) common += Math.min(count, b.get(word) ?? 0)
  const [size, other] = [a, b].map(bag => [...bag.values()].reduce((sum, count) => sum + count, 0)) as [number, number]
  if (common === 0) return 0
  return Math.max((2 * common) / (size + other), common === Math.min(size, other) ? sameLikeness : 0)
}

/** One text for an edit and the one of the other side that it meets. */
interface Meeting {
  readonly theirs: FineEdit
  readonly pieces: readonly Piece[]
}

/** Finds what becomes of edits that meet, by the edit of mine; null if a pair is not certain. */
function findMeetings(
  lists: ThreeWays<UnitList>,
  sides: { readonly mine: readonly FineEdit[]; readonly theirs: readonly FineEdit[] },
  rules: UnitRules,
): Map<FineEdit, Meeting> | null {
  const meetings = new Map<FineEdit, Meeting>()
  let first = 0
  for (const mine of sides.mine) {
    while (first < sides.theirs.length && sides.theirs[first]!.reach.end < mine.reach.start) first++
    for (let at = first; at < sides.theirs.length && sides.theirs[at]!.reach.start <= mine.reach.end; at++) {
      const theirs = sides.theirs[at]!
      const pieces = meet(lists, mine, theirs, rules)
      if (pieces === null) return null
      if (pieces === 'apart') continue
      if (meetings.has(mine)) return null
      meetings.set(mine, { theirs, pieces })
    }
  }
  return meetings
}

/** Decides about two edits that overlap or touch. */
function meet(
  lists: ThreeWays<UnitList>,
  mine: FineEdit,
  theirs: FineEdit,
  rules: UnitRules,
): readonly Piece[] | 'apart' | null {
  const [mineTexts, theirsTexts] = [slice(lists.mine, mine.side), slice(lists.theirs, theirs.side)]
  if (
    isSameSpan(mine.base, theirs.base) &&
    mineTexts.join('\n') === theirsTexts.join('\n') &&
    mineTexts.length === theirsTexts.length
  )
    return [{ texts: mineTexts, writer: null, mine: mine.side, theirs: theirs.side }]
  if (mine.isVersion && theirs.isVersion && isSameSpan(mine.base, theirs.base)) {
    const place = mine.base.start
    const merged = isSameSpan(mine.reach, theirs.reach)
      ? rules.mergeVersions(lists.base.textAt(place), mineTexts[0]!, theirsTexts[0]!, place)
      : null
    return merged === null ? null : [{ texts: [merged], writer: null, mine: mine.side, theirs: theirs.side }]
  }
  if (overlaps(mine.reach, theirs.base) || overlaps(theirs.reach, mine.base)) return null
  if (isAddition(mine) && isAddition(theirs)) return joinAdditions(lists, mine, theirs, rules)
  // As many units as before are at the places of the old ones.
  const isInPlace = ({ base, side }: Edit): boolean =>
    base.end > base.start && base.end - base.start === side.end - side.start
  if (isInPlace(mine) && isInPlace(theirs))
    return areApart(mine, mineTexts, theirs, theirsTexts, rules) ? 'apart' : null
  if (adds(mine) && adds(theirs)) return null
  const standsBy = (
    addition: FineEdit,
    texts: readonly string[],
    other: FineEdit,
    otherTexts: readonly string[],
  ): boolean => {
    if (!adds(addition) || !(removes(other) || other.isVersion)) return true
    // With another neighbour in its place, and a unit between.
    if (isAddition(addition) && otherTexts.length > 0 && areParted(addition.base, other.base)) return true
    if (!isAddition(addition) || !(other.isSure || otherTexts.length === 0)) return !removes(other)
    return rules.mayStandBy(texts, other.base, otherTexts, other.base.end <= addition.base.start)
  }
  if (!standsBy(mine, mineTexts, theirs, theirsTexts) || !standsBy(theirs, theirsTexts, mine, mineTexts)) return null
  return areApart(mine, mineTexts, theirs, theirsTexts, rules) ? 'apart' : null
}

function areApart(
  mine: FineEdit,
  mineTexts: readonly string[],
  theirs: FineEdit,
  theirsTexts: readonly string[],
  rules: UnitRules,
): boolean {
  if (isAddition(mine) || isAddition(theirs)) return true
  const isMineFirst = mine.base.end <= theirs.base.start
  const [first, second] = isMineFirst ? [mineTexts, theirsTexts] : [theirsTexts, mineTexts]
  const end = isMineFirst ? mine.base.end : theirs.base.end
  return rules.areApart(end - 1, { first: first.at(-1) ?? '', second: second[0] ?? '' })
}

function joinAdditions(
  lists: ThreeWays<UnitList>,
  mine: FineEdit,
  theirs: FineEdit,
  rules: UnitRules,
): readonly Piece[] | 'apart' | null {
  const pieces = {
    mine: { texts: slice(lists.mine, mine.side), writer: 'mine', mine: mine.side, theirs: null },
    theirs: { texts: slice(lists.theirs, theirs.side), writer: 'theirs', mine: null, theirs: theirs.side },
  } as const
  const isAtOnePlace = isSameSpan(mine.base, theirs.base)
  if (isAtOnePlace && holds(lists.mine, mine.side, lists.theirs, theirs.side)) return [pieces.mine]
  if (isAtOnePlace && holds(lists.theirs, theirs.side, lists.mine, mine.side)) return [pieces.theirs]
  for (const { reach } of [mine, theirs])
    for (let at = reach.start; at < reach.end; at++) if (!rules.isBlank(lists.base.ids[at]!)) return null
  if (areAlike(pieces.mine.texts, pieces.theirs.texts)) return null
  const order = rules.order(pieces.mine.texts, pieces.theirs.texts, Math.min(mine.base.start, theirs.base.start))
  if (isAtOnePlace && (order !== 'either' || isSameSpan(mine.reach, theirs.reach)))
    return order === null ? null : order === 'mine' ? [pieces.mine, pieces.theirs] : [pieces.theirs, pieces.mine]
  return order === (mine.base.start < theirs.base.start ? 'mine' : 'theirs') ? 'apart' : null
}

function hasSameUnits(list: UnitList, { start, end }: Span, other: UnitList, span: Span): boolean {
  return end - start === span.end - span.start && holds(list, { start, end }, other, span)
}

/** Returns true if one range begins with the units of another. */
function holds(list: UnitList, { start, end }: Span, other: UnitList, span: Span): boolean {
  const length = span.end - span.start
  for (let at = 0; at < length; at++) if (list.ids[start + at] !== other.ids[span.start + at]) return false
  return start + length <= end
}

/** Returns true if two additions have a unit in common, or versions of one. */
function areAlike(mine: readonly string[], theirs: readonly string[]): boolean {
  if (mine.length * theirs.length > maxPairs) return true
  const bags = theirs.map(bagOf)
  return mine.map(bagOf).some(bag => bags.some(other => likenessOf(bag, other) >= sameLikeness))
}

/** Puts the edits of both sides into the range of the base. */
function weave(
  { base, mine, theirs }: ThreeWays<UnitList>,
  group: Group,
  sides: { readonly mine: readonly FineEdit[]; readonly theirs: readonly FineEdit[] },
  meetings: ReadonlyMap<FineEdit, Meeting>,
): Piece[] {
  const pieces: Piece[] = []
  let [at, mineAt, theirsAt] = [group.base.start, group.mine.start, group.theirs.start]
  const keepTo = (end: number): void => {
    const length = end - at
    if (length <= 0) return
    const spans = { mine: { start: mineAt, end: mineAt + length }, theirs: { start: theirsAt, end: theirsAt + length } }
    pieces.push({ texts: slice(base, { start: at, end }), writer: null, ...spans })
    at = end
    mineAt += length
    theirsAt += length
  }
  const met = new Set([...meetings.values()].map(meeting => meeting.theirs))
  const steps = [
    ...sides.mine.map(edit => ({ edit, isMine: true })),
    ...sides.theirs.filter(edit => !met.has(edit)).map(edit => ({ edit, isMine: false })),
  ].sort((a, b) => a.edit.base.start - b.edit.base.start || a.edit.base.end - b.edit.base.end)
  for (const { edit, isMine } of steps) {
    keepTo(edit.base.start)
    const meeting = isMine ? meetings.get(edit) : undefined
    const length = edit.base.end - edit.base.start
    if (meeting !== undefined) pieces.push(...meeting.pieces)
    else {
      const isInPlace = length === edit.side.end - edit.side.start
      const other = (start: number): Span | null => (isInPlace ? { start, end: start + length } : null)
      pieces.push(
        isMine
          ? { texts: slice(mine, edit.side), writer: 'mine', mine: edit.side, theirs: other(theirsAt) }
          : { texts: slice(theirs, edit.side), writer: 'theirs', mine: other(mineAt), theirs: edit.side },
      )
    }
    at = edit.base.end
    mineAt = isMine ? edit.side.end : mineAt + length
    theirsAt = meeting?.theirs.side.end ?? (isMine ? theirsAt + length : edit.side.end)
  }
  keepTo(group.base.end)
  return pieces
}

/** Returns the texts of a range of units. */
export function slice({ textAt }: UnitList, { start, end }: Span): string[] {
  return Array.from({ length: end - start }, (_, at) => textAt(start + at))
}

/** Returns the range of one unit. */
function span(place: number): Span {
  return { start: place, end: place + 1 }
}

function union(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) }
}

function isSameSpan(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end
}

/** Returns true if two ranges have an item in common, or one is a place inside the other. */
function overlaps(a: Span, b: Span): boolean {
  if (b.start === b.end) return a.start < b.start && b.start < a.end
  return Math.max(a.start, b.start) < Math.min(a.end, b.end)
}

function isAddition({ base }: Edit): boolean {
  return base.start === base.end
}

/** Returns true if a unit stands between two ranges. */
function areParted(a: Span, b: Span): boolean {
  return a.end < b.start || b.end < a.start
}

/** Returns true for an edit that adds units of its own. */
function adds(edit: FineEdit): boolean {
  return !edit.isVersion && edit.side.end > edit.side.start
}

/** Returns true for an edit that removes units, with or without others in their place, or may do so. */
function removes(edit: FineEdit): boolean {
  return !edit.isSure && edit.base.end > edit.base.start
}
