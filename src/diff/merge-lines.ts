/** Merges lines that touch, and two versions of one line: by sentences or cells, and by words within a sentence. Source: docs/reference/comparison.md#merging. */

import { anchoredEdits, type Edit, type Pair, withReach } from './anchored-edits.ts'
import type { Span } from './changes.ts'
import { type Constructs, readConstructs } from './constructs.ts'
import { kindOfLine, type LineKind } from './line-kinds.ts'
import { type Lines, lineAt, numberOf } from './lines.ts'
import {
  type Group,
  mergeGroup,
  type Piece,
  slice,
  type ThreeWays,
  type UnitList,
  type UnitRules,
} from './merge-units.ts'
import { balanceOf, endsSentence, isWeighty, isWord, splitCells, splitSentences, splitWords } from './sentences.ts'
import type { WorkLimit } from './work-limit.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

/** Maximum length of a line that is merged by words, in UTF-16 units. */
const longestLine = 200_000
/** Maximum words of one side times words of the base, for the same purpose. */
const maxCells = 100_000_000
/** Number of unchanged words that keep two changes of one side in one sentence apart. Fewer may match by chance. */
const wordsBetween = 3
/** Number of unchanged words that keep changes of both sides in one sentence apart. */
const wordsApart = 2

/** Minimum likeness of two versions of a sentence, a cell, or a line of prose. */
export const leastLikeness = 0.5

/** Merges two versions of one line; null if it is not certain that the result is what both sides meant. */
export function mergeLine(line: ThreeWays<string>, work?: WorkLimit, isFront = false): string | null {
  if (Math.max(line.base.length, line.mine.length, line.theirs.length) > longestLine) return null
  const kinds = mapThree(line, one => kindOfLine(one, isFront))
  const { base, mine, theirs } = kinds
  if (!isSameLine(base, mine) || !isSameLine(base, theirs)) return null
  const bodies = mapThree(kinds, ({ body }) => body)
  const merged = base.kind === 'row' ? mergeCells(bodies) : mergeBody(base, bodies, work)
  // Nobody took all of it away.
  return merged === null || !isWord(merged) ? null : base.head + merged
}

/** Returns true if the name of an item, the box of a task and the marker are the same: then it is the same item. */
function isSameLine(base: LineKind, side: LineKind): boolean {
  return base.kind === side.kind && base.identity === side.identity && base.head === side.head
}

function mergeBody({ kind }: LineKind, bodies: ThreeWays<string>, work?: WorkLimit): string | null {
  if (kind === 'prose' || kind === 'item' || kind === 'numbered') return mergeSentences(bodies, true, work)
  // The value of a key is one whole, unless it is a text.
  return kind === 'key' ? mergeSentences(bodies, false, work) : null
}

/** A row is what its first cell names. Each cell is one whole, at its place. */
function mergeCells(row: ThreeWays<string>): string | null {
  const { base, mine, theirs } = mapThree(row, splitCells)
  const name = base.findIndex(isWord)
  if (name < 0 || mine.length !== base.length || theirs.length !== base.length) return null
  if (mine[name] !== base[name] || theirs[name] !== base[name]) return null
  const cells = base.map((cell, at) =>
    mine[at] === cell || mine[at] === theirs[at] ? theirs[at]! : theirs[at] === cell ? mine[at]! : null,
  )
  return cells.includes(null) ? null : cells.join('')
}

function mergeSentences(bodies: ThreeWays<string>, byWords: boolean, work?: WorkLimit): string | null {
  const ends = mapThree(bodies, body => body.slice(body.trimEnd().length))
  const end =
    ends.mine === ends.base ? ends.theirs : ends.theirs === ends.base || ends.mine === ends.theirs ? ends.mine : null
  if (end === null) return null
  const sentences = mapThree(bodies, splitSentences)
  const rules = {
    ...strictRules,
    ...(byWords && {
      mergeVersions: (base: string, mine: string, theirs: string) => mergeWords({ base, mine, theirs }, work),
    }),
  }
  const merged = mergeParts(sentences, rules, work)
  return merged === null ? null : joined(merged).trimEnd() + end
}

/** Units that stand in one line: nothing is put beside another addition, and no two versions become one. */
const strictRules: Omit<UnitRules, 'isWeak' | 'isBlank' | 'isOld'> = {
  kinship: () => leastLikeness,
  mergeVersions: () => null,
  areApart: () => true,
  mayStandBy: (_, __, now) => now.length > 0,
  order: () => null,
}

/** Merges a list of sentences. */
function mergeParts(
  parts: ThreeWays<readonly string[]>,
  rules: Omit<UnitRules, 'isWeak' | 'isBlank' | 'isOld'>,
  work?: WorkLimit,
): Piece[] | null {
  const numbers = new Map<string, number>()
  const lists = mapThree(parts, texts => listOf(texts, numbers))
  const weak = [...numbers.keys()].map(text => !isWord(text))
  const isWeak = (id: number): boolean => weak[id]!
  const workspace = createWorkspace(numbers.size, work)
  const group = {
    ...mapThree(lists, ({ ids }) => ({ start: 0, end: ids.length })),
    mineEdits: closedEdits(lists.base, lists.mine, isWeak, workspace),
    theirsEdits: closedEdits(lists.base, lists.theirs, isWeak, workspace),
  }
  const old = new Set(lists.base.ids)
  return mergeGroup(lists, group, { ...rules, isWeak, isBlank: isWeak, isOld: id => old.has(id) })
}

/** Puts a space behind a sentence that was the last one, except in scripts without spaces. */
function joined(pieces: readonly Piece[]): string {
  let text = ''
  for (const sentence of pieces.flatMap(piece => piece.texts)) {
    if (/[^\s\u3002\uff01\uff1f\u300d\u300f\uff09]$/.test(text) && !/^\s/.test(sentence)) text += ' '
    text += sentence
  }
  return text
}

function listOf(texts: readonly string[], numbers: Map<string, number>): UnitList {
  return { textAt: index => texts[index]!, ids: new Int32Array(texts.map(text => numberOf(text.trimEnd(), numbers))) }
}

/** Edits of one line. Those that open something are one edit with those that close it. */
function closedEdits(
  base: UnitList,
  side: UnitList,
  isWeak: (id: number) => boolean,
  workspace: Workspace,
  between = 1,
): Edit[] {
  const pair: Pair = { base: base.ids, side: side.ids, isWeak, isBlank: isWeak }
  const edits = anchoredEdits(pair, workspace, { between, maxCells })
  const opens = (edit: Edit): boolean => balanceOf(textOf(base, edit.base)) !== balanceOf(textOf(side, edit.side))
  const [first, last] = [edits.find(opens), edits.findLast(opens)]
  if (first === undefined || last === undefined || first === last) return edits
  const [from, to] = [edits.indexOf(first), edits.indexOf(last)]
  const whole = {
    base: { start: first.base.start, end: last.base.end },
    side: { start: first.side.start, end: last.side.end },
  }
  return withReach(pair, [...edits.slice(0, from), whole, ...edits.slice(to + 1)], { start: 0, end: base.ids.length })
}

/**
 * Merges two versions of a sentence: changes of the two sides have two words between them, and none is of a number, a negation or a
 * quantity. Equal changes count once.
 */
export function mergeWords(sentence: ThreeWays<string>, work?: WorkLimit): string | null {
  const numbers = new Map<string, number>()
  const { base, mine, theirs } = mapThree(sentence, text => {
    const words = splitWords(text)
    return { textAt: (index: number) => words[index]!, ids: new Int32Array(words.map(word => numberOf(word, numbers))) }
  })
  const words = [...numbers.keys()].map(isWord)
  const isWeak = (id: number): boolean => !words[id]
  const workspace = createWorkspace(numbers.size, work)
  const mineEdits = closedEdits(base, mine, isWeak, workspace, wordsBetween)
  const theirsEdits = closedEdits(base, theirs, isWeak, workspace, wordsBetween)
  const own = mineEdits.filter(edit => !theirsEdits.some(other => isSameEdit(edit, mine, other, theirs)))
  const others = theirsEdits.filter(edit => !mineEdits.some(other => isSameEdit(edit, theirs, other, mine)))
  if (own.length === 0) return sentence.theirs
  if (others.length === 0) return sentence.mine
  // The same word in two places is one addition, of which nobody knows the place.
  const added = new Set(own.flatMap(edit => newWords(base, mine, edit)))
  if (others.some(edit => newWords(base, theirs, edit).some(word => added.has(word)))) return null
  const isHeavy = (list: UnitList) => (edit: Edit) =>
    [...slice(base, edit.base), ...slice(list, edit.side)].some(isWeighty)
  if (own.some(isHeavy(mine)) || others.some(isHeavy(theirs))) return null
  const edits = [
    ...mineEdits.map(edit => ({ edit, list: mine })),
    ...others.map(edit => ({ edit, list: theirs })),
  ].sort((a, b) => a.edit.base.start - b.edit.base.start)
  let [text, at] = ['', 0]
  for (const [index, { edit, list }] of edits.entries()) {
    const last = edits[index - 1]
    if (
      last !== undefined &&
      last.list !== list &&
      countWords(base, last.edit.reach.end, edit.reach.start) < wordsApart
    )
      return null
    text += textOf(base, { start: at, end: edit.base.start }) + textOf(list, edit.side)
    at = edit.base.end
  }
  return text + textOf(base, { start: at, end: base.ids.length })
}

/** Returns the words that an edit adds, those of a link one by one. */
function newWords(base: UnitList, side: UnitList, edit: Edit): string[] {
  const wordsOf = (list: UnitList, span: Span): string[] => textOf(list, span).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const old = wordsOf(base, edit.base)
  return wordsOf(side, edit.side).filter(word => !old.includes(word))
}

function isSameEdit(edit: Edit, list: UnitList, other: Edit, otherList: UnitList): boolean {
  return (
    edit.base.start === other.base.start &&
    edit.base.end === other.base.end &&
    textOf(list, edit.side) === textOf(otherList, other.side)
  )
}

function countWords(list: UnitList, start: number, end: number): number {
  return slice(list, { start, end: Math.max(start, end) }).filter(isWord).length
}

function textOf(list: UnitList, span: Span): string {
  return slice(list, span).join('')
}

export function mapThree<From, To>({ base, mine, theirs }: ThreeWays<From>, map: (one: From) => To): ThreeWays<To> {
  return { base: map(base), mine: map(mine), theirs: map(theirs) }
}

/** Minimum likeness of two versions of an item whose name was changed: less is another item. */
const renamedLikeness = 0.85

/** Length from which a line may have been broken within a sentence, in UTF-16 units. */
const wrappedLength = 40

/** Creates a function that merges a group of edits of lines; it returns null if they conflict. */
export function createLineMerge(
  lines: ThreeWays<Lines>,
  weakness: Pick<UnitRules, 'isWeak' | 'isBlank' | 'isOld'>,
  work?: WorkLimit,
): (group: Group) => Piece[] | null {
  const lists = mapThree(lines, side => ({ ids: side.ids, textAt: (index: number) => lineAt(side, index) }))
  let constructs: Constructs | undefined
  let left: Map<number, number> | undefined
  /** Returns true if a line that one side removed is elsewhere in it. */
  const isMoved = ({ start, end }: Span): boolean => {
    left ??= countLeft(lines)
    return lines.base.ids.subarray(start, end).some(id => left!.get(id)! >= 0)
  }
  return group => {
    constructs ??= readConstructs(lines.base, new Map())
    const { codes, settings } = constructs
    if (isInCode(codes, group.base)) return null
    return mergeGroup(lists, group, { ...lineRules(lists.base, settings, isMoved, work), ...weakness })
  }
}

/** Returns by line how many more both sides have together than twice the base. */
function countLeft({ base, mine, theirs }: ThreeWays<Lines>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const [ids, step] of [
    [base.ids, -2],
    [mine.ids, 1],
    [theirs.ids, 1],
  ] as const)
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + step)
  return counts
}

/** Half a statement from each side makes no program. A place is in code between two of its lines. */
function isInCode(codes: Uint8Array, { start, end }: Span): boolean {
  return start === end ? codes[start - 1] === 1 && codes[start] === 1 : codes.subarray(start, end).includes(1)
}

function lineRules(
  list: UnitList,
  settings: Uint8Array,
  isMoved: (lines: Span) => boolean,
  work?: WorkLimit,
): Omit<UnitRules, 'isWeak' | 'isBlank' | 'isOld'> {
  const isSetting = (place: number): boolean => settings[place] === 1
  const kindAt = (place: number) => kindOfLine(list.textAt(place), isSetting(place))
  return {
    kinship: (one, other, place) => {
      const [signed, now] = [one, other].map(line => signature.exec(line)?.[0])
      if (signed !== undefined || now !== undefined) return signed === now ? 'same' : 'other'
      const [from, to] = [kindOfLine(one, isSetting(place)), kindOfLine(other, isSetting(place))]
      if (from.kind !== to.kind || from.kind === 'blank') return 'other'
      if (from.kind === 'key') return isSameKey(from, to) ? 'same' : 'other'
      return from.kind === 'item' || from.kind === 'numbered'
        ? from.name === to.name && from.identity === to.identity
          ? 'same'
          : renamedLikeness
        : leastLikeness
    },
    mergeVersions: (from, mine, theirs, place) => mergeLine({ base: from, mine, theirs }, work, isSetting(place)),
    areApart: (place, { first, second }) => {
      const [one, next] = [list.textAt(place), list.textAt(place + 1)]
      const isSentence =
        ['prose', 'item', 'numbered', 'indented'].includes(kindAt(place).kind) &&
        one.length >= wrappedLength &&
        !endsSentence(one)
      if (!isSentence || !['prose', 'indented'].includes(kindAt(place + 1).kind)) return true
      // A sentence goes on in the next line.
      const sentence = { base: `${one}\n${next}`, mine: `${first}\n${next}`, theirs: `${one}\n${second}` }
      return mergeWords(sentence, work) !== null
    },
    mayStandBy: (addition, old, now, isBelow) =>
      (now.length > 0 || !isMoved(old)) && mayStandBy(addition, slice(list, old), now, isBelow),
    order: (mine, theirs, place) => orderOf(mine, theirs, place > 0 && kindAt(place - 1).kind === 'item'),
  }
}

/**
 * Items of a list are there beside any others, but an answer is not without what it answers. Two sentences behind one, on its line and below it,
 * are two additions at one place.
 */
function mayStandBy(
  addition: readonly string[],
  old: readonly string[],
  now: readonly string[],
  isBelow: boolean,
): boolean {
  const nearest = (lines: readonly string[], isLast: boolean): string => lines.at(isLast ? -1 : 0)!
  const added = kindOfLine(nearest(addition, !isBelow))
  if (now.length === 0) {
    const isList = old.map(line => kindOfLine(line)).every(({ kind, level }) => kind === 'item' && level >= added.level)
    const gone = kindOfLine(nearest(old, isBelow))
    return isList && added.kind === 'item' && added.identity === gone.identity && !gone.identity.includes(':')
  }
  const [before, after] = [nearest(old, isBelow), nearest(now, isBelow)].map(splitSentences) as [string[], string[]]
  if (added.kind !== 'prose' || kindOfLine(before[0]!).kind !== 'prose') return true
  return after.length <= before.length || nearest(before, isBelow).trim() === nearest(after, isBelow).trim()
}

/** The time at the end of a comment: whoever wrote it changes its words, and writes another one below. */
const signature = /\d\d?:\d\d, [^\n]{4,30} \d{4}(?: \([A-Z]{2,5}\))?$/

/** A key keeps its name, or its value when it gets another name. */
function isSameKey(from: LineKind, to: LineKind): boolean {
  if (from.identity === to.identity) return true
  const [old, now] = [from, to].map(({ body, identity }) => body.slice(body.indexOf(identity) + identity.length))
  return old === now && isWord(old!)
}

/** An addition in the outline of a page. */
interface Outline {
  /** Level of the first line with words, and the lowest number of any. */
  readonly first: number
  readonly top: number
  /** Kind of its first line. */
  readonly kind: string
  readonly marker: string
  readonly blanks: number
}

/**
 * An addition that belongs under what is there stands before one that begins something of its own: a reply before a new topic, an item
 * of a list inside the list before the next item. Two items of one list, or two sections of one level, may stand in any order.
 */
function orderOf(
  mine: readonly string[],
  theirs: readonly string[],
  isBelowItem: boolean,
): 'mine' | 'theirs' | 'either' | null {
  const [one, other] = [outlineOf(mine), outlineOf(theirs)]
  if (one === null || other === null) {
    // A blank line ends the list.
    const isItem = isBelowItem && (one ?? other)?.kind === 'item' && (one ?? other)?.blanks === 0
    return isItem ? (one === null ? 'theirs' : 'mine') : null
  }
  const [mayMineLead, mayTheirsLead] = [mayLead(one, other), mayLead(other, one)]
  if (mayMineLead && mayTheirsLead) {
    const isList = one.kind === 'item' || one.kind === 'heading'
    return isList && one.kind === other.kind && one.marker === other.marker && one.blanks === other.blanks
      ? 'either'
      : null
  }
  return mayMineLead ? 'mine' : mayTheirsLead ? 'theirs' : null
}

function mayLead(first: Outline, second: Outline): boolean {
  if (first.top < second.first) return false
  if (second.kind === 'heading' || second.kind === first.kind) return true
  return first.kind === 'item' && second.kind !== 'item' && second.blanks > 0
}

function outlineOf(lines: readonly string[]): Outline | null {
  const kinds = lines.map(line => kindOfLine(line))
  const blanks = kinds.findIndex(({ kind }) => kind !== 'blank')
  const first = kinds[blanks]
  if (first === undefined) return null
  const top = Math.min(...kinds.filter(({ kind }) => kind !== 'blank').map(({ level }) => level))
  const marker = first.kind === 'item' ? first.identity : ''
  return { first: first.level, top, kind: first.kind, marker, blanks }
}
