/** Media files that differ between two commits. */

import { mediaFormats } from '../../core/file.ts'
import type { PathChange } from '../../store/git/backend.ts'
import { readPointer } from '../../store/git/lfs.ts'
import { kindOfPath } from '../../store/index/record-writer.ts'
import type { Store } from '../../store/store.ts'
import { similarFiles } from './similar-files.ts'

/** A media file that changed. */
export interface FileChange {
  readonly kind: 'changed' | 'added' | 'deleted' | 'moved'
  /** Path from the top of the repository. */
  readonly path: string
  /** Path before, if the file has moved. */
  readonly from?: string
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
  const others = (await store.trees.changesBetween(from, to, null)).filter(({ path }) => isMisnamed(store, path))
  const changes = await pairMoves(store, [...(await store.trees.changesBetween(from, to, 'file')), ...others])
  const blobs = changes.flatMap(({ before, after }) => [before, after].filter(blob => blob !== null))
  const sizes = await store.sizesOf(blobs)
  const sizeOf = new Map(blobs.map((blob, at) => [blob, sizes[at] ?? null]))
  return changes.map(({ path, from, before, after }): ComparedFile => {
    const size = (blob: string | null): number | null => (blob === null ? null : (sizeOf.get(blob) ?? null))
    const picture = async (blob: string | null, path: string): Promise<string | null> => {
      const mime = mimeOf(path)
      if (blob === null || mime === null || (size(blob) ?? largestPicture + 1) > largestPicture) return null
      const bytes = await store.blob(blob)
      return readPointer(bytes) !== null ? null : `data:${mime};base64,${bytes.toString('base64')}`
    }
    return {
      kind: from !== undefined ? 'moved' : before === null ? 'added' : after === null ? 'deleted' : 'changed',
      path,
      ...(from !== undefined && { from }),
      size: { from: size(before), to: size(after) },
      pictures: async () => ({ from: await picture(before, from ?? path), to: await picture(after, path) }),
    }
  })
}

type MovedChange = PathChange & { readonly from?: string }

/** Pairs a deleted file and a new one as a moved file: of equal or similar content, or of one name in two folders. */
async function pairMoves(store: Store, changes: readonly PathChange[]): Promise<MovedChange[]> {
  const gone = new Map(changes.flatMap(({ path, before, after }) => (after === null ? [[path, before] as const] : [])))
  const come = new Map(changes.flatMap(({ path, before, after }) => (before === null ? [[path, after] as const] : [])))
  // Latin-1 has a character for each byte, and line feeds divide compressed data as they divide text.
  const textOf = async (blob: string | null | undefined): Promise<string> => {
    const [size = null] = blob == null ? [] : await store.sizesOf([blob])
    return blob == null || size === null || size > largestPicture ? '' : (await store.blob(blob)).toString('latin1')
  }
  const moves = await similarFiles({
    gone,
    come,
    goneText: path => textOf(gone.get(path)),
    comeText: path => textOf(come.get(path)),
  })
  const taken = new Set(moves.values())
  const left = [...gone.keys()].filter(path => !moves.has(path))
  for (const [from, to] of sameNames(
    left,
    [...come.keys()].filter(path => !taken.has(path)),
  ))
    moves.set(from, to)
  const sources = new Map([...moves].map(([from, to]) => [to, from]))
  return changes.flatMap((change): MovedChange[] => {
    if (moves.has(change.path)) return []
    const from = sources.get(change.path)
    return [from === undefined ? change : { ...change, from, before: gone.get(from)! }]
  })
}

/** Pairs paths with the same file name, if only one path of each list has it. */
function sameNames(gone: readonly string[], come: readonly string[]): [from: string, to: string][] {
  const byName = (paths: readonly string[]): Map<string, string[]> => {
    const names = new Map<string, string[]>()
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      names.set(name, [...(names.get(name) ?? []), path])
    }
    return names
  }
  const others = byName(come)
  return [...byName(gone)].flatMap(([name, [from, second]]): [string, string][] => {
    const [to, third] = others.get(name) ?? []
    return from === undefined || to === undefined || second !== undefined || third !== undefined ? [] : [[from, to]]
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
