/**
 * Pages shown around every page, as in other wiki programs: `_Sidebar`, `_Header` and `_Footer`, each from the nearest
 * folder above the page. Source: Gollum's README, Subfiles.
 */

import { isWikiError } from '../../core/errors.ts'
import { showRevision } from '../../operations/show-page.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { type Markup, trusted } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import { sideBox } from './content-box.ts'
import { readerForm } from './reader-form.ts'

export interface SitePages {
  readonly sidebar: Markup | null
  readonly header: Markup | null
  readonly footer: Markup | null
}

/** Renders those of a page, if the repository has any. `key` is "" for pages that are not wiki pages. */
export async function sitePages(request: WebRequest, key: string): Promise<SitePages> {
  const [sidebar = null, header = null, footer = null] = await Promise.all(
    ['_Sidebar', '_Header', '_Footer'].map(name => sitePage(request, key, name)),
  )
  return { sidebar, header, footer }
}

/** Renders one of them. If it cannot be rendered, it is omitted rather than failing the page. */
async function sitePage(request: WebRequest, key: string, name: string): Promise<Markup | null> {
  const latest = latestOf(request.wiki, key, name)
  if (latest === null) return null
  try {
    const { html } = await showRevision(request.wiki, latest, readerForm(request, null))
    return sideBox(trusted(html))
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

/** Maximum number of folders searched above a page. */
const maxFolders = 20

/** Titles cannot start with an underscore, so the file's name identifies such a page. */
function latestOf({ store }: Wiki, key: string, name: string): number | null {
  const folders = key.split('/').slice(0, -1).slice(0, maxFolders)
  for (let depth = folders.length; depth >= 0; depth--) {
    const page = store.findPage([...folders.slice(0, depth), depth === 0 ? name.slice(1) : name].join('/'))
    const file = page?.path.slice(page.path.lastIndexOf('/') + 1) ?? ''
    if (page !== undefined && file.startsWith(`${name}.`)) return page.latest
  }
  return null
}
