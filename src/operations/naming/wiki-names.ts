/** Link resolution of an open wiki. The look-up of names is built for the first link that needs it. */

import type { LinkTarget, WrittenLink } from '../../links/link.ts'
import { type Named, otherNamed } from '../../links/names.ts'
import { kindOfPath } from '../../store/index/record-writer.ts'
import type { Store } from '../../store/store.ts'
import { shownPage } from '../resources/find-page.ts'
import { insideRoot, linkDialect } from '../resources/link-dialect.ts'
import { isOtherFile } from '../resources/other-files.ts'
import { createPause } from '../workers/pause.ts'
import { aliasesOfPages, readAliases } from './aliases.ts'
import { type Extras, type LinkResolver, linkResolver, type ResolverRules } from './link-resolver.ts'

/** The names of a wiki in one state of its branch. */
interface NamesOfTip {
  readonly state: string
  readonly tip: string | null
  readonly lineage: string
  readonly configText: string
  readonly isVault: boolean
  readonly lastRevision: number
  readonly pagesStamp: string
  readonly files: number
  readonly named: readonly Named[]
  readonly resolver: LinkResolver
  /** The look-up with the data that only some links need; null before it is requested for this state. */
  full: Promise<Full> | null
  /** The look-up of an earlier state with the same settings and ids; null if there is none. */
  readonly earlier: Full | null
  /** The newest look-up, for later states. */
  newest: Full | null
}

/** The look-up with the data that only some links need, and its state. */
interface Full {
  readonly tip: string | null
  readonly lastRevision: number
  readonly pagesStamp: string
  readonly named: readonly Named[]
  readonly extras: Extras
  readonly resolver: LinkResolver
}

/** By repository, because each request has its own snapshot of the store. */
const namesByRepository = new WeakMap<Store['repository'], NamesOfTip>()

/** Resolves links, in order; null for each that leads to no page or file. */
export async function linkTargets(store: Store, links: readonly WrittenLink[]): Promise<(LinkTarget | null)[]> {
  if (links.length === 0) return []
  const state = await namesOf(store)
  const pause = createPause()
  if (links.some(state.resolver.needsNames)) for (const _ of state.resolver.prepare({ isWhole: false })) await pause()
  const paths: string[] = []
  const targets: (LinkTarget | null)[] = []
  for (const link of links) {
    const path = insideRoot(store.findPage(link.from)?.path ?? link.from, store.config.root)
    paths.push(path)
    targets.push(state.resolver.exactly(link, path))
    await pause()
  }
  if (links.every((link, at) => targets[at] !== null || !state.resolver.needsNames(link))) return targets
  const full = await fullOf(store, state)
  for (const [at, link] of links.entries()) {
    targets[at] ??= full.target(link, paths[at] as string)
    await pause()
  }
  return targets
}

/** Returns the rules of a wiki's look-up. */
export function rulesOf({ config, isVault }: Store): ResolverRules {
  return { config, isVault }
}

/** Returns a look-up without names, which suffices for links that can only be titles. */
export function titlesOnly(store: Store): LinkResolver {
  return linkResolver([], { ...rulesOf(store), isGollum: linkDialect(store) === 'gollum' })
}

/** Returns the look-up of the current wiki, with its aliases and its other files. */
export async function wikiLinkResolver(store: Store): Promise<LinkResolver> {
  return fullOf(store, await namesOf(store))
}

async function fullOf(store: Store, state: NamesOfTip): Promise<LinkResolver> {
  if (state.full === null) {
    const full = nextFull(store, state)
    state.full = full
    full.then(
      found => {
        state.newest = found
      },
      // A disk failure may be temporary, so the next link retries.
      () => {
        state.full = null
      },
    )
  }
  return (await state.full).resolver
}

/** Reuses everything that an edit left unchanged, because it takes long to build in a large wiki. */
async function nextFull(store: Store, { tip, lastRevision, pagesStamp, named, earlier }: NamesOfTip): Promise<Full> {
  const extras = await pinned(store, one => (earlier === null ? wikiExtras(one) : laterExtras(one, earlier)))
  const isSame = earlier !== null && earlier.named === named && earlier.extras === extras
  const resolver = isSame ? earlier.resolver : linkResolver(named, rulesOf(store), extras)
  const pause = createPause()
  for (const _ of resolver.prepare({ isWhole: true })) await pause()
  return { tip, lastRevision, pagesStamp, named, extras, resolver }
}

/** Reads the data that only some links need: all paths of the tip, and the front matter of pages not read before. */
export async function wikiExtras(store: Store): Promise<Extras> {
  const { links } = store.config
  if (links === 'mediawiki') return { others: [], aliases: new Map() }
  return { others: await otherFiles(store), aliases: await allAliases(store) }
}

async function allAliases(store: Store): Promise<Extras['aliases']> {
  return store.config.links === 'paths' ? new Map() : readAliases(store)
}

async function laterExtras(store: Store, { tip, lastRevision, pagesStamp, extras }: Full): Promise<Extras> {
  const others = (await othersChanged(store, tip)) ? await otherFiles(store) : extras.others
  // Without a revision of its own a page, with other names, may have replaced another.
  if (store.pagesStamp() !== pagesStamp) return { others, aliases: await allAliases(store) }
  const pages = [...store.pagesChangedSince(lastRevision)].flatMap(id => shownPage(store, id) ?? [])
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

/** Returns true if a page of the tip has the path. A symbolic link may have the name of one. */
function isPageOf(store: Store): (path: string) => boolean {
  return path => store.pageAtPath(path) !== undefined
}

/** Returns true if files that are neither pages nor media were added or removed since a commit. A removed page counts. */
export async function othersChanged(store: Store, since: string | null): Promise<boolean> {
  const { tip, config } = store
  if (since === tip || config.links === 'mediawiki') return false
  if (since === null || tip === null) return true
  const moved = await movedSince(store, since)
  return moved === null || othersAmong(moved, config.root, isPageOf(store)).length > 0
}

/** Lists the files that were added or removed since a commit; null if git no longer has it: the branch may have left it. */
export async function movedSince(store: Store, since: string): Promise<readonly string[] | null> {
  const { tip } = store
  if (tip === since || tip === null) return []
  try {
    return await store.trees.movedPaths(since, tip)
  } catch {
    return null
  }
}

/** Lists the files at the tip that are neither pages nor media, under the names that links use. */
async function otherFiles(store: Store): Promise<Named[]> {
  if (store.tip === null) return []
  const pause = createPause()
  const others: Named[] = []
  const pages = new Set<string>()
  for (const { path } of store.pages()) {
    pages.add(path)
    await pause()
  }
  // Of several pages with one title one is shown; the others are pages, too.
  const isPage = (path: string) => pages.has(path) || isPageOf(store)(path)
  for (const path of await store.trees.pathsOf(store.tip)) {
    others.push(...othersAmong([path], store.config.root, isPage))
    await pause()
  }
  return others
}

/** Filters files that are neither pages nor media, and not hidden. A symbolic link with the name of a page is one. */
export function othersAmong(paths: readonly string[], root: string, isPage: (path: string) => boolean): Named[] {
  return paths.flatMap(path => {
    if (root !== '' && !path.startsWith(`${root}/`)) return []
    const inside = insideRoot(path, root)
    const isLink = kindOfPath(path, root) === 'page' && !isPage(path)
    return isLink || isOtherFile(inside, root) ? [otherNamed(inside)] : []
  })
}

type State = Pick<NamesOfTip, 'state'>

/** States that are being built, by repository. */
const building = new WeakMap<Store['repository'], State & { readonly done: Promise<NamesOfTip> }>()

async function namesOf(store: Store): Promise<NamesOfTip> {
  const { repository, state } = store
  const isNow = (names: State | undefined) => names?.state === state
  const before = namesByRepository.get(repository)
  if (before !== undefined && isNow(before)) return before
  const begun = building.get(repository)
  if (begun !== undefined && isNow(begun)) return begun.done
  const done = pinned(store, one => nextNames(one, before))
  building.set(repository, { state, done })
  return done.finally(() => {
    if (building.get(repository)?.done === done) building.delete(repository)
  })
}

async function nextNames(store: Store, before: NamesOfTip | undefined): Promise<NamesOfTip> {
  const { state, tip, lastRevisionId: lastRevision } = store
  const isUnchanged = before !== undefined && hasSameNames(store, before)
  const names = isUnchanged
    ? { ...before, state, tip, lastRevision, full: null, earlier: before.newest }
    : await newNames(store, before)
  // A snapshot may be older than the known state.
  if (tip === store.branchTip()) namesByRepository.set(store.repository, names)
  return names
}

/** Reads from a snapshot, since others may write meanwhile. */
async function pinned<Result>(store: Store, read: (snapshot: Store) => Promise<Result>): Promise<Result> {
  if (store.isSnapshot) return read(store)
  const snapshot = store.snapshot()
  return read(snapshot).finally(() => snapshot.close())
}

async function newNames(store: Store, before: NamesOfTip | undefined): Promise<NamesOfTip> {
  const pause = createPause()
  const named: Named[] = []
  for (const entry of namedOf(store)) {
    named.push(entry)
    await pause()
  }
  const { state, tip, lineage, configText, isVault, lastRevisionId: lastRevision } = store
  const [pagesStamp, files] = [store.pagesStamp(), store.countFiles()]
  const resolver = linkResolver(named, rulesOf(store))
  const newest = before !== undefined && isLater(store, before) ? before.newest : null
  return {
    ...{ state, tip, lineage, configText, isVault, lastRevision, pagesStamp, files, named, resolver },
    ...{ full: null, earlier: newest, newest },
  }
}

/** Returns true if the wiki has only grown since. */
function isLater(store: Store, names: NamesOfTip): boolean {
  return names.configText === store.configText && names.isVault === store.isVault && store.follows(names)
}

/** Returns true if only texts changed since, so that a large wiki keeps its names. */
function hasSameNames(store: Store, names: NamesOfTip): boolean {
  const { pagesStamp, files, lastRevision, resolver } = names
  if (!isLater(store, names) || pagesStamp !== store.pagesStamp() || files !== store.countFiles()) return false
  const isNamedAlike = (entry: { readonly key: string; readonly path: string } | undefined) =>
    entry !== undefined && resolver.named(entry.key)?.path === insideRoot(entry.path, store.config.root)
  for (const id of store.pagesChangedSince(lastRevision)) if (!isNamedAlike(store.pageById(id))) return false
  for (const file of store.files()) if (!isNamedAlike(file)) return false
  return true
}

/** Lists the pages and files of a wiki, with paths from the root of the wiki. */
export function* namedOf(store: Store): Iterable<Named> {
  const { root } = store.config
  for (const { key, path } of store.pages()) yield { kind: 'page', key, path: insideRoot(path, root) }
  for (const { key, path } of store.files()) yield { kind: 'file', key, path: insideRoot(path, root) }
}
