/** Link syntax of a wiki beyond MediaWiki's titles. */

import type { LinkSetting } from '../core/wiki-config.ts'

/** The rules of one way to write links. */
export interface Dialect {
  /** A target may be the path of a file, from the page's folder or from the root. */
  readonly paths: boolean
  /** A target may be a name wherever its file lies; case, spaces, dashes and underscores count as equal. */
  readonly names: boolean
  /** In Markdown, `[[text|target]]` and not `[[target|text]]`. */
  readonly textFirst: boolean
}

/** Setting to rules. */
export const dialects: Readonly<Record<Exclude<LinkSetting, 'auto'>, Dialect>> = {
  mediawiki: { paths: false, names: false, textFirst: false },
  paths: { paths: true, names: false, textFirst: false },
  gollum: { paths: true, names: true, textFirst: true },
  notes: { paths: true, names: true, textFirst: false },
}

/** Titles of pages that only Gollum's, GitHub's and Gitea's wikis begin with. */
export const gollumTitles = ['Home', 'Sidebar', 'Footer', 'Header'] as const
const gollumPage = /^(?:Home|_(?:Sidebar|Footer|Header))\.[a-z]+$/

/** Returns true if a path, from the root of the wiki, is one of those pages. */
export function isGollumPage(path: string): boolean {
  return gollumPage.test(path)
}

/** Returns the rules for a page: those of the setting, else those of its kind in this repository. */
export function dialectOf(
  setting: LinkSetting,
  { isMarkdown, isGollum }: { readonly isMarkdown: boolean; readonly isGollum: boolean },
): Dialect {
  if (setting !== 'auto') return dialects[setting]
  if (isGollum) return dialects.gollum
  return isMarkdown ? dialects.notes : dialects.paths
}
