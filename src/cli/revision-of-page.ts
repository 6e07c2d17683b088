/** Revisions as people address them → ids. Source: STYLE 4.2. */

import { WikiError } from '../core/errors.ts'
import type { Wiki } from '../operations/wiki.ts'

/** Returns the id of the revision that is meant. Errors: wiki-bad-revision, rest-nonexistent-revision, wiki-usage. */
export async function revisionAt(wiki: Wiki, address: string): Promise<number> {
  const { resolveRevision } = await import('../operations/resolve-revision.ts')
  const found = await resolveRevision(wiki, address)
  if (typeof found === 'number') return found
  throw new WikiError('wiki-usage', { params: [`${address} is no revision: only compare reads the work tree`] })
}

/** The same, for a revision that must be one of this page. Errors: also rest-nonexistent-title-revision. */
export async function revisionOfPage(wiki: Wiki, address: string, title: string): Promise<number> {
  const { findPage } = await import('../operations/resources/find-page.ts')
  const { readRevisionBare } = await import('../operations/read-revision.ts')
  await wiki.store.refresh()
  const page = findPage(wiki.store, { title, deleted: true })
  const id = await revisionAt(wiki, address)
  const revision = await readRevisionBare(wiki, { id, base: '' })
  if (revision.page.id === page.id || revision.page.key === page.key) return id
  throw new WikiError('rest-nonexistent-title-revision', { params: [id, title] })
}

/**
 * Returns the id that an option names: an integer, or the id of an imported revision in MediaWiki (`mw:6209`).
 * Errors: badinteger, rest-nonexistent-revision, wiki-bad-revision.
 */
export async function optionalId(wiki: Wiki, name: string, value: string | undefined): Promise<number | undefined> {
  if (value !== undefined && /^mw:/i.test(value)) return revisionAt(wiki, value)
  const { optionalInteger } = await import('../operations/resources/params.ts')
  return optionalInteger(name, value)
}
