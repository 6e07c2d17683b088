/**
 * Revisions that provisional ids named before a pull or a rebase reassigned them. Clients may still use an id as they read it.
 * Git cannot restore this, so it is in a file of its own, `former-ids.json`, synced to disk.
 */

import { crc32 } from 'node:zlib'
import { syncFolder } from '../../files/durable.ts'
import { makeFolder } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { replaceDurably } from '../repository/durable-file.ts'
import type { RevisionIndex } from './revision-index.ts'

/** The revision that an id named. */
export interface FormerRevision {
  readonly id: number
  readonly commit: string
  readonly blob: string
  /** Key of its page, at that time. */
  readonly key: string
}

/** One renumbering. */
interface Renumbering {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly revisions: readonly FormerRevision[]
}

export interface FormerIds {
  /** Time of the last renumbering, milliseconds since 1970, unique; 0 if there was none. */
  readonly last: number
  /** Oldest first. */
  readonly renumberings: readonly Renumbering[]
}

const none: FormerIds = { last: 0, renumberings: [] }

/** Milliseconds that an entry lives: an edit that started earlier is unlikely. */
export const lifetime = 7 * 24 * 60 * 60 * 1000

/** Maximum revisions of one renumbering, and of all; the newest ones. */
const revisionLimit = 20_000

/** Reads the file of an index folder. A missing or unreadable file counts as empty. */
export function readFormerIds(folder: string): FormerIds {
  try {
    const [json = '', sum] = readText(pathIn(folder)).split('\n')
    return sum === String(crc32(json)) ? (JSON.parse(json) as FormerIds) : none
  } catch {
    return none
  }
}

/** Writes the file of an index folder, durably. */
export function writeFormerIds(folder: string, formerIds: FormerIds): void {
  makeFolder(folder)
  const json = JSON.stringify(formerIds)
  replaceDurably(pathIn(folder), `${json}\n${crc32(json)}\n`)
  // It is on the disk before the index that assigns other ids is; the index lock keeps nobody from writing.
  syncFolder(folder)
}

function pathIn(folder: string): string {
  return `${folder}/former-ids.json`
}

/** Returns the former ids, together with those that an index assigned and that its replacement assigns to other revisions. */
export function withRenumbering(former: FormerIds, index: RevisionIndex, next: RevisionIndex): FormerIds {
  const revisions = revisionsBehind(index, lastCommon(index, next))
  const before = former.renumberings.at(-1)?.revisions
  // A process killed before it stored the index, and others that had the same index, report the same again.
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(revisions)) return former
  const time = Math.max(Date.now(), former.last + 1)
  return { last: time, renumberings: newest([...former.renumberings, { time, revisions }], time) }
}

/** Returns true if a commit is on the main line of an index: ids up to it stay. */
export function isOnMainLine({ log }: RevisionIndex, hash: string): boolean {
  const first = Math.max(0, log.commitCount - maxExamined)
  for (let at = log.commitCount - 1; at >= first; at--) if (log.commit(at).hash === hash) return log.commit(at).onChain
  return log.commitsWithPrefix(hash).some(at => log.commit(at).onChain)
}

/** Newest commits that are searched first, because most lookups hit them. */
const maxExamined = 100

/** Ordinal of the last commit of the main line that two indexes share; -1 if there is none. */
function lastCommon(index: RevisionIndex, next: RevisionIndex): number {
  const chain = new Set(next.chain())
  for (let at = 0, last = -1; ; at++) {
    const commit = at < index.commitCount ? index.commit(at) : null
    if (commit === null || (commit.onChain && !chain.has(commit.hash))) return last
    if (commit.onChain) last = at
  }
}

/** Oldest first, so that the same revisions produce the same text. */
function revisionsBehind(index: RevisionIndex, commit: number): readonly FormerRevision[] {
  const revisions: FormerRevision[] = []
  const start = Math.max(index.firstRevisionOf(commit + 1), index.revisionCount - revisionLimit)
  for (let at = start; at < index.revisionCount; at++) {
    const { commit, blob, page } = index.revision(at)
    const { key } = index.pages.at(page)
    revisions.push({ id: index.revisionId(at), commit: index.commit(commit).hash, blob, key })
  }
  return revisions
}

function newest(renumberings: readonly Renumbering[], now: number): Renumbering[] {
  const found: Renumbering[] = []
  let count = 0
  for (const one of renumberings.toReversed()) {
    count += one.revisions.length
    if (found.length > 0 && (count > revisionLimit || now - one.time > lifetime)) break
    found.push(one)
  }
  return found.reverse()
}

/** Returns the revisions that an id named at earlier times, each once. */
export function formerRevisions({ renumberings }: FormerIds, id: number, now = Date.now()): FormerRevision[] {
  const found = new Map<string, FormerRevision>()
  for (const { time, revisions } of renumberings.toReversed()) {
    if (now - time > lifetime) break
    for (const revision of revisions) if (revision.id === id) found.set(`${revision.commit} ${revision.blob}`, revision)
  }
  return [...found.values()]
}
