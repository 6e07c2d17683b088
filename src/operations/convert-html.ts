/** HTML to wikitext; nothing is saved. Source: SPEC 4.12, REST.md 12. */

import { WikiError } from '../core/errors.ts'
import { htmlToWikitext } from '../html2wt/index.ts'
import type { RevisionEntry } from '../store/entries.ts'
import type { Store } from '../store/store.ts'
import { parseWrittenTitle } from './find-page.ts'
import { checkShown } from './hidden.ts'
import { renderEntry, renderText } from './render-page.ts'
import type { Wiki } from './wiki.ts'

/** Largest HTML that is read, bytes. */
export const maximumHtmlBytes = 10 * 1024 * 1024

export interface HtmlQuery {
  /** A document, or what stands in the body of one. */
  readonly html: string
  /** Title that the HTML is read under, whether or not there is such a page; missing, it is the main page's. */
  readonly title?: string | undefined
  /** Id of the revision that the HTML was made of: what is as it was there keeps its source. */
  readonly revision?: number | undefined
  /** The text that the HTML was made of, in place of a revision; and its HTML, where it is not made anew. */
  readonly original?: { readonly source: string; readonly html?: string | undefined } | undefined
}

/**
 * Makes wikitext of HTML.
 *
 * Errors: apierror-invalidtitle, apierror-pagecannotexist, apierror-contenttoobig, rest-specified-revision-unavailable,
 * rest-permission-denied-revision.
 */
export async function transformToWikitext(wiki: Wiki, query: HtmlQuery): Promise<string> {
  const { store } = wiki
  const { html, title } = query
  if (Buffer.byteLength(html) > maximumHtmlBytes) {
    throw new WikiError('apierror-contenttoobig', { params: [maximumHtmlBytes] })
  }
  await store.refresh()
  const { text } = parseWrittenTitle(title ?? store.config.mainPage, store.titles)
  const original = await findOriginal(wiki, query, text)
  return htmlToWikitext(html, { title: text, wiki: { config: store.config }, original })
}

async function findOriginal(wiki: Wiki, query: HtmlQuery, title: string) {
  const { original, revision: id } = query
  if (original !== undefined) {
    const { source } = original
    return { source, html: original.html ?? (await editHtml(wiki, source, title)) }
  }
  return id === undefined ? undefined : ofRevision(wiki, findRevision(wiki.store, id))
}

function findRevision(store: Store, id: number): RevisionEntry {
  const revision = store.revision(id)
  if (revision === undefined) throw new WikiError('rest-specified-revision-unavailable', { params: [id] })
  return revision
}

/** A revision's source and its HTML; none for a text that is no wikitext. */
async function ofRevision(wiki: Wiki, revision: RevisionEntry) {
  checkShown(revision)
  if (revision.model !== 'wikitext') return undefined
  const page = wiki.store.pageById(revision.page)!
  const { html } = await renderEntry(wiki, { page, revision }, { flavor: 'edit' })
  return { source: await wiki.store.text(revision), html }
}

async function editHtml(wiki: Wiki, text: string, title: string): Promise<string> {
  return (await renderText(wiki, { text, model: 'wikitext', title }, { flavor: 'edit' })).html
}
