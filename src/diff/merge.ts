/** Three-way merge of texts: the result is what both sides meant, or a conflict. */

import { anchoredEdits, type Edit } from './anchored-edits.ts'
import type { Span } from './changes.ts'
import { kindOfLine } from './line-kinds.ts'
import { type Lines, lineAt, splitLines } from './lines.ts'
import { isWholeMerge, type MergedLines } from './merge-check.ts'
import { createLineMerge, leastLikeness, mapThree } from './merge-lines.ts'
import { bagOf, type Group, likenessOf, type Piece, sameLikeness, type ThreeWays } from './merge-units.ts'
import { rowName, shareRow } from './rows.ts'
import { isWord, splitWords } from './sentences.ts'
import type { WorkLimit } from './work-limit.ts'
import { createWorkspace } from './workspace.ts'

/** A merged text, or the result that the two sides changed the same place differently. */
export type Merge = { readonly merged: true; readonly text: string } | { readonly merged: false }

/** Unit that must separate two changes: lines, as in diff3 and MediaWiki, or words. */
export type MergeUnit = 'lines' | 'words'

export interface MergeTextsOptions {
  /** `words` if omitted: lines first, then words where lines conflict. */
  readonly by?: MergeUnit
  /**
   * False if the texts conflict only where edits touch, and whether the whole is what both meant is not asked. True if omitted.
   */
  readonly isCareful?: boolean
  /** Counts the steps; no limit if omitted. */
  readonly work?: WorkLimit
}

/** A place that both sides changed differently, in the three texts: whole lines. */
export interface Collision {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** A merged file, with conflicts marked as git marks them. */
export interface MarkedMerge {
  readonly text: string
  /** Number of marked conflicts. */
  readonly conflicts: number
}

export interface MarkerOptions extends MergeTextsOptions {
  /** Labels of the two sides in the markers. */
  readonly labels?: { readonly mine: string; readonly theirs: string }
  /** Length of the markers; 7 if omitted. */
  readonly markerSize?: number
}

/**
 * Merges two texts that are based on the same text. White space at the end of the texts is ignored; a merged text ends
 * with one line feed, or is empty. A change that both sides made is taken once. The texts conflict unless each change has
 * one certain place, and the whole keeps what both sides have whole. Exchanging the two sides only changes the order of
 * items that both add to one list: theirs come first.
 *
 * Source: docs/reference/comparison.md#merging. As in git, and unlike GNU diff3, equal insertions are always taken
 * once.
 */
export function mergeTexts(base: string, mine: string, theirs: string, options: MergeTextsOptions = {}): Merge {
  let text = ''
  for (const piece of mergePieces(endOnce(base), endOnce(mine), endOnce(theirs), { ...options, isBrief: true })) {
    if (typeof piece !== 'string') return { merged: false }
    text += piece
  }
  return { merged: true, text: trimEnd(text) === '' ? '' : endOnce(text) }
}

/** Merges as `mergeTexts` does and returns the merged text in pieces, with the conflicts between them. */
export function mergeInPieces(
  base: string,
  mine: string,
  theirs: string,
  options: MergeTextsOptions = {},
): (string | Collision)[] {
  return mergePieces(endOnce(base), endOnce(mine), endOnce(theirs), options)
}

/** Merges two files that are based on the same file, byte for byte, with markers around conflicts. */
export function mergeWithMarkers(base: string, mine: string, theirs: string, options: MarkerOptions = {}): MarkedMerge {
  if ([base, mine, theirs].every(hasReturns)) {
    const [plainBase, plainMine, plainTheirs] = [base, mine, theirs].map(text => text.replaceAll('\r\n', '\n'))
    const { text, conflicts } = mergeWithMarkers(plainBase!, plainMine!, plainTheirs!, options)
    return { text: text.replaceAll('\n', '\r\n'), conflicts }
  }
  const pieces = mergePieces(endLine(base), endLine(mine), endLine(theirs), options)
  const text = pieces.map(piece => (typeof piece === 'string' ? piece : markCollision(piece, options))).join('')
  const conflicts = pieces.filter(piece => typeof piece !== 'string').length
  const [baseEnds, mineEnds, theirsEnds] = [base, mine, theirs].map(side => side === '' || side.endsWith('\n'))
  const ends = mineEnds === baseEnds ? theirsEnds : mineEnds
  return { text: ends || conflicts > 0 || text === '' ? text : text.slice(0, -1), conflicts }
}

/** Returns true for a text whose line ends are all CR LF. */
function hasReturns(text: string): boolean {
  return text.includes('\r\n') && !/(?:^|[^\r])\n|\r(?!\n)/.test(text)
}

type Part = MergedLines | Collision

interface PieceOptions extends MergeTextsOptions {
  /** True if the first conflict ends the merge. */
  readonly isBrief?: boolean
}

function mergePieces(base: string, mine: string, theirs: string, options: PieceOptions): (string | Collision)[] {
  if (mine === theirs || base === theirs) return [mine]
  if (base === mine) return [theirs]
  const pieces = mergeChanges({ base, mine, theirs }, options)
  if (pieces.every(isText) || options.isCareful === false) return pieces
  // An edit that is sent again, or arrives on two ways, is there already.
  if (contains(theirs, base, mine, options)) return [theirs]
  return contains(mine, base, theirs, options) ? [mine] : pieces
}

/** Maximum length of a text in which an edit is looked for, in UTF-16 units: that takes as long as two merges. */
const longestContaining = 500_000

/** Returns true if a text is the merge of an edit with another one: the edit can be taken out, and merged with the rest again. */
function contains(text: string, base: string, edited: string, { by, work }: PieceOptions): boolean {
  if (text.length > longestContaining || !mayContain(text, base, edited)) return false
  const options = { ...(by !== undefined && { by }), ...(work !== undefined && { work }), isBrief: true }
  const rest = mergeChanges({ base: edited, mine: base, theirs: text }, options)
  if (!rest.every(isText)) return false
  const other = rest.join('')
  if (other === text || other === base) return false
  const again = mergeChanges({ base, mine: edited, theirs: other }, options)
  return again.every(isText) && again.join('') === text
}

/**
 * Returns true if every word that an edit adds is in the new lines of another text, which has no line more that it removes. A further copy of a line
 * may be another one.
 */
function mayContain(text: string, base: string, edited: string): boolean {
  const [lines, old, now] = [text, base, edited].map(countLines) as [LineCounts, LineCounts, LineCounts]
  for (const [line, count] of old) {
    const rest = now.get(line) ?? 0
    if (isWord(line) && (rest > count || (rest < count && (lines.get(line) ?? 0) > rest))) return false
  }
  const wordsOf = (some: LineCounts, others: LineCounts): Set<string> =>
    new Set([...some.keys()].filter(line => !others.has(line)).flatMap(line => splitWords(line).filter(isWord)))
  const [gone, come, there] = [wordsOf(old, now), wordsOf(now, old), wordsOf(lines, old)]
  // Words that it removes, in new lines of the other text, were put elsewhere.
  const isMoved = [...gone].some(word => !come.has(word) && there.has(word))
  return !isMoved && [...come].every(word => gone.has(word) || there.has(word))
}

type LineCounts = ReadonlyMap<string, number>

function countLines(text: string): LineCounts {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

function isText(piece: string | Collision): piece is string {
  return typeof piece === 'string'
}

function mergeChanges(whole: Collision, options: PieceOptions): (string | Collision)[] {
  const { base, mine, theirs } = whole
  // Two texts that begin at nothing have no place in common: two people create one page.
  if (isBlank(base) && !isBlank(mine) && !isBlank(theirs)) return [whole]
  const numbers = new Map<string, number>()
  const lines = mapThree(whole, text => splitLines(text, numbers))
  const parts = mergeLines(lines, numbers, options)
  const isCareful = options.isCareful !== false
  if (isCareful && parts.every(isMerged) && !isWholeMerge(lines, parts, numbers)) return aroundChanges(lines)
  return parts.map(part => (isMerged(part) ? part.text : part))
}

function isMerged(part: Part): part is MergedLines {
  return 'text' in part
}

/** Returns the parts of a merge by lines in order, with those that touch settled as the unit allows. */
function mergeLines(
  lines: ThreeWays<Lines>,
  numbers: ReadonlyMap<string, number>,
  { by = 'words', work, isBrief = false, isCareful = true }: PieceOptions,
): Part[] {
  const [weak, blank] = [new Uint8Array(numbers.size), new Uint8Array(numbers.size)]
  for (const [line, id] of numbers) {
    weak[id] = isWord(line) ? 0 : 1
    blank[id] = line.trim() === '' ? 1 : 0
  }
  const old = new Uint8Array(numbers.size)
  for (const id of lines.base.ids) old[id] = 1 - weak[id]!
  const weakness = {
    isWeak: (id: number) => weak[id] === 1,
    isBlank: (id: number) => blank[id] === 1,
    isOld: (id: number) => old[id] === 1,
  }
  const workspace = createWorkspace(numbers.size, work)
  const settle = by === 'words' ? createLineMerge(lines, weakness, work) : () => null
  const editsOf = (side: Lines): Edit[] =>
    anchoredEdits({ base: lines.base.ids, side: side.ids, ...weakness }, workspace)
  const [mine, theirs] = [editsOf(lines.mine), editsOf(lines.theirs)]
  if (
    by === 'words' &&
    isCareful &&
    (isMoved(lines, 'mine', mine, theirs, weak) ||
      isMoved(lines, 'theirs', theirs, mine, weak) ||
      addsNamesake(lines, 'mine', mine, theirs) ||
      addsNamesake(lines, 'theirs', theirs, mine) ||
      shareRow(lines.base, { lines: lines.mine, edits: mine }, { lines: lines.theirs, edits: theirs }))
  )
    return [
      collisionOf(
        lines,
        mapThree(lines, ({ ids }) => ({ start: 0, end: ids.length })),
      ),
    ]
  const groups = groupEdits(
    lines,
    widened(lines.base, lines.mine, mine, theirs),
    widened(lines.base, lines.theirs, theirs, mine),
  )
  const parts: Part[] = []
  for (const group of groups) {
    const pieces = takeOneSide(lines, group) ?? settle(group)?.map(mergedLines) ?? null
    parts.push(...(pieces ?? [collisionOf(lines, group)]))
    if (pieces === null && isBrief) break
  }
  return parts
}

/**
 * Returns true if one side moves lines, and the other changes a heading or an item that has a twin; or one moves or copies some, and the
 * other adds one beside a line that has a twin then. It is lost which of them it means.
 */
function isMoved(
  lines: ThreeWays<Lines>,
  side: 'mine' | 'theirs',
  edits: readonly Edit[],
  others: readonly Edit[],
  weak: Uint8Array,
): boolean {
  const { base } = lines
  const counts = new Int32Array(weak.length)
  for (const id of base.ids) counts[id]!++
  const added = edits.flatMap(edit => [...lines[side].ids.subarray(edit.side.start, edit.side.end)])
  const copied = added.filter(id => weak[id] === 0 && counts[id]! > 0)
  if (copied.length === 0) return false
  const removed = edits.flatMap(edit => [...base.ids.subarray(edit.base.start, edit.base.end)])
  const gone = new Set(removed)
  const isMove = copied.some(id => gone.has(id))
  const after = counts.slice()
  for (const id of added) after[id]!++
  for (const id of removed) after[id]!--
  const hasTwin = (at: number, isAdded: boolean): boolean => {
    const id = base.ids[at]
    if (id === undefined || !((isMove && counts[id]! > 1) || (isAdded && after[id]! > 1))) return false
    return ['heading', 'item', 'numbered'].includes(kindOfLine(lineAt(base, at)).kind)
  }
  return others.some(({ base: { start, end } }) => {
    if (start === end) return hasTwin(start - 1, true) || hasTwin(start, true)
    for (let at = start; at < end; at++) if (hasTwin(at, false)) return true
    return false
  })
}

/** Returns true if one side adds a row of the name of one that the other changes: either may be the one that was there. */
function addsNamesake(
  lines: ThreeWays<Lines>,
  side: 'mine' | 'theirs',
  edits: readonly Edit[],
  others: readonly Edit[],
): boolean {
  const counts = new Map<string, number>()
  const count = (of: Lines, span: Span, step: number): void => {
    for (const name of linesIn(of, span).map(rowName)) counts.set(name, (counts.get(name) ?? 0) + step)
  }
  for (const edit of edits) {
    count(lines.base, edit.base, -1)
    count(lines[side], edit.side, 1)
  }
  counts.delete('')
  return others.some(({ base }) => linesIn(lines.base, base).some(line => (counts.get(rowName(line)) ?? 0) > 0))
}

/** Maximum number of unchanged lines between edits of both sides of which the likeness of lines is examined. */
const nearby = 2
/** Number of added lines, from either end, that are compared with their neighbours. */
const outermost = 3

/**
 * An added line may be a new version of the neighbour that it is like, and the neighbour the addition. So the edit reaches over it, where
 * the other side has an edit near by.
 */
function widened(base: Lines, side: Lines, edits: readonly Edit[], others: readonly Edit[]): Edit[] {
  let at = 0
  return edits.map(edit => {
    while (at < others.length && others[at]!.reach.end + nearby < edit.reach.start) at++
    const isNear = at < others.length && others[at]!.reach.start - nearby <= edit.reach.end
    if (!isNear || growthOf(edit) <= 0) return edit
    const { start, end } = edit.reach
    const added = linesIn(side, edit.side)
    const isLike = (place: number, some: readonly string[]): boolean => {
      if (place < 0 || place >= base.ids.length) return false
      const old = lineAt(base, place)
      return closing.test(old) || some.some(line => isVersion(old, line))
    }
    const reach = {
      start: isLike(start - 1, added.slice(0, outermost)) ? start - 1 : start,
      end: isLike(end, added.slice(-outermost)) ? end + 1 : end,
    }
    return { ...edit, reach }
  })
}

/** A line of code that only closes: the line before it may as well stand behind an equal one. */
const closing = /^[ \t]*(?!\}\})[)\]}]+[;,]?$/

function isVersion(old: string, now: string): boolean {
  const [likeness, { name }] = [likenessOf(bagOf(old), bagOf(now)), kindOfLine(old)]
  return likeness >= sameLikeness || (likeness >= leastLikeness && name !== '' && kindOfLine(now).name === name)
}

/** Divides the texts where no edit of one side reaches one of the other. */
function groupEdits(lines: ThreeWays<Lines>, mine: readonly Edit[], theirs: readonly Edit[]): Group[] {
  const groups: Group[] = []
  const reached = { base: 0, mine: 0, theirs: 0 }
  const push = (end: number, mineEdits: readonly Edit[], theirsEdits: readonly Edit[]): void => {
    const spanOf = (side: 'mine' | 'theirs', edits: readonly Edit[]): Span => {
      const start = reached[side]
      reached[side] += end - reached.base + edits.reduce((growth, edit) => growth + growthOf(edit), 0)
      return { start, end: reached[side] }
    }
    const spans = { mine: spanOf('mine', mineEdits), theirs: spanOf('theirs', theirsEdits) }
    groups.push({ base: { start: reached.base, end }, ...spans, mineEdits, theirsEdits })
    reached.base = end
  }
  let [mineAt, theirsAt] = [0, 0]
  const startOf = (edits: readonly Edit[], at: number): number => edits[at]?.reach.start ?? Number.POSITIVE_INFINITY
  while (mineAt < mine.length || theirsAt < theirs.length) {
    const [mineFrom, theirsFrom] = [mineAt, theirsAt]
    const start = Math.min(startOf(mine, mineAt), startOf(theirs, theirsAt))
    if (start > reached.base) push(start, [], [])
    let end = start
    for (;;) {
      if (startOf(mine, mineAt) <= end) end = Math.max(end, mine[mineAt++]!.reach.end)
      else if (startOf(theirs, theirsAt) <= end) end = Math.max(end, theirs[theirsAt++]!.reach.end)
      else break
    }
    push(end, mine.slice(mineFrom, mineAt), theirs.slice(theirsFrom, theirsAt))
  }
  if (reached.base < lines.base.ids.length) push(lines.base.ids.length, [], [])
  return groups
}

function growthOf({ base, side }: Edit): number {
  return side.end - side.start - (base.end - base.start)
}

/** Returns the lines of a range that at most one side changed, or both in the same way; null for others. */
function takeOneSide({ mine, theirs }: ThreeWays<Lines>, group: Group): MergedLines[] | null {
  const [isMine, isTheirs] = [group.mineEdits.length > 0, group.theirsEdits.length > 0]
  const text = isTheirs ? sliceLines(theirs, group.theirs) : sliceLines(mine, group.mine)
  if (isMine && isTheirs && text !== sliceLines(mine, group.mine)) return null
  const writer = isMine === isTheirs ? null : isMine ? 'mine' : 'theirs'
  const isInPlace = keepsCount(group.mine, group.theirs)
  return [
    {
      text,
      writer,
      ...(isMine && isTheirs && isWord(text) && { changed: group.base }),
      mine: writer === 'theirs' && !isInPlace ? null : group.mine,
      theirs: writer === 'mine' && !isInPlace ? null : group.theirs,
    },
  ]
}

function keepsCount(one: Span, other: Span): boolean {
  return one.end - one.start === other.end - other.start
}

function mergedLines({ texts, ...piece }: Piece): MergedLines {
  return { text: texts.map(line => `${line}\n`).join(''), ...piece }
}

function collisionOf(lines: ThreeWays<Lines>, group: ThreeWays<Span>): Collision {
  return {
    base: sliceLines(lines.base, group.base),
    mine: sliceLines(lines.mine, group.mine),
    theirs: sliceLines(lines.theirs, group.theirs),
  }
}

/** Returns one conflict of everything between the first and the last change. */
function aroundChanges(lines: ThreeWays<Lines>): (string | Collision)[] {
  const all = [lines.base.ids, lines.mine.ids, lines.theirs.ids] as const
  const least = Math.min(...all.map(ids => ids.length))
  let start = 0
  while (start < least && all[1][start] === all[0][start] && all[2][start] === all[0][start]) start++
  let end = 0
  const fromEnd = (ids: Int32Array): number => ids[ids.length - 1 - end]!
  while (end < least - start && fromEnd(all[1]) === fromEnd(all[0]) && fromEnd(all[2]) === fromEnd(all[0])) end++
  const spans = mapThree(lines, ({ ids }) => ({ start, end: ids.length - end }))
  const { base } = lines
  const [head, tail] = [
    sliceLines(base, { start: 0, end: start }),
    sliceLines(base, { start: base.ids.length - end, end: base.ids.length }),
  ]
  return [head, collisionOf(lines, spans), tail].filter(piece => piece !== '')
}

function linesIn(lines: Lines, { start, end }: Span): string[] {
  return Array.from({ length: end - start }, (_, at) => lineAt(lines, start + at))
}

function sliceLines({ text, starts }: Lines, { start, end }: Span): string {
  return text.slice(starts[start], starts[end])
}

/** Source: git merge-file, its style `diff3`. */
function markCollision({ base, mine, theirs }: Collision, { labels, markerSize = 7 }: MarkerOptions): string {
  const marker = (sign: string, label = '') => `${sign.repeat(markerSize)}${label === '' ? '' : ` ${label}`}\n`
  return `${marker('<', labels?.mine)}${mine}${marker('|')}${base}${marker('=')}${theirs}${marker('>', labels?.theirs)}`
}

/** Appends a line feed to a last line without one. */
function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function endOnce(text: string): string {
  return `${trimEnd(text)}\n`
}

function isBlank(text: string): boolean {
  return trimEnd(text) === ''
}

/** Removes blanks, tabs, line feeds, carriage returns, NULs and vertical tabs from the end, as MediaWiki does. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\n\r\0\v'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
