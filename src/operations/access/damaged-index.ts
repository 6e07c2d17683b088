/** Questions whose answer needs a sound index. */

import { isWikiError } from '../../core/errors.ts'
import type { Store } from '../../store/store.ts'

/** Asks a question; where the index turns out to be damaged, builds it anew and asks once more. */
export async function askSoundly<Answer>(
  store: Pick<Store, 'rebuild'>,
  question: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (!isWikiError(error, 'wiki-index-damaged')) throw error
    await store.rebuild()
    return question()
  }
}
