/** Lint problems of the wiki's pages, in parts. Source: MediaWiki's Special:LintErrors. */

import { lintPages } from '../../../operations/lint-pages.ts'
import { describeLint, type LintedText } from '../../../operations/lint-texts.ts'
import { pageAddress } from '../../addresses.ts'
import { html, type Markup } from '../../markup.ts'
import { nextPart } from '../../parts/list-parts.ts'
import { notice } from '../../parts/notice.ts'
import type { WebReply, WebRequest } from '../../request.ts'

/** Maximum number of problems shown per page, and length of a line in UTF-16 units. */
const maxShown = 20
const longestLine = 200

/** Lists the problems of the pages after the one in the URL. */
export async function lintErrors(request: WebRequest): Promise<WebReply> {
  const { wiki, words, query } = request
  const { texts, unread, count, next } = await lintPages(wiki, { after: query('after') })
  const rows = texts.map(text => pageRow(request, text))
  const body = html`<p class="meta">${words.say('lintCount', count, texts.length)}</p>${unread.length === 0 ? null : notice(unreadTexts(request, unread), 'warning')}
${rows.length === 0 ? html`<p>${words.say('emptyList')}</p>` : rows}${nextPart(words, 'LintErrors', { after: next })}`
  return { view: { title: words.text('lintTitle'), unlisted: true, body } }
}

function unreadTexts({ words }: WebRequest, titles: readonly string[]): Markup {
  const links = titles.map(title => html` <a href="${pageAddress(title.replaceAll(' ', '_'))}"><bdi>${title}</bdi></a>`)
  return html`${words.say('unreadTexts', titles.length)}${links}`
}

function pageRow({ words, wiki }: WebRequest, { title, problems }: LintedText): Markup {
  const key = title.replaceAll(' ', '_')
  const address = pageAddress(wiki.store.findPage(key)?.key ?? key)
  const rows = problems.slice(0, maxShown).map(problemRow)
  const others = problems.length - rows.length
  return html`<h2><a href="${address}"><bdi>${title}</bdi></a></h2>
<ul>${rows}</ul>${others > 0 ? html`<p class="meta">${words.say('lintMore', others)}</p>` : null}`
}

/** The messages are those of the command line, which exist only in English. */
function problemRow({ type, line, column, source }: LintedText['problems'][number]): Markup {
  return html`<li><span lang="en" dir="ltr">${line}:${column} ${describeLint(type).says}</span><br><code dir="auto">${source.trim().slice(0, longestLine)}</code></li>`
}
