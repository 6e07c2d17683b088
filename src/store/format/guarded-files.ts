/**
 * Files that machines run or are configured by. In a repository that also holds code, who changes one of these decides what the next
 * build, installation, test run or clone does: that is the owner's right, while an editor may write pages and media files.
 *
 * The rule is a list of what is allowed, wikitext, Markdown, plain texts and media, because nobody knows every name that some tool reads.
 * The table has the names that look like pages all the same. A name counts wherever it lies, in any case and spelling, since disks and
 * tools differ in what they take for the same name.
 */

import { composed } from '../../core/composed-text.ts'
import { modelOfPath } from '../../core/content-models.ts'
import { mediaFormats } from '../../core/file.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { legalMeaning, type PathRules } from './paths.ts'

/** The kinds of guarded files, each with what recognises it: a path in lower case that begins with a slash. */
export const guardedKinds = {
  /** The settings of the wiki: they say who may edit. */
  settings: /^\/wiki\.json$/,
  /**
   * Hidden files and folders: workflows, attributes, ignore files, hooks, settings of editors. Azure's wikis keep pictures in
   * `.attachments`.
   */
  hidden: /\/(?:\.(?!attachments\/)|git~\d)/,
  /** Short names of Windows, `REQUIR~1.TXT`: the file that they open there has another name. */
  'short name': /\/[^/.~]{1,6}~\d{1,6}(?:\.[^/.]{0,3})?(?:\/|$)/,
  /**
   * Programs in the form of a text: MDX, literate programs, the tasks of mask, the configuration of Emacs in Org, and the texts in which
   * pytest runs the examples. Source: https://docs.pytest.org/en/stable/how-to/doctest.html.
   */
  program:
    /\.mdx$|\.(?:coffee|lagda|l?idr)\.[a-z]+$|\/maskfile\.md$|\/(?:init|config|configuration|settings|emacs)\.org$|\/test[^/]*\.txt$/,
  /** Settings of builds, packages and devices. */
  build:
    /\/[^/]*(?:requirements|constraints)[^/]*\.txt$|\/(?:requirements|constraints)\/[^/]*\.txt$|\/(?:cmakelists|conanfile|meson_options|manifest|runtime|packages|apt|plugins|dependencies|deps|modules|version|platform(?:\.local)?|boards(?:\.local)?|programmers|config|usercfg|cmdline|known_hosts|allowed_signers)\.txt$/,
  /**
   * Texts under the titles that MediaWiki keeps for the styles, scripts and data of users and of the site, in whatever model: an export
   * brings them to a MediaWiki under these titles. Source: MediaWiki's Help:Namespaces, "User" and "MediaWiki".
   */
  'script title': /^\/(?:[0-9a-f]{2}\/)?(?:user|mediawiki)\/(?:[^/]*\/)*[^/]*\.(?:css|js|json|vue)%?\.[a-z]+$/,
  /** Texts by which a published site instructs crawlers and markets. */
  site: /\/(?:robots|ads|app-ads|sellers|security|llms|llms-full)\.txt$/,
  /** Instructions that coding agents obey, also those that take the place of a repository's own. */
  agent:
    /\/(?:(?:agents?|claude|gemini|qwen|crush|warp|replit|codex|amazonq)(?:\.(?:local|override))?|skill|copilot-instructions|[^/]*\.(?:instructions|prompt|chatmode|agent))\.md$/,
  /** Templates of a forge: they set labels, reviewers and projects. */
  forge: /\/(?:pull_request_template|merge_request_template|issue_template)(?:\.md|\.txt|\/[^/]*)$/,
} as const satisfies Readonly<Record<string, RegExp>>

/** The reason against an editor's write: a kind of the table, `code` for JSON, CSS and JavaScript, or `other` for what is neither page nor media. */
export type GuardedKind = keyof typeof guardedKinds | 'code' | 'other'

const kinds = Object.entries(guardedKinds) as readonly (readonly [GuardedKind, RegExp])[]

const proseModels: ReadonlySet<string> = new Set(['wikitext', 'markdown', 'text'])

/**
 * Returns the kind of a file that only an owner may write; null for a page or media file that every editor may write. The path is from
 * the repository's top, `root` the folder of the pages.
 */
export function guardedKind(path: string, root: string): GuardedKind | null {
  const isInside = root === '' || path.startsWith(`${root}/`)
  const folded = foldPath(isInside && root !== '' ? path.slice(root.length + 1) : path)
  const kind = kinds.find(([, pattern]) => pattern.test(folded))?.[0]
  if (kind !== undefined) return kind
  if (!isInside) return 'other'
  const model = modelOfPath(folded)
  if (model !== undefined) return proseModels.has(model) ? null : 'code'
  return Object.hasOwn(mediaFormats, folded.slice(folded.lastIndexOf('.') + 1)) ? null : 'other'
}

/** Returns true for a page with a title of the kind `script title`, however the wiki calls the namespace and the file spells it. */
export function isScriptTitle(path: string, rules: PathRules): boolean {
  const meaning = legalMeaning(path, rules)
  if (meaning?.kind !== 'page') return false
  const { namespace, key } = meaning.title
  const isKept = namespace === namespaceIds.user || namespace === namespaceIds.mediawiki
  return isKept && /\.(?:css|js|json|vue)$/i.test(key)
}

/**
 * Spells a path as the most tolerant file system compares it, with a slash before it: without invisible letters, as HFS+, and in one
 * form and case, so that a long s is an s. Source: core.protectHFS of git-config(1); Unicode Standard Annex 15.
 */
function foldPath(path: string): string {
  const plain = /^[\x20-\x7e]*$/.test(path) ? path : composed(path.replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
  return `/${plain.toUpperCase().toLowerCase()}`
}
