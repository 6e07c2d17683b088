/** The page of a title without a page, with suggestions for the reader. */

import { isWikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseTitle } from '../../core/title.ts'
import { mainPageTitle } from '../../operations/resources/main-page.ts'
import { findTitles } from '../../operations/search-pages.ts'
import { apiBase, pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { notice } from '../parts/notice.ts'
import { userLink } from '../parts/people.ts'
import type { WebReply, WebRequest } from '../request.ts'
import { canWrite, whyNot } from '../rights.ts'
import { categoryPart } from './category.ts'
import { filePart, isFile } from './file.ts'

/** Milliseconds to wait for an index that is being built. */
const patience = 200

/** Shows the page of a title without a page. Errors: rest-invalid-title. */
export async function missingPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words } = request
  const { key, text, namespace } = parseTitle(request.title, wiki.store.titles)
  if (isFile(request, key)) return undescribedFile(request, key, text)
  const members = await categoryPart(request, key, namespace)
  if (members !== null && !members.isEmpty) return undescribedCategory(request, { key, text, members: members.markup })
  const similar = await similarTitles(request, text)
  return {
    view: {
      status: 404,
      title: text,
      heading: html`<bdi>${text}</bdi>`,
      key,
      tab: 'read',
      unlisted: true,
      body: html`<p>${words.say('noPage')}</p>
${request.options.readOnly === true || canWrite(request, key) ? null : notice(whyNot(request, key))}
${deletionNote(request, key)}
<p class="actions">${restoreLink(request, key)}${namespace === namespaceIds.file ? uploadLink(request, text) : createLink(request, key)}<a class="button" href="${specialAddress('Search', { search: text })}">${words.say('searchFor')}</a>${key === mainPageTitle(wiki.store).replaceAll(' ', '_') ? html`<a class="button" href="${specialAddress('AllPages')}">${words.say('allPages')}</a><a class="button" href="${specialAddress('ListFiles')}">${words.say('files')}</a>` : null}</p>
${similar.length === 0 ? null : html`<h2>${words.say('similarTitles')}</h2><ul>${similar}</ul>`}`,
    },
  }
}

function createLink(request: WebRequest, key: string): Markup | null {
  const { words } = request
  if (!canWrite(request, key)) return null
  return html`<a class="button primary" href="${pageAddress(key, { action: 'edit' })}">${words.say('createThis')}</a>`
}

/** The page of a missing file asks for the file. Source: MediaWiki's links of missing files. */
function uploadLink({ options, words }: WebRequest, text: string): Markup | null {
  if (options.readOnly === true) return null
  const name = text.slice(text.indexOf(':') + 1)
  return html`<a class="button primary" href="${specialAddress('Upload', { wpDestFile: name })}">${words.say('uploadTitle')}</a>`
}

function restoreLink(request: WebRequest, key: string): Markup | null {
  const { wiki, words } = request
  if (!canWrite(request, key) || wiki.store.deletedPages(key).length === 0) return null
  return html`<a class="button" href="${specialAddress(`RestorePage/${key}`)}">${words.say('restorePage')}</a>`
}

/** A category without a page may still have members. Source: MediaWiki's CategoryPage. */
function undescribedCategory(
  request: WebRequest,
  { key, text, members }: { readonly key: string; readonly text: string; readonly members: Markup },
): WebReply {
  const body = html`${members}<p class="actions">${createLink(request, key)}</p>`
  return { view: { title: text, heading: html`<bdi>${text}</bdi>`, key, tab: 'read', body } }
}

/** A file may exist without a description page. */
async function undescribedFile(request: WebRequest, key: string, text: string): Promise<WebReply> {
  const { words } = request
  const body = html`${await filePart(request, key)}<p class="subtitle">${words.say('noDescription')}</p>`
  return { view: { title: text, heading: html`<bdi>${text}</bdi>`, key, tab: 'read', body } }
}

/** Names the user who deleted the page of this title, with a link to its history. */
function deletionNote({ wiki, words }: WebRequest, key: string): Markup | null {
  const page = wiki.store.deletedPages(key)[0]
  const deletion = page === undefined ? null : wiki.store.deletion(page.id)
  if (page === undefined || deletion === null) return null
  const { timestamp, user, comment, hidden } = deletion
  const who = userLink(hidden.includes('user') ? null : user, words)
  const why =
    hidden.includes('comment') || comment === '' ? null : html`: <span class="summary"><bdi>${comment}</bdi></span>`
  const old = html`<a href="${pageAddress(key, { action: 'history' })}">${words.say('deletedHistory')}</a>`
  return html`<p>${words.say('wasDeleted', words.time(timestamp), who)}${why} · ${old}</p>`
}

async function similarTitles({ wiki }: WebRequest, text: string): Promise<Markup[]> {
  try {
    const { results } = await findTitles(wiki, {
      q: text.slice(0, 200),
      match: 'words',
      limit: 5,
      base: apiBase(),
      patience,
    })
    return results.pages.map(({ key, title }) => html`<li><a href="${pageAddress(key)}"><bdi>${title}</bdi></a></li>`)
  } catch (error) {
    if (isWikiError(error)) return []
    throw error
  }
}
