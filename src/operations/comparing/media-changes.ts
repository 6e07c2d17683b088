/** Media files that differ between two commits. */

import { mediaFormats } from '../../core/file.ts'
import { kindOfPath } from '../../store/index/ledger.ts'
import type { Store } from '../../store/store.ts'

/** A media file that changed. */
export interface FileChange {
  readonly kind: 'changed' | 'added' | 'deleted'
  /** Path from the top of the repository. */
  readonly path: string
  /** Bytes before and after; null if the file does not exist there. */
  readonly size: { readonly from: number | null; readonly to: number | null }
}

/** The same with its content. */
export interface ComparedFile extends FileChange {
  /** Returns the image before and after as `data` URLs, if browsers display its format; null for any other file. */
  readonly pictures: () => Promise<{ readonly from: string | null; readonly to: string | null }>
}

/** Maximum size of an image embedded in a page, in bytes. */
const largestPicture = 2 * 1024 * 1024

/**
 * Lists media files that differ, and files that would be pages or media if their names were UTF-8. Pointers of Git LFS
 * count as the small texts that they are.
 */
export async function compareMedia(store: Store, from: string, to: string): Promise<ComparedFile[]> {
  const others = (await store.changesBetween(from, to, null)).filter(({ path }) => isMisnamed(store, path))
  const changes = [...(await store.changesBetween(from, to, 'file')), ...others]
  const blobs = changes.flatMap(({ before, after }) => [before, after].filter(blob => blob !== null))
  const sizes = await store.sizesOf(blobs)
  const sizeOf = new Map(blobs.map((blob, at) => [blob, sizes[at] ?? null]))
  return changes.map(({ path, before, after }): ComparedFile => {
    const size = (blob: string | null): number | null => (blob === null ? null : (sizeOf.get(blob) ?? null))
    const picture = async (blob: string | null): Promise<string | null> => {
      const mime = mimeOf(path)
      if (blob === null || mime === null || (size(blob) ?? largestPicture + 1) > largestPicture) return null
      const bytes = await store.bytes(blob)
      return bytes.toString('latin1', 0, 40).startsWith('version https://git-lfs.')
        ? null
        : `data:${mime};base64,${bytes.toString('base64')}`
    }
    return {
      ...{ path, kind: before === null ? 'added' : after === null ? 'deleted' : 'changed' },
      size: { from: size(before), to: size(after) },
      pictures: async () => ({ from: await picture(before), to: await picture(after) }),
    }
  })
}

/** Returns true for a name that is not UTF-8, which contains U+FFFD in its path here. */
function isMisnamed({ config }: Store, path: string): boolean {
  return path.includes('\ufffd') && kindOfPath(path.replaceAll('\ufffd', '_'), config.root) !== null
}

function mimeOf(path: string): string | null {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const mime = Object.hasOwn(mediaFormats, extension) ? mediaFormats[extension]!.mime : ''
  return mime.startsWith('image/') && mime !== 'image/tiff' ? mime : null
}
