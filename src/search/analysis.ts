/** Reads the indexed fields of a page from its source. */

import type { ContentModel } from '../core/content-models.ts'
import type { Decode } from './text/entities.ts'
import { readMarkdown } from './text/markdown-text.ts'
import { englishWords, type MarkupWords } from './text/markup-words.ts'
import { type PageMatter, type PageText, readPlainText } from './text/page-text.ts'
import { readPreamble } from './text/preamble.ts'
import { readWikitext } from './text/wikitext-text.ts'

/** Rules by which a text is read, of its wiki. */
export interface Reading {
  /** Words of the wiki's markup. */
  readonly words?: MarkupWords
  /** Front matter of a page of Markdown. */
  readonly matter?: PageMatter | null
  /** The engine's reader of character references, so that what it shows is found. */
  readonly decode: Decode
}

/** Reads the words of a page in linear time. Its description counts as a heading. */
export function readPageText(source: string, model: ContentModel, reading: Reading): PageText {
  const page = readText(source, model, reading)
  const preamble = readPreamble(source, model, reading.matter ?? null)
  const described = page.description ?? preamble.description
  const headings = described === null ? page.headings : [described, ...page.headings]
  return { ...page, title: preamble.title ?? page.title, headings, description: described }
}

function readText(
  source: string,
  model: ContentModel,
  { words = englishWords, matter = null, decode }: Reading,
): PageText {
  if (model === 'wikitext') return readWikitext(source, words, decode)
  return model === 'markdown' ? readMarkdown(source, matter, decode) : readPlainText(source)
}
