/** Detects moved lines. Source: docs/reference/comparison.md#moved-lines. */

import type { MoveInfo } from '../core/comparison.ts'
import type { Operation } from './operations.ts'

/** A line without a match in the other text, according to the operations. */
export interface LooseLine {
  readonly side: 'from' | 'to'
  /** Index of its operation, and of the line within it. */
  readonly operation: number
  readonly line: number
  /** Number of the line in its text. */
  readonly index: number
  /** The line of the other side that is the same paragraph. */
  partner: LooseLine | null
  /**
   * Presentation of the line: `plain` is added or deleted, `moved` is shown as moved, `joined` is shown together with a
   * partner that follows directly, and `hidden` is shown by its partner.
   */
  fate: 'plain' | 'moved' | 'joined' | 'hidden'
}

/** Returns the similarity of a line of `to` and one of `from`, 0 to 1. A result up to `floor` need not be exact. */
export type CompareLoose = (to: number, from: number, floor: number) => number

/** Minimum similarity, exclusive, of two lines that count as the same paragraph. */
const moveThreshold = 0.4

/** Maximum number of added and deleted lines that are examined. With more of them, none counts as moved. */
const maxLooseLines = 100

/** Lists the added and deleted lines in order, with moved ones linked to each other. */
export function findMoves(operations: readonly Operation[], compare: CompareLoose): LooseLine[] {
  const lines = operations.flatMap(listLooseLines)
  if (lines.length > maxLooseLines) return lines
  const others = {
    from: lines.filter(line => line.side === 'to'),
    to: lines.filter(line => line.side === 'from'),
  }
  for (const line of lines) {
    if (line.partner !== null) {
      line.fate = follows(line.partner, line) ? 'hidden' : 'moved'
      continue
    }
    const best = findBest(line, others[line.side], compare)
    if (best === null || best.partner !== null) continue
    line.partner = best
    best.partner = line
    line.fate = follows(line, best) ? 'joined' : 'moved'
  }
  return lines
}

function listLooseLines({ kind, from, fromEnd, to, toEnd }: Operation, operation: number): LooseLine[] {
  if (kind !== 'add' && kind !== 'delete') return []
  const side = kind === 'add' ? 'to' : 'from'
  const [start, end] = side === 'to' ? [to, toEnd] : [from, fromEnd]
  return Array.from({ length: end - start }, (_, line) => {
    return { side, operation, line, index: start + line, partner: null, fate: 'plain' }
  })
}

/** Finds the most similar line, the first of equals, unless it is already linked as moved. */
function findBest(line: LooseLine, others: readonly LooseLine[], compare: CompareLoose): LooseLine | null {
  let best: LooseLine | null = null
  let most = moveThreshold
  for (const other of others) {
    if (other.partner?.fate === 'moved') continue
    const [to, from] = line.side === 'to' ? [line.index, other.index] : [other.index, line.index]
    const likeness = compare(to, from, most)
    if (likeness <= most) continue
    best = other
    most = likeness
  }
  return best
}

/**
 * Returns true if the second line starts the operation after the first one's. Lines of one operation are on one side.
 */
function follows(first: LooseLine, second: LooseLine): boolean {
  return second.operation === first.operation + 1 && second.line === 0
}

/** Describes the position of a moved line's partner. */
export function describeMove(line: LooseLine, partner: LooseLine): MoveInfo {
  return {
    id: idOf(line),
    linkId: idOf(partner),
    linkDirection: partner.operation > line.operation ? 0 : 1,
  }
}

function idOf({ operation, line, side }: LooseLine): string {
  return `movedpara_${operation}_${line}_${side === 'from' ? 'lhs' : 'rhs'}`
}
