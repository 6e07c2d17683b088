/** Changes of the whole wiki, as the API sends them. Field names and order are those of the JSON. */

import type { User } from './revision.ts'

/** Kinds of changes: a new page, a later revision of a page, and the deletion of a page. */
export const changeTypes = ['new', 'edit', 'delete'] as const
export type ChangeType = (typeof changeTypes)[number]

/** One change of one page. */
export interface WikiChange {
  readonly type: ChangeType
  /** Id of the revision; null for a deletion, which is not a revision. */
  readonly id: number | null
  /** Id of the page's previous revision; for a deleted page, of its latest one. */
  readonly previous: number | null
  /** Author time, ISO 8601, UTC, whole seconds. */
  readonly timestamp: string
  readonly minor: boolean
  /** False if the user is hidden. */
  readonly bot: boolean
  /** True if the change reverts an earlier edit. */
  readonly reverted: boolean
  /** Size of the text in bytes; 0 for a deletion. */
  readonly size: number
  /** Growth in bytes; null for a new page and for a deletion. */
  readonly delta: number | null
  /** Null if it is hidden. */
  readonly comment: string | null
  /** Null if it is hidden. */
  readonly user: User | null
  /** Full hash of the commit. */
  readonly commit: string
  /** The page under its current title. */
  readonly page: { readonly id: number; readonly key: string; readonly title: string }
}

/** A part of the wiki's changes, newest first. */
export interface ChangeList {
  readonly changes: readonly WikiChange[]
  /** Absolute route of the newest changes. */
  readonly latest: string
  /** Absolute route of older changes; absent if there are none. */
  readonly older?: string
  /** Present, and true, if the clone is shallow and lacks changes in this part or before it. */
  readonly shallow?: true
  /** Absolute route of newer changes, now or in future; absent if the list is empty. */
  readonly newer?: string
}
