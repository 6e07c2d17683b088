/** What `wiki verify` found last, kept beside the log so that the next look takes only what is new. May be deleted. */

import { readFileSync } from 'node:fs'
import { replaceDurably } from '../durable-file.ts'
import type { Repository } from '../repository.ts'
import { recordPlace } from './place.ts'

/** State after a look at the record. */
export interface Verified {
  /** Tip of the branch at that moment. */
  readonly tip: string | null
  /** Acknowledged commits whose loss was found and is not settled. */
  readonly open: readonly string[]
}

const nothingVerified: Verified = { tip: null, open: [] }

/** Reads the state; nothing is verified where the file is missing or damaged. */
export function readVerified(repository: Repository): Verified {
  try {
    return checked(JSON.parse(readFileSync(recordPlace(repository).verified, 'utf8')))
  } catch {
    return nothingVerified
  }
}

function checked(value: Partial<Verified>): Verified {
  const isSound = Array.isArray(value.open) && (value.tip === null || typeof value.tip === 'string')
  return isSound ? (value as Verified) : nothingVerified
}

/** Writes the state. */
export function writeVerified(repository: Repository, verified: Verified): void {
  replaceDurably(recordPlace(repository).verified, JSON.stringify(verified))
}
