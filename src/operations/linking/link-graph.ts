/** The link graph of a wiki: for each page its links, files, templates and categories, and its backlinks. */

import { join } from 'node:path'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseTitle, possibleTitle } from '../../core/title.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { isHidden } from '../access/hidden.ts'
import { insideRoot } from '../naming/link-dialect.ts'
import { type Holder, type LinkWorld, linkWorld } from '../naming/link-world.ts'
import { namedOf, wikiExtras } from '../naming/wiki-names.ts'
import { latestOf } from '../resources/page-object.ts'
import { type LinkRecords, openLinkRecords, type Readers, type TextLink, type TextLinks } from './text-links.ts'

export const linkKinds = ['link', 'redirect', 'template', 'file', 'category'] as const
export type LinkKind = (typeof linkKinds)[number]

/** A link of a page, resolved. */
export interface Edge {
  readonly kind: LinkKind
  /** Key of the title that it leads to, whether or not the page exists. */
  readonly key: string
  /** Key of the template that brings it; null if it is on the page itself. */
  readonly through: string | null
}

/** The links of all pages at one state of the branch. */
export interface LinkGraph {
  /** Links of a page, each target of a kind once. */
  readonly from: (id: number) => readonly Edge[]
  /** Ids of the pages that link to a key, in the order of the ids. */
  readonly to: (key: string) => readonly number[]
  /** Keys that anything leads to. */
  readonly keys: () => Iterable<string>
}

const categoryNamespace = 14
const none: readonly Edge[] = []

interface Known {
  readonly records: LinkRecords
  graph: Graph | null
  /** Possibly still in progress; concurrent callers share it. */
  current: { readonly tip: string | null; readonly graph: Promise<Graph> } | null
}

/** By the repository: each request has a snapshot of the store for itself. */
const graphs = new WeakMap<Store['repository'], Known>()

/** Returns the graph of the current branch. Reads the pages that changed since the previous call. */
export async function linkGraph(readers: Readers): Promise<LinkGraph> {
  const { store } = readers
  const known = graphs.get(store.repository) ?? {
    ...{ records: openLinkRecords(join(store.cacheDirectory, 'links')), graph: null, current: null },
  }
  graphs.set(store.repository, known)
  // Settings decide which titles are the same, and what is hidden.
  const tip = `${store.tip} ${store.configText}`
  if (known.current?.tip !== tip) known.current = { tip, graph: nextGraph(readers, known) }
  const { current } = known
  try {
    known.graph = await current.graph
    return known.graph
  } catch (error) {
    if (known.current === current) known.current = null
    throw error
  }
}

async function nextGraph(readers: Readers, known: Known): Promise<Graph> {
  const { store } = readers
  const pages: (readonly [PageEntry, RevisionEntry])[] = []
  for (const page of store.pages()) {
    const latest = latestOf(store, page)
    if (!isHidden(latest, 'text')) pages.push([page, latest])
  }
  const named = [...namedOf(store)]
  const names = named.map(({ key, path }) => `${key}\n${path}`).join('\n') + store.configText
  const records = await known.records.of(readers, pages)
  const before = known.graph?.names === names ? known.graph : null
  const graph = new Graph(names, before ?? linkWorld(named, store.config, await wikiExtras(store)))
  graph.update(store, pages, records)
  return graph
}

/** A page's text and its edges. */
interface Node {
  readonly records: TextLinks
  readonly holder: Holder
  /** Edges that its own text has. */
  readonly own: readonly Edge[]
  /** Edges that it adds to pages which use it as a template. */
  readonly brought: readonly Edge[]
  /** With those that templates bring. */
  all: readonly Edge[] | null
}

class Graph implements LinkGraph {
  readonly names: string
  readonly #world: LinkWorld
  readonly #nodes = new Map<number, Node>()
  /** Ids by the key of the title: templates are looked up by it. */
  readonly #ids = new Map<string, number>()
  #incoming: Map<string, number[]> | null = null

  /** `before` is the graph of another state with the same names. It stays as it is: requests of that state still read it. */
  constructor(names: string, before: LinkWorld | Graph) {
    this.names = names
    this.#world = before instanceof Graph ? before.#world : before
    if (!(before instanceof Graph)) return
    for (const [id, node] of before.#nodes) this.#nodes.set(id, { ...node, all: null })
    for (const [key, id] of before.#ids) this.#ids.set(key, id)
  }

  update(store: Store, pages: readonly (readonly [PageEntry, RevisionEntry])[], records: readonly TextLinks[]): void {
    const present = new Set<number>()
    let hasChanged = false
    for (const [at, [page]] of pages.entries()) {
      present.add(page.id)
      this.#ids.set(page.key, page.id)
      const links = records[at] as TextLinks
      if (this.#nodes.get(page.id)?.records === links) continue
      this.#nodes.set(page.id, this.#node(store, page, links))
      hasChanged = true
    }
    for (const id of this.#nodes.keys()) if (!present.has(id)) hasChanged = this.#nodes.delete(id) || hasChanged
    if (!hasChanged) return
    // A template may bring other links to pages that did not change.
    for (const node of this.#nodes.values()) node.all = null
    this.#incoming = null
  }

  #node(store: Store, page: PageEntry, records: TextLinks): Node {
    const holder = { title: parseTitle(page.key, store.titles), path: insideRoot(page.path, store.config.root) }
    const tags = records.tags.flatMap(tag => tagEdge(store, tag))
    const edges = records.links.map(link => ({ link, edge: edgeOf(this.#world, store, link, { holder, page }) }))
    const inReading = (bit: number) =>
      edges.flatMap(({ link, edge }) => (edge !== null && (link.readings & bit) !== 0 ? [edge] : []))
    return { records, holder, own: unique([...inReading(1), ...tags]), brought: unique(inReading(2)), all: null }
  }

  from(id: number): readonly Edge[] {
    const node = this.#nodes.get(id)
    if (node === undefined) return none
    node.all ??= unique([...node.own, ...this.#through(node.own)])
    return node.all
  }

  /** Follows templates to the links that they add, each once; a circle of them ends where it began. */
  #through(own: readonly Edge[]): Edge[] {
    const found: Edge[] = []
    const seen = new Set<string>()
    const waiting = own.flatMap(({ kind, key }) => (kind === 'template' ? [key] : []))
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      if (seen.has(key)) continue
      seen.add(key)
      const id = this.#ids.get(key)
      const template = id === undefined ? undefined : this.#nodes.get(id)
      for (const edge of template?.brought ?? none) {
        // A redirect to a template acts as that template.
        if (edge.kind === 'template' || edge.kind === 'redirect') waiting.push(edge.key)
        found.push({ ...edge, kind: edge.kind === 'redirect' ? 'template' : edge.kind, through: key })
      }
    }
    return found
  }

  to(key: string): readonly number[] {
    return this.#sources().get(key) ?? []
  }

  keys(): Iterable<string> {
    return this.#sources().keys()
  }

  #sources(): Map<string, number[]> {
    if (this.#incoming !== null) return this.#incoming
    const incoming = new Map<string, number[]>()
    for (const id of [...this.#nodes.keys()].sort((a, b) => a - b)) {
      for (const { key } of this.from(id)) {
        const known = incoming.get(key)
        if (known === undefined) incoming.set(key, [id])
        else if (known.at(-1) !== id) known.push(id)
      }
    }
    this.#incoming = incoming
    return incoming
  }
}

/** Of equal links the page's own one comes first and wins. */
function unique(edges: readonly Edge[]): Edge[] {
  const found = new Map<string, Edge>()
  for (const edge of edges) {
    const name = `${edge.kind} ${edge.key}`
    if (!found.has(name)) found.set(name, edge)
  }
  return [...found.values()]
}

function tagEdge({ titles }: Store, tag: string): Edge[] {
  const title = possibleTitle(`Category:${tag.replace(/^#/, '')}`, titles)
  return title === null ? [] : [{ kind: 'category', key: title.key, through: null }]
}

const foreign = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i

function edgeOf(
  world: LinkWorld,
  store: Store,
  link: TextLink,
  { holder, page }: { readonly holder: Holder; readonly page: PageEntry },
): Edge | null {
  const isMarkdown = link.form === 'path' || link.form === 'name'
  if (isMarkdown && (foreign.test(link.target) || foreign.test(link.second ?? ''))) return null
  const led = world.resolve(link, holder)
  if (led === null) return isMarkdown ? wantedEdge(store, link, page) : null
  const { key } = led
  // Other files of the repository have no title, and no page of their own.
  if (key.startsWith(':')) return null
  if (link.form === 'template') return { kind: 'template', key, through: null }
  if (link.form === 'link' && isRedirect(store, page, key)) return { kind: 'redirect', key, through: null }
  const isFile = world.named(key)?.kind === 'file'
  if (isMarkdown) return { kind: isFile && (link.isEmbed || isPicture(key)) ? 'file' : 'link', key, through: null }
  const read = world.read(link, holder)
  const namespace = read?.title.namespace
  if (link.form === 'gallery' || (namespace === namespaceIds.file && !read?.isShown))
    return { kind: 'file', key, through: null }
  if (namespace === categoryNamespace && !read?.isShown && link.form === 'link')
    return { kind: 'category', key, through: null }
  return { kind: 'link', key, through: null }
}

function isRedirect({ titles }: Store, { redirect }: PageEntry, key: string): boolean {
  return redirect !== null && possibleTitle(redirect.replace(/#.*$/s, ''), titles)?.key === key
}

function isPicture(key: string): boolean {
  return /\.(?:apng|avif|bmp|gif|jpe?g|png|svg|tiff?|webp)$/i.test(key)
}

/** A link of Markdown that leads nowhere asks for the title that it names. */
function wantedEdge({ titles }: Store, { form, target, isEmbed }: TextLink, page: PageEntry): Edge | null {
  const path = decode(target.replace(/[#?].*$/s, '').replace(/^:/, ''))
  if (path.trim() === '') return null
  if (isEmbed && isPicture(path)) {
    const title = possibleTitle(`File:${path.slice(path.lastIndexOf('/') + 1)}`, titles)
    return title === null ? null : { kind: 'file', key: title.key, through: null }
  }
  const plain = (form === 'path' ? path.replace(/^(?:\.?\/)+/, '') : path).replace(
    /\.(?:md|markdown|wiki|mediawiki|wikitext)$/i,
    '',
  )
  const title = possibleTitle(plain, titles)
  return title === null || title.key === page.key ? null : { kind: 'link', key: title.key, through: null }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
