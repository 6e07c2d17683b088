/** Paths and names that links lead to: the lookup of an open wiki, built on the first link that needs it. */

import { type LinkTarget, type Named, otherNamed, type WrittenLink } from '../../links/index.ts'
import { isHiddenPath } from '../../store/format/paths.ts'
import { kindOfPath } from '../../store/index/ledger.ts'
import type { Store } from '../../store/store.ts'
import { readAliases } from './aliases.ts'
import { insideRoot, looksLikeGollum } from './link-dialect.ts'
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
  full: Promise<LinkWorld> | null
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

function fullOf(store: Store, state: Known): Promise<LinkWorld> {
  if (state.full !== null) return state.full
  const full = wikiExtras(store).then(extras => linkWorld(state.named, store.config, extras))
  state.full = full
  // A failure of the disk passes: the next link tries again.
  full.catch(() => {
    state.full = null
  })
  return full
}

/** Reads what only some links need: one look at all paths of the tip, and the front matter of pages that were not read before. */
export async function wikiExtras(store: Store): Promise<Extras> {
  return { others: await otherFiles(store), aliases: await readAliases(store) }
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
  const state = isKept ? { ...before, tip, lastRevision, full: null } : newNames(store)
  // A snapshot may be older than what another one knew.
  if (lastRevision >= (before?.lastRevision ?? 0)) known.set(store.repository, state)
  return state
}

function newNames(store: Store): Known {
  const named = [...namedOf(store)]
  const { tip, configText, renumbered, lastRevisionId: lastRevision } = store
  const world = linkWorld(named, store.config)
  return { tip, configText, renumbered, lastRevision, counts: countsOf(store), named, world, full: null }
}

function countsOf(store: Store): string {
  return `${store.countPages()} ${store.countFiles()}`
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
