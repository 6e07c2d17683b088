/** Renders texts of one open wiki: results are cached in memory and on disk, and large texts are rendered in workers. */

import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { bytesOfText, createLruCache, type LruCache } from '../../core/lru-cache.ts'
import type { LinkTarget, WrittenLink } from '../../links/link.ts'
import type { Store } from '../../store/store.ts'
import type { Effort, Rendered } from '../../wikitext/index.ts'
import { type JsonCache, openJsonCache } from '../caches/json-cache.ts'
import type { FileWithMetadata } from '../resources/file-object.ts'
import type { BackJob, JobResult, RawSource, RenderJob } from '../workers/job.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { engineSource, existence } from './wiki-source.ts'

/** UTF-16 units below which a text is rendered on the main thread, because a worker would cost more than it saves. */
const smallText = 10_000
/** Maximum UTF-16 units of the templates of such a text, and of their expansion. Beyond that it moves to a worker. */
const smallTemplates = 100_000
const smallEffort: Effort = { nodes: 5000, included: 30_000, time: 50, steps: 5000 }
/** Bytes counted for each dependency, heading and reference. */
const itemBytes = 200
/** Maximum bytes of all files of rendered pages, and of one. */
const fileLimits = { totalBytes: 128 * 1024 * 1024, fileBytes: 8 * 1024 * 1024 }
/** Maximum number of files that are being written; further pages are rendered again. */
const mostStoring = 16
/** Milliseconds for which HTML with the time, or with the users of recent days, may be cached. */
const shortLife = 60_000
/**
 * Milliseconds of checking dependencies between two yields to the event loop, and number of links checked at a time.
 */
const sliceTime = 8
const linksAtOnce = 100
/** Incremented when rendering changes, which invalidates cached HTML. */
const engineVersion = 16

/**
 * Dependencies of a rendered page: the results of its queries about the wiki. Cached HTML is valid while they stay the
 * same.
 */
export interface RenderDependencies {
  /** Latest revision of each page that was read, by key; null if it did not exist. Its ids, time and user may be shown as well as its text. */
  readonly pages: readonly (readonly [key: string, revision: string | null])[]
  readonly exist: readonly (readonly [key: string, exists: boolean | 'redirect'])[]
  readonly files: readonly (readonly [name: string, blob: string | null])[]
  readonly links: readonly (readonly [link: WrittenLink, target: LinkTarget | null])[]
  /** State of the whole wiki; null if no statistics of it were read. */
  readonly state: string | null
}

/** A cached rendering. */
export interface CachedRender {
  readonly rendered: Rendered
  readonly dependencies: RenderDependencies
  /** Milliseconds since 1970 after which it expires; null if only its dependencies decide. */
  readonly expires: number | null
  /** State of the wiki in which it was made: in the same one another process need not check the dependencies. */
  readonly state: string
}

/** A rendering in memory, and the state of the wiki under which its dependencies were last checked. */
interface RememberedRender {
  readonly cached: CachedRender
  readonly state: string
}

/** A text that need not be read if its HTML is cached. */
export interface NamedText {
  /** Cache key of the same text: the hash of its blob, or of itself. */
  readonly name: string
  readonly read: () => Promise<string>
}

/** A text to render, and the options. */
export interface HtmlRequest extends Omit<RenderJob, 'task' | 'text'> {
  readonly content: NamedText
}

export interface Renders {
  /** Renders a text, or returns the cached result. Errors: rest-invalid-title, wiki-render-limit. */
  readonly html: (request: HtmlRequest, asked: AskedWiki) => Promise<Rendered>
  /** Renders a text without the cache, for a wiki in another state than the store's. Errors: as `html`. */
  readonly uncached: (job: Omit<RenderJob, 'task'>, asked: AskedWiki) => Promise<Rendered>
  /** Lists the problems of a text. Errors: as `html`. */
  readonly lint: (job: Omit<RenderJob, 'task'>, asked: AskedWiki) => Promise<JobResult>
  /** Converts HTML to wikitext. Errors: as `html`. */
  readonly wikitext: (job: Omit<BackJob, 'task'>, asked: AskedWiki) => Promise<string>
  /** Loads everything that the first page needs, here and in a worker, so that no request waits for it. */
  readonly warmUp: () => Promise<void>
  /** Resolves when the files of the cache are written. */
  readonly stored: () => Promise<void>
}

/** The wiki as this caller sees it, possibly in another state than an earlier caller's. */
export interface AskedWiki {
  readonly store: Store
  readonly source: RawSource
}

export interface RendersOptions {
  /** Folder of the cache on disk. */
  readonly folder: string
  /** Worker pool for long jobs; null if they run on this thread. */
  readonly workerPool: () => WorkerPool | null
  /** Size of the cache in memory, bytes: the HTML, and what is known about it. */
  readonly memoryBytes: number
}

/** Creates the renderer of a wiki. */
export function openRenders(store: Store, { folder, workerPool: poolNow, memoryBytes }: RendersOptions): Renders {
  const files = openJsonCache<CachedRender>(folder, fileLimits)
  const memory = createLruCache<RememberedRender>({ total: memoryBytes, sizeOf: ({ cached }) => sizeOf(cached) })
  const inProgress = new Map<string, Promise<Rendered>>()
  const storing = new Set<Promise<boolean>>()
  const storeLater = (key: string, cached: CachedRender, client: string): void => {
    // A disk may be slower than a client that asks for pages without a pause.
    if (storing.size >= mostStoring) return
    const done = files.set(key, cached, client).finally(() => storing.delete(done))
    storing.add(done)
  }
  const run = async (job: RenderJob, { store, source }: AskedWiki): Promise<JobResult> => {
    const workerPool = poolNow()
    if (workerPool === null) return (await engine()).runRenderJob(job, engineSource(store, source, job.server))
    const small = job.text.length < smallText ? await runSmall(job, source, store) : null
    return small ?? workerPool.run(job, { source, configText: store.configText })
  }
  const render = async (
    key: string,
    { content, ...rest }: HtmlRequest,
    { store, source }: AskedWiki,
  ): Promise<Rendered> => {
    const job: RenderJob = { ...rest, task: 'html', text: await content.read() }
    const observed = observe({ store, source })
    const rendered = (await run(job, { store, source: observed.source })) as Rendered
    if (observed.lacksContent()) return rendered
    const expires = rendered.showsTime || observed.isShort() ? Date.now() + shortLife : null
    const cached = { rendered, dependencies: observed.dependencies(), expires, state: store.state }
    memory.set(key, { cached, state: store.state }, { client: job.client })
    // For a small page, rendering is faster than reading a file.
    if (poolNow() === null || job.text.length >= smallText) storeLater(key, cached, job.client)
    return rendered
  }
  return {
    html: async (request, asked) => {
      const key = keyOf(request, asked.store)
      const cached = await findCached(key, request.client, asked.store, { memory, files })
      if (cached !== undefined) return cached
      const name = `${asked.store.state} ${key}`
      const started = inProgress.get(name) ?? render(key, request, asked).finally(() => inProgress.delete(name))
      inProgress.set(name, started)
      return started
    },
    uncached: async (rest, asked) => (await run({ ...rest, task: 'html' }, asked)) as Rendered,
    lint: (rest, asked) => run({ ...rest, task: 'lint' }, asked),
    wikitext: async (rest, { store, source }) => {
      const job: BackJob = { ...rest, task: 'wikitext' }
      const isSmall = job.html.length + (job.original?.html.length ?? 0) < smallText
      const workerPool = isSmall ? null : poolNow()
      if (workerPool !== null) return workerPool.run(job, { source, configText: store.configText })
      return (await engine()).runBackJob(job, engineSource(store, source, ''))
    },
    warmUp: async () => {
      const source = engineSource(store, emptyWiki, firstJob.server)
      const inThread = poolNow()?.run(firstJob, { source: emptyWiki, configText: store.configText })
      const { runRenderJob } = await engine()
      await Promise.all([runRenderJob(firstJob, source), inThread])
    },
    stored: async () => void (await Promise.all(storing)),
  }
}

/** Loading it takes longer than to read a page that is cached on disk. */
const engine = () => import('../workers/run-job.ts')

/** Text that warms up the engine: a heading, lists, a table, links, a template, a note. */
const firstText = `{{A}} ''a'' '''b''' [[B|c]] [https://example.org d]<ref>e</ref>
== F ==
* g
# h
{| class="i"
! j
|-
| k
|}
[[File:L.png|thumb|m]]
`

const firstJob: RenderJob = {
  task: 'html',
  text: firstText,
  model: 'wikitext',
  title: 'A',
  flavor: 'view',
  bodyOnly: false,
  server: '',
  page: null,
  client: '',
}

/** A wiki without any pages. */
const emptyWiki: RawSource = {
  pages: async titles => titles.map(() => null),
  exist: async titles => titles.map(() => false),
  files: async names => names.map(() => null),
  statistics: async () => ({ pages: 0, articles: 0, files: 0, edits: 0, users: 0, activeUsers: 0, admins: 0 }),
  links: async links => links.map(() => null),
}

/** Runs a short job; null if it turns out to be long, after a few wasted milliseconds. */
async function runSmall(job: RenderJob, source: RawSource, store: Store): Promise<JobResult | null> {
  const [{ runRenderJob }, { EffortExceeded }] = await Promise.all([engine(), import('../../wikitext/index.ts')])
  let units = 0
  const pages: RawSource['pages'] = async titles => {
    const found = await source.pages(titles)
    for (const page of found) units += page?.text.length ?? 0
    if (units > smallTemplates) throw new EffortExceeded()
    return found
  }
  try {
    return await runRenderJob(job, engineSource(store, { ...source, pages }, job.server), smallEffort)
  } catch (error) {
    if (error instanceof EffortExceeded) return null
    throw error
  }
}

function keyOf(request: HtmlRequest, store: Store): string {
  const { content, model, title, flavor, bodyOnly, server, page, reading } = request
  const about: unknown[] = [engineVersion, content.name, model, title, flavor, bodyOnly, server, page, store.configText]
  if (reading !== undefined) about.push(reading)
  return hash('sha256', JSON.stringify(about))
}

function sizeOf({ rendered: { html, toc, sections = [], references }, dependencies }: CachedRender): number {
  const { pages, exist, files, links } = dependencies
  const lists: readonly (readonly unknown[])[] = [
    toc,
    sections,
    ...Object.values(references),
    pages,
    exist,
    files,
    links,
  ]
  return bytesOfText(html) + itemBytes * lists.reduce((sum, { length }) => sum + length, 0)
}

async function findCached(
  key: string,
  client: string,
  store: Store,
  { memory, files }: { readonly memory: LruCache<RememberedRender>; readonly files: JsonCache<CachedRender> },
): Promise<Rendered | undefined> {
  const { state } = store
  const remembered = memory.get(key)
  const cached = remembered?.cached ?? (await files.get(key))
  if (cached === undefined || isExpired(cached)) return undefined
  if (remembered?.state === state) return cached.rendered
  if (cached.state !== state && !(await areAsBefore(cached.dependencies, store))) return undefined
  memory.set(key, { cached, state }, { client })
  return cached.rendered
}

function isExpired({ expires }: CachedRender): boolean {
  // Setting the clock back would prolong its life.
  const left = expires === null ? 0 : expires - Date.now()
  return left < 0 || left > shortLife
}

/** Compares dependencies with the wiki. A page may have thousands, so other requests are served meanwhile. */
async function areAsBefore(dependencies: RenderDependencies, store: Store): Promise<boolean> {
  if (dependencies.state !== null && dependencies.state !== store.state) return false
  let end = performance.now() + sliceTime
  for (const isSame of comparisons(dependencies, store)) {
    if (!isSame) return false
    if (performance.now() < end) continue
    await turn()
    end = performance.now() + sliceTime
  }
  const { links } = dependencies
  for (let start = 0; start < links.length; start += linksAtOnce) {
    if (!(await leadsAsBefore(links.slice(start, start + linksAtOnce), store))) return false
    await turn()
  }
  return true
}

function* comparisons({ pages, exist, files }: RenderDependencies, store: Store): Generator<boolean> {
  for (const [key, revision] of pages) yield latestOfPage(store, key) === revision
  for (const [key, exists] of exist) yield existence(store, key) === exists
  for (const [name, blob] of files) yield blobOfFile(store, name) === blob
}

async function leadsAsBefore(links: RenderDependencies['links'], store: Store): Promise<boolean> {
  const { linkTargets } = await import('../naming/wiki-names.ts')
  const targets = await linkTargets(
    store,
    links.map(([link]) => link),
  )
  return links.every(([, before], index) => {
    const now = targets[index] ?? null
    return now?.kind === before?.kind && now?.key === before?.key
  })
}

function latestOfPage(store: Store, key: string): string | null {
  const page = store.findPage(key)
  const latest = page && store.revision(page.latest)
  return latest === undefined ? null : [page!.id, latest.id, latest.commit, latest.blob].join(' ')
}

function blobOfFile(store: Store, name: string): string | null {
  return store.findFile(`${store.titles.namespaces.get(6)?.name ?? 'File'}:${name}`)?.blob ?? null
}

/** Records the engine's queries. */
function observe({ store, source }: AskedWiki) {
  const pages = new Map<string, string | null>()
  const exist = new Map<string, boolean | 'redirect'>()
  const files = new Map<string, string | null>()
  const links: [WrittenLink, LinkTarget | null][] = []
  let isShort = false
  let lacksContent = false
  let state: string | null = null
  const observed: RawSource = {
    pages: async titles => {
      for (const { key } of titles) pages.set(key, latestOfPage(store, key))
      return source.pages(titles)
    },
    exist: async titles => {
      const found = await source.exist(titles)
      for (const [index, { key }] of titles.entries()) exist.set(key, found[index]!)
      return found
    },
    files: async names => {
      const found = await source.files(names)
      for (const [index, name] of names.entries()) files.set(name, blobIn(found[index]))
      lacksContent ||= found.some(one => one?.file.lfs?.path === null)
      return found
    },
    links: async asked => {
      const found = await source.links(asked)
      for (const [index, link] of asked.entries()) links.push([link, found[index] ?? null])
      return found
    },
    statistics: none => {
      state = store.state
      // Active are the users of recent days.
      isShort = true
      return source.statistics(none)
    },
  }
  return {
    source: observed,
    isShort: () => isShort,
    /** True if a file's content in Git LFS is lacking: its arrival changes no blob. */
    lacksContent: () => lacksContent,
    dependencies: (): RenderDependencies => ({ pages: [...pages], exist: [...exist], files: [...files], links, state }),
  }
}

function blobIn(described: FileWithMetadata | null | undefined): string | null {
  return described?.file.blob ?? null
}
