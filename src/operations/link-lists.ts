/** Lists of pages and titles by their links: orphaned, wanted, uncategorized and others. */

import { WikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { possibleTitle } from '../core/title.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { byRank, type ListPart, partOf, partOfOrdered } from './linking/cursor.ts'
import { type LinkKind, linkGraph, linkKinds } from './linking/link-graph.ts'
import { kindOf, type LinkTable, nodeFlags, otherEnd } from './linking/link-table.ts'
import { titleOf } from './page-links.ts'
import type { Wiki } from './wiki.ts'

/** A member of a list. */
export interface ListMember {
  readonly key: string
  readonly title: string
  /** Value that the list is sorted by: linking pages, or bytes; 0 if the list has none. */
  readonly rank: number
  /** Title of a redirect's target; null for other pages. */
  readonly target: string | null
}

export interface LinkListQuery {
  readonly list: string
  /** Id of the namespace of the pages. If omitted, articles, or all namespaces for lists of a single kind of page. */
  readonly namespace?: number | undefined
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

interface Asked {
  readonly table: LinkTable
  readonly namespace: number
}

/** A node of the table, and its value in the list. */
interface RankedNode {
  readonly node: number
  readonly rank: number
}

interface LinkList {
  readonly summary: string
  /** Meaning of the value. */
  readonly counts: 'pages' | 'bytes' | null
  readonly members: (asked: Asked) => Iterable<RankedNode>
}

const [templateNamespace, categoryNamespace] = [10, 14]

/** The lists by name. Source: MediaWiki's special pages of these names. */
export const linkLists = {
  orphans: list('pages that no other page links to', null, orphans),
  'dead-ends': list('pages that link to no other page', null, deadEnds),
  wanted: list('titles without a page that pages link to', 'pages', asked => wanted(asked, ['link', 'redirect'])),
  'wanted-files': list('files that pages show but that do not exist', 'pages', asked => wanted(asked, ['file'])),
  'wanted-templates': list('templates that pages use but that do not exist', 'pages', asked =>
    wanted(asked, ['template']),
  ),
  'wanted-categories': list('categories of pages that have no page of their own', 'pages', asked =>
    wanted(asked, ['category']),
  ),
  uncategorized: list('pages in no category', null, uncategorized),
  'unused-files': list('files that no page shows or links to', null, unusedFiles),
  'unused-templates': list('templates that no page uses', null, unusedTemplates),
  'double-redirects': list('redirects that lead to a redirect', null, asked =>
    redirects(asked, flags => (flags & nodeFlags.redirect) !== 0),
  ),
  'broken-redirects': list('redirects that lead to no page', null, asked =>
    redirects(asked, flags => (flags & nodeFlags.page) === 0),
  ),
  'most-linked': list('pages by the number of pages that link to them', 'pages', mostLinked),
  longest: list('pages by their size, the largest first', 'bytes', asked => sized(asked, 1)),
  shortest: list('pages by their size, the smallest first', 'bytes', asked => sized(asked, -1)),
} as const satisfies Record<string, LinkList>

export type LinkListName = keyof typeof linkLists

function list(summary: string, counts: LinkList['counts'], members: LinkList['members']): LinkList {
  return { summary, counts, members }
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
  const name = query.list as LinkListName
  const { table } = await linkGraph(wiki)
  const { counts, members } = linkLists[name]
  const all = [...members({ table, namespace: query.namespace ?? namespaceIds.main })]
  all.sort((a, b) => b.rank - a.rank || table.compare(a.node, b.node))
  const part = partOfOrdered(all, ({ node, rank }) => ({ key: table.key(node), rank }), {
    limit: query.limit ?? defaultLimit,
    after: query.after,
  })
  const shown = part.members.map(({ node, rank }) => member(store, table, node, name === 'shortest' ? -rank : rank))
  return { ...part, members: shown, list: name, counts }
}

function unknownList(name: string): WikiError {
  return new WikiError('wiki-usage', {
    params: [`There is no list ${name}`],
    hint: `Lists: ${Object.keys(linkLists).join(', ')}`,
  })
}

function member(store: Store, table: LinkTable, node: number, rank: number): ListMember {
  const key = table.key(node)
  const { redirect } = table.row(node)
  return {
    key,
    title: titleOf(store, key),
    rank,
    target: redirect === 0 ? null : titleOf(store, table.key(redirect - 1)),
  }
}

/** Yields the pages of the namespace that are not redirects. */
function* articles({ table, namespace }: Asked): Iterable<number> {
  for (let node = 0; node < table.nodeCount; node++) {
    const flags = table.flags(node)
    const isArticle = (flags & nodeFlags.page) !== 0 && (flags & nodeFlags.redirect) === 0
    if (isArticle && table.row(node).namespace === namespace) yield node
  }
}

const [linkKind, redirectKind, templateKind, categoryKind] = (
  ['link', 'redirect', 'template', 'category'] as const
).map(kind => linkKinds.indexOf(kind)) as [number, number, number, number]

/** Counts the pages that link to a page, directly or through a redirect, without the page itself. */
function sources(table: LinkTable, node: number, kinds: readonly number[]): number {
  const into = table.into(node)
  let [count, last, hasRedirect] = [0, -1, false]
  for (const edge of into) {
    const [source, kind] = [otherEnd(edge), kindOf(edge)]
    if (kind === redirectKind) hasRedirect = true
    if (source === node || source === last || !kinds.includes(kind)) continue
    last = source
    count++
  }
  return hasRedirect ? withRedirects(table, node, kinds) : count
}

function withRedirects(table: LinkTable, node: number, kinds: readonly number[]): number {
  const found = new Set<number>()
  for (const edge of table.into(node)) {
    const source = otherEnd(edge)
    if (kinds.includes(kindOf(edge))) found.add(source)
    if (kindOf(edge) === redirectKind) for (const other of table.into(source)) found.add(otherEnd(other))
  }
  found.delete(node)
  return found.size
}

function* orphans(asked: Asked): Iterable<RankedNode> {
  const { table } = asked
  for (const node of articles(asked)) {
    const isEntryPage = (table.flags(node) & nodeFlags.entryPage) !== 0
    if (!isEntryPage && sources(table, node, [linkKind, templateKind]) === 0) yield { node, rank: 0 }
  }
}

function* deadEnds(asked: Asked): Iterable<RankedNode> {
  const { table } = asked
  for (const node of articles(asked)) {
    const leads = (edge: number) =>
      kindOf(edge) === linkKind && otherEnd(edge) !== node && (table.flags(otherEnd(edge)) & nodeFlags.page) !== 0
    if (!table.out(node).some(leads)) yield { node, rank: 0 }
  }
}

function* wanted({ table }: Asked, kinds: readonly LinkKind[]): Iterable<RankedNode> {
  const asked = kinds.map(kind => linkKinds.indexOf(kind))
  for (let node = 0; node < table.nodeCount; node++) {
    if ((table.flags(node) & (nodeFlags.page | nodeFlags.file)) !== 0) continue
    let [count, last] = [0, -1]
    for (const edge of table.into(node)) {
      if (otherEnd(edge) === last || !asked.includes(kindOf(edge))) continue
      last = otherEnd(edge)
      count++
    }
    if (count > 0) yield { node, rank: count }
  }
}

function* uncategorized(asked: Asked): Iterable<RankedNode> {
  for (const node of articles(asked))
    if (!asked.table.out(node).some(edge => kindOf(edge) === categoryKind)) yield { node, rank: 0 }
}

function* unusedFiles({ table }: Asked): Iterable<RankedNode> {
  for (let node = 0; node < table.nodeCount; node++)
    if ((table.flags(node) & nodeFlags.file) !== 0 && table.into(node).length === 0) yield { node, rank: 0 }
}

function* unusedTemplates({ table }: Asked): Iterable<RankedNode> {
  for (const node of articles({ table, namespace: templateNamespace }))
    if (sources(table, node, [templateKind]) === 0) yield { node, rank: 0 }
}

function* redirects({ table }: Asked, isListed: (flags: number) => boolean): Iterable<RankedNode> {
  for (let node = 0; node < table.nodeCount; node++) {
    const { redirect } = table.row(node)
    if (redirect !== 0 && isListed(table.flags(redirect - 1))) yield { node, rank: 0 }
  }
}

function* mostLinked(asked: Asked): Iterable<RankedNode> {
  for (const node of articles(asked)) {
    const rank = sources(asked.table, node, [linkKind])
    if (rank > 0) yield { node, rank }
  }
}

function* sized(asked: Asked, sign: 1 | -1): Iterable<RankedNode> {
  for (const node of articles(asked)) yield { node, rank: sign * asked.table.row(node).size }
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
  /** False if the category has no page of its own. */
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
  const graph = await linkGraph(wiki)
  const all = graph.to(title.key).flatMap(id => {
    const page = store.pageById(id)
    const edge = graph.between(id, title.key).find(({ kind }) => kind === 'category')
    return page === undefined || edge === undefined ? [] : [categoryMember(store, page, edge.through)]
  })
  const part = partOf(all.sort(byRank), { limit, after })
  return { key: title.key, title: title.text, exists: store.findPage(title.key) !== undefined, ...part }
}

function categoryMember(store: Store, { key, title, namespace }: PageEntry, through: string | null): CategoryMember {
  const kind = namespace === categoryNamespace ? 'subcategory' : namespace === namespaceIds.file ? 'file' : 'page'
  const from = through === null ? null : titleOf(store, through)
  return { key, title, kind, through: from, rank: kind === 'subcategory' ? 2 : kind === 'page' ? 1 : 0 }
}
