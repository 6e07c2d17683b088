/** An edit that cannot be merged, in pieces: merged text, and conflicts that need a choice. */

import { WikiError } from '../core/errors.ts'
import { checkVisible } from './access/hidden.ts'
import { checkCompared } from './comparing/comparison.ts'
import { type ConflictPlace, type ConflictTexts, findConflictPlaces } from './comparing/conflict-places.ts'
import { isProse } from './comparing/merge-edits.ts'
import { fileOfSource } from './resources/source.ts'
import type { Wiki } from './wiki.ts'
import { longText } from './workers/long-merge.ts'

export type { ConflictPlace } from './comparing/conflict-places.ts'
export { unitOf } from './comparing/merge-edits.ts'

export interface ConflictQuery extends Pick<ConflictTexts, 'most' | 'withChanges'> {
  /** Id of the revision that was edited; 0 if the page did not exist. */
  readonly base: number
  /** Id of the current latest revision. */
  readonly current: number
  /** The submitted source. */
  readonly text: string
}

/**
 * Merges an edit with the latest revision as far as possible, as `findConflictPlaces` does; long texts in a worker. Errors:
 * rest-nonexistent-revision, rest-permission-denied-revision, rest-resource-limit-exceeded, wiki-work-limit.
 */
export async function conflictPieces(wiki: Wiki, query: ConflictQuery): Promise<readonly (string | ConflictPlace)[]> {
  const base = query.base === 0 ? '' : await textOf(wiki, query.base)
  const theirs = await textOf(wiki, query.current)
  const mine = fileOfSource(query.text)
  checkCompared(base, mine, theirs)
  const model = wiki.store.revision(query.current)?.model ?? 'wikitext'
  const by = isProse(model) && wiki.store.config.merge === 'words' ? 'words' : 'lines'
  const texts: ConflictTexts = { base, mine, theirs, by, most: query.most, withChanges: query.withChanges }
  const workerPool = base.length + mine.length + theirs.length < longText ? null : wiki.workerPool()
  return workerPool?.run({ task: 'conflict', client: wiki.client, ...texts }) ?? findConflictPlaces(texts)
}

async function textOf({ store }: Wiki, id: number): Promise<string> {
  const revision = store.revision(id, { deleted: true })
  if (revision === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  checkVisible(revision)
  return fileOfSource(await store.text(revision))
}
