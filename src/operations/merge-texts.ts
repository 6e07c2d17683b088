/** Merges two texts that are based on a third one: revisions, or unsaved texts. */

import { WikiError } from '../core/errors.ts'
import type { MergeUnit } from '../diff/merge.ts'
import type { Store } from '../store/store.ts'
import { checkVisible } from './access/hidden.ts'
import type { LooseText } from './compare-revisions.ts'
import { checkCompared } from './comparing/comparison.ts'
import type { Wiki } from './wiki.ts'
import { mergeMarked } from './workers/run-job.ts'

/** A revision by its id, or any text. */
export type Mergeable = number | LooseText

export interface MergeQuery {
  readonly base: Mergeable
  readonly mine: Mergeable
  readonly theirs: Mergeable
  /** `words` if omitted: first by lines, then by words where lines conflict. */
  readonly by?: MergeUnit | undefined
}

/** A merged text. */
export interface TextMerge {
  /** False if both sides changed the same place differently. */
  readonly merged: boolean
  /** Number of conflicts. */
  readonly conflicts: number
  /** The merged text, with git's conflict markers. */
  readonly text: string
}

/** UTF-16 units of all texts up to which the main thread is faster than a worker. */
const smallTexts = 20_000

/**
 * Merges two texts and saves nothing.
 *
 * Errors: rest-nonexistent-revision, rest-permission-denied-revision, rest-resource-limit-exceeded, wiki-texts-too-complex, wiki-work-limit.
 */
export async function mergeTexts(wiki: Wiki, { base, mine, theirs, by = 'words' }: MergeQuery): Promise<TextMerge> {
  const { store, client } = wiki
  await store.refresh()
  const texts = {
    base: await textOf(store, base),
    mine: await textOf(store, mine),
    theirs: await textOf(store, theirs),
  }
  checkCompared(texts.base, texts.mine, texts.theirs)
  const isSmall = texts.base.length + texts.mine.length + texts.theirs.length <= smallTexts
  const workerPool = isSmall ? null : wiki.workerPool()
  const { text, conflicts } = await (workerPool?.run({ task: 'marked-merge', client, by, ...texts }) ??
    mergeMarked({ by, ...texts }))
  return { merged: conflicts === 0, conflicts, text }
}

async function textOf(store: Store, side: Mergeable): Promise<string> {
  if (typeof side !== 'number') return side.text
  const revision = store.revision(side)
  if (revision === undefined) throw new WikiError('rest-nonexistent-revision', { params: [side] })
  checkVisible(revision)
  return store.text(revision)
}
