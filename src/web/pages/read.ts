/** Shows a page of the wiki: its latest revision or an older one, of any content model. */

import { isWikiError, WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import type { RevisionObject } from '../../core/revision.ts'
import { errorMessageIn } from '../../http/messages/messages.ts'
import { textName } from '../../operations/latest-section.ts'
import { readRevision } from '../../operations/read-revision.ts'
import { mainPageTitle } from '../../operations/resources/main-page.ts'
import { integerParam } from '../../operations/resources/params.ts'
import { redirectTarget } from '../../operations/resources/redirect.ts'
import { findShownPage, type Rendered, type ShownPage, showRevision } from '../../operations/show-page.ts'
import { anchorPart, pageAddress } from '../addresses.ts'
import { attributes, html, type Markup, trusted } from '../markup.ts'
import { categoriesOf, languagesOf } from '../parts/categories.ts'
import { contentBox } from '../parts/content-box.ts'
import { contentsOf } from '../parts/contents.ts'
import { breadcrumbs, missingTemplates, pagesBelow } from '../parts/nearby-pages.ts'
import { nextRevision } from '../parts/next-revision.ts'
import { notice } from '../parts/notice.ts'
import { userLink } from '../parts/people.ts'
import { readerForm } from '../parts/reader-form.ts'
import { revisionLink } from '../parts/revision-links.ts'
import { redirectReply, type View, type WebReply, type WebRequest } from '../request.ts'
import { canWrite } from '../rights.ts'
import type { WordKey } from '../words/words.ts'
import { categoryPart } from './category.ts'
import { comparisonPage } from './compare.ts'
import { filePart, isFile } from './file.ts'
import { missingPage } from './missing.ts'

/** Shows the page of a title. Errors: rest-invalid-title, rest-nonexistent-revision, rest-permission-denied-revision. */
export async function readPage(request: WebRequest): Promise<WebReply> {
  if (request.query('diff') !== undefined) return comparisonPage(request)
  const oldid = request.query('oldid')
  if (oldid !== undefined && oldid !== '0') return oldRevision(request, integerParam('oldid', oldid))
  const shown = pageOf(request)
  if (shown === null) return missingPage(request)
  const target = redirectAddress(request, shown)
  if (target !== null) return redirectReply(302, target)
  const { page, revision } = shown
  const rendered = await renderedOr(request, revision, page.key)
  const namespace = request.wiki.store.findPage(page.key)?.namespace ?? namespaceIds.main
  const isRedirect = shown.redirect !== null
  return {
    view: {
      ...(await viewOf(request, revision, rendered)),
      tab: namespace % 2 === 1 ? 'talk' : 'read',
      unlisted: isRedirect,
      body: html`${redirectNote(request, shown)}${'html' in rendered ? missingTemplates(request, rendered) : null}${isFile(request, page.key) ? await filePart(request, page.key) : null}${article(request, rendered, revision.content_model)}${(await categoryPart(request, page.key, namespace))?.markup}${await pagesBelow(request, page.key)}`,
    },
  }
}

/**
 * Returns the page of the request's title; null if there is none. Another spelling of the title throws `TitleRedirect`.
 */
function pageOf({ wiki, title }: WebRequest): ShownPage | null {
  try {
    return findShownPage(wiki, { title: title.replaceAll(' ', '_'), exact: true })
  } catch (error) {
    if (isWikiError(error, 'rest-nonexistent-title')) return null
    throw error
  }
}

/** Most redirects that are followed, one after the other. */
const maxRedirects = 20

/**
 * Returns the URL at the end of a chain of redirects; null to show the page itself, also for a chain that is a circle or too
 * long.
 */
function redirectAddress({ wiki: { store }, query }: WebRequest, { page }: ShownPage): string | null {
  if (query('redirect') === 'no') return null
  let at = store.findPage(page.key)
  let fragment = ''
  for (let step = 0; step < maxRedirects && at !== undefined; step++) {
    const target = redirectTarget(store, at)?.page ?? null
    if (target === null) return at.key === page.key ? null : addressAt(at.key, { from: page.key, fragment })
    fragment = /#(.*)/.exec(at.redirect ?? '')?.[1] ?? ''
    at = target
  }
  return null
}

function addressAt(key: string, { from, fragment }: { readonly from: string; readonly fragment: string }): string {
  return pageAddress(key, { redirectedfrom: from }) + anchorPart(fragment)
}

/** Names the redirect that led here, or the target of this redirect. */
function redirectNote({ wiki, words, query }: WebRequest, { page, redirect }: ShownPage): Markup | null {
  if (redirect !== null) {
    const link = redirect.local
      ? html`<a href="${pageAddress(redirect.key)}"${attributes({ class: redirect.page === null ? 'new' : null })}>${redirect.title}</a>`
      : redirect.title
    return notice(words.say('redirectsTo', link))
  }
  const from = query('redirectedfrom')
  const source = from === undefined ? undefined : wiki.store.findPage(from)
  if (source === undefined || source.redirect === null || source.key === page.key) return null
  const link = html`<a href="${pageAddress(source.key, { redirect: 'no' })}">${source.title}</a>`
  return html`<p class="subtitle">${words.say('redirectedFrom', link)}</p>`
}

/** Size of HTML, in UTF-16 units, from which browsers lay out sections only when they scroll into view. */
const hugeText = 500_000

/** A page that is too expensive to render is shown as its source, with the reason. */
type RenderedOrSource = Rendered | { readonly source: string; readonly reason: WikiError }

async function renderedOr(request: WebRequest, { id }: RevisionObject, key: string | null): Promise<RenderedOrSource> {
  try {
    const links = key === null || !canWrite(request, key) ? null : { key, text: textName(request.wiki, id) }
    return await showRevision(request.wiki, id, readerForm(request, links))
  } catch (reason) {
    if (!isWikiError(reason, 'wiki-render-limit') && !isWikiError(reason, 'wiki-page-too-complex')) throw reason
    if (reason.code === 'wiki-render-limit') request.onIncomplete()
    return { source: (await readRevision(request.wiki, { id })).source, reason }
  }
}

function article({ words, wiki }: WebRequest, rendered: RenderedOrSource, model: string): Markup {
  if ('source' in rendered)
    return html`${notice(words.say('notRendered', errorMessageIn(words.language, rendered.reason)), 'warning')}<pre class="source">${rendered.source}</pre>`
  return contentBox(wiki.store.config.language, trusted(rendered.html), {
    model,
    isHuge: rendered.html.length > hugeText,
  })
}

/** Builds the parts that a page and an old revision share. */
async function viewOf(request: WebRequest, revision: RevisionObject, rendered: RenderedOrSource): Promise<View> {
  const { wiki, words } = request
  const { key, title } = revision.page
  const isRendered = 'html' in rendered
  const { name } = wiki.store.config
  const isMain = title === mainPageTitle(wiki.store)
  const contents = isRendered ? contentsOf(rendered.toc, words) : undefined
  return {
    title: isMain && name !== '' ? name : title,
    heading: headingOf(title, isRendered ? rendered.displayTitle : null),
    key,
    above: breadcrumbs(request, key),
    ...(contents !== undefined && { contents }),
    body: html``,
    footer: html`${isRendered ? await categoriesOf(request, rendered) : null}${isRendered ? languagesOf(request, rendered) : null}${lastEdit(request, revision)}`,
  }
}

/** Returns the display title if it is the same title in another case or with underscores, else the title. */
function headingOf(title: string, displayTitle: string | null): Markup {
  const plain = (text: string): string => text.trim().replaceAll('_', ' ').toLowerCase()
  const isSame = displayTitle !== null && plain(displayTitle) === plain(title)
  return html`<bdi>${isSame ? displayTitle : title}</bdi>`
}

function lastEdit({ words }: WebRequest, { timestamp, user, page }: RevisionObject): Markup {
  const when = html`<a href="${pageAddress(page.key, { action: 'history' })}">${words.time(timestamp)}</a>`
  return html`<p class="last-edit">${words.say('lastEdit', when, userLink(user, words))}</p>`
}

/** Shows an old revision, with a link back to the page. */
async function oldRevision(request: WebRequest, id: number): Promise<WebReply> {
  const { wiki } = request
  const { store } = wiki
  const entry = store.revision(id, { deleted: true })
  if (entry === undefined) throw new WikiError('rest-nonexistent-revision', { params: [id] })
  const revision = await readRevision(wiki, { id })
  if (revision.page.key !== request.title.replaceAll(' ', '_'))
    return redirectReply(301, pageAddress(revision.page.key, { oldid: id }))
  const rendered = await renderedOr(request, revision, null)
  return {
    view: {
      ...(await viewOf(request, revision, rendered)),
      unlisted: true,
      tab: 'history',
      body: html`${oldNotice(request, revision, entry.previous)}${article(request, rendered, revision.content_model)}`,
    },
  }
}

function oldNotice(
  request: WebRequest,
  { id, page, timestamp, user, comment }: RevisionObject,
  previous: number | null,
) {
  const { wiki, words } = request
  const latest = wiki.store.findPage(page.key)?.latest
  const isLatest = latest === id
  const next = nextRevision(wiki.store, { page: page.id, id })
  const link = (word: WordKey, shown: number, query: Record<string, string | number>): Markup =>
    revisionLink(request, { shows: [shown], address: pageAddress(page.key, query), content: words.say(word) })
  const ways = [
    previous === null ? null : link('olderRevision', previous, { oldid: previous }),
    previous === null ? null : link('changesOfRevision', previous, { diff: id, oldid: previous }),
    isLatest || latest === undefined ? null : link('compareWithLatest', latest, { diff: latest, oldid: id }),
    latest === undefined ? null : html`<a href="${pageAddress(page.key)}">${words.say('latestRevision')}</a>`,
    next === null ? null : link('newerRevision', next, { oldid: next }),
  ].filter(way => way !== null)
  const about = words.say(isLatest ? 'isLatestRevision' : 'isOldRevision', words.time(timestamp), userLink(user, words))
  const summary = comment === null || comment === '' ? null : html` <span class="summary"><bdi>${comment}</bdi></span>`
  return notice(html`<p>${about}${summary}</p><p class="ways">${ways}</p>`, isLatest ? 'plain' : 'warning')
}
