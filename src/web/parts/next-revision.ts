/** The next revision in a page's history. */

import type { WebRequest } from '../request.ts'

/** Returns the id of the page's next revision; null for its latest. */
export function nextRevision(
  store: WebRequest['wiki']['store'],
  { page, id }: { readonly page: number; readonly id: number },
): number | null {
  const entry = store.pageById(page, { deleted: true })
  if (entry === undefined || entry.latest === id) return null
  return store.history(entry, { newerThan: id, limit: 1 }).revisions[0]?.id ?? null
}
