/** Titles in wikis whose files have dashes for spaces: the file of "Page name" is `Page-name.md`, whose title here is "Page-name". */

import { contentModels } from '../../core/content-models.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle, type Title } from '../../core/title.ts'
import type { Store } from '../../store/store.ts'
import { hasDashedNames, linkDialect } from './link-dialect.ts'

/**
 * Returns the title that users of such a wiki mean if no page has the given one: that of an existing page with dashes
 * for spaces, or in a wiki of Gollum without a source extension (`Guide.rst`); there else the title for a new page. Returns the title
 * unchanged if a page has it, outside the main namespace, and in wikis whose file names use spaces or underscores.
 */
export function dashedTitle(store: Store, title: Title): Title {
  const { key, namespace } = title
  if (namespace !== namespaceIds.main || store.findPage(key) !== undefined) return title
  const isGollum = linkDialect(store) === 'gollum'
  const dashed = !isGollum || usesDashes(store) ? key.replaceAll('_', '-') : key
  const names = [dashed, ...(isGollum ? endings.map(ending => `${dashed}.${ending}`) : [])]
  const there = names.find(name => store.findPage(name) !== undefined)
  const isMeant = isGollum || (there !== undefined && hasDashedNames(store))
  return (isMeant ? possibleTitle(there ?? dashed, store.titles) : null) ?? title
}

/**
 * Returns the title under which users of such a wiki mean a deleted page, as `dashedTitle` does. The remaining pages may have other
 * names, so a deleted page with dashes suffices.
 */
export function deletedTitle(store: Store, title: Title): Title {
  if (store.deletedPages(title.key).length > 0 || linkDialect(store) !== 'gollum') return title
  const dashed = possibleTitle(title.key.replaceAll('_', '-'), store.titles)
  return dashed !== null && store.deletedPages(dashed.key).length > 0 ? dashed : dashedTitle(store, title)
}

const endings = contentModels.text.extensions

/** Number of pages examined to find the naming convention of a wiki's files. */
const maxExamined = 500

/** Kept for a state of the wiki: lists ask for each link that leads nowhere. */
const conventions = new WeakMap<Store['repository'], { readonly state: string; readonly isDashed: boolean }>()

function usesDashes(store: Store): boolean {
  const { repository, state } = store
  const known = conventions.get(repository)
  const isDashed = known?.state === state ? known.isDashed : hasDashes(store)
  conventions.set(repository, { state, isDashed })
  return isDashed
}

/** Returns true if the names of Markdown files contain more dashes than spaces and underscores, or none of these. */
function hasDashes(store: Store): boolean {
  let [dashed, spaced, markdown, count] = [0, 0, 0, 0]
  for (const { path, model } of store.pages()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (model === 'markdown') markdown++
    if (/[^ _-]-/.test(name)) dashed++
    if (/[^ _][ _]/.test(name)) spaced++
    if (++count === maxExamined) break
  }
  return markdown * 2 > count && (dashed > spaced || spaced === 0)
}
