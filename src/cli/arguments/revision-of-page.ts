/** Resolves revision addresses to ids. */

import { WikiError } from '../../core/errors.ts'
import type { Wiki } from '../../operations/wiki.ts'

/**
 * Returns the id of a revision. `title` is the page of addresses that start with @. Errors: wiki-bad-revision,
 * rest-nonexistent-revision, wiki-usage.
 */
export async function revisionAt(wiki: Wiki, address: string, title?: string): Promise<number> {
  const { resolveRevision } = await import('../../operations/resolve-revision.ts')
  const found = await resolveRevision(wiki, address, { title })
  if (typeof found === 'number') return found
  throw new WikiError('wiki-usage', { params: [`${address} is not a revision: only compare reads the work tree`] })
}

/**
 * The same for a command that changes the revision: a bare id that recently belonged to another revision is refused.
 * Errors: the same.
 */
export async function certainRevision(wiki: Wiki, address: string): Promise<number> {
  const id = await revisionAt(wiki, address)
  if (!/^\d+$/.test(address)) return id
  const { checkCertain } = await import('../../operations/resolve-revision.ts')
  checkCertain(wiki.store, id)
  return id
}

/** The same for a revision that must belong to this page. Errors: also rest-nonexistent-title-revision. */
export async function revisionOfPage(wiki: Wiki, address: string, title: string): Promise<number> {
  const { findPage } = await import('../../operations/resources/find-page.ts')
  const { readRevisionBare } = await import('../../operations/read-revision.ts')
  await wiki.store.refresh()
  const page = findPage(wiki.store, { title, deleted: true })
  const id = await revisionAt(wiki, address, title)
  const revision = await readRevisionBare(wiki, { id, base: '' })
  if (revision.page.id === page.id || revision.page.key === page.key) return id
  throw new WikiError('rest-nonexistent-title-revision', { params: [id, title] })
}

/**
 * Returns the id that an option of a page's list names: an integer, or another revision address (`@prev~2`, `mw:6209`).
 * Errors: badinteger, rest-nonexistent-revision, wiki-bad-revision.
 */
export async function optionalId(
  wiki: Wiki,
  name: string,
  value: string | undefined,
  title: string,
): Promise<number | undefined> {
  if (value !== undefined && isAddress(value)) return revisionAt(wiki, value, title)
  const { optionalInteger } = await import('../../operations/resources/params.ts')
  return optionalInteger(name, value)
}

/** Distinguishes an address from an integer, valid or not. */
function isAddress(value: string): boolean {
  return /[@:]/.test(value) || (/^[0-9a-f]{7,40}$/i.test(value) && !/^\d+$/.test(value))
}
