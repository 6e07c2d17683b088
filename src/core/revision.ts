/** Revisions, as the API sends them. Field names and order are those of the JSON. */

import type { ContentModel } from './content-models.ts'
import type { License } from './page.ts'

export interface User {
  /** Ordinal of the author's address by first appearance; null for an anonymous edit. */
  readonly id: number | null
  /** The author's name; the IP address of an anonymous edit. */
  readonly name: string
}

/** Record of the deletion of a page. */
export interface Deletion {
  /** Full hash. */
  readonly commit: string
  /** Author time, ISO 8601, UTC, whole seconds. */
  readonly timestamp: string
  /** Null if it is hidden. */
  readonly user: User | null
  /** Null if it is hidden. */
  readonly comment: string | null
}

/** A revision in a history segment. Source: API:REST_API/Reference on mediawiki.org, revision object. */
export interface HistoryRevision {
  readonly id: number
  /** Author time, ISO 8601, UTC, whole seconds. */
  readonly timestamp: string
  readonly minor: boolean
  /** Size of `source` in bytes. A final line feed of the file does not count. */
  readonly size: number
  /** Null if it is hidden. */
  readonly comment: string | null
  /** Null if it is hidden. */
  readonly user: User | null
  /** Growth in bytes since the page's previous revision; null for the first one. */
  readonly delta: number | null
  readonly page: { readonly id: number; readonly key: string; readonly title: string }
  /** Full hash of the commit; present if requested. */
  readonly commit?: string
}

/** A single revision. Source: API:REST_API/Reference on mediawiki.org, revision object. */
export interface RevisionObject {
  readonly id: number
  readonly size: number
  readonly minor: boolean
  readonly timestamp: string
  readonly content_model: ContentModel
  readonly page: { readonly id: number; readonly key: string; readonly title: string }
  readonly license: License
  /** Null if it is hidden. */
  readonly user: User | null
  /** Null if it is hidden. */
  readonly comment: string | null
  readonly delta: number | null
}

export interface RevisionSource extends RevisionObject {
  readonly source: string
}

export interface RevisionBare extends RevisionObject {
  readonly html_url: string
}

/** Filters of a history. */
export const historyFilters = ['anonymous', 'bot', 'minor', 'reverted'] as const
export type HistoryFilter = (typeof historyFilters)[number]

/** At most 20 revisions of one page, newest first. Source: API:REST_API/Reference on mediawiki.org, get page history. */
export interface HistorySegment {
  readonly revisions: readonly HistoryRevision[]
  /** Absolute routes. */
  readonly latest: string
  readonly older?: string
  readonly newer?: string
  /** Present, and true, if the clone is shallow and lacks revisions of the page. */
  readonly shallow?: true
  /** Present if the page is deleted. Only the command line requests it. */
  readonly deletion?: Deletion
}

/** Kinds of counts over a page's history. Source: API:REST_API/Reference on mediawiki.org, get page history counts. */
export const countTypes = ['anonymous', 'bot', 'editors', 'edits', 'minor', 'reverted'] as const
export type CountType = (typeof countTypes)[number]

/** A count over a page's history. Source: API:REST_API/Reference on mediawiki.org, get page history counts. */
export interface HistoryCount {
  readonly count: number
  /** True if the real number exceeds the limit for its type; `count` is then the limit. */
  readonly limit: boolean
  /** Present, and true, if the clone is shallow and lacks revisions of the page. */
  readonly shallow?: true
}
