/** Wikitext and HTML to Markdown; nothing is saved. */

import { htmlToMarkdown } from '../html2md/index.ts'
import { renderText } from './render-page.ts'
import { parsePossibleTitle } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export { htmlToMarkdown } from '../html2md/index.ts'

export interface MarkdownQuery {
  readonly text: string
  /** Title that the text is read under, whether or not the page exists; the main page's if missing. */
  readonly title?: string | undefined
}

/** Converts the page that a wikitext shows to Markdown. Errors: apierror-invalidtitle, apierror-pagecannotexist. */
export async function wikitextToMarkdown(wiki: Wiki, { text, title }: MarkdownQuery): Promise<string> {
  await wiki.store.refresh()
  const { key, text: read } = parsePossibleTitle(title ?? wiki.store.config.mainPage, wiki.store.titles)
  const { html } = await renderText(wiki, { text, model: 'wikitext', title: read }, { flavor: 'view', bodyOnly: true })
  return htmlToMarkdown(html, { key })
}
