/** The answer to an edit that cannot be merged: what both sides did to the text. Source: SPEC 4.4, REST.md 14. */

import { WikiError } from '../core/errors.ts'
import { compareTexts } from '../diff/compare-texts.ts'
import type { PageEntry, RevisionEntry } from '../store/entries.ts'

/** The three texts of a conflict, as the file would hold them. */
export interface ConflictTexts {
  readonly base: string
  readonly current: string
  readonly submitted: string
}

/** Makes the error of an edit conflict; its data are the differences, `local` to the submitted, `remote` to the latest text. */
export function editConflict(page: PageEntry, base: RevisionEntry, texts: ConflictTexts): WikiError {
  return new WikiError('edit-conflict', {
    params: [page.title],
    data: {
      base: base.id,
      current: page.latest,
      local: { diff: compareTexts(texts.base, texts.submitted) },
      remote: { diff: compareTexts(texts.base, texts.current) },
    },
  })
}
