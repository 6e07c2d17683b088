/** The link rules of a wiki, in a separate file because `wiki status` needs them without the renderer. */

import type { LinkSetting } from '../../core/wiki-config.ts'
import { type DialectSigns, gollumTitles, isGollumPage, settingOf, spacesAreDashes } from '../../links/dialect.ts'
import type { Store } from '../../store/store.ts'

/** Returns the link rules of the wiki: the setting, or the detected kind of wiki. */
export function linkDialect(store: Store): LinkSetting {
  const { links } = store.config
  return links === 'auto' ? settingOf(links, signsOf(store)) : links
}

function signsOf(store: Store): DialectSigns {
  return { isGollum: looksLikeGollum(store), isVault: store.isVault }
}

/** Kept for a state of the wiki, because every page's path is looked at. */
const dashed = new WeakMap<Store['repository'], { readonly state: string; readonly isDashed: boolean }>()

/** Returns true if a space in a title may stand for a dash of the file's name. */
export function hasDashedNames(store: Store): boolean {
  const { state, config } = store
  if (config.links === 'mediawiki' || config.links === 'paths') return false
  const known = dashed.get(store.repository)
  if (known?.state === state) return known.isDashed
  const isDashed = spacesAreDashes(store.config.links, signsOf(store), pageStems(store))
  dashed.set(store.repository, { state, isDashed })
  return isDashed
}

function* pageStems(store: Store): Iterable<string> {
  for (const { path } of store.pages()) yield path.replace(/\.[^./]*$/, '')
}

/** Number of pages examined for their content models. */
const maxExamined = 500

/**
 * Returns the effective link rules: `auto` becomes those of Markdown or of wikitext if the first pages are all of one
 * kind.
 */
export function effectiveDialect(store: Store): LinkSetting {
  const dialect = linkDialect(store)
  if (dialect !== 'auto') return dialect
  const models = new Set<string>()
  let count = 0
  for (const { model } of store.pages()) {
    if (model === 'markdown' || model === 'wikitext') models.add(model)
    if (++count === maxExamined || models.size > 1) break
  }
  if (models.size !== 1) return dialect
  return models.has('markdown') ? 'notes' : 'paths'
}

/** Returns true if the repository has the start pages of Gollum, GitHub and Gitea wikis. */
export function looksLikeGollum(store: Store): boolean {
  return gollumTitles.some(title => isGollumPage(insideRoot(store.findPage(title)?.path ?? '', store.config.root)))
}

/** Converts a path from the top of the repository to one from the root of the wiki. */
export function insideRoot(path: string, root: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
