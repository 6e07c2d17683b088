/**
 * Result of the last `wiki verify`, stored beside the log so that the next run checks only new entries. May be deleted.
 */

import { readText } from '../../files/read-file.ts'
import { replaceDurably } from '../repository/durable-file.ts'
import type { Repository } from '../repository/repository.ts'
import { recordPaths } from './record-paths.ts'

/** An acknowledged edit that was lost, and is not settled. */
export interface OpenLoss {
  /** `lost`: the commit is not on the branch. `undone`: a later commit took it back. `missing`: git has no such object. */
  readonly kind: 'lost' | 'undone' | 'missing'
  readonly commit: string
  /** Path that the commit changed; null if that is not known. */
  readonly path: string | null
  /** Commit that undid it; null if that is not known. */
  readonly by: string | null
}

/** State after a check of the record. */
export interface Verified {
  /** Tip of the branch at that moment. */
  readonly tip: string | null
  /** Number of commits that the branch had. */
  readonly commits: number
  /** Digest of the edits made on branches that were gone. */
  readonly orphaned: string
  /** Digest of the record that was checked. */
  readonly events: string
  readonly open: readonly OpenLoss[]
}

/** State before the first check. */
export const nothingVerified: Verified = { tip: null, commits: 0, orphaned: '', events: '', open: [] }

/** Reads the state; empty if the file is missing or damaged. */
export function readVerified(repository: Repository): Verified {
  try {
    return checked(JSON.parse(readText(recordPaths(repository).verified)))
  } catch {
    return nothingVerified
  }
}

function checked(value: Partial<Verified>): Verified {
  const isSound = Array.isArray(value.open) && value.open.every(isOpenLoss) && typeof value.tip === 'string'
  return isSound ? (value as Verified) : nothingVerified
}

function isOpenLoss({ commit, path, by }: OpenLoss): boolean {
  const isHash = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{40}$/.test(text)
  return isHash(commit) && (path === null || typeof path === 'string') && (by === null || isHash(by))
}

/** Writes the state, without a lock: it names what it is the result of, so after an older one the next check only examines more. */
export function writeVerified(repository: Repository, verified: Verified): void {
  replaceDurably(recordPaths(repository).verified, JSON.stringify(verified))
}
