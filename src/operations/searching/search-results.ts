/** Builds search results: redirects become their targets, and no page is shown twice. */

import type { SearchResult, SearchThumbnail } from '../../core/search-result.ts'
import type { StoredDocument } from '../../search/segment/document.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { filesWithMetadata, metadataOf } from '../resources/file-metadata.ts'
import type { FileWithMetadata, WikiFiles } from '../resources/file-object.ts'
import { redirectTarget } from '../resources/redirect.ts'
import type { SearchAccess } from './search-sync.ts'

/** Width of the thumbnails in results, in pixels. Source: MediaWiki 1.43 SearchHandler. */
const thumbnailWidth = 60

/** A result under construction. */
export interface FoundPage {
  /** 0 if a redirect leads to a page that does not exist. */
  readonly id: number
  readonly key: string
  readonly title: string
  /** Title of the redirect that matched. */
  readonly matched: string | null
  excerpt: string
  /** Name of a file in the results; absent for a page. */
  readonly image?: string
}

/** Results in order, by key. */
export type FoundPages = Map<string, FoundPage>

/** A page that matched. */
export interface Match {
  readonly page: PageEntry
  readonly excerpt: string
  /** Title of the redirect that matched. */
  readonly redirect: string | null
}

/**
 * Adds a matching page, unless it is present already. The first match decides whether the page counts as found by a
 * redirect, but the page's own excerpt takes precedence over a redirect's. One step is followed; redirects to special
 * pages and other wikis are shown as themselves.
 */
export function addFound(found: FoundPages, store: Store, { page, excerpt, redirect }: Match): void {
  const target = redirectTarget(store, page)
  const leadsOn = target?.local === true
  const { key, title } = leadsOn ? target : page
  const earlier = found.get(key)
  if (earlier === undefined) {
    const id = leadsOn ? (target.page?.id ?? 0) : page.id
    found.set(key, { id, key, title, matched: leadsOn ? page.title : redirect, excerpt })
  } else if (!leadsOn) earlier.excerpt = excerpt
}

/** Finds the picture of a page, and says of which pages without one that there is none. */
export interface Pictures {
  readonly mayShow: (id: number, stored: (id: number) => StoredDocument | undefined) => boolean
  readonly of: (page: PageEntry, image: string | null) => Promise<FileWithMetadata | null>
  /** False if a page was not examined, since that took too long. */
  readonly isWhole: () => boolean
}

/**
 * Builds the JSON of search results. `base` is the absolute URL of the API. Source: MediaWiki REST API reference,
 * "Search result object".
 */
export async function searchResults(
  wiki: WikiFiles & { readonly search: SearchAccess },
  found: Iterable<FoundPage>,
  { base, pictures }: { readonly base: string; readonly pictures: Pictures },
): Promise<SearchResult[]> {
  const all = [...found]
  // The search has already waited for the index.
  const pages = await wiki.search(
    ({ index }) => {
      const stored = (id: number) => index.stored(id)
      return all.map(page => shownOf(page, stored, pictures))
    },
    { patience: 0 },
  )
  const images = pages.flatMap(({ page: { image } }) => image ?? [])
  const files = images.length === 0 ? [] : await filesWithMetadata(wiki, images)
  const media = new Map(images.map((image, at) => [image, files[at] ?? null]))
  const results: SearchResult[] = []
  for (const { page, picture, description } of pages) {
    const { id, key, title, matched, excerpt, image } = page
    const entry = picture === null ? undefined : wiki.store.pageById(id)
    const file = image !== undefined ? (media.get(image) ?? null) : entry && (await pictures.of(entry, picture!.image))
    const thumbnail = thumbnailOf(file ?? null, base)
    results.push({ id, key, title, excerpt, matched_title: matched, description, thumbnail })
  }
  return results
}

/** Combines a result with the stored fields of its page; `picture` is null if it can have none. */
function shownOf(page: FoundPage, stored: (id: number) => StoredDocument | undefined, { mayShow }: Pictures) {
  const document = stored(page.id)
  const image = document?.image ?? null
  const isPictured = image !== null || mayShow(page.id, stored)
  return { page, picture: isPictured ? { image } : null, description: document?.description ?? null }
}

function thumbnailOf(described: FileWithMetadata | null, base: string): SearchThumbnail | null {
  if (described === null) return null
  const { mime, width, height, duration, size, url, thumbnail } = metadataOf(described, base)
  if (width === null || height === null) return null
  const reduced = thumbnail(thumbnailWidth)
  if (reduced === url) return { mimetype: mime, size, width, height, duration, url }
  return {
    mimetype: described.metadata.picture?.mime ?? mime,
    size: null,
    width: thumbnailWidth,
    height: Math.max(1, Math.round((height * thumbnailWidth) / width)),
    duration,
    url: reduced,
  }
}
