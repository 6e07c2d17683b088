/** Resolves a caller's title to its page, with the same rules and errors for every operation. */

import { composed } from '../../core/composed-text.ts'
import { isWikiError, WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { findNamespace, parseTitle, type Title, type TitleRules } from '../../core/title.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { dashedTitle, deletedTitle } from './dashed-title.ts'
import { missingHint } from './deleted-page.ts'

import { TitleRedirect } from './title-redirect.ts'

/** A title in a read request. */
export interface TitleQuery {
  /** In any spelling. */
  readonly title: string
  /** If true, accepts only the canonical key: another spelling of an existing page throws `TitleRedirect`. */
  readonly exact?: boolean | undefined
  /**
   * Accepts a deleted page if no page has the title: true for the one deleted last, a number for the page with this id.
   */
  readonly deleted?: boolean | number | undefined
}

/** Finds the page for a read. Errors: rest-invalid-title, rest-nonexistent-title; throws `TitleRedirect` if `exact` is set. */
export function findPage(store: Store, { title, exact = false, deleted = false }: TitleQuery): PageEntry {
  const written = parseTitle(title, store.titles)
  const { key } = written
  const page = findShown(store, key, deleted) ?? store.findPage(dashedTitle(store, written).key)
  if (page === undefined)
    throw new WikiError('rest-nonexistent-title', { params: [title], hint: missingHint(store, key, title) })
  if (exact && composed(title) !== page.key) {
    const { id, timestamp } = latestOf(store, page)
    throw new TitleRedirect(page.key, { id, timestamp })
  }
  return page
}

/** Reports an invalid title as a missing page, as MediaWiki does for histories and languages. The hint says what is wrong. */
export async function asMissing<Result>(title: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    const hint = `The title cannot exist: ${reasonOf(error)}`
    throw new WikiError('rest-nonexistent-title', { params: [title], hint, cause: error })
  }
}

function findShown(store: Store, key: string, deleted: boolean | number): PageEntry | undefined {
  const page = store.findPage(key)
  if (deleted === false || page?.id === deleted || (deleted === true && page !== undefined)) return page
  return store
    .deletedPages(deletedTitle(store, parseTitle(key, store.titles)).key)
    .find(({ id }) => deleted === true || id === deleted)
}

/** Returns false for a page that is deleted, or hidden by another file with the same title. Neither makes a revision. */
export function isShown(store: Store, id: number): boolean {
  return shownPage(store, id) !== undefined
}

/** Returns the page with an id; undefined if it is not shown. */
export function shownPage(store: Store, id: number): PageEntry | undefined {
  const page = store.pageById(id)
  return page !== undefined && store.findPage(page.key)?.id === id ? page : undefined
}

/** Returns the latest revision of a page, which may be deleted. */
export function latestOf(store: Store, page: PageEntry): RevisionEntry {
  const latest = store.revision(page.latest, { deleted: true })
  if (latest === undefined) throw new Error(`The index has no revision ${page.latest}, the latest of ${page.key}`)
  return latest
}

/**
 * Returns the title of the page that a write or a list means. In a wiki of GitHub or Gollum "Page name" is "Page-name".
 * Errors: as `parseWrittenTitle`.
 */
export function writtenTitle(store: Store, text: string): Title {
  return dashedTitle(store, parseWrittenTitle(text, store.titles))
}

/**
 * Parses the title of a write. A fragment is refused: if it were ignored, `C#` would write the page C, and
 * `Foo#History` would replace all of Foo with one section. Errors: apierror-invalidtitle, apierror-pagecannotexist.
 */
export function parseWrittenTitle(text: string, rules: TitleRules, defaultNamespace = 0): Title {
  const hash = text.indexOf('#')
  if (hash === -1) return parsePossibleTitle(text, rules, defaultNamespace)
  const page = text.slice(0, hash).trim()
  throw new WikiError('apierror-invalidtitle', {
    params: [text, 'a title cannot hold #'],
    hint:
      page === '' ? 'Write the title without #' : `Name the whole page: "${page}"; a section has no title of its own`,
  })
}

/**
 * Parses the title under which a text is rendered: one that could be written. A fragment is ignored. Errors:
 * apierror-invalidtitle, apierror-pagecannotexist.
 */
export function parsePossibleTitle(text: string, rules: TitleRules, defaultNamespace = 0): Title {
  if (isVirtual(text, rules)) throw new WikiError('apierror-pagecannotexist', { params: [text] })
  try {
    return parseTitle(text, rules, defaultNamespace)
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    throw new WikiError('apierror-invalidtitle', { params: [text, reasonOf(error)], cause: error })
  }
}

/** The namespaces Special and Media contain no pages. */
function isVirtual(text: string, rules: TitleRules): boolean {
  const [prefix, rest] = text.replace(/^[ _]*:/, '').split(':', 2)
  const namespace = rest === undefined ? undefined : findNamespace(prefix!, rules)
  return namespace === namespaceIds.special || namespace === namespaceIds.media
}

/** Returns the reason why a title is invalid, from the error's sentence after its only colon. */
export function reasonOf(error: WikiError): string {
  return error.message.slice(error.message.lastIndexOf(': ') + 2)
}
