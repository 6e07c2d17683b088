/**
 * The link graph of a wiki: for each page its links to pages, files, templates and categories, and its incoming links.
 */

import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle } from '../../core/title.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { isHidden } from '../access/hidden.ts'
import { othersChanged } from '../naming/wiki-names.ts'
import { isShown, latestOf } from '../resources/find-page.ts'
import { createPause } from '../workers/pause.ts'
import { isEntryPage } from './entry-pages.ts'
import { LinkTable } from './link-table.ts'
import { membershipsOf, withLists } from './list-members.ts'
import { type PackedNode, packNodes } from './pack-table.ts'
import { type Edge, pageResolver, type ReadPage } from './page-edges.ts'
import { readTable, type StoredTable, type TableState, writeChanges, writeTable } from './table-file.ts'
import {
  type GraphParts,
  type KeyEdge,
  kindNumbers,
  kindOf,
  type LinkKind,
  linkKinds,
  type NodeProperties,
  nodeFlags,
  otherEnd,
} from './table-parts.ts'
import { linkFolder, rulesOf, stateOf } from './table-state.ts'
import {
  type LinkRecords,
  linksOf,
  noLinks,
  openLinkRecords,
  type PageAndLatest,
  type Readers,
  type TextLinks,
} from './text-links.ts'

/** The links of all pages at one state of the branch. */
export interface LinkGraph {
  /** Lists the links of a page, each target of a kind once. */
  readonly from: (id: number) => Iterable<Edge>
  /** Returns the ids of the pages that link to a key. */
  readonly to: (key: string) => readonly number[]
  /** Returns the links of a page to a key, in the order of `from`. */
  readonly between: (id: number, key: string) => readonly Edge[]
  /** The graph in numeric form, for lists of a whole wiki. */
  readonly table: LinkTable
}

interface CachedGraphs {
  readonly records: LinkRecords
  readonly folder: string
  /** The table from which the next one is derived. */
  graph: StoredTable | null
  /** True if texts were lacking when it was made: another process may have them. */
  isPartial: boolean
  /** Graphs by the state of the branch, newest last. Requests that started before an edit still use theirs. */
  readonly recent: Map<string, Promise<LinkGraph>>
  /** Resolves when the newest graph is complete. Only one is built at a time. */
  idle: Promise<unknown>
  /** Time of the last write of changes, in milliseconds of `performance.now()`. */
  written: number
}

/** By repository, because each request has its own snapshot of the store. */
const graphs = new WeakMap<Store['repository'], CachedGraphs>()

/** Number of changed pages above which a table is rebuilt, because reading them one by one would take longer. */
const manyPages = 2000
/**
 * Pages to read again, as a number and as a share of all pages, from which the records of all texts are read first. A new name changes the
 * links of unchanged texts, and to find these links again takes a hundred times as long as to read their record.
 */
const [severalPages, severalShare] = [8, 0.01]
/** Number of changed pages above which the table is packed, in a small wiki and in a large one. */
const [fewChanges, manyChanges] = [100, 500]
/** Number of changed links above which it is packed as well, because all of them are read and written at each edit. */
const manyEdges = 50_000
/** Milliseconds between two writes of changes, which hold all of them. What is not written is read again by the next process. */
const writePause = 1000

/** Maximum number of graphs in memory. */
const maxRecent = 3

/** Returns the graph of the current branch. Reads the pages that changed since the last call. */
export async function linkGraph(readers: Readers): Promise<LinkGraph> {
  const { store } = readers
  const cached = graphs.get(store.repository) ?? emptyCache(linkFolder(store))
  graphs.set(store.repository, cached)
  const { recent } = cached
  const { state } = store
  let graph = recent.get(state)
  if (graph === undefined) {
    graph = pinned(readers, cached)
    cached.idle = graph.catch(() => undefined)
  }
  recent.delete(state)
  recent.set(state, graph)
  for (const old of recent.keys()) if (recent.size > maxRecent) recent.delete(old)
  try {
    return await graph
  } catch (error) {
    if (recent.get(state) === graph) recent.delete(state)
    throw error
  }
}

/** Builds the next graph after the others. The branch may move until then, but the requested state is used. */
function pinned(readers: Readers, cached: CachedGraphs): Promise<LinkGraph> {
  if (readers.store.isSnapshot) return cached.idle.then(() => nextGraph(readers, cached))
  const store = readers.store.snapshot()
  return cached.idle.then(() => nextGraph({ ...readers, store }, cached)).finally(() => store.close())
}

function emptyCache(folder: string): CachedGraphs {
  return {
    records: openLinkRecords(folder),
    folder,
    graph: null,
    isPartial: false,
    recent: new Map(),
    idle: Promise.resolve(),
    written: -Infinity,
  }
}

async function nextGraph(readers: Readers, cached: CachedGraphs): Promise<LinkGraph> {
  const { store } = readers
  cached.graph ??= await readTable(cached.folder)
  const { graph } = cached
  const lackingBefore = store.lackingReads
  const updated = graph === null ? null : await updatedTable(readers, cached.records, graph)
  // A request may have started before the edit that the known table includes.
  const isNewest = updated !== null || store.tip === store.branchTip()
  const table = updated ?? new LinkTable(await withLists(await buildTable(readers, cached), createPause()))
  cached.isPartial = (updated !== null && cached.isPartial) || store.lackingReads !== lackingBefore
  if (isNewest) cached.graph = await keepTable(cached, { table, state: stateOf(store), before: updated && graph })
  return graphOf(isNewest && cached.graph !== null ? cached.graph.table : table)
}

interface Next {
  readonly table: LinkTable
  readonly state: TableState
  /** The table from which it is derived; null for a new one. */
  readonly before: StoredTable | null
}

/** Writes the next table: its changes alone, or all of it if there are many. */
async function keepTable(cached: CachedGraphs, { table, state, before }: Next): Promise<StoredTable> {
  const { folder } = cached
  // A table of no lineage is valid for no process.
  const stored = cached.isPartial ? { ...state, lineage: '' } : state
  if (before !== null && !hasMany(table)) {
    const changed = { table, state, packed: before.packed }
    if (state.tip === before.state.tip || performance.now() - cached.written < writePause) return changed
    await writeChanges(folder, { ...changed, state: stored })
    cached.written = performance.now()
    return changed
  }
  const pause = createPause()
  const parts = await withLists(await table.packed(pause), pause)
  return { table: new LinkTable(parts), state, packed: await writeTable(folder, parts, stored) }
}

/** Packing takes time proportional to the whole wiki, and changes take time at each edit. */
function hasMany({ nodeCount, changes, changedEdges }: LinkTable): boolean {
  return changes >= Math.min(manyChanges, Math.max(fewChanges, nodeCount / 100)) || changedEdges >= manyEdges
}

function graphOf(table: LinkTable): LinkGraph {
  return {
    table,
    from: id => {
      const node = table.nodeOfPage(id)
      return node === undefined ? [] : edgesOf(table, node)
    },
    between: (id, key) => {
      const [node, end] = [table.nodeOfPage(id), table.find(key)]
      return node === undefined || end === undefined ? [] : [...edgesOf(table, node, end)].sort(byKind)
    },
    to: key => {
      const node = table.find(key)
      const ids = node === undefined ? [] : [...table.into(node)].map(edge => table.row(otherEnd(edge)).page)
      return [...new Set(ids)]
    },
  }
}

/** In the order of the kinds, not of the changes. */
function byKind(one: Edge, other: Edge): number {
  return kindNumbers[one.kind] - kindNumbers[other.kind]
}

/** Lists the edges of a node, optionally only those to one target. Keys are decoded only for these. */
function* edgesOf(table: LinkTable, node: number, end?: number): Generator<Edge> {
  const through = table.through(node)
  for (const [at, edge] of table.out(node).entries()) {
    if (end !== undefined && otherEnd(edge) !== end) continue
    const by = through[at] ?? 0
    const kind = linkKinds[kindOf(edge)] as LinkKind
    yield { kind, key: table.key(otherEnd(edge)), through: by === 0 ? null : table.key(by - 1) }
  }
}

async function buildTable(readers: Readers, { records }: CachedGraphs): Promise<GraphParts> {
  const { store } = readers
  const pause = createPause()
  const pages: PageAndLatest[] = []
  for (const page of store.pages()) {
    pages.push([page, latestOf(store, page)])
    await pause()
  }
  const shown = pages.filter(([, latest]) => !isHidden(latest, 'text'))
  const texts = await records.of(readers, shown, { areAll: true })
  const resolver = pageResolver(store, pause)
  const read = new Map<string, ReadPage>()
  for (const [at, [page]] of shown.entries()) {
    read.set(page.key, await resolver.resolve(page, texts[at] ?? noLinks))
    await pause()
  }
  const brought = (key: string) => read.get(key)?.brought ?? []
  const nodes: PackedNode[] = []
  for (const [page] of pages) {
    const links = read.get(page.key)
    const edges = links === undefined ? [] : await withThrough(links.own, brought)
    nodes.push({ key: page.key, properties: propertiesOf(store, page, links ?? null), edges })
    await pause()
  }
  const have = new Set(nodes.map(({ key }) => key))
  for (const { key } of store.files()) if (!have.has(key)) nodes.push({ key, properties: fileProperties, edges: [] })
  for (const [at, node] of nodes.entries()) {
    if (store.findFile(node.key) !== undefined) nodes[at] = withFile(node)
    await pause()
  }
  return packNodes(nodes, pause)
}

const fileProperties: NodeProperties = {
  page: 0,
  namespace: namespaceIds.file,
  flags: nodeFlags.file,
  size: 0,
  aliases: 0,
  redirect: null,
}

function withFile(node: PackedNode): PackedNode {
  return { ...node, properties: { ...node.properties, flags: node.properties.flags | nodeFlags.file } }
}

function propertiesOf(store: Store, page: PageEntry, links: ReadPage | null): NodeProperties {
  const { size } = latestOf(store, page)
  const redirect = page.redirect === null ? null : possibleTitle(page.redirect.replace(/#.*$/s, ''), store.titles)
  let flags: number = nodeFlags.page
  if (page.redirect !== null) flags |= nodeFlags.redirect
  if (isEntryPage(store.config, page)) flags |= nodeFlags.entryPage
  if (links?.byNames) flags |= nodeFlags.byNames
  return {
    page: page.id,
    namespace: page.namespace,
    flags,
    size,
    aliases: links?.aliases ?? 0,
    redirect: redirect?.key ?? null,
  }
}

const { redirect: redirectKind, template: templateKind } = kindNumbers

type Brought = (key: string) => readonly KeyEdge[] | Promise<readonly KeyEdge[]>

/** Adds the links that templates contribute, each once. Circular transclusions are followed only once. */
async function withThrough(own: readonly KeyEdge[], brought: Brought): Promise<KeyEdge[]> {
  const found = new Map(own.map(edge => [`${edge.kind} ${edge.key}`, edge]))
  const seen = new Set<string>()
  const waiting = own.flatMap(({ kind, key }) => (kind === templateKind ? [key] : []))
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue
    seen.add(key)
    for (const edge of await brought(key)) {
      // A redirect to a template is transcluded as that template.
      const kind = edge.kind === redirectKind ? templateKind : edge.kind
      if (kind === templateKind) waiting.push(edge.key)
      const name = `${kind} ${edge.key}`
      if (!found.has(name)) found.set(name, { kind, key: edge.key, through: key })
    }
  }
  return [...found.values()]
}

/** Returns a copy of a table with the changed pages read again; null if it has to be rebuilt. */
async function updatedTable(
  readers: Readers,
  records: LinkRecords,
  { table: before, state }: { readonly table: LinkTable; readonly state: TableState },
): Promise<LinkTable | null> {
  const { store } = readers
  if (!follows(store, state)) return null
  const table = before.copy()
  const files = changedFiles(store, table, state)
  const { changed, gone } = changedPages(store, table, state)
  const stale = new Set([...changed].filter(id => isShown(store, id)))
  if (stale.size > manyPages) return null
  const moved = [...stale].filter(
    id => table.nodeOfPage(id) === undefined || keyOfPage(table, id) !== store.pageById(id)?.key,
  )
  const reader = pageReader(readers, records)
  const hasNewNames =
    files.length + gone.length + moved.length > 0 || (await namesChanged(reader, table, { stale, since: state.tip }))
  const touched = new Set(
    [...gone, ...moved, ...changed].flatMap(id => [keyOfPage(table, id), store.pageById(id)?.key ?? null]),
  )
  if (hasNewNames)
    for (const node of table.withFlags(nodeFlags.byNames)) {
      stale.add(table.row(node).page)
      touched.add(table.key(node))
    }
  for (const key of touched) if (key !== null) for (const id of usersOf(table, key)) stale.add(id)
  for (const id of gone) stale.delete(id)
  if (stale.size > manyPages) return null
  for (const id of [...gone, ...moved]) clear(store, table, keyOfPage(table, id))
  for (const key of files) setFile(store, table, key)
  if (stale.size >= Math.max(severalPages, table.nodeCount * severalShare)) await reader.prefetch([...stale])
  await readAnew(reader, table, [...stale])
  for (const node of table.takeTouched()) table.setListed(node, membershipsOf(table, node))
  return table
}

/** Returns true if the wiki's state is a successor of the table's. */
function follows(store: Store, state: TableState): boolean {
  return state.lastRevision !== 0 && store.follows(state) && rulesOf(store) === state.rules
}

/** Returns true if links by name may have new targets although no page and no media file was added or removed. */
async function namesChanged(
  { store, read }: PageReader,
  table: LinkTable,
  { stale, since }: { readonly stale: ReadonlySet<number>; readonly since: string | null },
): Promise<boolean> {
  if (since === store.tip || !table.hasFlags(nodeFlags.byNames)) return false
  for (const id of stale) {
    const node = table.nodeOfPage(id)
    const links = await read(store.pageById(id) as PageEntry)
    if (node !== undefined && table.row(node).aliases !== (links?.aliases ?? 0)) return true
  }
  return othersChanged(store, since)
}

function keyOfPage(table: LinkTable, id: number): string | null {
  const node = table.nodeOfPage(id)
  return node === undefined ? null : table.key(node)
}

/**
 * Lists pages with new revisions, and pages in the table that no longer exist. A deletion creates no revision, and may
 * reveal another page of the same title. Unless the stamp rules that out, all pages are compared.
 */
function changedPages(store: Store, table: LinkTable, state: TableState) {
  const changed = store.pagesChangedSince(state.lastRevision)
  const gone = [...changed].filter(id => !isShown(store, id) && table.nodeOfPage(id) !== undefined)
  if (store.pagesStamp() === state.pagesStamp) return { changed, gone }
  for (const { id, key } of store.pages()) if (keyOfPage(table, id) !== key) changed.add(id)
  const pages = table.withFlags(nodeFlags.page).map(node => table.row(node).page)
  return { changed, gone: pages.filter(id => !isShown(store, id)) }
}

/** Lists the keys of added and removed media files. They have no revisions, so all are compared if any has changed. */
function changedFiles(store: Store, table: LinkTable, { files, filesStamp }: TableState): string[] {
  if (filesStamp !== null && store.filesStamp() === filesStamp) return []
  const present = new Set<string>()
  for (const { key } of store.files()) present.add(key)
  const isFile = (node: number) => (table.flags(node) & nodeFlags.file) !== 0
  const come = [...present].filter(key => {
    const node = table.find(key)
    return node === undefined || !isFile(node)
  })
  if (present.size === files + come.length) return come
  const gone: string[] = []
  for (let node = 0; node < table.nodeCount; node++)
    if (isFile(node) && !present.has(table.key(node))) gone.push(table.key(node))
  return [...come, ...gone]
}

/** Lists the pages that transclude a key, directly or through other templates. */
function usersOf(table: LinkTable, key: string): number[] {
  const node = table.find(key)
  const edges = node === undefined ? [] : [...table.into(node)].filter(edge => kindOf(edge) === templateKind)
  return edges.map(edge => table.row(otherEnd(edge)).page).filter(id => id !== 0)
}

function clear(store: Store, table: LinkTable, key: string | null): void {
  if (key === null) return
  table.setEdges(key, [])
  const flags = store.findFile(key) === undefined ? 0 : nodeFlags.file
  table.setProperties(key, { ...fileProperties, flags })
}

function setFile(store: Store, table: LinkTable, key: string): void {
  const { redirect, ...row } = table.row(table.add(key))
  const flags = (row.flags & ~nodeFlags.file) | (store.findFile(key) === undefined ? 0 : nodeFlags.file)
  table.setProperties(key, { ...row, flags, redirect: redirect === 0 ? null : table.key(redirect - 1) })
}

/** Reads pages, each only once. */
interface PageReader {
  readonly store: Store
  readonly read: (page: PageEntry) => Promise<ReadPage | null>
  /** Reads the links of pages from the records, before `read` resolves them. */
  readonly prefetch: (ids: readonly number[]) => Promise<void>
}

function pageReader(readers: Readers, records: LinkRecords): PageReader {
  const { store } = readers
  const resolver = pageResolver(store, createPause())
  const cached = new Map<number, Promise<ReadPage | null>>()
  const texts = new Map<number, TextLinks>()
  const readPage = async (page: PageEntry): Promise<ReadPage | null> => {
    const latest = latestOf(store, page)
    if (isHidden(latest, 'text')) return null
    return resolver.resolve(page, texts.get(page.id) ?? (await linksOf(readers, [page, latest])))
  }
  return {
    store,
    read: page => {
      const found = cached.get(page.id) ?? readPage(page)
      cached.set(page.id, found)
      return found
    },
    prefetch: async ids => {
      const pages = ids.flatMap((id): PageAndLatest[] => {
        const page = store.pageById(id)
        return page === undefined ? [] : [[page, latestOf(store, page)]]
      })
      const shown = pages.filter(([, latest]) => !isHidden(latest, 'text'))
      const found = await records.of(readers, shown, { areAll: false })
      for (const [at, [{ id }]] of shown.entries()) texts.set(id, found[at] ?? noLinks)
    },
  }
}

async function readAnew({ store, read }: PageReader, table: LinkTable, ids: readonly number[]): Promise<void> {
  const brought = async (key: string): Promise<readonly KeyEdge[]> => {
    const page = store.findPage(key)
    return (page === undefined ? null : await read(page))?.brought ?? []
  }
  for (const id of ids) {
    const page = store.pageById(id)
    if (page === undefined) continue
    const links = await read(page)
    const properties = propertiesOf(store, page, links)
    const flags = properties.flags | (store.findFile(page.key) === undefined ? 0 : nodeFlags.file)
    table.setProperties(page.key, { ...properties, flags })
    table.setEdges(page.key, links === null ? [] : await withThrough(links.own, brought))
  }
}
