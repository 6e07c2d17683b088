/** Finds all links of a wiki that have to change when a page is renamed. */

import { parseTitle, type Title } from '../../core/title.ts'
import type { Named } from '../../links/names.ts'
import type { FileChange, PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { openRewriteCheck } from '../access/filtered-text.ts'
import { isHidden } from '../access/hidden.ts'
import { findLinksInWorker, isLinking, type Readers } from '../linking/text-links.ts'
import { type Extras, type LinkingPage, linkResolver } from '../naming/link-resolver.ts'
import { namedOf, wikiExtras } from '../naming/wiki-names.ts'
import { latestOf } from '../resources/find-page.ts'
import { insideRoot } from '../resources/link-dialect.ts'
import { createPause } from '../workers/pause.ts'
import { type Renaming, type RewrittenPage, rewriteLinks } from './rewrite-links.ts'

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
 * Reads every page and rewrites the links that would lead elsewhere. The store must not change meanwhile: it is a snapshot, or
 * locked. Takes time proportional to the texts of all pages.
 */
export async function updateLinks(wiki: Readers, rename: Rename): Promise<LinkUpdates> {
  const { store } = wiki
  const renaming = await renamingOf(wiki, rename, await wikiExtras(store))
  const found: RewrittenPages = { changes: [], own: null, pages: [], unchanged: [], unread: [] }
  const shown: PageEntry[] = []
  const latest: RevisionEntry[] = []
  for (const page of store.pages()) {
    await renaming.pause()
    if (!isLinking(page)) continue
    const revision = latestOf(store, page)
    if (isHidden(revision, 'text')) found.unread.push(page.title)
    else {
      shown.push(page)
      latest.push(revision)
    }
  }
  const check = await openRewriteCheck(store, rename.isWritten)
  const left = shown.values()
  try {
    for await (const [revision, text] of store.presentTexts(latest)) {
      await renaming.pause()
      const page = left.next().value as PageEntry
      if (text === null) {
        found.unread.push(page.title)
        continue
      }
      const { blob } = revision
      const isRewritable = await check.isRewritable({ path: page.path, blob }, text)
      const rewritten = isRewritable ? await rewriteLinks(linkPage(store, page, text, rename), renaming) : null
      if (rewritten === null) found.unread.push(page.title)
      else add(found, page, text, { rewritten, rename })
    }
  } finally {
    check.end()
  }
  return found
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
  const room = maxListed - found.unchanged.length
  found.unchanged.push(...[...lost, ...computed].slice(0, room).map(link => ({ title: page.title, link })))
  if (rewritten.text === text) return
  found.pages.push({ key: page.key, title: page.title, links: count })
  if (page.id === rename.page.id) found.own = rewritten.text
  else found.changes.push({ path: page.path, content: Buffer.from(rewritten.text), isBlob: true })
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
    before: linkResolver(before, store.config, { others, aliases }),
    after: linkResolver(after, store.config, { others, aliases: moved }),
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

function linkPage(store: Store, page: PageEntry, text: string, rename: Rename) {
  const linkingPage: LinkingPage = {
    title: parseTitle(page.key, store.titles),
    path: insideRoot(page.path, store.config.root),
  }
  const moved: LinkingPage = { title: rename.to, path: insideRoot(rename.path, store.config.root) }
  const model = page.model === 'markdown' ? ('markdown' as const) : ('wikitext' as const)
  return { text, model, before: linkingPage, after: page.id === rename.page.id ? moved : linkingPage }
}
