/** Reports that the page of a revision is deleted. */

import type { Deletion, RevisionObject } from '../core/revision.ts'
import type { Context } from './context.ts'

/**
 * Reports on stderr that a revision's page is deleted, and returns the revision with `deletion`; unchanged if the page exists.
 */
export async function withDeletion<Shown extends RevisionObject>(
  context: Context,
  revision: Shown,
): Promise<Shown & { readonly deletion?: Deletion }> {
  const { deletionOf, deletionText } = await import('../operations/resources/deleted-page.ts')
  const { store } = await context.snapshot()
  const deletion = deletionOf(store, revision.page.id)
  if (deletion === null) return revision
  await context.say(`"${revision.page.title}" was ${deletionText(store, revision.page.id)}`)
  return { ...revision, deletion }
}
