/** Pages that stand around every page in wikis of other kinds: `_Sidebar` and `_Footer`. Source: Gollum's README, Subfiles. */

import { isWikiError } from '../../core/errors.ts'
import { showRevision } from '../../operations/show-page.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { type Markup, trusted } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import { readerForm } from './reader-form.ts'

export interface SitePages {
  readonly sidebar: Markup | null
  readonly footer: Markup | null
}

/** Renders the sidebar and the footer of the repository, where it has any. */
export async function sitePages(request: WebRequest): Promise<SitePages> {
  const [sidebar, footer] = await Promise.all([sitePage(request, '_Sidebar'), sitePage(request, '_Footer')])
  return { sidebar, footer }
}

/** Renders one of them. One that cannot be shown is left out: the page itself must not fail for it. */
async function sitePage(request: WebRequest, name: string): Promise<Markup | null> {
  const latest = latestOf(request.wiki, name)
  if (latest === null) return null
  try {
    const { html } = await showRevision(request.wiki, latest, readerForm(request, null))
    return trusted(html)
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}

/** A title has no underscore at its beginning; the file's name tells such a page from one that is called so. */
function latestOf({ store }: Wiki, name: string): number | null {
  const page = store.findPage(name.slice(1))
  const file = page?.path.slice(page.path.lastIndexOf('/') + 1) ?? ''
  return page !== undefined && file.startsWith(`${name}.`) ? page.latest : null
}
