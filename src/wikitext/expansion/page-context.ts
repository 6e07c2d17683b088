/** The page that is expanded, as the caller and the functions see it. */

import type { Title } from '../../core/title.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { SourceCache } from './source-cache.ts'

/** The page, its wiki and the time, fixed for one pass. */
export interface PageContext {
  readonly title: Title
  readonly config: WikiConfig
  readonly sourceCache: SourceCache
  /** Names of extension tags, lower case. */
  readonly tags: ReadonlySet<string>
  /** Matches the tags of annotations, which are not part of a template's name. */
  readonly annotationTags?: RegExp | null
  /** The time of the CURRENT... magic words and `#time`. */
  readonly now: Date
  /** Origin of the wiki's addresses, such as `http://localhost:8080`. */
  readonly server: string
  /** The revision being shown; null for a text that is not a saved page. */
  readonly page: PageRevision | null
  /** IANA name of the time zone of the LOCAL... magic words and `#timel`; UTC by default. */
  readonly timeZone?: string
}

/** The revision being shown. */
export interface PageRevision {
  readonly id: number
  readonly revision: number
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly user: string
}

/** Properties that the page sets for itself through parser functions. */
export interface PageProperties {
  /** Argument of the last DISPLAYTITLE; null if there was none. Not yet checked or cleaned. */
  displayTitle: string | null
  defaultSort: string | null
  /** Keys of all pages transcluded or tried, in order of first use. */
  readonly templates: Map<string, Title>
  /** Pages in other languages, by code of the language. */
  readonly languages: Map<string, { readonly code: string; readonly title: string }>
}
