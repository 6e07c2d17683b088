/** The patch of one file of a commit that is not made yet. */

import { movePatch, unifiedPatch } from '../../diff/unified.ts'

/** A file before and after. */
export interface PatchedFile {
  readonly from: string
  readonly to: string
  readonly fromPath: string
  readonly toPath: string
  /** `move` and `copy` name the other path in the patch even if the text stays the same; `edit` if omitted. */
  readonly kind?: 'edit' | 'move' | 'copy'
}

/** Writes the patch of one file. Errors: wiki-texts-too-complex. */
export function patchOfFile({ from, to, fromPath, toPath, kind = 'edit' }: PatchedFile): string {
  if (kind === 'edit') return unifiedPatch(from, to, { fromPath, toPath })
  return movePatch(from, to, { fromPath, toPath, isCopy: kind === 'copy' })
}
