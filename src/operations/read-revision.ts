/** Reads one revision of any page. Source: MediaWiki REST API reference, "Get revision" and "Get revision source". */

import { WikiError } from '../core/errors.ts'
import type { RevisionBare, RevisionObject, RevisionSource } from '../core/revision.ts'
import type { RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkVisible, visiblePeople } from './access/hidden.ts'
import { revisionRoute } from './resources/routes.ts'
import { sourceOfFile } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

/** Reads a revision with its source. Errors: rest-nonexistent-revision, rest-permission-denied-revision. */
export async function readRevision({ store }: Wiki, { id }: { readonly id: number }): Promise<RevisionSource> {
  await store.refresh()
  const revision = findRevision(store, id)
  checkVisible(revision)
  const object = revisionObject(store, revision)
  return { ...object, source: sourceOfFile(await store.text(revision)) }
}

/** Reads a revision without its source. Errors: rest-nonexistent-revision, rest-permission-denied-revision. */
export async function readRevisionBare(
  { store }: Wiki,
  { id, base }: { readonly id: number; readonly base: string },
): Promise<RevisionBare> {
  await store.refresh()
  const revision = findRevision(store, id)
  checkVisible(revision)
  return { ...revisionObject(store, revision), html_url: revisionRoute(base, id, '/html') }
}

/** Finds a revision, also of a deleted page. Errors: rest-nonexistent-revision. */
export function findRevision(store: Store, id: number): RevisionEntry {
  const revision = store.revision(id, { deleted: true })
  if (revision !== undefined) return revision
  throw new WikiError('rest-nonexistent-revision', { params: [id] })
}

/** Returns what every form of a revision has in common. */
export function revisionObject(store: Store, revision: RevisionEntry): RevisionObject {
  const { id, size, minor, timestamp, model, delta } = revision
  const page = store.pageById(revision.page, { deleted: true })
  if (page === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  return {
    id,
    size,
    minor,
    timestamp,
    content_model: model,
    page: { id: page.id, key: page.key, title: page.title },
    license: store.config.license,
    ...visiblePeople(revision),
    delta,
  }
}
