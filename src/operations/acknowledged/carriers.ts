/** Commits of the branch that brought the change of an acknowledged commit which the branch lacks, such as a squashed merge. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { PathChange } from '../../store/git/backend.ts'
import { changesOfFile, deletedAt } from '../../store/index/deletions.ts'

/** A change that the branch contains, although it lacks the commit. */
export interface HeldChange {
  readonly commit: string
  readonly change: PathChange
  /** Path of the page at the tip. */
  readonly path: string
  /** Blob of the last text that contains it; null for a missing file. */
  readonly text: string | null
}

/** Returns true if a file with this blob contains the change. */
type Holds = (change: PathChange, blob: string) => Promise<boolean>

/**
 * Lists the commits that brought the changes. They take the places of the acknowledged ones: the edits would otherwise be forgotten,
 * and could be lost without a report. A commit from which the acknowledged one descends brought nothing.
 */
export async function carriersOf(
  record: BranchRecord,
  held: readonly HeldChange[],
  isHeldBy: Holds,
): Promise<ReadonlySet<string>> {
  const carriers = new Set<string>()
  const fork = forkReader(record)
  for (const one of held) {
    const { commit } = one
    const ordinal = await carrierOf(record, one, isHeldBy)
    if (ordinal === undefined) continue
    const { hash } = record.index.commit(ordinal)
    if (ordinal > (await fork(commit)) || !(await record.descends(commit, hash))) carriers.add(hash)
  }
  return carriers
}

async function carrierOf(
  record: BranchRecord,
  { change, path, text }: HeldChange,
  isHeldBy: Holds,
): Promise<number | undefined> {
  const { index } = record
  if (record.kindOf(path) === 'file') return changesOfFile(index, path)[0]
  const page = index.pages.atPath(path)
  if (page === undefined) {
    const gone = deletedAt(index, path)
    return gone === undefined ? undefined : (index.pages.at(gone).deletedBy ?? undefined)
  }
  const last = revisionWith(record, index.pages.at(page).latest, text)
  let at = await firstHolding(record, last, change, isHeldBy)
  for (let merges = 0; merges < depth; merges++) {
    const below = await belowMerge(record, at, { change, path }, isHeldBy)
    if (below === null) break
    at = await firstHolding(record, below, change, isHeldBy)
  }
  return index.revision(at).commit
}

/** The page's revision that a merge took the change from: the one before it in the index may be that of the other side. */
async function belowMerge(
  record: BranchRecord,
  revision: number,
  { change, path }: Pick<HeldChange, 'change' | 'path'>,
  isHeldBy: Holds,
): Promise<number | null> {
  const { index } = record
  const { parents = [] } = (await record.header(index.commit(index.revision(revision).commit).hash)) ?? {}
  for (const parent of parents.length < 2 ? [] : parents) {
    const blob = await record.blobAt(parent, path)
    if (blob === null || !(await isHeldBy(change, blob))) continue
    let at = index.log.previousOf(revision)
    for (let steps = 0; at !== null && steps < depth; steps++) {
      if (index.log.blobOf(at) === blob) return at
      at = index.log.previousOf(at)
    }
  }
  return null
}

/** Returns the last of a page's revisions with a text; the latest one if none has it. */
function revisionWith({ index }: BranchRecord, latest: number, blob: string | null): number {
  let at: number | null = latest
  for (let steps = 0; at !== null && steps < depth; steps++) {
    if (index.log.blobOf(at) === blob) return at
    at = index.log.previousOf(at)
  }
  return latest
}

/** Revisions of a page in which a replaced change is looked for. */
const depth = 50

/**
 * Returns the last of a page's texts that contains the change, if a commit of the wiki followed it, whose author saw the change; null if
 * there is none. Another commit, such as a squashed one, had brought the change.
 */
export async function replacedText(
  record: BranchRecord,
  { change, path }: Pick<HeldChange, 'change' | 'path'>,
  fork: number,
  { own, isHeldBy }: { readonly own: ReadonlySet<string>; readonly isHeldBy: Holds },
): Promise<string | null> {
  const { index } = record
  const page = index.pages.atPath(path) ?? deletedAt(index, path)
  if (page === undefined || change.after === null) return null
  const { latest, deletedBy } = index.pages.at(page)
  let next = deletedBy
  let at: number | null = latest
  for (let steps = 0; at !== null && steps < depth; steps++) {
    const { commit } = index.revision(at)
    if (commit <= fork) return null
    const blob = index.log.blobOf(at)
    if (await isHeldBy(change, blob)) return next !== null && own.has(index.commit(next).hash) ? blob : null
    next = commit
    at = index.log.previousOf(at)
  }
  return null
}

/** The first of a page's revisions, up to the latest, since which it has the change. The steps back grow, then halve. */
async function firstHolding(
  { index }: BranchRecord,
  latest: number,
  change: PathChange,
  isHeldBy: Holds,
): Promise<number> {
  const holds = async (revision: number) => isHeldBy(change, index.log.blobOf(revision))
  const back = (from: number, steps: number) => {
    let at = from
    for (let step = 0; step < steps; step++) at = index.log.previousOf(at) ?? at
    return at
  }
  let first = latest
  let steps = 1
  for (let at = back(first, steps); at !== first && (await holds(at)); at = back(first, steps)) {
    first = at
    steps *= 2
  }
  for (; steps >= 1; steps = Math.floor(steps / 2)) {
    const at = back(first, steps)
    if (at !== first && (await holds(at))) first = at
  }
  return first
}

/** Returns a function to the ordinal of the newest indexed ancestor of a commit by first parents; -1 if there is none. */
export function forkReader(record: BranchRecord): (commit: string) => Promise<number> {
  const found = new Map<string, number>()
  return async commit => {
    const path: string[] = []
    let at: string | undefined = commit
    while (at !== undefined && !found.has(at) && !record.index.log.hasCommit(at)) {
      path.push(at)
      at = (await record.header(at))?.parents[0]
    }
    const known = at === undefined ? -1 : (found.get(at) ?? record.index.log.commitsWithPrefix(at)[0] ?? -1)
    for (const one of path) found.set(one, known)
    return known
  }
}
