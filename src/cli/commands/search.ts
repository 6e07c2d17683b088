/** `wiki search`: pages by their text, or by the beginning of their title. */

import type { SearchResult } from '../../core/search-result.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { sharedOptions } from '../options.ts'
import { type Column, printList } from '../render/table.ts'
import { excerptText } from '../render/text.ts'

interface Values {
  readonly title?: boolean
  readonly limit?: string
  readonly exitCode?: boolean
}

export const search: Command<Values> = {
  summary: 'Search the text of the pages, or the beginnings of their titles',
  arguments: { '<terms...>': 'words; "a phrase" in quotes; a word that ends in * stands for its beginning' },
  options: [
    { flags: '--title', help: 'titles that begin with the terms' },
    { ...sharedOptions.limit, help: 'at most this many, 1 to 100 (default: 50)' },
    sharedOptions.exitCode,
  ],
  examples: ['wiki search fire station -n 10', 'wiki search --title "Main"'],
  paged: true,
  async run(context, terms, values) {
    const { searchPages, searchTitles } = await import('../../operations/search-pages.ts')
    const { limitParam, requiredParam } = await import('../../operations/params.ts')
    const query = { q: requiredParam('q', terms.join(' ')), limit: limitParam(values.limit) }
    const body = await (values.title ? searchTitles : searchPages)(await context.wiki(), query)
    if (body.pages.length === 0 && values.exitCode) context.answer(1)
    const { json, jsonl } = context.options
    if (json || jsonl || values.title || !context.io.stdout.isTTY)
      return printList(context, { body, items: body.pages, columns: values.title ? titleColumns : columns })
    await printResults(context, body.pages)
  },
}

const titleColumns: readonly Column<SearchResult>[] = [
  { title: 'Title', value: page => page.title },
  { title: 'Redirect', style: 'dim', value: page => page.matched_title ?? '' },
]

const columns: readonly Column<SearchResult>[] = [
  ...titleColumns,
  { title: 'Excerpt', value: page => excerptText(page.excerpt, text => text) },
]

/** Title, then what was found, with the matches marked. */
async function printResults(context: Context, pages: readonly SearchResult[]): Promise<void> {
  const paint = await context.paint()
  for (const page of pages) {
    const from = page.matched_title === null ? '' : paint.dim(`  (redirect from ${page.matched_title})`)
    const excerpt = excerptText(page.excerpt, text => paint.bold(paint.red(text))).trim()
    await context.print(`${paint.bold(page.title)}${from}\n${excerpt === '' ? '' : `  ${excerpt}\n`}`)
  }
}
