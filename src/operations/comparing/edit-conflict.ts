/**
 * Describes an edit conflict: the changes that both sides made to the text. Source: MediaWiki REST API reference,
 * "Update page".
 */

import type { DiffElement } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'

/** Changes of both sides against the base; null for a comparison that is too large to report. */
export interface ConflictSides {
  readonly local: readonly DiffElement[] | null
  readonly remote: readonly DiffElement[] | null
}

/**
 * Creates the error of an edit conflict. Its data are the differences: `local` to the submitted text, `remote` to the
 * latest one. A difference that is too large is omitted. `hint` tells how to resolve the conflict.
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
