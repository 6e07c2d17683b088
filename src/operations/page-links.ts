/** The outgoing and incoming links of a page. */

import { WikiError } from '../core/errors.ts'
import { textOfKey } from '../core/title.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { type ListPart, partOf } from './linking/cursor.ts'
import { type LinkGraph, linkGraph } from './linking/link-graph.ts'
import type { Edge } from './linking/page-edges.ts'
import type { LinkKind } from './linking/table-parts.ts'
import { renderEntry } from './render-page.ts'
import { latestOf, writtenTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'
import { createPause, type Pause } from './workers/pause.ts'

/** Kinds of links that lead outside the wiki, or to a section. They have no incoming side. */
export const leavingKinds = ['section', 'external', 'interwiki', 'language'] as const
export type LeavingKind = (typeof leavingKinds)[number]

export interface PageLinksQuery<Kind = LinkKind> {
  readonly title: string
  /** Lists only links of this kind. */
  readonly kind?: Kind | undefined
  /** Maximum number of steps to follow; 1 if omitted. */
  readonly depth?: number | undefined
  /** Maximum number of links; 500 if omitted. */
  readonly limit?: number | undefined
  /** Cursor of a part; the first part if omitted. */
  readonly after?: string | undefined
}

/** A page, file, template or category that a page links to. */
export interface OutgoingLink {
  /** Key of a title; for a link outside the wiki its URL, or the title there with its prefix. */
  readonly key: string
  readonly title: string
  readonly kind: LinkKind | LeavingKind
  /** False if no page and no file has the title. */
  readonly exists: boolean
  /** Title of the template that contains the link; null if the page itself does. */
  readonly through: string | null
  /** Number of steps from the page: 1 for its own links. */
  readonly distance: number
}

/** A page that links to another one. */
export interface IncomingLink {
  readonly id: number
  readonly key: string
  readonly title: string
  readonly kind: LinkKind
  readonly through: string | null
  /** Title of the redirect through which it links; null if it links directly. */
  readonly redirect: string | null
  readonly distance: number
}

/** Links of a page as the API lists them, without their distance. */
export interface LinksBody<Link> {
  readonly links: readonly Omit<Link, 'distance'>[]
  /** Number of links in all parts. */
  readonly total: number
  /** Route of the next part; null at the end. */
  readonly next: string | null
}

/** Returns the API's object of incoming links; `next` is the route of the next part. */
export function incomingBody({ members, total }: ListPart<IncomingLink>, next: string | null): LinksBody<IncomingLink> {
  const links = members.map(({ id, key, title, kind, redirect, through }) => ({
    ...{ id, key, title, kind, redirect, through },
  }))
  return { links, total, next }
}

/** Returns the API's object of outgoing links; `next` is the route of the next part. */
export function outgoingBody({ members, total }: ListPart<OutgoingLink>, next: string | null): LinksBody<OutgoingLink> {
  const links = members.map(({ key, title, kind, exists, through }) => ({ key, title, kind, exists, through }))
  return { links, total, next }
}

const defaultLimit = 500

/**
 * Lists the outgoing links of a page, by title. Links outside the wiki are those of the rendered page, and are listed
 * only if their kind is requested. Errors: apierror-missingtitle, rest-invalid-title, badvalue, and those of rendering.
 */
export async function outgoingLinks(
  wiki: Wiki,
  query: PageLinksQuery<LinkKind | LeavingKind>,
): Promise<ListPart<OutgoingLink>> {
  const { store } = wiki
  await store.refresh()
  const title = writtenTitle(store, query.title)
  const page = store.findPage(title.key)
  if (page === undefined) throw new WikiError('apierror-missingtitle', { params: [title.text] })
  const { kind } = query
  const pause = createPause()
  if (kind !== undefined && isLeaving(kind)) return cut(await leavingLinks(wiki, page, kind), query, pause)
  const graph = await linkGraph(wiki)
  const found = new Map<string, Edge & { readonly distance: number }>()
  const seen = new Set([page.id])
  let edge: readonly PageEntry[] = [page]
  const depth = query.depth ?? 1
  for (let distance = 1; distance <= depth && edge.length > 0; distance++) {
    const next: PageEntry[] = []
    for (const { id } of edge) {
      for (const link of graph.from(id)) {
        await pause()
        if (query.kind !== undefined && link.kind !== query.kind) continue
        const name = `${link.kind} ${link.key}`
        if (distance > 1 && link.key === page.key) continue
        if (!found.has(name)) found.set(name, { ...link, distance })
        const led = distance === depth ? undefined : store.findPage(link.key)
        if (led === undefined || seen.has(led.id)) continue
        seen.add(led.id)
        next.push(led)
      }
    }
    edge = next.sort((one, other) => compareKeys(one.key, other.key))
  }
  const part = await cut([...found.values()], query, pause)
  return { ...part, members: part.members.map(link => outgoing(store, link)) }
}

function isLeaving(kind: LinkKind | LeavingKind): kind is LeavingKind {
  return (leavingKinds as readonly string[]).includes(kind)
}

async function leavingLinks(wiki: Wiki, page: PageEntry, kind: LeavingKind): Promise<OutgoingLink[]> {
  const { store } = wiki
  const { references } = await renderEntry(wiki, { page, revision: latestOf(store, page) })
  const keys: Readonly<Record<LeavingKind, () => readonly string[]>> = {
    external: () => references.external,
    interwiki: () => references.interwiki,
    language: () => references.languages.map(({ code, title }) => `${code}:${title}`),
    section: () => references.sections,
  }
  const exists = (key: string) => kind !== 'section' || store.findPage(key.replace(/#.*$/s, '')) !== undefined
  return keys[kind]().map(key => ({
    ...{ key, title: kind === 'section' ? key.replaceAll('_', ' ') : key, kind, exists: exists(key) },
    ...{ through: null, distance: 1 },
  }))
}

function outgoing(store: Store, { kind, key, through, distance }: Edge & { readonly distance: number }): OutgoingLink {
  const exists = store.findPage(key) !== undefined || store.findFile(key) !== undefined
  return { key, title: textOfKey(key), kind, exists, through: through === null ? null : textOfKey(through), distance }
}

/**
 * Lists the pages that link to a title, which need not exist; links through a redirect count too. Errors: rest-invalid-title,
 * badvalue.
 */
export async function incomingLinks(wiki: Wiki, query: PageLinksQuery): Promise<ListPart<IncomingLink>> {
  const { store } = wiki
  await store.refresh()
  const { key } = writtenTitle(store, query.title)
  const graph = await linkGraph(wiki)
  const pause = createPause()
  const found = new Map<number, IncomingLink>()
  let keys: readonly string[] = [key]
  for (let distance = 1; distance <= (query.depth ?? 1) && keys.length > 0; distance++) {
    const next: string[] = []
    for (const each of keys) {
      for (const link of sourcesOf(store, graph, each, query.kind)) {
        await pause()
        if (link === null) continue
        // Further redirects would only lead to the page again.
        if (found.has(link.id) || (distance > 1 && link.key === key)) continue
        found.set(link.id, { ...link, distance })
        next.push(link.key)
      }
    }
    keys = next.sort(compareKeys)
  }
  return cut([...found.values()], query, pause)
}

type Source = Omit<IncomingLink, 'distance'>

/**
 * Yields null for a page without such a link, so that the caller may pause at each. A page may link in several ways, and counts by the
 * first: its own link, then one through a redirect, in the order of their titles. The graph's own order is that of the changes.
 */
function* sourcesOf(store: Store, graph: LinkGraph, key: string, kind: LinkKind | undefined): Generator<Source | null> {
  const redirects: PageEntry[] = []
  for (const id of graph.to(key)) {
    const page = store.pageById(id)
    const edge = edgeTo(graph, id, key, kind)
    yield page === undefined || edge === undefined ? null : source(page, edge, null)
    if (page !== undefined && edge?.kind === 'redirect') redirects.push(page)
  }
  for (const redirect of redirects.sort((one, other) => compareKeys(one.key, other.key))) {
    for (const id of graph.to(redirect.key)) {
      const page = store.pageById(id)
      const own = edgeTo(graph, id, redirect.key, kind)
      const isLink = page !== undefined && own !== undefined && own.kind !== 'redirect'
      yield isLink ? source(page, own, redirect.title) : null
    }
  }
}

function compareKeys(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** A redirect shows its own links even if other kinds are requested, because it lies on the path. */
function edgeTo(graph: LinkGraph, id: number, key: string, kind: LinkKind | undefined): Edge | undefined {
  return graph.between(id, key).find(edge => kind === undefined || edge.kind === kind || edge.kind === 'redirect')
}

function source({ id, key, title }: PageEntry, { kind, through }: Edge, redirect: string | null): Source {
  return { id, key, title, kind, through: through === null ? null : textOfKey(through), redirect }
}

/** Returns a part of the links: the nearest first, then by key and kind. */
async function cut<Link extends { readonly key: string; readonly kind: string; readonly distance: number }>(
  all: readonly Link[],
  { limit = defaultLimit, after }: Pick<PageLinksQuery, 'limit' | 'after'>,
  pause: Pause,
): Promise<ListPart<Link>> {
  const ranked = all.map(link => ({ link, rank: -link.distance, key: `${link.key} ${link.kind}` }))
  const part = await partOf(ranked, { limit, after }, pause)
  return { ...part, members: part.members.map(({ link }) => link) }
}
