/** Authors of the words of a page, as the API sends it: field names and their order are the wire's. */

import type { User } from './revision.ts'

/** A revision that first had words of the page. */
export interface AuthoredRevision {
  readonly id: number
  /** Author time, ISO 8601, UTC, whole seconds. */
  readonly timestamp: string
  /** Null if it is hidden. */
  readonly user: User | null
  /** Null if it is hidden. */
  readonly comment: string | null
  readonly minor: boolean
  /** Full hash of the commit. */
  readonly commit: string
  /** Words of the page that it first had. */
  readonly words: number
}

/** A part of a line, and the revision that first had its words; blanks belong to the words before them. */
export interface AuthoredSpan {
  readonly text: string
  /** Null if there are no words. */
  readonly revision: number | null
}

export interface AuthoredLine {
  /** The revision that most of its words come from, of several the latest one; null if there are no words. */
  readonly revision: number | null
  /** Texts that make the line together. */
  readonly spans: readonly AuthoredSpan[]
}

/** The authors of a page, word by word. */
export interface PageAuthorship {
  readonly id: number
  readonly key: string
  readonly title: string
  /** Revision whose text it is. */
  readonly revision: { readonly id: number; readonly timestamp: string }
  /** Number of words. */
  readonly words: number
  /** Present, and true, where a shallow clone does not hold the page's beginning: the oldest revision stands for all before it. */
  readonly shallow?: true
  /** Oldest first; only those that words come from. */
  readonly revisions: readonly AuthoredRevision[]
  /** Joined by line feeds they are the page's source. */
  readonly lines: readonly AuthoredLine[]
}
