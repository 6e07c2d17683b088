/**
 * Refs that protect the objects of acknowledged commits from `git gc` if the branch loses them. One names the newest commit, and one
 * each earlier commit that is not an ancestor of a later one. They have no reflog.
 */

import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../files/private-files.ts'
import { prepareFile } from '../repository/durable-file.ts'
import { listRefs } from '../repository/list-refs.ts'
import { clearFolder, clearLeftovers, takeLockFile } from '../repository/lock-file.ts'
import { type Repository, readRefIfSound } from '../repository/repository.ts'
import type { RecordPaths } from './record-paths.ts'

/** A full ref name, and the commit that it is to name. */
export interface NamedCommit {
  readonly name: string
  readonly commit: string
}

/** A ref's new value, synced to disk under another name. */
export interface PreparedRef {
  /** Puts it in place. */
  readonly publish: () => Promise<void>
  readonly discard: () => Promise<void>
}

/** Writes a ref's new value beside the newest one and syncs it, so that a power cut leaves no empty ref behind. */
export async function prepareRef(
  { commonDirectory }: Repository,
  { newest }: RecordPaths,
  { name, commit }: NamedCommit,
): Promise<PreparedRef> {
  const path = join(commonDirectory, name)
  const prepared = await prepareFile(path, `${commit}\n`, { beside: join(commonDirectory, newest) })
  const discard = async () => prepared.discard()
  const publish = async () => {
    if (name !== newest) makeFolder(dirname(path))
    // Git packs and removes loose refs under this lock.
    const release = await takeLockFile(path, { abandonedAfter })
    try {
      prepared.publish()
    } finally {
      release()
    }
  }
  return { publish, discard }
}

/**
 * Milliseconds after which a lock of another program is abandoned. Git holds one here for an instant, to pack or prune refs; without it the
 * worst is a ref that the next edit writes again. A lock that stays would leave every later edit without a ref.
 */
const abandonedAfter = 10 * 60 * 1000

/** Returns the newest acknowledged commit; null if there is none, or the ref is damaged. */
export function newestAcknowledged(repository: Repository, { newest }: RecordPaths): string | null {
  return readRefIfSound(repository, newest)
}

/** Returns the commits that the refs of a record name. */
export function namedHeads(repository: Repository, place: RecordPaths): ReadonlySet<string> {
  const newest = newestAcknowledged(repository, place)
  return new Set([...leftHeads(repository, place), ...(newest === null ? [] : [newest])])
}

/** Returns the heads from which later acknowledged commits do not descend. */
export function leftHeads(repository: Repository, { leftBehind }: RecordPaths): string[] {
  return [...listRefs(repository, [leftBehind.replace(/\/$/, '')])].map(name => basename(name))
}

/** Removes files that killed processes left beside the record. */
export function clearRefs({ commonDirectory }: Repository, { newest, leftBehind, log, verified }: RecordPaths): void {
  clearLeftovers(join(commonDirectory, newest))
  clearFolder(join(commonDirectory, leftBehind))
  clearLeftovers(log)
  clearLeftovers(verified)
}
