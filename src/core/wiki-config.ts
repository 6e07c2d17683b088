/** The settings of a wiki. */

/** A namespace that wiki.json adds or renames. */
export interface NamespaceConfig {
  readonly name: string
  readonly aliases: readonly string[]
  readonly subpages?: boolean
}

/** Parts of a revision that can be hidden from readers. */
export const hideableParts = ['text', 'comment', 'user'] as const

export type HideablePart = (typeof hideableParts)[number]

/** Link syntaxes accepted besides MediaWiki's titles. */
export const linkSettings = ['auto', 'mediawiki', 'paths', 'gollum', 'notes'] as const

export type LinkSetting = (typeof linkSettings)[number]

/** Severities of a kind of problem; `off` disables the check. */
export const checkLevels = ['off', 'note', 'warning', 'error'] as const

export type CheckLevel = (typeof checkLevels)[number]

/** Settings of `wiki check`. */
export interface CheckConfig {
  /** By the name of a kind. Other kinds have their default. */
  readonly levels: Readonly<Record<string, CheckLevel>>
  /** Paths to exclude, as git's patterns: `drafts/**`. */
  readonly exclude: readonly string[]
}

/** Maximum sizes of texts and files, in bytes. */
export interface LimitConfig {
  /** Source of a saved page. Source: MediaWiki's `$wgMaxArticleSize`. */
  readonly source: number
  /** HTML to be converted to wikitext. */
  readonly html: number
  /** Uploaded media file. */
  readonly file: number
}

/** Hidden parts of a revision, with the reason. */
export interface HiddenRevision {
  /** Empty for a revision that is visible again, because caches must know that it was hidden. */
  readonly parts: readonly HideablePart[]
  readonly reason: string
  /** Time of the last change in UTC, as `2026-01-31T12:00:00Z`; missing if a user wrote the entry by hand. */
  readonly changed?: string
}

/** The settings of a wiki, with defaults for everything that wiki.json omits. */
export interface WikiConfig {
  /** Name of the site; "" if wiki.json names none. */
  readonly name: string
  /** Language code of the content. */
  readonly language: string
  readonly mainPage: string
  /** "" if there is none. */
  readonly license: { readonly url: string; readonly title: string }
  /** E-mail or web address of the person responsible for the wiki; "" if there is none. */
  readonly contact: string
  /** Folder of the pages in the repository, without leading or trailing slash; "" for its top. */
  readonly root: string
  /** By id, in decimal. */
  readonly namespaces: Readonly<Record<string, NamespaceConfig>>
  readonly capitalization: 'first-letter' | 'case-sensitive'
  readonly searchedNamespaces: readonly number[]
  /** True if search matches inflected forms of a word and skips stop words, by the wiki's language. */
  readonly stemming: boolean
  /** Address with `$1` for the title, by prefix. */
  readonly interwiki: Readonly<Record<string, string>>
  /** Address with `$1` for the title, by language code. */
  readonly languages: Readonly<Record<string, string>>
  /** True if anyone may edit through the server. Such edits are recorded under the IP address. */
  readonly anonymousEdits: boolean
  /**
   * Paths that editors may write although machines run such files or are configured by them, as git's patterns: `data/*.json`. Each
   * matches a whole path from the repository's top.
   */
  readonly editableFiles: readonly string[]
  /** Origins of pages that may edit through the server with a token: `https://editor.example`. */
  readonly allowedOrigins: readonly string[]
  /** E-mail addresses or names of authors whose edits count as a bot's. */
  readonly bots: readonly string[]
  readonly layout: 'folders' | 'sharded'
  /**
   * Link syntax accepted besides MediaWiki's titles. `auto` chooses by the repository and the content model of the
   * page.
   */
  readonly links: LinkSetting
  /**
   * Unit within which concurrent edits conflict. `never` refuses every edit that is not based on the latest revision.
   */
  readonly merge: 'words' | 'lines' | 'never'
  readonly limits: LimitConfig
  readonly checks: CheckConfig
  /** Hidden parts of revisions, by `commit/blob`. Hashes are used because ids may differ between clones. */
  readonly hidden: Readonly<Record<string, HiddenRevision>>
}
