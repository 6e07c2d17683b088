/** Link syntax beyond MediaWiki's titles. */

import type { LinkSetting } from '../core/wiki-config.ts'

/** Rules of one link syntax. */
export interface Dialect {
  /** True if a target may be the path of a file, relative to the page's folder or the root. */
  readonly paths: boolean
  /** True if a target may be a name in any folder, in any case. */
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

/** Signs in a repository that decide its dialect where the setting does not. */
export interface DialectSigns {
  readonly isGollum: boolean
  /** True for a vault of Obsidian. */
  readonly isVault: boolean
}

/** Returns the setting that a repository has in effect; `auto` where pages of several kinds have rules of their own. */
export function settingOf(setting: LinkSetting, { isGollum, isVault }: DialectSigns): LinkSetting {
  if (setting !== 'auto') return setting
  // The start page of many vaults is called Home, too.
  return isVault ? setting : isGollum ? 'gollum' : setting
}

/**
 * Returns true if a space in a name may stand for a dash of the file's name: in Gollum and GitHub always, in others, as those of GitLab
 * and Azure, where no file of a page has a space in its name. Obsidian reads every character as it is.
 */
export function spacesAreDashes(setting: LinkSetting, signs: DialectSigns, paths: Iterable<string>): boolean {
  if (settingOf(setting, signs) === 'gollum') return true
  if (signs.isVault) return false
  for (const path of paths) if (/[^ /] +[^ /]+$/.test(path)) return false
  return true
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
  { isMarkdown, ...signs }: DialectSigns & { readonly isMarkdown: boolean },
): Dialect {
  const effective = settingOf(setting, signs)
  if (effective !== 'auto') return dialects[effective]
  return isMarkdown ? dialects.notes : dialects.paths
}
