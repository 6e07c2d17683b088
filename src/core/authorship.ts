/** Authors of the words of a page, as the API sends them. Field names and order are those of the JSON. */

import type { User } from './revision.ts'

/** A revision that introduced words of the page. */
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
  /** Number of the page's words that it introduced. */
  readonly words: number
}

/** A part of a line, and the revision that introduced its words. White space belongs to the preceding words. */
export interface AuthoredSpan {
  readonly text: string
  /** Null if there are no words. */
  readonly revision: number | null
}

export interface AuthoredLine {
  /** The revision that most of its words come from, the latest one of several; null if there are no words. */
  readonly revision: number | null
  /** Texts that together form the line. */
  readonly spans: readonly AuthoredSpan[]
}

/** The authors of a page, word by word. */
export interface PageAuthorship {
  readonly id: number
  readonly key: string
  readonly title: string
  /** The revision that this text belongs to. */
  readonly revision: { readonly id: number; readonly timestamp: string }
  /** Number of words. */
  readonly words: number
  /**
   * Present, and true, if a shallow clone lacks the page's first revisions. The oldest revision then represents them.
   */
  readonly shallow?: true
  /** Revisions with words in the text, oldest first. */
  readonly revisions: readonly AuthoredRevision[]
  /** Joined by line feeds, they form the page's source. */
  readonly lines: readonly AuthoredLine[]
}
