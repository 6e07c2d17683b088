/** An edit that cannot be merged, in pieces: merged text, and conflicts that need a choice. */

import { WikiError } from '../core/errors.ts'
import { type Collision, mergeInPieces } from '../diff/merge.ts'
import { createWorkLimit } from '../diff/work-limit.ts'
import { checkVisible } from './access/hidden.ts'
import { checkCompared } from './comparing/comparison.ts'
import { isProse } from './comparing/merge-edits.ts'
import { fileOfSource } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

export type { Collision } from '../diff/merge.ts'
export { unitOf } from './comparing/merge-edits.ts'

export interface ConflictQuery {
  /** Id of the revision that was edited; 0 if the page did not exist. */
  readonly base: number
  /** Id of the current latest revision. */
  readonly current: number
  /** The submitted source. */
  readonly text: string
}

/**
 * Merges an edit with the latest revision as far as possible. The result is deterministic, so a choice can be
 * identified by the index of its conflict. Errors: rest-nonexistent-revision, rest-permission-denied-revision,
 * rest-resource-limit-exceeded.
 */
export async function conflictPieces(wiki: Wiki, query: ConflictQuery): Promise<(string | Collision)[]> {
  const base = query.base === 0 ? '' : await textOf(wiki, query.base)
  const theirs = await textOf(wiki, query.current)
  const mine = fileOfSource(query.text)
  checkCompared(base, mine, theirs)
  const model = wiki.store.revision(query.current)?.model ?? 'wikitext'
  const by = isProse(model) && wiki.store.config.merge === 'words' ? 'words' : 'lines'
  try {
    return mergeInPieces(base, mine, theirs, { by, work: createWorkLimit() })
  } catch (error) {
    if (!(error instanceof WikiError) || error.code !== 'wiki-texts-too-complex') throw error
    return [{ base, mine, theirs }]
  }
}

async function textOf({ store }: Wiki, id: number): Promise<string> {
  const revision = store.revision(id, { deleted: true })
  if (revision === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  checkVisible(revision)
  return fileOfSource(await store.text(revision))
}
