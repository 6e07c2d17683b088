/** Lists of pages and titles by their links: orphaned, wanted, uncategorized and others. */

import { WikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { possibleTitle, textOfKey } from '../core/title.ts'
import type { PageEntry } from '../store/format/entries.ts'
import { type ListPart, partOf } from './linking/cursor.ts'
import type { LinkTable } from './linking/link-table.ts'
import { type LinkListName, segmentName } from './linking/list-members.ts'
import { partOfList } from './linking/list-part.ts'
import { listTable } from './linking/list-table.ts'
import type { Wiki } from './wiki.ts'
import { createPause } from './workers/pause.ts'

/** A member of a list. */
export interface ListMember {
  readonly key: string
  readonly title: string
  /** Value that the list is sorted by: linking pages, or bytes; 0 if the list has none. */
  readonly rank: number
  /** Title of a redirect's target; null for other pages. */
  readonly target: string | null
}

export type { LinkListName }

export interface LinkListQuery {
  readonly list: string
  /** Id of the namespace of the pages. If omitted, articles, or all namespaces for lists of a single kind of page. */
  readonly namespace?: number | undefined
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

interface LinkList {
  readonly summary: string
  /** Meaning of the value. */
  readonly counts: 'pages' | 'bytes' | null
}

const categoryNamespace = 14

/** The lists by name. Source: MediaWiki's special pages of these names. */
export const linkLists: Readonly<Record<LinkListName, LinkList>> = {
  orphans: { summary: 'pages that no other page links to', counts: null },
  'dead-ends': { summary: 'pages that link to no other page', counts: null },
  wanted: { summary: 'titles without a page that pages link to', counts: 'pages' },
  'wanted-files': { summary: 'files that pages show but that do not exist', counts: 'pages' },
  'wanted-templates': { summary: 'templates that pages use but that do not exist', counts: 'pages' },
  'wanted-categories': { summary: 'categories of pages that have no page of their own', counts: 'pages' },
  uncategorized: { summary: 'pages in no category', counts: null },
  'unused-files': { summary: 'files that no page shows or links to', counts: null },
  'unused-templates': { summary: 'templates that no page uses', counts: null },
  'double-redirects': { summary: 'redirects that lead to a redirect', counts: null },
  'broken-redirects': { summary: 'redirects that lead to no page', counts: null },
  'most-linked': { summary: 'pages by the number of pages that link to them', counts: 'pages' },
  longest: { summary: 'pages by their size, the largest first', counts: 'bytes' },
  shortest: { summary: 'pages by their size, the smallest first', counts: 'bytes' },
}

export interface ListedByLinks extends ListPart<ListMember> {
  readonly list: LinkListName
  readonly counts: LinkList['counts']
}

const defaultLimit = 500

/** Lists pages by their links, sorted by value and then by title. Errors: wiki-usage for an unknown list; badvalue. */
export async function listByLinks(wiki: Wiki, query: LinkListQuery): Promise<ListedByLinks> {
  const { store } = wiki
  await store.refresh()
  if (!Object.hasOwn(linkLists, query.list)) throw unknownList(query.list)
  const list = query.list as LinkListName
  const namespace = query.namespace ?? namespaceIds.main
  const table = await listTable(wiki, segmentName(list, namespace))
  const part = partOfList(table, { list, namespace, limit: query.limit ?? defaultLimit, after: query.after })
  const members = part.members.map(({ node, rank }) => member(table, node, list === 'shortest' ? -rank : rank))
  return { ...part, members, list, counts: linkLists[list].counts }
}

function unknownList(name: string): WikiError {
  return new WikiError('wiki-usage', {
    params: [`There is no list ${name}`],
    hint: `Lists: ${Object.keys(linkLists).join(', ')}`,
  })
}

function member(table: LinkTable, node: number, rank: number): ListMember {
  const key = table.key(node)
  const { redirect } = table.row(node)
  return { key, title: textOfKey(key), rank, target: redirect === 0 ? null : textOfKey(table.key(redirect - 1)) }
}

/** A member of a category. */
export interface CategoryMember {
  readonly key: string
  readonly title: string
  readonly kind: 'page' | 'subcategory' | 'file'
  /** Title of the template that contains the link; null if the page itself does. */
  readonly through: string | null
  readonly rank: number
}

export interface CategoryMembers extends ListPart<CategoryMember> {
  readonly key: string
  readonly title: string
  /** False if the category has no page. */
  readonly exists: boolean
}

/**
 * Lists the members of a category, subcategories first. The namespace prefix is optional. Errors: rest-invalid-title,
 * badvalue.
 */
export async function categoryMembers(
  wiki: Wiki,
  {
    name,
    limit = defaultLimit,
    after,
  }: { readonly name: string; readonly limit?: number | undefined; readonly after?: string | undefined },
): Promise<CategoryMembers> {
  const { store } = wiki
  await store.refresh()
  const title = possibleTitle(name, store.titles, categoryNamespace)
  if (title === null || title.namespace !== categoryNamespace)
    throw new WikiError('rest-invalid-title', { params: [name] })
  const { linkGraph } = await import('./linking/link-graph.ts')
  const graph = await linkGraph(wiki)
  const pause = createPause()
  const all: CategoryMember[] = []
  for (const id of graph.to(title.key)) {
    await pause()
    const page = store.pageById(id)
    const edge = graph.between(id, title.key).find(({ kind }) => kind === 'category')
    if (page !== undefined && edge !== undefined) all.push(categoryMember(page, edge.through))
  }
  const part = await partOf(all, { limit, after }, pause)
  return { key: title.key, title: title.text, exists: store.findPage(title.key) !== undefined, ...part }
}

function categoryMember({ key, title, namespace }: PageEntry, through: string | null): CategoryMember {
  const kind = namespace === categoryNamespace ? 'subcategory' : namespace === namespaceIds.file ? 'file' : 'page'
  const from = through === null ? null : textOfKey(through)
  return { key, title, kind, through: from, rank: kind === 'subcategory' ? 2 : kind === 'page' ? 1 : 0 }
}

/** Returns the API's object of a list: the value of each page is under its name. `next` is the route of the next part. */
export function listBody({ list, members, counts, total }: ListedByLinks, next: string | null) {
  const pages = members.map(({ key, title, rank, target }) => ({
    ...{ key, title },
    ...(counts !== null && { [counts]: rank }),
    ...(target !== null && { target }),
  }))
  return { list, pages, total, next }
}

/** Returns the API's object of a category; `next` is the route of the next part. */
export function categoryBody({ key, title, exists, members, total }: CategoryMembers, next: string | null) {
  return { key, title, exists, members: members.map(({ rank: _, ...member }) => member), total, next }
}
