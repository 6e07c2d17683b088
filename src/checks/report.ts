/** The input of the report formats. */

import type { Problem } from './problem.ts'

/** Description of a kind of problem. */
export interface KindDescription {
  readonly kind: string
  readonly says: string
  readonly hint: string
}

export interface Report {
  /** Version of the program. */
  readonly version: string
  /** Problems to report, most severe first, then by path and place. */
  readonly problems: readonly Problem[]
  /** Problems that the baseline covers. */
  readonly known: readonly Problem[]
  /** Number of problems of the older state that are gone. */
  readonly gone: number
  /** Checked files, in order. */
  readonly paths: readonly string[]
  /** Hashes of the commits; null for the work tree, and for a check of a whole wiki. */
  readonly base: string | null
  readonly head: string | null
  /** URL of the repository that the files are from; missing if there is none, or it is not known. */
  readonly repository?: string | null
  /** Returns the description of every kind that occurs. */
  readonly describe: (kind: string) => KindDescription
}
