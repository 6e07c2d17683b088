/** Converts HTML to wikitext without saving it. Source: MediaWiki REST API reference, "Convert HTML to wikitext". */

import { WikiError } from '../core/errors.ts'
import { calledTemplates } from '../html2wt/index.ts'
import type { RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { namedRevision, serverOfDocument } from '../wikitext/document.ts'
import { checkVisible, isHidden, isHiddenText } from './access/hidden.ts'
import { parseRenderId, type RenderId, type Stashed, uuidOf } from './caches/stash.ts'
import { type HtmlFlavor, type RenderQuery, renderEntry, renderText } from './render-page.ts'
import { templateLayouts } from './rendering/template-layouts.ts'
import { rawSource } from './rendering/wiki-source.ts'
import { parsePossibleTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export interface HtmlQuery {
  /** A document, or the content of its body. */
  readonly html: string
  /** Title under which the HTML is parsed, whether or not the page exists; the main page's if omitted. */
  readonly title?: string | undefined
  /**
   * Id of the revision that the HTML was rendered from. Unchanged parts keep its source. A whole document for editors names
   * its revision itself.
   */
  readonly revision?: number | undefined
  /** Entity tags, or ids, of the HTML as the client received it. The first known one counts. */
  readonly renderings?: readonly string[] | undefined
  /** Source of the HTML in place of a revision, and the HTML rendered from it, which is rendered again if omitted. */
  readonly original?: { readonly source?: string | undefined; readonly html?: string | undefined } | undefined
  /** Scheme and host of absolute URLs in the HTML. */
  readonly server?: string | undefined
}

/**
 * Converts HTML to wikitext. Errors: apierror-invalidtitle, apierror-pagecannotexist, rest-resource-limit-exceeded,
 * rest-no-stashed-content, rest-specified-revision-unavailable, rest-permission-denied-revision, wiki-render-limit.
 */
export async function transformToWikitext(wiki: Wiki, query: HtmlQuery): Promise<string> {
  const { store } = wiki
  const { html, title } = query
  await store.refresh()
  const { html: limit } = store.config.limits
  if (hasMoreCharacters(html, limit))
    throw new WikiError('rest-resource-limit-exceeded', { params: ['html', `${limit} characters`] })
  const { key, text } = parsePossibleTitle(title ?? store.config.mainPage, store.titles)
  const original = (await findOriginal(wiki, query, text)) ?? (await namedOriginal(wiki, html, store.findPage(key)?.id))
  const called = calledTemplates(html, { rules: store.titles, original: original?.html })
  const layouts = await templateLayouts(store, called)
  const renders = await wiki.renders()
  const asked = { store, source: rawSource(wiki) }
  return renders.wikitext({ html, title: text, layouts, original, setsListsApart: true, client: wiki.client }, asked)
}

/** Counts code points, as MediaWiki does. */
function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most) return false
  let count = text.length
  for (let at = 0; at < text.length && count > most; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count--
  return count > most
}

/** Prefers the caller's to the wiki's own. */
async function findOriginal(wiki: Wiki, query: HtmlQuery, title: string): Promise<Stashed | undefined> {
  const { source, html } = query.original ?? {}
  const stored = await storedOriginal(wiki, query)
  if (source !== undefined) return { source, html: html ?? (await editHtml(wiki, source, title)) }
  return stored === undefined || html === undefined ? stored : { source: stored.source, html }
}

async function storedOriginal(wiki: Wiki, query: HtmlQuery): Promise<Stashed | undefined> {
  const { renderings, revision: id } = query
  const revision = id === undefined ? undefined : findRevision(wiki.store, id)
  if (renderings !== undefined) return rendered(wiki, renderings, query)
  return revision && ofRevision(wiki, revision, query.html)
}

/**
 * Returns the original of one of these renderings: from the stash, or by rendering the revision again if that gives the
 * same HTML.
 */
async function rendered(
  wiki: Wiki,
  renderings: readonly string[],
  { server, html }: HtmlQuery,
): Promise<Stashed | undefined> {
  for (const id of renderings.slice(0, maxRenderings).map(parseRenderId)) {
    if (id === null) continue
    const revision = wiki.store.revision(id.revision)
    const stashed = await (await wiki.stash()).get(id)
    checkStashed(wiki.store, id, stashed)
    if (stashed !== undefined) return stashed
    if (revision !== undefined && (await isSameHtml(wiki, { id, revision, server })))
      return ofRevision(wiki, revision, html)
  }
  throw new WikiError('rest-no-stashed-content', { params: [renderings.join(', ').slice(0, 200)] })
}

/**
 * Throws rest-permission-denied-revision if the text of a rendering is hidden. The text is identified by the revision
 * that the rendering was made from, because its id may have been reassigned. A page deleted since counts as hidden.
 */
function checkStashed(store: Store, { revision: id }: RenderId, stashed: Stashed | undefined): void {
  const of = stashed?.of
  const revision = of === undefined ? store.revision(id, { deleted: true }) : undefined
  if (revision !== undefined) checkVisible(revision)
  if (of !== undefined && isHiddenText(store, of.commit, of.blob))
    throw new WikiError('rest-permission-denied-revision', { params: [id] })
}

/** Maximum number of tags in one request that are looked up, because each may need a rendering. */
const maxRenderings = 4

const flavors: readonly HtmlFlavor[] = ['view', 'edit']

async function isSameHtml(
  wiki: Wiki,
  { id, revision, server }: { id: RenderId; revision: RevisionEntry; server: string | undefined },
): Promise<boolean> {
  const page = wiki.store.pageById(revision.page)!
  for (const flavor of flavors) {
    const query: RenderQuery = { flavor, ...(server !== undefined && { server }) }
    if (uuidOf((await renderEntry(wiki, { page, revision }, query)).html) === id.uuid) return true
  }
  return false
}

/**
 * Returns the original of a whole document for editors that names a revision of the page, if its text is still the one that the
 * document was made from. Source: MediaWiki DOM specification 2.8.0, Page.
 */
async function namedOriginal(wiki: Wiki, html: string, page: number | undefined): Promise<Stashed | undefined> {
  const named = namedRevision(html)
  const revision = named === null ? undefined : wiki.store.revision(named.id)
  if (revision === undefined || revision.page !== page || isHidden(revision, 'text')) return undefined
  const original = await ofRevision(wiki, revision, html)
  return original !== undefined && namedRevision(original.html)?.sha1 === named!.sha1 ? original : undefined
}

function findRevision(store: Store, id: number): RevisionEntry {
  const revision = store.revision(id)
  if (revision !== undefined) return revision
  throw new WikiError('rest-specified-revision-unavailable', {
    params: [id],
    data: { reason: `Revision ${id} not found` },
  })
}

/** Returns a revision's source and its HTML; null if the text is not wikitext. */
async function ofRevision(wiki: Wiki, revision: RevisionEntry, sent: string): Promise<Stashed | undefined> {
  checkVisible(revision)
  if (revision.model !== 'wikitext') return undefined
  const page = wiki.store.pageById(revision.page)!
  // URLs within data of the document have its server; others would count as changes.
  const { html } = await renderEntry(wiki, { page, revision }, { flavor: 'edit', server: serverOfDocument(sent) })
  return { source: await wiki.store.text(revision), html }
}

async function editHtml(wiki: Wiki, text: string, title: string): Promise<string> {
  return (await renderText(wiki, { text, model: 'wikitext', title }, { flavor: 'edit' })).html
}
