/** Media files of the index. */

import type { FileEntry, FileVersion } from './format/entries.ts'
import { hiddenParts } from './format/hidden-revisions.ts'
import { comparePaths } from './format/paths.ts'
import type { GitBackend } from './git/backend.ts'
import { blobAt } from './git/tree-file.ts'
import { changesOfCommit, type ReadObject } from './git/walk.ts'
import type { Placed } from './index/base-rows.ts'
import { changesOfFile } from './index/deletions.ts'
import { kindOfPath } from './index/record-writer.ts'
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

/** Maximum commits that are examined for the versions of one file. */
const maxChanges = 500

/**
 * Lists the versions of a media file, the latest first, also those it had at paths from which it was moved without a change. In a
 * shallow clone, and where objects are missing, the oldest are left out.
 */
export async function versionsOfFile(
  view: IndexView,
  read: ReadObject,
  { path }: Pick<FileEntry, 'path'>,
  limit: number,
): Promise<FileVersion[]> {
  const versions: FileVersion[] = []
  let looked = 0
  let below = Number.POSITIVE_INFINITY
  for (let at: string | null = path; at !== null; ) {
    const commits: readonly number[] = changesOfFile(view.index, at).filter(ordinal => ordinal < below)
    if (commits.length === 0) break
    for (const ordinal of commits) {
      if (versions.length > limit || looked++ >= maxChanges) return versions.slice(0, limit)
      const version = await versionAt(view, read, at, ordinal)
      if (version === null) continue
      // A move, and a merge that took over what a branch had brought, change nothing.
      if (versions.at(-1)?.blob === version.blob) versions.pop()
      versions.push(version)
    }
    below = commits.at(-1)!
    at = await movedFrom(view, read, at, below)
  }
  return versions.slice(0, limit)
}

async function versionAt(
  { index, config }: IndexView,
  read: ReadObject,
  path: string,
  ordinal: number,
): Promise<FileVersion | null> {
  const commit = index.commit(ordinal)
  const blob = await blobAt(read, commit.hash, path).catch(() => null)
  if (blob === null) return null
  const { user, name } = index.author(commit.author)
  return {
    path,
    blob,
    commit: commit.hash,
    timestamp: isoTime(commit.time),
    user: { id: user, name },
    comment: index.comment(commit),
    // The text that is hidden may be that of a page which the same commit changed.
    hidden: [
      ...commit.hidden,
      ...hiddenParts(config.hidden, commit.hash).filter(part => part !== 'text'),
      ...(config.hidden[`${commit.hash}/${blob}`]?.parts ?? []),
    ],
  }
}

/** Path from which a commit moved a file to a path; null for one that it added there. */
async function movedFrom(
  { index, rules }: IndexView,
  read: ReadObject,
  path: string,
  ordinal: number,
): Promise<string | null> {
  const filter = (one: string): boolean => kindOfPath(one, rules.root) === 'file'
  const options = { shallow: new Set<string>(), filter }
  const found = await changesOfCommit(read, index.commit(ordinal).hash, options).catch(() => null)
  const own = found?.changes.find(change => change.path === path)
  if (own === undefined || own.before !== null || own.after === null) return null
  return found?.changes.find(({ before, after }) => after === null && before === own.after)?.path ?? null
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
