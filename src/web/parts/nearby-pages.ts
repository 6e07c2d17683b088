/** Links around a page's text: pages above and below it, and missing templates. */

import { listPages } from '../../operations/list-pages.ts'
import type { Rendered } from '../../operations/show-page.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'

/** Maximum number of levels above a page, and of listed pages and templates. */
const maxLevels = 20
const maxPages = 60
const maxTemplates = 200

/** Links the pages and folders above a page, by the slashes of its title; null if there are none. */
export function breadcrumbs({ wiki, words }: WebRequest, key: string): Markup | null {
  const parts = key.split('/')
  if (parts.length < 2 || parts.length > maxLevels || parts.includes('')) return null
  const links = parts.slice(0, -1).map((part, at) => {
    const above = parts.slice(0, at + 1).join('/')
    const page = wiki.store.findPage(above)
    const address = page === undefined ? specialAddress('AllPages', { prefix: `${above}/` }) : pageAddress(page.key)
    return html`<li><a href="${address}"><bdi>${part.replaceAll('_', ' ')}</bdi></a></li>`
  })
  return html`<nav class="way-up" aria-label="${words.say('breadcrumbs')}"><ol>${links}</ol></nav>`
}

/** Lists the pages whose titles start with this one and a slash; null if there are none. */
export async function pagesBelow({ wiki, words }: WebRequest, key: string): Promise<Markup | null> {
  const { pages, total } = await listPages(wiki, { prefix: `${key}/`, limit: maxPages })
  const below = pages.filter(page => page.key.startsWith(`${key}/`))
  if (below.length === 0) return null
  const rows = below.map(
    page => html`<li><a href="${pageAddress(page.key)}"><bdi>${page.title.slice(key.length + 1)}</bdi></a></li>`,
  )
  const all =
    total > maxPages
      ? html`<p><a href="${specialAddress('AllPages', { prefix: `${key}/` })}">${words.say('partOfList', maxPages, total)}</a></p>`
      : null
  return html`<nav class="below" aria-label="${words.say('pagesBelow')}"><h2>${words.say('pagesBelow')}</h2><ul class="columns">${rows}</ul>${all}</nav>`
}

/** Lists the missing templates of a page, which the text shows only as names. */
export function missingTemplates({ wiki, words }: WebRequest, { references }: Rendered): Markup | null {
  const missing = references.templates.filter(key => wiki.store.findPage(key) === undefined)
  if (missing.length === 0) return null
  const rows = missing
    .slice(0, maxTemplates)
    .map(
      key =>
        html`<li><a class="new" href="${pageAddress(key, { action: 'edit', redlink: 1 })}"><bdi>${key.replaceAll('_', ' ')}</bdi></a></li>`,
    )
  return html`<details class="missing-templates"><summary>${words.say('missingTemplates', missing.length)}</summary><ul class="columns">${rows}</ul></details>`
}
