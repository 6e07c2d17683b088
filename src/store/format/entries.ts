/** Entries of the revision index for the operations. Reading them does not read git. */

import type { ContentModel } from '../../core/content-models.ts'
import type { HistoryFilter, User } from '../../core/revision.ts'
import type { HideablePart, WikiConfig } from '../../core/wiki-config.ts'

/** A page that exists at the branch's tip. */
export interface PageEntry {
  readonly id: number
  /** Prefixed title, URL form. */
  readonly key: string
  /** Prefixed title, reading form. */
  readonly title: string
  readonly namespace: number
  /** Path of its file from the repository's top, slashes. */
  readonly path: string
  readonly model: ContentModel
  /** Id of its latest and of its first revision. */
  readonly latest: number
  readonly first: number
  /** Number of its revisions. */
  readonly edits: number
  /** Title of the page it redirects to, as the text names it; null if it is not a redirect. */
  readonly redirect: string | null
}

/** One commit's change to one page. */
export interface RevisionEntry {
  readonly id: number
  /** Id of its page. */
  readonly page: number
  /** Id of the page's preceding revision. */
  readonly previous: number | null
  /** Number of it in its page's history, from 1. */
  readonly sequence: number
  /** Full hash of the commit. */
  readonly commit: string
  /** Full hash of the text's blob. */
  readonly blob: string
  readonly model: ContentModel
  /** Bytes. */
  readonly size: number
  /** Bytes more than the preceding revision; null for the first. */
  readonly delta: number | null
  /** Author time, ISO 8601, UTC, whole seconds. */
  readonly timestamp: string
  readonly user: User
  readonly comment: string
  readonly minor: boolean
  readonly bot: boolean
  /** Parts that are hidden from readers. */
  readonly hidden: readonly HideablePart[]
  /** True if it reverts an earlier edit: a trailer of its commit, or the text of one of the 15 revisions before it. */
  readonly reverted: boolean
}

/** The deletion of a page: its author, time and reason. */
export type Deletion = Pick<RevisionEntry, 'commit' | 'timestamp' | 'user' | 'comment' | 'hidden'>

/** A media file as one commit left it. */
export interface FileVersion {
  readonly path: string
  readonly blob: string
  readonly commit: string
  readonly timestamp: string
  readonly user: User
  readonly comment: string
  /** Parts that readers may not see. */
  readonly hidden: readonly HideablePart[]
}

/** A media file that was deleted, as it was before. */
export interface DeletedFile {
  readonly path: string
  readonly blob: string
  /** Commit that deleted it. */
  readonly commit: string
}

/** Content that Git LFS stores in the git directory, outside of git's objects. */
export interface LfsObject {
  /** SHA-256 of the content, hexadecimal. */
  readonly oid: string
  /** File of the content; null if this clone does not have it. */
  readonly path: string | null
}

/** A media file that exists at the branch's tip. */
export interface FileEntry {
  /** `File:` title, URL form. */
  readonly key: string
  readonly title: string
  readonly path: string
  readonly blob: string
  /** Bytes; for a pointer of Git LFS those of its content, after `Store.withContent`. */
  readonly size: number
  /** The content that Git LFS stores outside of git; absent for other files. */
  readonly lfs?: LfsObject
  readonly timestamp: string
  readonly user: User
  /** Hash of the commit that added the file. */
  readonly commit: string
  /** Parts of that commit that readers may not see. */
  readonly hidden: readonly HideablePart[]
}

/** Selects revisions of a page. Ids are revision ids of that page. */
export interface HistoryQuery {
  readonly olderThan?: number
  readonly newerThan?: number
  readonly filter?: HistoryFilter
  /** Returns true for the revisions that are listed, of those that pass the filter; all if omitted. */
  readonly matches?: (revision: RevisionEntry) => boolean
  /** At most this many. */
  readonly limit: number
}

export interface HistoryPart {
  /** Newest first. */
  readonly revisions: readonly RevisionEntry[]
  /** True if more revisions that pass the filter lie beyond either end. */
  readonly more: boolean
}

/** Two files of which only the first is shown, because both names mean one title; or one file whose name is not a valid title. */
export interface TitleProblem {
  readonly path: string
  /** Path of the file that has the title; null if the name makes no legal title. */
  readonly shownAs: string | null
  readonly reason: string
}

/** Author of a commit. */
export interface Author {
  /** The IP address of an anonymous edit. */
  readonly name: string
  /** E-mail address; "" for an anonymous edit. */
  readonly address: string
  /**
   * False for an editor, who may write pages and media files only, see `format/guarded-files.ts`. Every author of a request says it; the
   * user of the command line and of the library is the owner.
   */
  readonly isOwner?: boolean
}

/** A blob that the repository has, by its hash. */
export interface KnownBlob {
  readonly blob: string
}

/** The new content of one path; null deletes it. */
export interface FileChange {
  readonly path: string
  readonly content: Uint8Array | KnownBlob | null
  /** Blob of the work-tree file that the content derives from (null: it was deleted): the file gets the content. */
  readonly work?: string | null
  /** The content is raw blob data; otherwise git's filters are applied. */
  readonly isBlob?: boolean
}

/** The content of one write. A plan produces it from the current state of the index. */
export interface CommitPlan {
  /** A commit to make before this one: the branch gets both at once, or neither. */
  readonly first?: CommitPlan
  readonly changes: readonly FileChange[]
  readonly author: Author
  /** Edit summary; "" writes the subject instead and reads back as "". */
  readonly comment: string
  /** Commit subject where the comment is empty, e.g. `Edit Main Page`. */
  readonly subject: string
  readonly minor?: boolean
  readonly bot?: boolean
  /** Hash of the commit that this one reverts (rollback, undo). */
  readonly reverts?: string
  /** Author time; now if omitted. */
  readonly time?: Date
  /** Layout into which the commit moves the wiki's files: pages that only change folders get no revision. */
  readonly layout?: WikiConfig['layout']
  /** Path at which the commit restores a deleted page. */
  readonly restored?: string
  /** Path of a page that moves to the one new path of the commit, if its text alone does not identify it. */
  readonly moved?: string
}

/** Result of a write. */
export interface Committed {
  /** Hash of the new commit; null if nothing had to change. */
  readonly commit: string | null
  /** Work-tree files left unchanged because they have uncommitted changes. */
  readonly leftAlone: readonly string[]
}
