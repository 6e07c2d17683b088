/** Link syntax beyond MediaWiki's titles. */

import type { LinkSetting } from '../core/wiki-config.ts'

/** Rules of one link syntax. */
export interface Dialect {
  /** True if a target may be the path of a file, relative to the page's folder or the root. */
  readonly paths: boolean
  /** True if a target may be a name in any folder. Case, spaces, dashes and underscores are ignored. */
  readonly names: boolean
  /** True for `[[text|target]]` in Markdown, false for `[[target|text]]`. */
  readonly textFirst: boolean
}

/** Rules by setting. */
export const dialects: Readonly<Record<Exclude<LinkSetting, 'auto'>, Dialect>> = {
  mediawiki: { paths: false, names: false, textFirst: false },
  paths: { paths: true, names: false, textFirst: false },
  gollum: { paths: true, names: true, textFirst: true },
  notes: { paths: true, names: true, textFirst: false },
}

/** Page titles that only occur in wikis of Gollum, GitHub and Gitea. */
export const gollumTitles = ['Home', 'Sidebar', 'Footer', 'Header'] as const
const gollumPage = /^(?:Home|_(?:Sidebar|Footer|Header))\.[a-z]+$/

/** Returns true if a path relative to the wiki's root is one of those pages. */
export function isGollumPage(path: string): boolean {
  return gollumPage.test(path)
}

/** Returns the rules for a page: those of the setting, otherwise those of its content model in this repository. */
export function dialectOf(
  setting: LinkSetting,
  { isMarkdown, isGollum }: { readonly isMarkdown: boolean; readonly isGollum: boolean },
): Dialect {
  if (setting !== 'auto') return dialects[setting]
  if (isGollum) return dialects.gollum
  return isMarkdown ? dialects.notes : dialects.paths
}
