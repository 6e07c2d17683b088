/** What readers may not see of a revision. Source: REST.md 7, 8 and 9. */

import type { HideablePart } from '../core/config.ts'
import { WikiError } from '../core/errors.ts'
import type { User } from '../core/revision.ts'
import type { RevisionEntry } from '../store/entries.ts'

/** True if a part of a revision is hidden. */
export function isHidden({ hidden }: Pick<RevisionEntry, 'hidden'>, part: HideablePart): boolean {
  return hidden.includes(part)
}

/** Gives author and comment as readers may see them. */
export function shownPeople(revision: Pick<RevisionEntry, 'user' | 'comment' | 'hidden'>): {
  user: User | null
  comment: string | null
} {
  return {
    user: isHidden(revision, 'user') ? null : revision.user,
    comment: isHidden(revision, 'comment') ? null : revision.comment,
  }
}

/** Throws `rest-permission-denied-revision` where the text of a revision is hidden. */
export function checkShown(revision: RevisionEntry): void {
  if (!isHidden(revision, 'text')) return
  throw new WikiError('rest-permission-denied-revision', {
    params: [revision.id],
    hint: `It is hidden, not gone: wiki revision show ${revision.id}`,
  })
}
