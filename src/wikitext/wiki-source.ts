/** The engine's interface to a wiki, implemented by the store (in operations) and by `memoryWiki`. */

import type { ContentModel } from '../core/content-models.ts'
import type { MediaType } from '../core/file.ts'
import type { Title } from '../core/title.ts'
import type { WikiConfig } from '../core/wiki-config.ts'
import type { LinkTarget, WrittenLink } from '../links/link.ts'

/** A page's text, as a template or the page itself. */
export interface SourcePage {
  readonly title: Title
  readonly text: string
  readonly model: ContentModel
  readonly id: number
  readonly revision: number
  /** ISO 8601, UTC, whole seconds. */
  readonly timestamp: string
  /** Name of the user who saved the revision. */
  readonly user: string
}

/** Metadata of a media file. */
export interface FileMetadata {
  /** URL form, without `File:`. */
  readonly name: string
  readonly mediatype: MediaType
  readonly mime: string
  /** Bytes. */
  readonly size: number
  /** Pixels; null if it has none. */
  readonly width: number | null
  readonly height: number | null
  /** Seconds; null if it has none. */
  readonly duration: number | null
  /** URL of the bytes. */
  readonly url: string
  /** URL of a rendering of it this many pixels wide. */
  readonly thumbnail: (width: number, picture?: PictureOptions) => string
}

/** Selects a picture of a file. */
export interface PictureOptions {
  /** Page of a document. */
  readonly page?: number
  /** Language of the texts in a drawing. */
  readonly language?: string
  /** Time in a video. */
  readonly seconds?: number
}

export interface WikiStatistics {
  readonly pages: number
  readonly articles: number
  readonly files: number
  readonly edits: number
  readonly users: number
  readonly activeUsers: number
  readonly admins: number
}

/**
 * A wiki as the engine sees it. Requests come in batches, between synchronous stages; each result has the length and order of
 * its request.
 */
export interface WikiSource {
  readonly config: WikiConfig
  /** Texts of pages; null for missing ones. Redirects are not followed. */
  readonly pages: (titles: readonly Title[]) => Promise<readonly (SourcePage | null)[]>
  /** Existence of pages; `redirect` for those that are redirects. */
  readonly exist: (titles: readonly Title[]) => Promise<readonly (boolean | 'redirect')[]>
  /** Metadata of files, by name in URL form without `File:`; null for missing ones. */
  readonly files: (names: readonly string[]) => Promise<readonly (FileMetadata | null)[]>
  readonly statistics: () => Promise<WikiStatistics>
  /** Targets of links that are paths or file names and not titles; null for links without a target. */
  readonly links: (links: readonly WrittenLink[]) => Promise<readonly (LinkTarget | null)[]>
}
