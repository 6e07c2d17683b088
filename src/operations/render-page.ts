/** Renders a page or a revision as HTML. Source: MediaWiki REST API reference, "Get HTML" and "Get revision HTML". */

import { hash } from 'node:crypto'
import type { ContentModel } from '../core/content-models.ts'
import { isWikiError } from '../core/errors.ts'
import type { PageObject } from '../core/page.ts'
import type { RevisionObject } from '../core/revision.ts'
import type { PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Lint, ReaderForm, Rendered } from '../wikitext/index.ts'
import { checkVisible } from './access/hidden.ts'
import { type RenderId, type Stashed, uuidOf } from './caches/stash.ts'
import { findRevision, revisionObject } from './read-revision.ts'
import type { HtmlRequest } from './rendering/renders.ts'
import { rawSource } from './rendering/wiki-source.ts'
import { findPage, latestOf, type TitleQuery } from './resources/find-page.ts'
import { pageObject } from './resources/page-object.ts'
import { redirectTarget } from './resources/redirect.ts'
import type { Wiki } from './wiki.ts'
import { notStarted, type RawSource } from './workers/job.ts'

/** For reading, or with the data needed to convert it back to wikitext. */
export type HtmlFlavor = 'view' | 'edit'

export interface RenderQuery {
  readonly flavor?: HtmlFlavor
  /** True for the content of the document's body alone, without sections. */
  readonly bodyOnly?: boolean
  /** Scheme and host of absolute URLs in the page, e.g. `http://127.0.0.1:8080`. */
  readonly server?: string | undefined
  /** True if the client intends to send the HTML back: its source is then stored. */
  readonly stash?: boolean
  /** Options for a text shown in a page of the site: the body's content, adapted for readers. */
  readonly reading?: ReaderForm
}

export interface RenderedText {
  readonly html: string
  /** Language code of the text. */
  readonly language: string
}

export interface RenderedPage extends RenderedText {
  readonly page: PageObject
}

export interface RenderedRevision extends RenderedText {
  readonly revision: RevisionObject
}

/**
 * Finds the page for a read of HTML, and the key of its redirect target, null if it is not a redirect or redirects to
 * itself. `entry` is for `renderEntryOf`. Errors: rest-invalid-title, rest-nonexistent-title; `TitleRedirect`.
 */
export async function findRedirect(
  { store }: Wiki,
  query: TitleQuery,
): Promise<{ readonly page: PageObject; readonly entry: PageEntry; readonly redirect: string | null }> {
  await store.refresh()
  const entry = findPage(store, query)
  const target = redirectTarget(store, entry)
  const redirect = target === null || target.key === entry.key ? null : target.key
  return { page: pageObject(store, entry), entry, redirect }
}

/**
 * Renders the latest revision of a page. A redirect itself is rendered, not followed. Errors: rest-invalid-title,
 * rest-nonexistent-title; `TitleRedirect`.
 */
export async function renderPage(wiki: Wiki, query: TitleQuery & RenderQuery): Promise<RenderedPage> {
  const { store } = wiki
  await store.refresh()
  return renderEntryOf(wiki, findPage(store, query), query)
}

/** Renders the latest revision of a page that was already found. */
export async function renderEntryOf(wiki: Wiki, page: PageEntry, query: RenderQuery = {}): Promise<RenderedPage> {
  const object = pageObject(wiki.store, page)
  const { html, language } = await renderEntry(wiki, { page, revision: latestOf(wiki.store, page) }, query)
  return { page: object, html, language }
}

/** Renders a revision, with the current templates. Errors: rest-nonexistent-revision, rest-permission-denied-revision. */
export async function renderRevision(
  wiki: Wiki,
  query: RenderQuery & { readonly id: number },
): Promise<RenderedRevision> {
  const { store } = wiki
  await store.refresh()
  const revision = findRevision(store, query.id)
  const object = revisionObject(store, revision)
  const page = store.pageById(revision.page, { deleted: true })!
  const { html, language } = await renderEntry(wiki, { page, revision }, query)
  return { revision: object, html, language }
}

/** Renders a text of the repository, and returns its references. Errors: rest-permission-denied-revision. */
export async function renderEntry(
  wiki: Wiki,
  { page, revision }: { readonly page: PageEntry; readonly revision: RevisionEntry },
  query: RenderQuery = {},
): Promise<Rendered> {
  checkVisible(revision)
  const { id, timestamp, model, blob } = revision
  const content = { name: blob, read: () => wiki.store.text(revision) }
  return renderContent(
    wiki,
    { content, model, title: page.title, page: { id: page.id, revision: id, timestamp } },
    query,
  )
}

/** Renders any text under a title; `latest` is the page's revision for magic words, null if there is none. */
export async function renderText(
  wiki: Wiki,
  {
    text,
    model,
    title,
    latest = null,
  }: {
    readonly text: string
    readonly model: ContentModel
    readonly title: string
    readonly latest?: RevisionEntry | null
  },
  query: RenderQuery = {},
): Promise<Rendered> {
  const content = { name: hash('sha256', text), read: async () => text }
  const page =
    latest === null ? null : { id: latest.page, revision: latest.id, timestamp: latest.timestamp, isUnsaved: true }
  return renderContent(wiki, { content, model, title, page }, query)
}

async function renderContent(
  wiki: Wiki,
  about: Pick<HtmlRequest, 'content' | 'model' | 'title' | 'page'>,
  { flavor = 'view', bodyOnly = false, server = '', stash = false, reading }: RenderQuery,
): Promise<Rendered> {
  const renders = await wiki.renders()
  const asked = { store: wiki.store, source: rawSource(wiki) }
  const form = { flavor, bodyOnly: bodyOnly || reading !== undefined, server, reading }
  const request = { ...about, ...form, client: wiki.client }
  const rendered = await renders.html(request, asked)
  if (stash && about.model === 'wikitext') {
    const isWhole = flavor === 'edit' && !bodyOnly
    const { html } = isWhole ? rendered : await renders.html({ ...request, flavor: 'edit', bodyOnly: false }, asked)
    const source = await about.content.read()
    const entry = { source, html, of: revisionMeant(wiki, about) }
    await (await wiki.stash()).set(renderIdOf(rendered.html, { ...about, text: source }), entry, wiki.client)
  }
  return rendered
}

function revisionMeant({ store }: Wiki, { page, content }: Pick<HtmlRequest, 'content' | 'page'>): Stashed['of'] {
  const commit = page === null || page.isUnsaved ? undefined : store.revision(page.revision, { deleted: true })?.commit
  return commit === undefined ? undefined : { commit, blob: content.name }
}

/** Identifies a rendering. A revision's identity comes from its bytes, because two texts may have the same HTML. */
export function renderIdOf(
  html: string,
  {
    text,
    title,
    page,
  }: {
    readonly text: string
    readonly title: string
    readonly page: { readonly revision: number; readonly isUnsaved?: boolean } | null
  },
): RenderId {
  return page === null || page.isUnsaved
    ? { revision: 0, uuid: uuidOf(JSON.stringify([html, title, text])) }
    : { revision: page.revision, uuid: uuidOf(html) }
}

/** Lists the problems of any wikitext under a title. `source` is the wiki that it includes pages of; by default, the wiki as it is. */
export async function lintSource(
  wiki: Wiki,
  { text, title }: { readonly text: string; readonly title: string },
  source: RawSource = rawSource(wiki),
): Promise<readonly Lint[]> {
  const job = { text, title, model: 'wikitext', flavor: 'view', bodyOnly: false, server: '', page: null } as const
  const asked = { store: wiki.store, source }
  return (await (await wiki.renders()).lint({ ...job, client: wiki.client }, asked)) as readonly Lint[]
}

/** As `lintSource`, for one of many texts: null for one that is too complex or takes too long. */
export async function lintAmong(...lint: Parameters<typeof lintSource>): Promise<readonly Lint[] | null> {
  return unlessTooComplex(lintSource(...lint))
}

/** Renders one of many texts; null for one that is too complex or takes too long. */
export async function renderAmong(
  wiki: Wiki,
  page: Parameters<typeof renderText>[1],
  source?: RawSource,
): Promise<string | null> {
  if (source === undefined) return unlessTooComplex(renderText(wiki, page).then(({ html }) => html))
  const { text, model, title } = page
  const job = {
    text,
    title,
    model,
    flavor: 'view',
    bodyOnly: false,
    server: '',
    page: null,
    client: wiki.client,
  } as const
  const rendered = (await wiki.renders()).uncached(job, { store: wiki.store, source })
  return unlessTooComplex(rendered.then(({ html }) => html))
}

/** A pool that takes no job now says nothing about the text. */
async function unlessTooComplex<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    const isLimit = isWikiError(error, 'wiki-page-too-complex') || isWikiError(error, 'wiki-render-limit')
    if (isLimit && error.cause !== notStarted) return null
    throw error
  }
}
