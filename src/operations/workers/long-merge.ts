/** Merges for a write, in a worker if the texts are long, so that a server keeps responding. */

import { isDeepStrictEqual } from 'node:util'
import { type Edits, type MergedEdits, mergeEdits } from '../comparing/merge-edits.ts'
import type { WorkerPool } from './worker-pool.ts'

/** UTF-16 units of the three texts together, or of the submitted one, above which they are merged in a worker. */
export const longText = 10_000

/** Merges two edits. Errors: rest-resource-limit-exceeded, wiki-work-limit. */
export type MergeFunction = (edits: Edits) => Promise<MergedEdits>

/** Returns a merge that caches its last result, so that a repeated plan does not merge the same texts again. */
export function rememberedMerge(wiki: {
  readonly workerPool: () => WorkerPool | null
  readonly client: string
}): MergeFunction {
  let last: { readonly edits: Edits; readonly merged: MergedEdits } | undefined
  return async edits => {
    if (last !== undefined && isDeepStrictEqual(last.edits, edits)) return last.merged
    const units = edits.base.length + edits.current.length + edits.submitted.length
    const workerPool = units >= longText ? wiki.workerPool() : null
    const merged = await (workerPool?.run({ task: 'merge', client: wiki.client, edits }) ?? mergeEdits(edits))
    last = { edits, merged }
    return merged
  }
}
