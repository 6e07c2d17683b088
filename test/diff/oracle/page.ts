/** A page as a tree of parts with identity, edits of it, and the texts that may come of two edits. */

/** A task, a row, a sentence …: `id` tells it from its twins. */
export interface Part {
  readonly id: string
  readonly kind: string
  readonly values: Record<string, string>
  readonly marks: Mark[]
  parts: Part[]
  /** Removed, but still a place for what stood beside it. */
  isGone: boolean
}

/** Bold, italic … from one part of a sentence to another. */
export interface Mark {
  readonly sign: string
  readonly from: string
  readonly to: string
}

/** One change of a part. `after` and `before` are its neighbours when the change was made, null at an end. */
export type Change =
  | { readonly do: 'set'; readonly id: string; readonly name: string; readonly value: string }
  | { readonly do: 'remove'; readonly id: string }
  | ({ readonly do: 'insert'; readonly part: Part } & Place)
  | ({ readonly do: 'move'; readonly id: string } & Place)
  | { readonly do: 'mark'; readonly id: string; readonly mark: Mark }
  | { readonly do: 'unmark'; readonly id: string; readonly mark: Mark }

export interface Place {
  readonly into: string
  readonly after: string | null
  readonly before: string | null
}

/** The text of a page in one syntax, and the rules of its kind. */
export interface Rules {
  readonly write: (page: Part) => string
  /** Returns false for a page that no writer would sign: two values of one key, a row without its cell. */
  readonly isSound?: (page: Part, edits: Edits) => boolean
  /** Kinds of parts whose order among each other is their meaning. */
  readonly ordered?: readonly string[]
  /** Returns true for two edits of which a careful writer would ask. */
  readonly asks?: (edits: Edits) => boolean
}

export interface Edits {
  readonly base: Part
  readonly mine: readonly Change[]
  readonly theirs: readonly Change[]
}

export function part(id: string, kind: string, values: Record<string, string> = {}, parts: Part[] = []): Part {
  return { id, kind, values, marks: [], parts, isGone: false }
}

export function copyOf(one: Part): Part {
  return { ...one, values: { ...one.values }, marks: [...one.marks], parts: one.parts.map(copyOf) }
}

/** Finds a part and the one that it is in. */
export function find(page: Part, id: string): { found: Part; within: Part } | undefined {
  for (const one of page.parts) {
    if (one.id === id) return { found: one, within: page }
    const deeper = find(one, id)
    if (deeper !== undefined) return deeper
  }
  return undefined
}

export function partOf(page: Part, id: string): Part {
  return page.id === id ? page : find(page, id)!.found
}

/** The parts that are not removed. */
export function live(page: Part): Part[] {
  return page.parts.filter(one => !one.isGone)
}

/** All parts that are not removed, in the order of the text. */
export function all(page: Part): Part[] {
  return live(page).flatMap(one => [one, ...all(one)])
}

/** The neighbour that places an insertion or a move. */
export type Anchor = 'after' | 'before'

export function apply(page: Part, change: Change, anchor: Anchor = 'after'): void {
  if (change.do === 'set') partOf(page, change.id).values[change.name] = change.value
  else if (change.do === 'remove') partOf(page, change.id).isGone = true
  else if (change.do === 'mark') addMark(partOf(page, change.id), change.mark)
  else if (change.do === 'unmark') removeMark(partOf(page, change.id), change.mark)
  else if (change.do === 'insert') {
    if (find(page, change.part.id) === undefined) put(page, copyOf(change.part), change, anchor)
  } else {
    const { found, within } = find(page, change.id)!
    within.parts.splice(within.parts.indexOf(found), 1, { ...found, id: `${found.id}, moved`, isGone: true, parts: [] })
    put(page, found, change, anchor)
  }
}

function removeMark(one: Part, { sign, from, to }: Mark): void {
  const at = one.marks.findIndex(mark => mark.sign === sign && mark.from === from && mark.to === to)
  if (at >= 0) one.marks.splice(at, 1)
}

function addMark(one: Part, mark: Mark): void {
  if (!one.marks.some(({ sign, from, to }) => sign === mark.sign && from === mark.from && to === mark.to))
    one.marks.push(mark)
}

function put(page: Part, one: Part, { into, after, before }: Place, anchor: Anchor): void {
  const { parts } = partOf(page, into)
  const at = (id: string) => parts.findIndex(other => other.id === id)
  if (anchor === 'after') parts.splice(after === null ? 0 : at(after) + 1, 0, one)
  else parts.splice(before === null ? parts.length : at(before), 0, one)
}

export function edited(base: Part, changes: readonly Change[]): Part {
  const page = copyOf(base)
  for (const change of changes) apply(page, change)
  return page
}

/** Texts of both edits, and of each merge that both writers would sign: none if they would have to be asked. */
export interface Case {
  readonly base: string
  readonly mine: string
  readonly theirs: string
  readonly right: ReadonlySet<string>
}

export function caseOf(edits: Edits, rules: Rules): Case {
  const { base, mine, theirs } = edits
  const texts = {
    base: rules.write(base),
    mine: rules.write(edited(base, mine)),
    theirs: rules.write(edited(base, theirs)),
  }
  if (texts.mine === texts.base || texts.mine === texts.theirs) return { ...texts, right: new Set([texts.theirs]) }
  if (texts.theirs === texts.base) return { ...texts, right: new Set([texts.mine]) }
  return { ...texts, right: new Set(readings(edits).flatMap(reading => rightOf(reading, rules))) }
}

/** The edits, and again as if both had taken away the same one of two twins: their texts do not tell. */
function readings(edits: Edits): Edits[] {
  const gone = (changes: readonly Change[]) =>
    changes.flatMap(one => (one.do === 'remove' ? (find(edits.base, one.id)?.found ?? []) : []))
  const found = [edits]
  for (const one of gone(edits.mine))
    for (const other of gone(edits.theirs)) {
      if (one.id === other.id || JSON.stringify(one.values) !== JSON.stringify(other.values)) continue
      const theirs = JSON.stringify(edits.theirs)
        .replaceAll(`"${other.id}"`, '"?"')
        .replaceAll(`"${one.id}"`, `"${other.id}"`)
      found.push({ ...edits, theirs: JSON.parse(theirs.replaceAll('"?"', `"${one.id}"`)) as Change[] })
    }
  return found
}

function rightOf(edits: Edits, rules: Rules): string[] {
  if (conflict(edits) || rules.asks?.(edits) === true) return []
  const pages = candidates(edits).filter(page => rules.isSound?.(page, edits) !== false)
  const orders = new Set(pages.map(page => orderOf(page, rules)))
  return orders.size > 1 ? [] : pages.map(page => rules.write(page))
}

/** Maximum number of insertions that are each tried behind one neighbour and before the other. More are all put in the same way. */
const mostFree = 6

/** Both edits, one after the other: in both orders, and with each insertion behind or before its neighbour. */
function candidates({ base, mine, theirs }: Edits): Part[] {
  const [mineFree, theirsFree] = [freeOf(base, mine), freeOf(base, theirs)]
  const free = [...mineFree, ...theirsFree]
  const ways =
    free.length > mostFree ? [0, 2 ** free.length - 1] : Array.from({ length: 2 ** free.length }, (_, way) => way)
  return ways.flatMap(way => {
    const put = (page: Part, changes: readonly Change[]) => {
      for (const change of changes) {
        const at = free.indexOf(change)
        apply(
          page,
          change,
          at < 0 ? fixedAnchor(base, change) : Math.floor(way / 2 ** at) % 2 === 1 ? 'before' : 'after',
        )
      }
    }
    const [first, second] = [copyOf(base), copyOf(base)]
    put(first, mine)
    put(first, theirs)
    put(second, theirs)
    put(second, mine)
    return [first, second]
  })
}

/** Insertions and moves between parts of the base; others stay beside the part that their writer added. */
function freeOf(base: Part, changes: readonly Change[]): Change[] {
  return changes.filter(
    change =>
      'after' in change && [change.after, change.before].every(id => id === null || find(base, id) !== undefined),
  )
}

function fixedAnchor(base: Part, change: Change): Anchor {
  return 'after' in change && (change.after === null || find(base, change.after) !== undefined) ? 'before' : 'after'
}

function orderOf(page: Part, { ordered = [] }: Rules): string {
  return JSON.stringify(
    all(page)
      .filter(({ kind }) => ordered.includes(kind))
      .map(({ id }) => id),
  ) // prettier-ignore
}

/** Returns true if both changed one value differently, or one changed what the other took away. */
export function conflict({ base, mine, theirs }: Edits): boolean {
  const [minePage, theirsPage] = [edited(base, mine), edited(base, theirs)]
  // A part that was moved, and back again, has not moved.
  const movedBy = (page: Part, changes: readonly Change[]) =>
    new Set(
      isOrderedAlike(base, page, base, new Set()) ? [] : changes.flatMap(one => (one.do === 'move' ? [one.id] : [])),
    )
  const [mineMoves, theirsMoves] = [movedBy(minePage, mine), movedBy(theirsPage, theirs)]
  const movedByOne = new Set([...mineMoves, ...theirsMoves].filter(id => !mineMoves.has(id) || !theirsMoves.has(id)))
  return all(base).some(one => {
    const [first, second] = [partOf(minePage, one.id), partOf(theirsPage, one.id)]
    const isGone = [isTaken(minePage, one.id), isTaken(theirsPage, one.id)]
    if (isGone[0] || isGone[1]) return isGone[0] ? !isGone[1] && !isSame(one, second) : !isSame(one, first)
    if (mineMoves.has(one.id) && theirsMoves.has(one.id) && !isOrderedAlike(minePage, theirsPage, base, movedByOne))
      return true
    return Object.entries(one.values).some(([name, value]) => {
      const [left, right] = [first.values[name], second.values[name]]
      return left !== value && right !== value && left !== right
    })
  })
}

/** Returns true if a part, or one that it is in, was removed. */
function isTaken(page: Part, id: string): boolean {
  return !all(page).some(one => one.id === id)
}

/** Returns true if the parts of the base that two pages have, without those that one side moved, stand in the same order. */
function isOrderedAlike(one: Part, other: Part, base: Part, moved: ReadonlySet<string>): boolean {
  const staying = (page: Part): Part[] =>
    live(page).flatMap(part => (moved.has(part.id) ? [] : [part, ...staying(part)]))
  const ids = (page: Part) => staying(page).map(({ id }) => id)
  const both = new Set(ids(base).filter(id => !isTaken(one, id) && !isTaken(other, id)))
  return (
    ids(one)
      .filter(id => both.has(id))
      .join() ===
    ids(other)
      .filter(id => both.has(id))
      .join()
  )
}

/** Returns true if a part has its values and marks, and no part was put into it. */
function isSame(one: Part, other: Part): boolean {
  const known = new Set(one.parts.map(({ id }) => id))
  return (
    JSON.stringify(one.values) === JSON.stringify(other.values) &&
    one.marks.length === other.marks.length &&
    live(other).every(({ id }) => known.has(id))
  )
}
