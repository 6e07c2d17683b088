/** Files that Git LFS keeps outside of git: the blob is a pointer, and the content lies in the git directory. Nothing is fetched. */

import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import type { AwaitedFiles } from '../../files/awaited-files.ts'
import { readBytesLater, readStream } from '../../files/read-file.ts'
import type { FileEntry, LfsObject } from '../format/entries.ts'
import type { GitBackend } from './backend.ts'
import { isUnreadable } from './read-past-damage.ts'

/** Minimum and maximum bytes of a pointer. */
export const pointerBytes = { least: 100, most: 1024 }

/** "v", with which each pointer begins: most texts of that size need not be decoded. */
const firstByte = 0x76

/** Maximum bytes of a page's text in LFS: a pointer of a few bytes must not make a reader take memory without end. */
export const largestText = 16 * 1024 * 1024

/** The common git directory, where Git LFS keeps contents, and where those that it lacks are noted. */
interface LfsPlace {
  readonly directory: string
  readonly lacking: AwaitedFiles
}

/**
 * Returns a media file with the size and the place of its content, if its blob is a pointer; otherwise the file itself.
 * Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
export async function withLfsContent(
  file: FileEntry,
  { backend, directory, lacking }: LfsPlace & { readonly backend: Pick<GitBackend, 'read'> },
): Promise<FileEntry> {
  if (file.lfs !== undefined || file.size < pointerBytes.least || file.size > pointerBytes.most) return file
  const pointer = readPointer((await backend.read(file.blob)).content)
  if (pointer === null) return file
  const path = placeOf(pointer.oid, directory)
  const isThere = await hasContent(path, pointer)
  if (!isThere) lacking.add(path)
  return { ...file, size: pointer.size, lfs: { oid: pointer.oid, path: isThere ? path : null } }
}

type Blobs = Pick<GitBackend, 'read' | 'sizes'>

/** Returns those of the blobs that are pointers whose content is not in this clone. */
export async function lackingLfsContent(
  blobs: readonly string[],
  { backend, directory }: { readonly backend: Blobs; readonly directory: string },
): Promise<ReadonlySet<string>> {
  const lacking = new Set<string>()
  for await (const [blob, pointer] of pointersAmong(blobs, backend))
    if (!(await hasContent(placeOf(pointer.oid, directory), pointer))) lacking.add(blob)
  return lacking
}

/**
 * Returns the content that a page's blob refers to, or the blob itself if it is not a pointer; null if this clone lacks the content.
 * Throws `rest-resource-limit-exceeded` for a content beyond `largestText`.
 */
export async function textContent(blob: Buffer, { directory, lacking }: LfsPlace): Promise<Buffer | null> {
  const pointer = readPointer(blob)
  if (pointer === null) return blob
  if (pointer.size > largestText)
    throw new WikiError('rest-resource-limit-exceeded', { params: ['content in Git LFS', `${largestText} bytes`] })
  const path = placeOf(pointer.oid, directory)
  const content = (await hasContent(path, pointer)) ? await readBytesLater(path).catch(() => null) : null
  if (content?.length === pointer.size) return content
  lacking.add(path)
  return null
}

async function* pointersAmong(
  blobs: readonly string[],
  backend: Blobs,
): AsyncIterable<readonly [blob: string, pointer: Pointer]> {
  const left = blobs.values()
  for await (const sizes of backend.sizes(blobs)) {
    for (const size of sizes) {
      const blob = left.next().value as string
      if (size === null || size < pointerBytes.least || size > pointerBytes.most) continue
      const content = await readable(backend, blob)
      const pointer = content === null ? null : readPointer(content)
      if (pointer !== null) yield [blob, pointer]
    }
  }
}

/** Null for a blob that is damaged, which is a problem of its own. */
async function readable(backend: Blobs, blob: string): Promise<Buffer | null> {
  try {
    return (await backend.read(blob)).content
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return null
  }
}

interface Pointer {
  readonly oid: string
  readonly size: number
}

function placeOf(oid: string, directory: string): string {
  return join(directory, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid)
}

/** Reads a pointer; returns null for any other content. */
export function readPointer(content: Buffer): Pointer | null {
  if (content.length < pointerBytes.least || content.length > pointerBytes.most || content[0] !== firstByte) return null
  const text = content.toString('latin1')
  if (!text.startsWith('version https://git-lfs.github.com/spec/')) return null
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1]
  const size = /^size (\d{1,15})$/m.exec(text)?.[1]
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) }
}

/** The pointer that Git LFS makes of a content. */
export function pointerTo(content: Uint8Array): Buffer {
  // Git LFS leaves an empty file as it is.
  if (content.length === 0) return Buffer.from(content)
  const oid = createHash('sha256').update(content).digest('hex')
  return Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`)
}

/** Hashes that were checked, by path and the state of the file. */
const checked = new Map<string, { readonly state: string; readonly oid: string }>()

/** Files whose hash is remembered. */
const checkedLimit = 10_000

/** Content of another size is still being fetched; that of another hash is damaged. */
async function hasContent(path: string, { oid, size }: Pointer) {
  const found = await stat(path, { bigint: true }).catch(() => null)
  if (found === null || !found.isFile() || Number(found.size) !== size) return false
  const state = `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`
  const cached = checked.get(path)
  if (cached?.state === state) return cached.oid === oid
  const hash = await hashOf(path)
  if (hash === null) return false
  if (checked.size >= checkedLimit) checked.clear()
  checked.set(path, { state, oid: hash })
  return hash === oid
}

/** SHA-256 of a file in hexadecimal; null if it cannot be read. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const piece of readStream(path)) hash.update(piece as Buffer)
  } catch {
    return null
  }
  return hash.digest('hex')
}

/** Error for content that this clone lacks. */
export function lackingContent(name: string): WikiError {
  return new WikiError('wiki-lfs-missing', { params: [name], hint: 'git lfs pull' })
}

/** Reads the content in pieces. Throws `wiki-lfs-missing` if this clone lacks it. */
export async function* lfsContent(file: Pick<FileEntry, 'title'>, { path }: LfsObject): AsyncIterable<Buffer> {
  if (path === null) throw lackingContent(file.title)
  yield* readStream(path) as AsyncIterable<Buffer>
}
