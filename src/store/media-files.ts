/** Media files of the index. */

import type { FileEntry } from './format/entries.ts'
import { hiddenParts } from './format/hidden-revisions.ts'
import { comparePaths } from './format/paths.ts'
import type { GitBackend } from './git/backend.ts'
import type { Placed } from './index/base-rows.ts'
import type { StoredFile } from './index/revision-index.ts'
import { type IndexView, isoTime } from './revisions.ts'

/** Finds the media file shown under a canonical key. */
export function fileWithKey(view: IndexView, key: string): FileEntry | undefined {
  const { files } = view.index
  const rows = files.withKey(key).map(ordinal => files.at(ordinal))
  const first = rows.sort((a, b) => comparePaths(a.path, b.path))[0]
  return first === undefined ? undefined : fileOf(view, first)
}

/** Returns media files in order of their folded titles, one for each title. */
export function* filesInOrder(view: IndexView): Iterable<FileEntry> {
  for (const [first] of view.index.files.byTitle()) yield fileWithKey(view, (first as Placed).key) as FileEntry
}

function fileOf({ index, config }: IndexView, row: StoredFile): FileEntry {
  const commit = index.commit(row.commit)
  const author = index.author(commit.author)
  return {
    key: row.key,
    title: row.key.replaceAll('_', ' '),
    path: row.path,
    blob: row.blob,
    size: row.size,
    timestamp: isoTime(commit.time),
    user: { id: author.user, name: author.name },
    commit: commit.hash,
    hidden: [...commit.hidden, ...hiddenParts(config.hidden, commit.hash)],
  }
}

/** Smaller blobs are read whole, which is faster and still bounded. */
const streamedBytes = 4 * 1024 * 1024

/** Returns the bytes of a file, in pieces if it is large. */
export async function* contentOf(
  backend: Pick<GitBackend, 'read' | 'stream'>,
  { blob, size }: Pick<FileEntry, 'blob' | 'size'>,
): AsyncIterable<Buffer> {
  if (size > streamedBytes) yield* backend.stream(blob)
  else yield (await backend.read(blob)).content
}
