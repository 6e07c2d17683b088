/** Finds all links of a wiki that have to change when a page is renamed. */

import { parseTitle, type Title } from '../../core/title.ts'
import { isAddress, type Named } from '../../links/names.ts'
import type { FileChange, PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { openRewriteCheck } from '../access/filtered-text.ts'
import { isHidden } from '../access/hidden.ts'
import { linkFolder } from '../linking/table-state.ts'
import {
  findLinksInWorker,
  isLinking,
  maxLinks,
  openLinkRecords,
  type PageAndLatest,
  type Readers,
  type TextLinks,
} from '../linking/text-links.ts'
import { aliasesOfPages } from '../naming/aliases.ts'
import { type Extras, type LinkingPage, linkResolver } from '../naming/link-resolver.ts'
import { namedOf, rulesOf, wikiExtras } from '../naming/wiki-names.ts'
import { latestOf } from '../resources/find-page.ts'
import { insideRoot } from '../resources/link-dialect.ts'
import { createPause } from '../workers/pause.ts'
import { namingTest } from './naming-test.ts'
import { isAffected, type LinkPage, type Renaming, type RewrittenPage, rewriteLinks } from './rewrite-links.ts'

/** A page to rename. */
export interface Rename {
  readonly page: PageEntry
  readonly to: Title
  /** New path of its file, from the top of the repository. */
  readonly path: string
  /** True if a redirect or a note stays at the old title. */
  readonly staysNamed: boolean
  readonly retitles: boolean
  /** False for a dry run. */
  readonly isWritten: boolean
  /** Pages whose links are rewritten: all of them, or only the page itself. */
  readonly of: 'all' | 'itself'
}

/** A page with changed links. */
export interface UpdatedLinks {
  readonly key: string
  readonly title: string
  /** Number of links with a new target. */
  readonly links: number
}

export interface LinkUpdates {
  /** New texts of other pages. */
  readonly changes: readonly FileChange[]
  /** New text of the page itself; null if its links stay unchanged. */
  readonly own: string | null
  readonly pages: readonly UpdatedLinks[]
  /** Links that cannot be rewritten: no target would lead to the same page, or the target contains template arguments. */
  readonly unchanged: readonly { readonly title: string; readonly link: string }[]
  /** Titles of pages that were not read: hidden, too large, or not UTF-8. */
  readonly unread: readonly string[]
}

/** Maximum number of links with template arguments that are listed. */
const maxListed = 200

/**
 * Rewrites the links that would lead elsewhere. The store must not change meanwhile: it is a snapshot, or locked. The links of texts are
 * looked at in their record, and only the texts of pages that have to change are read; those without a record once.
 */
export async function updateLinks(wiki: Readers, rename: Rename): Promise<LinkUpdates> {
  const { store } = wiki
  const pause = createPause()
  const found: RewrittenPages = { changes: [], own: null, pages: [], unchanged: [], unread: [] }
  const shown: PageAndLatest[] = []
  for (const page of rename.of === 'all' ? store.pages() : [rename.page]) {
    await pause()
    if (!isLinking(page)) continue
    const latest = latestOf(store, page)
    if (isHidden(latest, 'text')) found.unread.push(page.title)
    else shown.push([page, latest])
  }
  const aliases = await aliasesOfPages(store, [rename.page])
  const scope = { areAll: rename.of === 'all', mayMatter: matterTest(store, rename, aliases) }
  const records = await openLinkRecords(linkFolder(store)).of(wiki, shown, scope)
  let renaming: Renaming | null = null
  const changing: PageAndLatest[] = []
  for (const [at, [page, latest]] of shown.entries()) {
    await pause()
    const links = records[at] ?? null
    if (!links?.links.every(isOutside)) renaming ??= await renamingOf(wiki, rename, await wikiExtras(store))
    const isChanging =
      links === null || (renaming !== null && (await mayChange(links, placesOf(store, page, rename), renaming)))
    if (isChanging) changing.push([page, latest])
    else addUnchanged(found, page, links.computed)
  }
  if (renaming !== null) await rewritePages(store, changing, { found, rename, renaming })
  return found
}

/** The page itself may also have links that are relative to its place. */
function matterTest({ config }: Store, { page, path, to }: Rename, aliases: Extras['aliases']) {
  const paths = { from: insideRoot(page.path, config.root), to: insideRoot(path, config.root) }
  const isNaming = namingTest([paths, { from: page.key, to: to.key }], aliases.get(page.key) ?? [])
  return (json: string, { id }: PageEntry): boolean => id === page.id || isNaming(json)
}

/** True for an address of another site, or a place on the page itself. */
function isOutside({ form, target }: TextLinks['links'][number]): boolean {
  return form === 'path' && isAddress(target)
}

/** True if a link of a text may need another target; those of a text with very many are not all recorded. */
async function mayChange({ links }: TextLinks, place: Omit<LinkPage, 'text'>, renaming: Renaming): Promise<boolean> {
  if (links.length >= maxLinks) return true
  for (const link of links) {
    await renaming.pause()
    if (isAffected(link, place, renaming)) return true
  }
  return false
}

async function rewritePages(
  store: Store,
  pages: readonly PageAndLatest[],
  { found, rename, renaming }: { found: RewrittenPages; rename: Rename; renaming: Renaming },
): Promise<void> {
  if (pages.length === 0) return
  const check = await openRewriteCheck(store, rename.isWritten)
  const left = pages.values()
  try {
    for await (const [{ blob }, text] of store.presentTexts(pages.map(([, latest]) => latest))) {
      await renaming.pause()
      const [page] = left.next().value as PageAndLatest
      const isRewritable = text !== null && (await check.isRewritable({ path: page.path, blob }, text))
      const rewritten = isRewritable ? await rewriteLinks({ ...placesOf(store, page, rename), text }, renaming) : null
      if (rewritten === null) found.unread.push(page.title)
      else add(found, page, text as string, { rewritten, rename })
    }
  } finally {
    check.end()
  }
}

interface RewrittenPages extends LinkUpdates {
  readonly changes: FileChange[]
  own: string | null
  readonly pages: UpdatedLinks[]
  readonly unchanged: { readonly title: string; readonly link: string }[]
  readonly unread: string[]
}

function add(
  found: RewrittenPages,
  page: PageEntry,
  text: string,
  { rewritten, rename }: { readonly rewritten: RewrittenPage; readonly rename: Rename },
): void {
  const { count, lost, computed } = rewritten
  addUnchanged(found, page, [...lost, ...computed])
  if (rewritten.text === text) return
  found.pages.push({ key: page.key, title: page.title, links: count })
  if (page.id === rename.page.id) found.own = rewritten.text
  else found.changes.push({ path: page.path, content: Buffer.from(rewritten.text), isBlob: true })
}

function addUnchanged({ unchanged }: RewrittenPages, { title }: PageEntry, links: readonly string[]): void {
  const room = maxListed - unchanged.length
  unchanged.push(...links.slice(0, room).map(link => ({ title, link })))
}

async function renamingOf(
  wiki: Readers,
  { page, to, path, staysNamed, retitles }: Rename,
  { others, aliases }: Extras,
): Promise<Renaming> {
  const { store } = wiki
  const { root } = store.config
  const pause = createPause()
  const before: Named[] = []
  for (const named of namedOf(store)) {
    before.push(named)
    await pause()
  }
  const after = before.filter(({ key }) => key !== to.key && (staysNamed || key !== page.key))
  after.push({ kind: 'page', key: to.key, path: insideRoot(path, root) })
  const own = aliases.get(page.key)
  const moved = new Map([...aliases].filter(([key]) => key !== page.key))
  if (own !== undefined) moved.set(to.key, own)
  const resolvers = {
    before: linkResolver(before, rulesOf(store), { others, aliases }),
    after: linkResolver(after, rulesOf(store), { others, aliases: moved }),
  }
  // Nearly every link needs them where titles may be names.
  if (resolvers.before.mayBeName('A'))
    for (const resolver of Object.values(resolvers)) for (const _ of resolver.prepare({ isWhole: true })) await pause()
  return {
    ...resolvers,
    keys: new Map([[page.key, to.key]]),
    retitles,
    findLinks: page => findLinksInWorker(wiki, page),
    pause,
  }
}

function placesOf(store: Store, page: PageEntry, rename: Rename): Omit<LinkPage, 'text'> {
  const linkingPage: LinkingPage = {
    title: parseTitle(page.key, store.titles),
    path: insideRoot(page.path, store.config.root),
  }
  const moved: LinkingPage = { title: rename.to, path: insideRoot(rename.path, store.config.root) }
  const model = page.model === 'markdown' ? ('markdown' as const) : ('wikitext' as const)
  return { model, before: linkingPage, after: page.id === rename.page.id ? moved : linkingPage }
}
