/** Search results as the API sends them. Source: API:REST_API/Reference on mediawiki.org, search result object. */

export interface SearchResult {
  readonly id: number
  readonly key: string
  readonly title: string
  /** HTML with `<span class="searchmatch">` for page search; the plain title for title search. */
  readonly excerpt: string
  /** Reading form of the title of the redirect that matched, or null. */
  readonly matched_title: string | null
  /** Anchor of the section that matched, or null. */
  readonly anchor?: string | null
  readonly description: string | null
  /** Thumbnail of the page's image; null if it has none. */
  readonly thumbnail: SearchThumbnail | null
}

export interface SearchThumbnail {
  readonly mimetype: string
  /** Bytes, if known. */
  readonly size: number | null
  readonly width: number | null
  readonly height: number | null
  /** Duration of a sound or video in seconds. */
  readonly duration: number | null
  readonly url: string
}

export interface SearchResults {
  readonly pages: readonly SearchResult[]
}
