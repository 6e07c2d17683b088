/** The report of a gate, for the formats to write. */

import type { Problem } from './problem.ts'

/** A kind of problem, described. */
export interface KindDescription {
  readonly kind: string
  readonly says: string
  readonly hint: string
}

export interface Report {
  /** Version of the program. */
  readonly version: string
  /** Problems to be reported: the worst first, then by path and place. */
  readonly problems: readonly Problem[]
  /** Problems that the baseline covers. */
  readonly known: readonly Problem[]
  /** Problems of the older state that are gone. */
  readonly gone: number
  /** Files that were looked at, in order. */
  readonly paths: readonly string[]
  /** Hashes of the commits; null for the work tree, and for a check of a whole wiki. */
  readonly base: string | null
  readonly head: string | null
  /** Describes every kind that occurs. */
  readonly describe: (kind: string) => KindDescription
}
