/** Reads the indexed fields of a page from its source. */

import type { ContentModel } from '../core/content-models.ts'
import { readMarkdown } from './text/markdown-text.ts'
import { englishWords, type MarkupWords } from './text/markup-words.ts'
import { type PageMatter, type PageText, readPlainText } from './text/page-text.ts'
import { readPreamble } from './text/preamble.ts'
import { readWikitext } from './text/wikitext-text.ts'

/**
 * Reads the words of a page in linear time. Its description counts as a heading. `words` are those of the wiki's markup; `matter` is the
 * front matter of a page of Markdown.
 */
export function readPageText(
  source: string,
  model: ContentModel,
  words: MarkupWords = englishWords,
  matter: PageMatter | null = null,
): PageText {
  const page = readText(source, model, words, matter)
  const preamble = readPreamble(source, model, matter)
  const described = page.description ?? preamble.description
  const headings = described === null ? page.headings : [described, ...page.headings]
  return { ...page, title: preamble.title ?? page.title, headings, description: described }
}

function readText(source: string, model: ContentModel, words: MarkupWords, matter: PageMatter | null): PageText {
  if (model === 'wikitext') return readWikitext(source, words)
  return model === 'markdown' ? readMarkdown(source, matter) : readPlainText(source)
}
