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

/** Levels of a kind of problem; `off` is not looked for. */
export const checkLevels = ['off', 'note', 'warning', 'error'] as const

export type CheckLevel = (typeof checkLevels)[number]

/** Settings of `wiki check`. */
export interface CheckConfig {
  /** By the name of a kind; the others have their own. */
  readonly levels: Readonly<Record<string, CheckLevel>>
  /** Paths that are left out, as patterns of git: `drafts/**`. */
  readonly exclude: readonly string[]
}

/** Largest texts and files, bytes. */
export interface LimitConfig {
  /** Source of a page that is saved. Source: MediaWiki's `$wgMaxArticleSize`. */
  readonly source: number
  /** HTML that is converted to wikitext. */
  readonly html: number
  /** Media file that is added. */
  readonly file: number
}

/** Hidden parts of a revision, with the reason. */
export interface HiddenRevision {
  /** Empty for a revision that is shown again: caches must know that it was hidden. */
  readonly parts: readonly HideablePart[]
  readonly reason: string
  /** When that was last changed, UTC, as `2026-01-31T12:00:00Z`; missing where a person wrote it by hand. */
  readonly changed?: string
}

/** The settings of a wiki, complete: what wiki.json leaves out has its default. */
export interface WikiConfig {
  /** Name of the site; "" if wiki.json gives none. */
  readonly name: string
  /** Language code of the content. */
  readonly language: string
  readonly mainPage: string
  /** "" if there is none. */
  readonly license: { readonly url: string; readonly title: string }
  /** Address of whoever answers for the wiki, by mail or on the web; "" if there is none. */
  readonly contact: string
  /** Folder of the pages in the repository, no slash at either end; "" for its top. */
  readonly root: string
  /** By decimal id. */
  readonly namespaces: Readonly<Record<string, NamespaceConfig>>
  readonly capitalization: 'first-letter' | 'case-sensitive'
  readonly searchedNamespaces: readonly number[]
  /** True if search matches inflected forms of a word and skips stop words, by the wiki's language. */
  readonly stemming: boolean
  /** Prefix to address with `$1` for the title. */
  readonly interwiki: Readonly<Record<string, string>>
  /** Language code to address with `$1` for the title. */
  readonly languages: Readonly<Record<string, string>>
  /** True if anybody may edit through the server; such edits are recorded under the IP address. */
  readonly anonymousEdits: boolean
  /** Origins of pages that may edit through the server, with a token that they know: `https://editor.example`. */
  readonly allowedOrigins: readonly string[]
  /** Addresses or names of authors whose edits are a bot's. */
  readonly bots: readonly string[]
  readonly layout: 'folders' | 'sharded'
  /** Link syntax accepted besides MediaWiki's titles; `auto` decides by the repository and the kind of page. */
  readonly links: LinkSetting
  /** Smallest unit in which concurrent edits may differ and still merge; `never` refuses every edit of a revision that is not the latest. */
  readonly merge: 'words' | 'lines' | 'never'
  readonly limits: LimitConfig
  readonly checks: CheckConfig
  /** Hidden parts of revisions, by `commit/blob`. Hashes are used because ids may differ between clones. */
  readonly hidden: Readonly<Record<string, HiddenRevision>>
}
