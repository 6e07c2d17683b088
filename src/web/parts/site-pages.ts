/**
 * Pages that stand around every page in wikis of other kinds: `_Sidebar`, `_Header` and `_Footer`, each of the nearest folder above the
 * page. Source: Gollum's README, Subfiles.
 */

import { isWikiError } from '../../core/errors.ts'
import { showRevision } from '../../operations/show-page.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { type Markup, trusted } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import { readerForm } from './reader-form.ts'

export interface SitePages {
  readonly sidebar: Markup | null
  readonly header: Markup | null
  readonly footer: Markup | null
}

/** Renders those of a page, where the repository has any; `key` is "" for what is no page of the wiki. */
export async function sitePages(request: WebRequest, key: string): Promise<SitePages> {
  const [sidebar = null, header = null, footer = null] = await Promise.all(
    ['_Sidebar', '_Header', '_Footer'].map(name => sitePage(request, key, name)),
  )
  return { sidebar, header, footer }
}

/** Renders one of them. One that cannot be shown is left out: the page itself must not fail for it. */
async function sitePage(request: WebRequest, key: string, name: string): Promise<Markup | null> {
  const latest = latestOf(request.wiki, key, name)
  if (latest === null) return null
  try {
    const { html } = await showRevision(request.wiki, latest, readerForm(request, null))
    return trusted(html)
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

/** Folders above a page that are looked into. */
const mostFolders = 20

/** A title has no underscore at its beginning; the file's name tells such a page from one that is called so. */
function latestOf({ store }: Wiki, key: string, name: string): number | null {
  const folders = key.split('/').slice(0, -1).slice(0, mostFolders)
  for (let depth = folders.length; depth >= 0; depth--) {
    const page = store.findPage([...folders.slice(0, depth), depth === 0 ? name.slice(1) : name].join('/'))
    const file = page?.path.slice(page.path.lastIndexOf('/') + 1) ?? ''
    if (page !== undefined && file.startsWith(`${name}.`)) return page.latest
  }
  return null
}
