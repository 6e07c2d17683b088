/** HTML to Markdown: what a page shows, for readers of Markdown. */

import { parseHtml } from '../wikitext/tree/parse-html.ts'
import { flow } from './flow.ts'
import type { Flow } from './node.ts'
import { type Reading, readingOf } from './reading.ts'
import { writeMarkdown } from './write.ts'

export interface HtmlToMarkdownOptions {
  /** Key of the page that the HTML shows: links to its own parts begin with `#`. */
  readonly key?: string
}

export type { Flow, ListItem, Phrasing, Table } from './node.ts'

/** Converts HTML to the blocks of a Markdown document, its notes last, for callers with another writer. */
export function htmlToBlocks(html: string, { key }: HtmlToMarkdownOptions = {}): Flow[] {
  const tree = parseHtml(html)
  const reading = readingOf(tree, key ?? null)
  return [...flow(tree.children, reading), ...notes(reading)]
}

/** Converts HTML, a document or the content of a body, to Markdown: CommonMark with tables, tasks and notes as on GitHub. */
export function htmlToMarkdown(html: string, options: HtmlToMarkdownOptions = {}): Promise<string> {
  return writeMarkdown(htmlToBlocks(html, options))
}

function notes(reading: Reading): Flow[] {
  return [...reading.notes.values()].map(({ identifier, element }) => {
    return { type: 'footnoteDefinition', identifier, children: flow(element.children, reading) }
  })
}
