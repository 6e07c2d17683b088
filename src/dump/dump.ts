/** Data model of a MediaWiki XML export. Source: mediawiki.org/xml/export-0.11.xsd and the versions before it. */

export interface DumpNamespace {
  readonly id: number
  /** As titles have it, spaces; "" for the main namespace. */
  readonly name: string
  readonly isCaseSensitive: boolean
}

/** Head of a dump. Missing fields are "" or empty. */
export interface DumpSite {
  readonly name: string
  readonly database: string
  /** Address of the main page. */
  readonly base: string
  /** Language code of the content. */
  readonly language: string
  readonly isCaseSensitive: boolean
  readonly namespaces: readonly DumpNamespace[]
}

export interface DumpPage {
  /** Prefixed title, spaces. */
  readonly title: string
  /** Null in dumps before 0.6. */
  readonly namespace: number | null
  readonly id: number | null
  /** Title that the latest revision redirects to. */
  readonly redirect: string | null
}

/** Author of a revision: a user, the IP address of an anonymous editor, or hidden. */
export type DumpContributor =
  | { readonly kind: 'user'; readonly name: string /** Null or 0: none of this wiki's. */; readonly id: number | null }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'hidden' }

export interface DumpRevision {
  readonly id: number | null
  readonly parent: number | null
  /** Seconds since 1970, UTC. */
  readonly time: number
  readonly contributor: DumpContributor
  readonly minor: boolean
  /** Null if it is hidden. */
  readonly comment: string | null
  /** Content model by MediaWiki's name; null in dumps before 0.7. */
  readonly model: string | null
  readonly format: string | null
  /** Null if it is hidden, or lost. */
  readonly text: string | null
  /** Base 36; null if the dump has none. */
  readonly sha1: string | null
  /** Number of further slots, whose texts are not read. */
  readonly otherSlots: number
}

/** A version of a media file. */
export interface DumpUpload {
  /** Title without its namespace. */
  readonly fileName: string
  readonly time: number
  readonly contributor: DumpContributor
  readonly comment: string | null
}

/** Parts of a dump, in their order: a page comes before its revisions and uploads. `line` is the line at which a part ends. */
export type DumpItem =
  | { readonly kind: 'site'; readonly site: DumpSite; readonly line: number }
  | { readonly kind: 'page'; readonly page: DumpPage; readonly line: number }
  | { readonly kind: 'revision'; readonly revision: DumpRevision; readonly line: number }
  | { readonly kind: 'upload'; readonly upload: DumpUpload; readonly line: number }
