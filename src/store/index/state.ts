/** State of a revision index: the commit that it represents, and the ids of its ordinals. */

import { hash } from 'node:crypto'
import type { WikiConfig } from '../../core/wiki-config.ts'

/** From this ordinal on ids count from this id. */
export interface IdJump {
  readonly ordinal: number
  readonly id: number
}

/** The commit and settings that an index represents. If `numbering` differs, the whole index is invalid. */
export interface IndexState {
  /** Commit that the index answers for; null before the first one. */
  readonly tip: string | null
  /** All inputs of the numbering besides the commits: root folder, shallow boundary. */
  readonly numbering: string
  /** Text of wiki.json at the tip, or null. */
  readonly config: string | null
  /** The checked settings in that text; null if the index is empty. */
  readonly settings: WikiConfig | null
  /** True if the wiki's folder is a vault of Obsidian: it has the folder of Obsidian's settings. */
  readonly isVault?: boolean
  readonly revisionJumps: readonly IdJump[]
  readonly pageJumps: readonly IdJump[]
  /** Blobs that could not be read: their texts count as empty until one of them is back. Absent if there are none. */
  readonly unread?: readonly string[]
  /** Blobs of pages that refer to content in Git LFS which the clone lacks, some of them. Absent if there are none. */
  readonly pointers?: readonly string[]
}

/** State of an index that holds nothing. */
export const emptyState: IndexState = {
  tip: null,
  numbering: '',
  config: null,
  settings: null,
  revisionJumps: [{ ordinal: 0, id: 1 }],
  pageJumps: [{ ordinal: 0, id: 1 }],
}

/** Extracts the state from its holder. */
export function stateOf(state: IndexState): IndexState {
  const { tip, numbering, config, settings, isVault = false, revisionJumps, pageJumps, unread, pointers } = state
  const fields = { tip, numbering, config, settings, isVault, revisionJumps, pageJumps }
  return { ...fields, ...(unread && { unread }), ...(pointers && { pointers }) }
}

const [lineages, identities] = [new WeakMap<IndexState, string>(), new WeakMap<IndexState, string>()]

/**
 * Identifies all inputs of an index that are neither commits nor settings: what its ids count from, and the content that could not be
 * read. It stays while the wiki only grows. Of two indexes with one lineage, one whose main line contains the tip of the other has all
 * that the other has, under the same ids.
 */
export function lineageOf(state: IndexState): string {
  const { numbering, revisionJumps, pageJumps, unread, pointers } = state
  return remembered(lineages, state, () => digestOf([numbering, revisionJumps, pageJumps, unread, pointers]))
}

/**
 * Identifies all that an index answers: the commit, the ids, the settings in use, and the content that could not be read. It is computed
 * from these alone, so it is the same in every process and after a rebuild, and a state that comes back has its identity again. Every cache
 * of answers has it in its key.
 */
export function identityOf(state: IndexState): string {
  const { tip, config } = state
  return remembered(identities, state, () => `${tip} ${digestOf([lineageOf(state), config])}`)
}

function remembered(known: WeakMap<IndexState, string>, state: IndexState, compute: () => string): string {
  const found = known.get(state) ?? compute()
  known.set(state, found)
  return found
}

function digestOf(inputs: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(inputs)).slice(0, 32)
}

/** Returns the id of an ordinal. */
export function idAt(jumps: readonly IdJump[], ordinal: number): number {
  const jump = jumps.findLast(candidate => candidate.ordinal <= ordinal) as IdJump
  return jump.id + ordinal - jump.ordinal
}

/** Returns the ordinal of an id; undefined if none of `count` ordinals has it. */
export function ordinalAt(jumps: readonly IdJump[], id: number, count: number): number | undefined {
  const at = jumps.findLastIndex(candidate => candidate.id <= id)
  const jump = jumps[at]
  if (jump === undefined) return undefined
  const ordinal = jump.ordinal + id - jump.id
  return ordinal < Math.min(jumps[at + 1]?.ordinal ?? count, count) ? ordinal : undefined
}
