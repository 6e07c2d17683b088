/** Withholds the hidden parts of revisions from readers. */

import { WikiError } from '../../core/errors.ts'
import type { FileUser } from '../../core/file.ts'
import type { User } from '../../core/revision.ts'
import type { HideablePart } from '../../core/wiki-config.ts'
import type { FileEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'

/** Returns true if a part of a revision is hidden. */
export function isHidden({ hidden }: Pick<RevisionEntry, 'hidden'>, part: HideablePart): boolean {
  return hidden.includes(part)
}

/**
 * Returns true if the wiki hides the text that a commit wrote to a page, whether or not that commit is in the history.
 */
export function isHiddenText(store: Store, commit: string, blob: string): boolean {
  return store.hiddenState({ commit, blob })?.parts.includes('text') ?? false
}

/** Returns true if the texts of these revisions can be read. Null is the empty text before a page's first revision. */
export function areReadable(store: Store, ids: readonly (number | null)[]): boolean {
  return ids.every(id => {
    const entry = id === null ? null : store.revision(id, { deleted: true })
    return entry === null || (entry !== undefined && !isHidden(entry, 'text'))
  })
}

/** Returns the visible author and comment. */
export function visiblePeople(revision: Pick<RevisionEntry, 'user' | 'comment' | 'hidden'>): {
  user: User | null
  comment: string | null
} {
  return {
    user: isHidden(revision, 'user') ? null : revision.user,
    comment: isHidden(revision, 'comment') ? null : revision.comment,
  }
}

/**
 * Returns the visible uploader of a file. Unlike that of a revision, one without an account has the id 0.
 *
 * Source: MediaWiki MediaFileTrait::getFileInfo.
 */
export function visibleUploader(file: Pick<FileEntry, 'user' | 'hidden'>): FileUser {
  const { id, name } = file.user
  return isHidden(file, 'user') ? { id: null, name: null } : { id: id ?? 0, name }
}

/**
 * Returns the visible text of a page's latest revision: "" if it is hidden. `wiki revision hide` refuses to hide it,
 * but an older revision becomes the latest when a branch is reset, and wiki.json can be edited by hand.
 */
export function shownText(revision: Pick<RevisionEntry, 'hidden'>, text: string): string {
  return isHidden(revision, 'text') ? '' : text
}

/** Throws `rest-permission-denied-revision` if the text of a revision is hidden. */
export function checkVisible(revision: RevisionEntry): void {
  if (!isHidden(revision, 'text')) return
  throw new WikiError('rest-permission-denied-revision', {
    params: [revision.id],
    hint: `It is hidden, not gone: wiki revision show ${revision.id}`,
  })
}
