/** Files that Git LFS keeps outside of git: the blob is a pointer, and the content lies in the git directory. Nothing is fetched. */

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import type { FileEntry, LfsObject } from '../format/entries.ts'
import type { GitBackend } from './backend.ts'

/** Minimum and maximum bytes of a pointer. */
const pointerBytes = { least: 100, most: 1024 }

/**
 * Returns a media file with the size and the place of its content, if its blob is a pointer; otherwise the file itself.
 * Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
export async function withLfsContent(
  file: FileEntry,
  { backend, directory }: { readonly backend: Pick<GitBackend, 'read'>; readonly directory: string },
): Promise<FileEntry> {
  if (file.lfs !== undefined || file.size < pointerBytes.least || file.size > pointerBytes.most) return file
  const pointer = readPointer((await backend.read(file.blob)).content)
  if (pointer === null) return file
  const path = placeOf(pointer.oid, directory)
  const isThere = await hasSize(path, pointer.size)
  return { ...file, size: pointer.size, lfs: { oid: pointer.oid, path: isThere ? path : null } }
}

/** Returns those of the blobs that are pointers whose content is not in this clone. */
export async function lackingLfsContent(
  blobs: readonly string[],
  { backend, directory }: { readonly backend: Pick<GitBackend, 'read' | 'sizes'>; readonly directory: string },
): Promise<ReadonlySet<string>> {
  const lacking = new Set<string>()
  const left = blobs.values()
  for await (const sizes of backend.sizes(blobs)) {
    for (const size of sizes) {
      const blob = left.next().value as string
      if (size === null || size < pointerBytes.least || size > pointerBytes.most) continue
      const pointer = readPointer((await backend.read(blob)).content)
      if (pointer !== null && !(await hasSize(placeOf(pointer.oid, directory), pointer.size))) lacking.add(blob)
    }
  }
  return lacking
}

function placeOf(oid: string, directory: string): string {
  return join(directory, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid)
}

/** Reads a pointer; returns null for any other content. */
export function readPointer(content: Buffer): { readonly oid: string; readonly size: number } | null {
  const text = content.toString('latin1')
  if (!text.startsWith('version https://git-lfs.github.com/spec/') || text.length > pointerBytes.most) return null
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1]
  const size = /^size (\d{1,15})$/m.exec(text)?.[1]
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) }
}

/** Content of another size is still being fetched, or damaged. */
async function hasSize(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() === true && found.size === size
}

/** Reads the content in pieces. Throws `wiki-lfs-missing` if this clone lacks it. */
export async function* lfsContent(file: Pick<FileEntry, 'title'>, { path }: LfsObject): AsyncIterable<Buffer> {
  if (path === null) throw new WikiError('wiki-lfs-missing', { params: [file.title], hint: 'git lfs pull' })
  yield* createReadStream(path) as AsyncIterable<Buffer>
}
