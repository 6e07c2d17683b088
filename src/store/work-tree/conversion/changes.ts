/** Converts the changes of a commit to blobs. */

import type { FileChange } from '../../format/entries.ts'
import { Conversion } from './conversion.ts'
import type { ConversionPlace } from './private-tree.ts'

/** Maximum contents that are converted in the work tree itself, each by its own git process. */
const fewContents = 4

/** Applies git's conversion to the contents of changes that come from editors. Throws `wiki-conversion-failed`. */
export async function convertChanges(place: ConversionPlace, changes: readonly FileChange[]): Promise<FileChange[]> {
  const conversion = new Conversion(place)
  const isMany = changes.filter(isEdited).length > fewContents
  try {
    const converted: FileChange[] = []
    for (const change of changes) {
      const { path, content } = change
      if (!isEdited(change)) converted.push(change)
      else if (isMany)
        converted.push({ ...change, content: await conversion.toBlobOfMany(path, content as Uint8Array) })
      else converted.push({ ...change, content: await conversion.toBlob(path, content as Uint8Array, 'editor') })
    }
    return converted
  } finally {
    conversion.end()
  }
}

function isEdited({ content, isBlob }: FileChange): boolean {
  return !isBlob && content instanceof Uint8Array
}
