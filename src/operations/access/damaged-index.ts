/** Queries that need a sound index. */

import { isWikiError } from '../../core/errors.ts'
import type { Store } from '../../store/store.ts'

/** Runs a query; if the index turns out to be damaged, rebuilds it and runs the query once more. */
export async function retryIfDamaged<Result>(
  store: Pick<Store, 'rebuild'>,
  question: () => Promise<Result>,
): Promise<Result> {
  try {
    return await question()
  } catch (error) {
    if (!isWikiError(error, 'wiki-index-damaged')) throw error
    await store.rebuild()
    return question()
  }
}
