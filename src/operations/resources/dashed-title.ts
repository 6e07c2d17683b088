/** Titles as wikis of GitHub and Gollum have them: the file of "Page name" is `Page-name.md`, whose title is "Page-name". */

import { contentModels } from '../../core/content-models.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle, type Title } from '../../core/title.ts'
import type { Store } from '../../store/store.ts'
import { linkDialect } from './link-dialect.ts'

/**
 * Returns the title that people of such a wiki mean by one that no page has: of the page that is there with dashes for spaces, or without
 * the ending of a source (`Guide.rst`); else the one that a new page has. Returns the title itself where a page has it, outside of the
 * articles, in wikis of other kinds, and in those that write spaces or underscores.
 */
export function dashedTitle(store: Store, title: Title): Title {
  const { key, namespace } = title
  if (namespace !== namespaceIds.main || store.findPage(key) !== undefined || linkDialect(store) !== 'gollum')
    return title
  const dashed = usesDashes(store) ? key.replaceAll('_', '-') : key
  const there = [dashed, ...endings.map(ending => `${dashed}.${ending}`)].find(name => store.findPage(name))
  return possibleTitle(there ?? dashed, store.titles) ?? title
}

const endings = contentModels.text.extensions

/** Pages examined to find how the files of a wiki are named. */
const lookedAt = 500

/** Returns true if the names of Markdown files have more dashes than spaces and underscores, or none have any of these. */
function usesDashes(store: Store): boolean {
  let [dashed, spaced, markdown, count] = [0, 0, 0, 0]
  for (const { path, model } of store.pages()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (model === 'markdown') markdown++
    if (/[^ _-]-/.test(name)) dashed++
    if (/[^ _][ _]/.test(name)) spaced++
    if (++count === lookedAt) break
  }
  return markdown * 2 > count && (dashed > spaced || spaced === 0)
}
