/** The renderer's queries about the wiki, answered by the store. */

import type { Title } from '../../core/title.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import type { SourcePage, WikiSource, WikiStatistics } from '../../wikitext/wiki-source.ts'
import { isHidden, visiblePeople } from '../access/hidden.ts'
import { filesWithMetadata, metadataOf } from '../resources/file-metadata.ts'
import type { WikiFiles } from '../resources/file-object.ts'
import { latestOf } from '../resources/find-page.ts'
import { sourceOfFile } from '../resources/source.ts'
import type { RawSource } from '../workers/job.ts'

/** Days for which an edit makes a user active. Source: MediaWiki $wgActiveUserDays. */
const activeDays = 30

/** Implements the engine's interface to a wiki; each query sees the wiki's state at that time. */
export function rawSource(wiki: WikiFiles): RawSource {
  const { store } = wiki
  return {
    pages: titles => sourcePages(store, titles),
    exist: async titles => titles.map(({ key }) => existence(store, key)),
    files: names => filesWithMetadata(wiki, names),
    statistics: async () => statistics(store),
    links: async links => (await import('../naming/wiki-names.ts')).linkTargets(store, links),
  }
}

/** Returns whether a title exists and whether it redirects. A file without a description page exists too. */
export function existence(store: Store, key: string): boolean | 'redirect' {
  const page = store.findPage(key)
  if (page === undefined) return store.findFile(key) !== undefined
  return page.redirect === null || 'redirect'
}

/** Answers the renderer's queries on this thread; `server` is the scheme and host in URLs of files. */
export function engineSource(store: Store, raw: RawSource, server: string): WikiSource {
  return {
    config: store.config,
    pages: raw.pages,
    exist: raw.exist,
    files: async names => (await raw.files(names)).map(described => described && metadataOf(described, server)),
    statistics: () => raw.statistics([]),
    links: raw.links,
  }
}

/** Answers the renderer's queries about a wiki, on this thread. */
export function wikiSource(
  wiki: WikiFiles,
  { server = '' }: { readonly server?: string | undefined } = {},
): WikiSource {
  return engineSource(wiki.store, rawSource(wiki), server)
}

async function sourcePages(store: Store, titles: readonly Title[]): Promise<(SourcePage | null)[]> {
  const pages = titles.map(({ key }) => store.findPage(key))
  const answers: (SourcePage | null)[] = titles.map(() => null)
  const present = [...pages.keys()].filter(at => pages[at] !== undefined)
  let next = 0
  for await (const read of store.texts(present.map(at => latestOf(store, pages[at]!)))) {
    const at = present[next++]!
    answers[at] = sourcePage(titles[at]!, pages[at]!, read)
  }
  return answers
}

/**
 * A page with hidden text does not exist for readers. A file's final line feed is removed, because it would start a
 * line in a page that transcludes it.
 */
function sourcePage(title: Title, page: PageEntry, [revision, file]: [RevisionEntry, string]): SourcePage | null {
  const { id, timestamp, model } = revision
  if (isHidden(revision, 'text')) return null
  const user = visiblePeople(revision).user?.name ?? ''
  return { title, text: sourceOfFile(file), model, id: page.id, revision: id, timestamp, user }
}

/** Counts by reading every page's entry, so only pages with statistics pay for it. */
function statistics(store: Store): WikiStatistics {
  const since = new Date(Date.now() - activeDays * 24 * 60 * 60 * 1000).toISOString()
  const [users, active] = [new Set<string>(), new Set<string>()]
  let [pages, articles] = [0, 0]
  for (const page of store.pages()) {
    pages++
    if (page.namespace === 0 && page.redirect === null) articles++
    const { user, timestamp } = latestOf(store, page)
    users.add(user.name)
    if (timestamp > since) active.add(user.name)
  }
  const files = store.countFiles()
  return { pages, articles, files, edits: store.revisionCount, users: users.size, activeUsers: active.size, admins: 0 }
}
