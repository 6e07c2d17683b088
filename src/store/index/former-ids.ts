/**
 * Meanings that provisional ids had before a pull or a rebase gave them to other revisions. Clients may still name an id as they
 * read it. Git cannot give these meanings back, so they are in a file of their own, `former-ids.json`, which is synced to disk.
 */

import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { makeFolder } from '../../files/private-files.ts'
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

/** One change of the meaning of ids. */
interface Renumbering {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly revisions: readonly FormerRevision[]
}

export interface FormerIds {
  /** Time of the last renumbering, milliseconds since 1970, never the same twice; 0 if there was none. */
  readonly last: number
  /** Oldest first. */
  readonly renumberings: readonly Renumbering[]
}

const none: FormerIds = { last: 0, renumberings: [] }

/** Milliseconds that a meaning is kept: an edit that began earlier is unlikely. */
const lifetime = 7 * 24 * 60 * 60 * 1000

/** Revisions of one renumbering that are kept, and of all; the newest ones. */
const revisionLimit = 20_000

/** Reads the file of an index folder. One that is missing, or that cannot be read, is as good as an empty one. */
export function readFormerIds(folder: string): FormerIds {
  try {
    const [json = '', sum] = readFileSync(pathIn(folder), 'utf8').split('\n')
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
}

function pathIn(folder: string): string {
  return `${folder}/former-ids.json`
}

/** Returns the former ids with those that an index gave and that another one, which takes its place, gives to other revisions. */
export function withRenumbering(known: FormerIds, index: RevisionIndex, next: RevisionIndex): FormerIds {
  const revisions = revisionsBehind(index, lastCommon(index, next))
  const before = known.renumberings.at(-1)?.revisions
  // A process that was killed before it stored the index, and others that had the same index, say the same again.
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(revisions)) return known
  const time = Math.max(Date.now(), known.last + 1)
  return { last: time, renumberings: newest([...known.renumberings, { time, revisions }], time) }
}

/** Returns true if a commit is on the main line of an index: what was numbered up to it keeps its ids. */
export function isOnMainLine({ log }: RevisionIndex, hash: string): boolean {
  const first = Math.max(0, log.commitCount - lookedThrough)
  for (let at = log.commitCount - 1; at >= first; at--) if (log.commit(at).hash === hash) return log.commit(at).onChain
  return log.commitsWithPrefix(hash).some(at => log.commit(at).onChain)
}

/** Newest commits among which one is most often found. */
const lookedThrough = 100

/** Ordinal of the last commit of the main line that two indexes share; -1 if there is none. */
function lastCommon(index: RevisionIndex, next: RevisionIndex): number {
  const known = new Set(next.chain())
  for (let at = 0, last = -1; ; at++) {
    const commit = at < index.commitCount ? index.commit(at) : null
    if (commit === null || (commit.onChain && !known.has(commit.hash))) return last
    if (commit.onChain) last = at
  }
}

/** Oldest first, so that the same revisions make the same text. */
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
  const kept: Renumbering[] = []
  let count = 0
  for (const one of renumberings.toReversed()) {
    count += one.revisions.length
    if (kept.length > 0 && (count > revisionLimit || now - one.time > lifetime)) break
    kept.push(one)
  }
  return kept.reverse()
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
