/** The authorship of a page's words. */

import type { AuthoredLine, AuthoredRevision, PageAuthorship } from '../../core/authorship.ts'
import { areReadable } from '../../operations/access/hidden.ts'
import { blamePageAsJson } from '../../operations/blame-page.ts'
import { optionalInteger } from '../../operations/resources/params.ts'
import { pageAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { notice } from '../parts/notice.ts'
import { userLink } from '../parts/people.ts'
import { revisionLink } from '../parts/revision-links.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Maximum size of the lines as JSON, in UTF-16 units. The table is several times as large. */
const maxJson = 2 * 1024 * 1024

/** Shows the text of a page with the revision of each word. Errors: as `blamePageAsJson`. */
export async function authorsPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words, query } = request
  const title = request.title.replaceAll(' ', '_')
  const asked = { title, exact: true, at: optionalInteger('oldid', query('oldid')), maxJson }
  const authorship: PageAuthorship = JSON.parse(await blamePageAsJson(wiki, asked))
  const { key } = authorship
  return {
    view: {
      title: words.text('authorsOf', authorship.title),
      heading: words.say('authorsOf', html`<bdi>${authorship.title}</bdi>`),
      key,
      tab: 'other',
      unlisted: true,
      isWide: true,
      body: html`<p class="meta">${words.say('authorsHint')}</p>${authorship.shallow ? notice(words.say('shallowHistory')) : null}${lineTable(request, authorship)}`,
    },
  }
}

function lineTable(request: WebRequest, { key, revisions, lines }: PageAuthorship): Markup {
  const { words } = request
  const byId = new Map(revisions.map(revision => [revision.id, revision]))
  let before: number | null = null
  const rows = lines.map(line => {
    const isNew = line.revision !== null && line.revision !== before
    before = line.revision ?? before
    const revision = isNew ? byId.get(line.revision!) : undefined
    return html`<tr>${revision === undefined ? html`<td></td>` : sourceCell(request, key, revision)}<td class="line">${lineOf(request, line, key, byId)}</td></tr>\n`
  })
  return html`<table class="diff authors"><caption class="hidden">${words.say('authorsHint')}</caption><colgroup><col class="source"><col></colgroup><tbody>
${rows}</tbody></table>`
}

function sourceCell(request: WebRequest, key: string, { id, timestamp, user, comment }: AuthoredRevision): Markup {
  const link = revisionLink(request, {
    ...changeBy(request, key, id),
    content: html`<time datetime="${timestamp}" data-ui-time="part">${timestamp.slice(0, 10)}</time>`,
    about: { title: comment ?? '' },
  })
  return html`<td class="source">${link} ${userLink(user, request.words)}</td>`
}

/** The page that compares a revision with the previous one. */
function changeBy({ wiki }: WebRequest, key: string, id: number) {
  const previous = wiki.store.revision(id, { deleted: true })?.previous ?? null
  return { shows: [id, previous], address: pageAddress(key, { diff: 'prev', oldid: id }) }
}

/** Words from another revision than the line's link to theirs. */
function lineOf(
  request: WebRequest,
  line: AuthoredLine,
  key: string,
  byId: ReadonlyMap<number, AuthoredRevision>,
): Markup[] {
  return line.spans.map(({ text, revision }) => {
    const own = revision === null || revision === line.revision ? undefined : byId.get(revision)
    if (own === undefined) return html`${text}`
    const { shows, address } = changeBy(request, key, own.id)
    if (!areReadable(request.wiki.store, shows)) return html`${text}`
    const name = `${own.timestamp.slice(0, 10)} ${own.user?.name ?? ''}`.trim()
    return html`<a class="other-author" href="${address}" title="${name}">${text}</a>`
  })
}
