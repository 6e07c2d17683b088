/** Converts wikitext and HTML to Markdown without saving. */

import { htmlToMarkdown } from '../html2md/index.ts'
import { renderText } from './render-page.ts'
import { parsePossibleTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export { htmlToMarkdown } from '../html2md/index.ts'

export interface MarkdownQuery {
  readonly text: string
  /** Title under which the text is parsed, whether or not the page exists; the main page's if omitted. */
  readonly title?: string | undefined
}

/** Renders a wikitext and converts the page to Markdown. Errors: apierror-invalidtitle, apierror-pagecannotexist. */
export async function wikitextToMarkdown(wiki: Wiki, { text, title }: MarkdownQuery): Promise<string> {
  await wiki.store.refresh()
  const { key, text: read } = parsePossibleTitle(title ?? wiki.store.config.mainPage, wiki.store.titles)
  const { html } = await renderText(wiki, { text, model: 'wikitext', title: read }, { flavor: 'view', bodyOnly: true })
  return htmlToMarkdown(html, { key })
}
