/** Lists of pages and titles by their links: orphaned, wanted, uncategorized and others. */

import { WikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { possibleTitle } from '../core/title.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { byRank, type ListPart, partOf } from './linking/cursor.ts'
import { isEntrance } from './linking/entrance.ts'
import { type LinkGraph, type LinkKind, linkGraph } from './linking/link-graph.ts'
import { titleOf } from './page-links.ts'
import type { Wiki } from './wiki.ts'

/** A member of a list. */
export interface ListMember {
  readonly key: string
  readonly title: string
  /** The count of the list: linking pages, or bytes; 0 if the list has none. */
  readonly rank: number
  /** Title that a redirect leads to; null for every other page. */
  readonly target: string | null
}

export interface LinkListQuery {
  readonly list: string
  /** Id of the namespace of the pages; that of articles if omitted, and all namespaces for lists of a single kind of page. */
  readonly namespace?: number | undefined
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

interface Asked {
  readonly store: Store
  readonly graph: LinkGraph
  readonly namespace: number
}

interface LinkList {
  readonly summary: string
  /** Meaning of the number. */
  readonly counts: 'pages' | 'bytes' | null
  readonly members: (asked: Asked) => Iterable<ListMember>
}

const [templateNamespace, categoryNamespace] = [10, 14]

/** The lists by their names. Source: MediaWiki's special pages of these names. */
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
    redirects(asked, led => led?.redirect != null),
  ),
  'broken-redirects': list('redirects that lead to no page', null, asked => redirects(asked, led => led === undefined)),
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

/** Lists pages by their links, by number and then by title. Errors: wiki-usage for an unknown list; badvalue. */
export async function listByLinks(wiki: Wiki, query: LinkListQuery): Promise<ListedByLinks> {
  const { store } = wiki
  await store.refresh()
  if (!Object.hasOwn(linkLists, query.list)) throw unknownList(query.list)
  const name = query.list as LinkListName
  const graph = await linkGraph(wiki)
  const { counts, members } = linkLists[name]
  const all = [...members({ store, graph, namespace: query.namespace ?? namespaceIds.main })].sort(byRank)
  const part = partOf(all, { limit: query.limit ?? defaultLimit, after: query.after })
  const shown = name === 'shortest' ? part.members.map(member => ({ ...member, rank: -member.rank })) : part.members
  return { ...part, members: shown, list: name, counts }
}

function unknownList(name: string): WikiError {
  return new WikiError('wiki-usage', {
    params: [`There is no list ${name}`],
    hint: `Lists: ${Object.keys(linkLists).join(', ')}`,
  })
}

function member({ key, title }: Pick<PageEntry, 'key' | 'title'>, rank = 0, target: string | null = null): ListMember {
  return { key, title, rank, target }
}

/** Pages of the namespace that are no redirects. */
function* articles({ store, namespace }: Asked): Iterable<PageEntry> {
  for (const page of store.pages()) if (page.namespace === namespace && page.redirect === null) yield page
}

/** Number of pages that lead to a page, without itself but with those that lead to a redirect to it. */
function sources({ store, graph }: Asked, page: PageEntry, kinds: ReadonlySet<LinkKind>): number {
  const found = new Set<number>()
  for (const id of graph.to(page.key)) {
    if (id === page.id) continue
    const edges = graph.from(id).filter(({ key }) => key === page.key)
    if (edges.some(({ kind }) => kinds.has(kind))) found.add(id)
    const redirect = edges.some(({ kind }) => kind === 'redirect') ? store.pageById(id) : undefined
    for (const other of redirect === undefined ? [] : graph.to(redirect.key)) if (other !== page.id) found.add(other)
  }
  return found.size
}

const leading: ReadonlySet<LinkKind> = new Set(['link', 'template'])
const linking: ReadonlySet<LinkKind> = new Set(['link'])

function* orphans(asked: Asked): Iterable<ListMember> {
  for (const page of articles(asked))
    if (!isEntrance(asked.store.config, page) && sources(asked, page, leading) === 0) yield member(page)
}

function* deadEnds(asked: Asked): Iterable<ListMember> {
  const { store, graph } = asked
  const leads = (key: string, id: number) => (store.findPage(key)?.id ?? id) !== id
  for (const page of articles(asked))
    if (!graph.from(page.id).some(({ kind, key }) => kind === 'link' && leads(key, page.id))) yield member(page)
}

function* wanted({ store, graph }: Asked, kinds: readonly LinkKind[]): Iterable<ListMember> {
  for (const key of graph.keys()) {
    if (store.findPage(key) !== undefined || store.findFile(key) !== undefined) continue
    const count = graph
      .to(key)
      .filter(id => graph.from(id).some(edge => edge.key === key && kinds.includes(edge.kind))).length
    if (count > 0) yield member({ key, title: titleOf(store, key) }, count)
  }
}

function* uncategorized(asked: Asked): Iterable<ListMember> {
  for (const page of articles(asked))
    if (!asked.graph.from(page.id).some(({ kind }) => kind === 'category')) yield member(page)
}

function* unusedFiles({ store, graph }: Asked): Iterable<ListMember> {
  for (const { key, title } of store.files()) if (graph.to(key).length === 0) yield member({ key, title })
}

function* unusedTemplates(asked: Asked): Iterable<ListMember> {
  for (const page of articles({ ...asked, namespace: templateNamespace }))
    if (sources(asked, page, new Set(['template'])) === 0) yield member(page)
}

function* redirects({ store }: Asked, isListed: (led: PageEntry | undefined) => boolean): Iterable<ListMember> {
  for (const page of store.pages()) {
    if (page.redirect === null) continue
    const target = possibleTitle(page.redirect.replace(/#.*$/s, ''), store.titles)
    if (target !== null && isListed(store.findPage(target.key))) yield member(page, 0, target.text)
  }
}

function* mostLinked(asked: Asked): Iterable<ListMember> {
  for (const page of articles(asked)) {
    const count = sources(asked, page, linking)
    if (count > 0) yield member(page, count)
  }
}

function* sized(asked: Asked, sign: 1 | -1): Iterable<ListMember> {
  for (const page of articles(asked)) yield member(page, sign * (asked.store.revision(page.latest)?.size ?? 0))
}

/** A member of a category. */
export interface CategoryMember {
  readonly key: string
  readonly title: string
  readonly kind: 'page' | 'subcategory' | 'file'
  /** Title of the template that made the link; null if the page itself did. */
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
 * Lists the members of a category, sub-categories first. The namespace prefix is optional. Errors: rest-invalid-title, badvalue.
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
    const edge = graph.from(id).find(({ kind, key }) => kind === 'category' && key === title.key)
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
