/** The answer to an edit that cannot be merged: what both sides did to the text. Source: SPEC 4.4, REST.md 14. */

import type { DiffElement } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'

/** What both sides did to the base; null where it is too large to be told. */
export interface ConflictSides {
  readonly local: readonly DiffElement[] | null
  readonly remote: readonly DiffElement[] | null
}

/**
 * Makes the error of an edit conflict; its data are the differences, `local` to the submitted, `remote` to the latest text.
 * A difference that is too large to be told is left out. `hint` tells how to settle it.
 */
export function editConflict(
  page: PageEntry,
  base: RevisionEntry,
  { local, remote }: ConflictSides,
  hint?: string,
): WikiError {
  return new WikiError('edit-conflict', {
    params: [page.title],
    ...(hint !== undefined && { hint }),
    data: {
      base: base.id,
      current: page.latest,
      ...(local !== null && { local: { diff: local } }),
      ...(remote !== null && { remote: { diff: remote } }),
    },
  })
}
