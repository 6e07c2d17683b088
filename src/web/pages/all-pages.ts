/** Lists of pages: all pages, pages with a prefix, and a random page. */

import { namespaceIds } from '../../core/namespaces.ts'
import type { PageListItem } from '../../core/page.ts'
import { findNamespace } from '../../core/title.ts'
import { countBefore, listPages } from '../../operations/list-pages.ts'
import { mainPageTitle } from '../../operations/resources/main-page.ts'
import { boundedInteger, optionalInteger } from '../../operations/resources/params.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import { checkField, namespaceField } from '../parts/fields.ts'
import { redirectReply, type WebReply, type WebRequest } from '../request.ts'

/** Titles per list page. */
const pageLength = 300
const offsets = { min: 0, max: 10_000_000 }

/** Lists pages by title, sub-pages below their parent. */
export async function allPages(request: WebRequest): Promise<WebReply> {
  const { wiki, words, query } = request
  const prefix = query('prefix') ?? request.title.replaceAll('_', ' ')
  const namespace = optionalInteger('ns', query('ns'))
  const redirects = query('hideredirects') === '1' ? false : undefined
  const from = query('from')?.slice(0, 300)
  const start =
    from === undefined ? 0 : await countBefore(wiki, from, { prefix: prefix || undefined, namespace, redirects })
  const offset = boundedInteger('offset', query('offset') ?? String(start), offsets)
  const { pages, total } = await listPages(wiki, {
    ...(prefix !== '' && { prefix }),
    namespace,
    redirects,
    limit: pageLength,
    offset,
  })
  const address = (start: number): string =>
    specialAddress('AllPages', {
      prefix: prefix || undefined,
      ns: query('ns'),
      hideredirects: query('hideredirects'),
      offset: start === 0 ? undefined : start,
    })
  const pagerLinks = html`<nav class="pager" aria-label="${words.say('pages')}">${offset === 0 ? null : html`<a rel="prev" href="${address(Math.max(0, offset - pageLength))}">${words.say('previousTitles')}</a>`}${offset + pageLength < total ? html`<a rel="next" href="${address(offset + pageLength)}">${words.say('nextTitles')}</a>` : null}</nav>`
  const body = html`<form class="filters" action="${specialAddress('AllPages')}">
<label>${words.say('titleBegins')} <input name="prefix" value="${prefix}"></label>
${namespaceField(request, 'ns', query('ns') ?? '', words.say('allNamespaces'))}
${checkField('hideredirects', query('hideredirects') === '1', words.say('hideRedirects'))}
<button type="submit">${words.say('apply')}</button></form>
<p class="meta">${words.say('pageCount', total)}</p>
${pages.length === 0 ? html`<p>${words.say('nothingFound')}</p>` : tree(pages)}${pagerLinks}`
  return { view: { title: words.text('allPages'), unlisted: true, body } }
}

/** A folder of titles: the page of this name if it exists, and the titles below it. */
interface Folder {
  readonly name: string
  page: PageListItem | null
  readonly below: Map<string, Folder>
}

/** Maximum depth of the tree. Deeper titles are written in full. */
const maxLevels = 8

/** Writes titles as a tree, in which each slash is one level. */
function tree(pages: readonly PageListItem[]): Markup {
  const root: Folder = { name: '', page: null, below: new Map() }
  for (const page of pages) {
    let folder = root
    const parts = page.title.split('/')
    const names =
      parts.length > maxLevels ? [...parts.slice(0, maxLevels - 1), parts.slice(maxLevels - 1).join('/')] : parts
    for (const name of names) {
      const next = folder.below.get(name) ?? { name, page: null, below: new Map() }
      folder.below.set(name, next)
      folder = next
    }
    folder.page = page
  }
  return html`<ul class="tree">${[...root.below.values()].map(branch)}</ul>`
}

function branch(folder: Folder): Markup {
  const { page, name, below } = folder
  const label =
    page === null
      ? html`<span class="folder"><bdi>${name}</bdi></span>`
      : html`<a href="${pageAddress(page.key)}"${attributes({ class: page.redirect === null ? null : 'redirect' })}><bdi>${name}</bdi></a>`
  if (below.size === 0) return html`<li>${label}</li>`
  return html`<li><details open><summary>${label} <span class="meta">${below.size}</span></summary><ul>${[...below.values()].map(branch)}</ul></details></li>`
}

/** Maximum number of attempts to find a random page. */
const maxTries = 50

/** Redirects to the page of a random revision, so frequently edited pages are more likely. */
export async function randomPage({ wiki, title }: WebRequest): Promise<WebReply> {
  const { store } = wiki
  const namespace = (title === '' ? undefined : findNamespace(title, store.titles)) ?? namespaceIds.main
  for (let tries = 0; tries < maxTries; tries++) {
    const revision = store.revision(1 + Math.floor(Math.random() * store.lastRevisionId))
    const page = revision === undefined ? undefined : store.pageById(revision.page)
    if (page !== undefined && page.namespace === namespace && page.redirect === null) return to(page.key)
  }
  return to(mainPageTitle(store))
}

function to(title: string): WebReply {
  return redirectReply(302, pageAddress(title))
}
