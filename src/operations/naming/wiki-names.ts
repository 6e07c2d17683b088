/** Paths and names that links lead to: the lookup of an open wiki, built on the first link that needs it. */

import { type LinkTarget, type Named, otherNamed, type WrittenLink } from '../../links/index.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import { isHiddenPath } from '../../store/format/paths.ts'
import { kindOfPath } from '../../store/index/ledger.ts'
import type { Store } from '../../store/store.ts'
import { insideRoot, looksLikeGollum } from '../resources/link-dialect.ts'
import { aliasesOfPages, readAliases } from './aliases.ts'
import { type Extras, type LinkWorld, linkWorld } from './link-world.ts'

/** The names of a wiki at one state of its branch. */
interface Known {
  readonly tip: string | null
  readonly configText: string
  readonly lastRevision: number
  readonly renumbered: number
  readonly counts: string
  readonly named: readonly Named[]
  readonly world: LinkWorld
  /** With what only some links need; null before one asked for it at this state. */
  full: Promise<Full> | null
  /** The one of an earlier state; null if there is none of these settings and ids. */
  readonly earlier: Full | null
  /** The newest one, for later states. */
  newest: Full | null
}

/** The world with what only some links need, and the state that it was read at. */
interface Full {
  readonly tip: string | null
  readonly lastRevision: number
  readonly named: readonly Named[]
  readonly extras: Extras
  readonly world: LinkWorld
}

/** By the repository: each request has a snapshot of the store for itself. */
const known = new WeakMap<Store['repository'], Known>()

/** Resolves links, in order; null for each that leads to no page or file. */
export async function linkTargets(store: Store, links: readonly WrittenLink[]): Promise<(LinkTarget | null)[]> {
  if (links.length === 0) return []
  const state = knownOf(store)
  const paths = links.map(({ from }) => insideRoot(store.findPage(from)?.path ?? from, store.config.root))
  const exact = links.map((link, at) => state.world.exactly(link, paths[at] as string))
  if (exact.every(found => found !== null)) return exact
  const full = await fullOf(store, state)
  return links.map((link, at) => exact[at] ?? full.target(link, paths[at] as string))
}

/** Returns the world of a wiki without any names: enough for links that can only be titles. */
export function titlesOnly(store: Store): LinkWorld {
  return linkWorld([], store.config, null, looksLikeGollum(store))
}

/** Returns the world of a wiki as it is, with its aliases and its other files. */
export function wikiWorld(store: Store): Promise<LinkWorld> {
  return fullOf(store, knownOf(store))
}

async function fullOf(store: Store, state: Known): Promise<LinkWorld> {
  if (state.full === null) {
    const full = nextFull(store, state)
    state.full = full
    full.then(
      found => {
        state.newest = found
      },
      // A failure of the disk passes: the next link tries again.
      () => {
        state.full = null
      },
    )
  }
  return (await state.full).world
}

/** Keeps what an edit has left as it was: in a large wiki it takes long to make. */
async function nextFull(store: Store, { tip, lastRevision, named, earlier }: Known): Promise<Full> {
  const extras = earlier === null ? await wikiExtras(store) : await laterExtras(store, earlier)
  const isSame = earlier !== null && earlier.named === named && earlier.extras === extras
  return { tip, lastRevision, named, extras, world: isSame ? earlier.world : linkWorld(named, store.config, extras) }
}

/** Reads what only some links need: one look at all paths of the tip, and the front matter of pages that were not read before. */
export async function wikiExtras(store: Store): Promise<Extras> {
  const { links } = store.config
  if (links === 'mediawiki') return { others: [], aliases: new Map() }
  return { others: await otherFiles(store), aliases: links === 'paths' ? new Map() : await readAliases(store) }
}

async function laterExtras(store: Store, { tip, lastRevision, extras }: Full): Promise<Extras> {
  const others = (await othersChanged(store, tip)) ? await otherFiles(store) : extras.others
  const pages: PageEntry[] = []
  for (const id of store.pagesChangedSince(lastRevision)) {
    const page = store.pageById(id)
    if (page !== undefined) pages.push(page)
  }
  const fresh = store.config.links === 'paths' ? new Map() : await aliasesOfPages(store, pages)
  const isSame = pages.every(({ key }) => sameNames(fresh.get(key), extras.aliases.get(key)))
  if (isSame) return others === extras.others ? extras : { others, aliases: extras.aliases }
  const aliases = new Map(extras.aliases)
  for (const { key } of pages) aliases.delete(key)
  for (const [key, names] of fresh) aliases.set(key, names)
  return { others, aliases }
}

function sameNames(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at])
}

/** Returns true if files that are neither pages nor media came or went since a commit. */
export async function othersChanged(store: Store, since: string | null): Promise<boolean> {
  const { tip, config } = store
  if (since === tip || config.links === 'mediawiki') return false
  if (since === null || tip === null) return true
  try {
    const changes = await store.changesBetween(since, tip, null)
    const moved = changes.filter(({ before, after }) => before === null || after === null)
    return (
      othersAmong(
        moved.map(({ path }) => path),
        config.root,
      ).length > 0
    )
  } catch {
    // Git may have removed a commit that the branch has left.
    return true
  }
}

/** Lists the files at the tip that are neither pages nor media, as links name them. */
async function otherFiles(store: Store): Promise<Named[]> {
  return store.tip === null ? [] : othersAmong(await store.pathsOfCommit(store.tip), store.config.root)
}

/** Picks the files that are neither pages nor media, and that no name hides. */
export function othersAmong(paths: readonly string[], root: string): Named[] {
  return paths.flatMap(path => {
    if (kindOfPath(path, root) !== null || (root !== '' && !path.startsWith(`${root}/`))) return []
    const inside = insideRoot(path, root)
    return isHiddenPath(inside) ? [] : [otherNamed(inside)]
  })
}

function knownOf(store: Store): Known {
  const before = known.get(store.repository)
  if (before?.tip === store.tip && before.configText === store.configText) return before
  const { tip, lastRevisionId: lastRevision } = store
  const isKept = before !== undefined && hasSameNames(store, before)
  const state = isKept ? { ...before, tip, lastRevision, full: null, earlier: before.newest } : newNames(store, before)
  // A snapshot may be older than what another one knew.
  if (lastRevision >= (before?.lastRevision ?? 0)) known.set(store.repository, state)
  return state
}

function newNames(store: Store, before: Known | undefined): Known {
  const named = [...namedOf(store)]
  const { tip, configText, renumbered, lastRevisionId: lastRevision } = store
  const world = linkWorld(named, store.config)
  const isLater =
    before?.configText === configText && before.renumbered === renumbered && before.lastRevision <= lastRevision
  const newest = isLater ? before.newest : null
  return {
    ...{ tip, configText, renumbered, lastRevision, counts: countsOf(store), named, world },
    ...{ full: null, earlier: newest, newest },
  }
}

/** A deletion makes no revision, and may show another page of the same title. */
function countsOf(store: Store): string {
  return `${store.countPages()} ${store.countFiles()} ${store.countChanges() - store.revisionCount}`
}

/** Returns true if what came since changed texts alone: a wiki with many pages keeps its names then. */
function hasSameNames(store: Store, { configText, renumbered, counts, lastRevision, world }: Known): boolean {
  if (
    store.lastRevisionId < lastRevision ||
    store.configText !== configText ||
    store.renumbered !== renumbered ||
    counts !== countsOf(store)
  )
    return false
  const isKnown = (entry: { readonly key: string; readonly path: string } | undefined) =>
    entry !== undefined && world.named(entry.key)?.path === insideRoot(entry.path, store.config.root)
  for (const id of store.pagesChangedSince(lastRevision)) if (!isKnown(store.pageById(id))) return false
  for (const file of store.files()) if (!isKnown(file)) return false
  return true
}

/** Lists the pages and files of a wiki, with paths from the root of the wiki. */
export function* namedOf(store: Store): Iterable<Named> {
  const { root } = store.config
  for (const { key, path } of store.pages()) yield { kind: 'page', key, path: insideRoot(path, root) }
  for (const { key, path } of store.files()) yield { kind: 'file', key, path: insideRoot(path, root) }
}
