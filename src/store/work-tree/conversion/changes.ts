/** The changes of a commit, as its blobs hold them. */

import type { FileChange } from '../../format/entries.ts'
import { type ConversionPlace, toBlob } from './conversion.ts'

/** Applies git's filters to the contents of changes that come from editors. Throws `wiki-conversion-failed`. */
export function convertChanges(place: ConversionPlace, changes: readonly FileChange[]): Promise<FileChange[]> {
  return Promise.all(
    changes.map(async change => {
      const { path, content, isBlob } = change
      if (isBlob || !(content instanceof Uint8Array)) return change
      return { ...change, content: await toBlob(place, path, content, 'editor') }
    }),
  )
}
