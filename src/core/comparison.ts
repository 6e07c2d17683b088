/**
 * Comparisons as the API sends them. All offsets and lengths are UTF-8 bytes. Source:
 * docs/reference/comparison.md#output.
 */

export interface HighlightRange {
  /** Bytes from the start of the element's text. */
  readonly start: number
  readonly length: number
  /** 0 addition, 1 deletion. */
  readonly type: 0 | 1
}

export interface MoveInfo {
  readonly id: string
  readonly linkId: string
  /** 0: the linked paragraph is lower on the page, 1: higher. */
  readonly linkDirection: 0 | 1
}

/**
 * One line of a comparison: 0 context, 1 only in `to`, 2 only in `from`, 3 changed, 4 moved away from here, 5 moved here.
 * Key order on the wire: type, lineNumber, moveInfo, text, offset, highlightRanges.
 */
export interface DiffElement {
  readonly type: 0 | 1 | 2 | 3 | 4 | 5
  /** Line number in `to`, from 1; absent for types 2 and 4. */
  readonly lineNumber?: number
  readonly moveInfo?: MoveInfo
  readonly text: string
  readonly offset: { readonly from: number | null; readonly to: number | null }
  readonly highlightRanges?: readonly HighlightRange[]
}

export interface DiffSection {
  /** 1 to 4. */
  readonly level: number
  /** The whole heading line, with its equals signs. */
  readonly heading: string
  readonly offset: number
}

export interface ComparedRevision {
  readonly id: number
  readonly slot_role: 'main'
  readonly sections: readonly DiffSection[]
}

export interface Comparison {
  readonly from: ComparedRevision
  readonly to: ComparedRevision
  readonly diff: readonly DiffElement[]
}
