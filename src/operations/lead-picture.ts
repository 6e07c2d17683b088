/**
 * The picture that represents a page in search results: the one that its front matter names, or the first that the rendered page shows.
 * The index says which pages can show one, so that no other is rendered; renderings are cached by their dependencies.
 */

import { isWikiError } from '../core/errors.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { foldTitle } from '../core/title.ts'
import { decodePath } from '../links/names.ts'
import type { StoredDocument } from '../search/segment/document.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { isHidden } from './access/hidden.ts'
import { filesWithMetadata } from './resources/file-metadata.ts'
import type { FileWithMetadata } from './resources/file-object.ts'
import { latestOf } from './resources/find-page.ts'
import { redirectTarget } from './resources/redirect.ts'
import { lastWords } from './searching/picture-words.ts'
import type { Pictures } from './searching/search-results.ts'
import type { Wiki } from './wiki.ts'

/** Maximum templates, and templates of templates, that are looked up for a page. A page with more is rendered. */
const maxTemplates = 200

/** Files of a page that are looked at. */
const maxFiles = 20

/** Looks up what the index stores of a page. */
type Stored = (id: number) => StoredDocument | undefined

/** Milliseconds after which no more pages of a search are rendered. Those that were are found in the cache by the next one. */
const longestLook = 10_000

/** Pictures of the results of a search that begins now. */
export function picturesOf(wiki: Wiki, now: () => number = () => performance.now()): Pictures {
  const end = now() + longestLook
  let isWhole = true
  const miss = (): null => {
    isWhole = false
    return null
  }
  return {
    mayShow: (id, stored) => mayShowPicture(wiki.store, id, stored),
    of: async (page, image) => (now() > end ? miss() : leadPicture(wiki, page, { image, miss })),
    isWhole: () => isWhole,
  }
}

/** True if the source of the page, or of a template that it calls, names a picture that the wiki has. */
function mayShowPicture(store: Store, id: number, stored: Stored): boolean {
  const seen = new Set<number>()
  const waiting = [id]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const { pictures = [], templates = [] } = stored(next) ?? {}
    if (pictures === null || seen.size > maxTemplates) return wordsOfFiles(store).size > 0
    if (pictures.some(word => wordsOfFiles(store).has(word))) return true
    for (const key of templates) {
      const page = store.findPage(key)
      const shown = page && (redirectTarget(store, page)?.page ?? page)
      if (shown !== undefined) waiting.push(shown.id)
    }
  }
  return false
}

/** Of the newest state of each repository. */
const fileWords = new WeakMap<Store['repository'], { readonly state: string; readonly words: ReadonlySet<string> }>()

/** Last words of the names of all files, and of pages that may redirect to one. */
function wordsOfFiles(store: Store): ReadonlySet<string> {
  const cached = fileWords.get(store.repository)
  if (cached?.state === store.state) return cached.words
  const namespace = store.titles.namespaces.get(namespaceIds.file)?.name ?? 'File'
  const words = new Set<string>()
  for (const { key } of store.files()) for (const word of lastWords(key, 1)) words.add(word)
  for (const key of store.keys(foldTitle(`${namespace}:`))) for (const word of lastWords(key, 1)) words.add(word)
  fileWords.set(store.repository, { state: store.state, words })
  return words
}

interface Look {
  /** Path that the front matter of the page names. */
  readonly image: string | null
  /** Called if the page cannot be rendered now. */
  readonly miss: () => void
}

/** Returns the picture of a page; null if it shows none of this wiki. */
async function leadPicture(wiki: Wiki, page: PageEntry, { image, miss }: Look): Promise<FileWithMetadata | null> {
  const named = image === null ? null : await firstPicture(wiki, [await fileNamed(wiki.store, page, image)])
  return named ?? firstPicture(wiki, await filesShown(wiki, page, miss))
}

async function firstPicture(wiki: Wiki, names: readonly string[]): Promise<FileWithMetadata | null> {
  const files = await filesWithMetadata(wiki, names.slice(0, maxFiles))
  return files.find(file => file?.metadata.picture != null && file.metadata.width !== null) ?? null
}

/** A picture is found by its path, or else by its name. */
async function fileNamed(store: Store, { key }: PageEntry, image: string): Promise<string> {
  const { linkTargets } = await import('./naming/wiki-names.ts')
  const [target] = await linkTargets(store, [{ from: key, target: image, syntax: 'path' }])
  if (target?.kind === 'file') return target.key.slice(target.key.indexOf(':') + 1)
  const name = image.slice(image.lastIndexOf('/') + 1)
  return decodePath(URL.canParse(name, 'http://wiki') ? new URL(name, 'http://wiki').pathname.slice(1) : name)
}

/** Names of the files on a rendered page, in their order. None if it cannot be rendered. */
async function filesShown(wiki: Wiki, page: PageEntry, miss: Look['miss']): Promise<readonly string[]> {
  const revision = latestOf(wiki.store, page)
  if (isHidden(revision, 'text')) return []
  const { renderEntry } = await import('./render-page.ts')
  try {
    return (await renderEntry(wiki, { page, revision })).references.files
  } catch (error) {
    if (!isWikiError(error)) throw error
    if (error.code === 'wiki-render-limit') miss()
    return []
  }
}
