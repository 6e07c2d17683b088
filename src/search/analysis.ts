/** From a page's source to what the index holds of it. */

import type { ContentModel } from '../core/content-models.ts'
import { readMarkdown } from './markdown-text.ts'
import { type PageText, readPlainText } from './page-text.ts'
import { readWikitext } from './wikitext-text.ts'

/** Reads the words of a page. Linear in its text. */
export function readPageText(source: string, model: ContentModel): PageText {
  if (model === 'wikitext') return readWikitext(source)
  return model === 'markdown' ? readMarkdown(source) : readPlainText(source)
}
