/** `wiki search`: finds pages by their text, or by the start of their title. */

import type { SearchResult } from '../../core/search-result.ts'
import type { HistoryMatch } from '../../operations/search-history.ts'
import type { PageSearch } from '../../operations/search-pages.ts'
import type { SearchQuery } from '../../operations/searching/search-request.ts'
import { namespaceIds } from '../arguments/namespaces.ts'
import { sharedOptions } from '../arguments/options.ts'
import { reportShallow } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { excerptPieces, withoutMarkup } from '../render/excerpt.ts'
import { type Column, printList } from '../render/table.ts'
import { counted, shortTime, visibleLine } from '../render/text.ts'
import { type Piece, painted, wrap } from '../render/wrap.ts'

interface Values {
  readonly title?: boolean
  readonly history?: boolean
  readonly limit?: string
  readonly namespace?: string
  readonly open?: boolean
  readonly exitCode?: boolean
}

export const search: Command<Values> = {
  summary: 'Search the text of the pages, or the beginnings of their titles',
  arguments: {
    '<terms...>':
      'words; "a phrase"; begin*; OR NOT ( ); -without; #tag; intitle: incategory: linksto: hastemplate: insource:/regex/ prefix:',
  },
  options: [
    { flags: '--title', help: 'titles with words that begin with the terms' },
    { flags: '--history', help: 'revisions that added or removed this text (or /pattern/), deleted pages included' },
    { flags: '--open', help: 'open the first page in the editor, or print its source if there is no terminal' },
    {
      flags: '--namespace <names>',
      help: 'pages of these namespaces, by name or number: 0,Talk (0 is that of articles)',
    },
    { ...sharedOptions.limit, help: 'at most this many, 1 to 100 (default: 50)' },
    sharedOptions.exitCode,
    sharedOptions.baseUrl,
  ],
  examples: [
    'wiki search fire station -n 10',
    'wiki search --title "Main"',
    'wiki search --history "low tide"',
    "wiki search 'incategory:Harbours -hastemplate:Stub tide'",
    "wiki search '(harbour OR quay) NOT closed'",
    'wiki search --open low tide',
  ],
  paged: true,
  async run(context, terms, values) {
    const query = await readQuery(context, terms, values)
    if (values.history) return printHistory(context, query, values)
    const { findPages, findTitles } = await import('../../operations/search-pages.ts')
    const snapshot = await context.snapshot()
    const ofPages = values.title ? null : await findPages(snapshot, query)
    const { results: body } = ofPages ?? (await findTitles(snapshot, { ...query, match: 'words' }))
    if (body.pages.length === 0 && values.exitCode) context.answer(1)
    const { json, jsonl } = context.options
    const [first] = body.pages
    if (values.open && !json && !jsonl && first !== undefined) return openPage(context, first.title)
    if (json || jsonl || !context.io.stdout.isTTY)
      await printList(context, { body, items: body.pages, columns: values.title ? titleColumns : columns })
    else await printResults(context, body.pages, linesOf(query.q, values))
    if (ofPages !== null) await reportMode(context, ofPages)
  },
}

/** Opens the page as `wiki page edit` or `wiki page get` would. */
async function openPage(context: Context, title: string): Promise<void> {
  const { editorCommand } = await import('../editor.ts')
  if (!context.io.stdout.isTTY || (await editorCommand(context)) === null) {
    const { pageGet } = await import('./page/page-get.ts')
    return pageGet.run(context, [title], {})
  }
  const { pageEdit } = await import('./page/page-edit.ts')
  await pageEdit.run(context, [title], {})
}

async function readQuery(context: Context, terms: readonly string[], values: Values): Promise<SearchQuery> {
  const { limitParam, namespacesParam, requiredParam } = await import('../../operations/resources/params.ts')
  return {
    q: requiredParam('q', terms.join(' ')),
    limit: limitParam(values.limit),
    namespaces: namespacesParam(await namespaceIds(await context.snapshot(), values.namespace)),
    base: context.base,
  }
}

/** Reads the whole history, so it shows progress. */
async function printHistory(context: Context, { q, limit = 50 }: SearchQuery, values: Values): Promise<void> {
  const { searchHistory } = await import('../../operations/search-history.ts')
  const progress = context.progress('Searching the history')
  const body = await searchHistory(await context.snapshot(), { q, limit, progress: progress.report })
  await progress.clear()
  await printList(context, { body, items: body.revisions, columns: historyColumns, none: 'No revision found' })
  await reportShallow(context, body)
  if (body.unread > 0)
    await context.say(`Not searched: ${counted(body.unread, 'revision')} without a text here, missing or damaged`)
  if (body.total === 0 && values.exitCode) context.answer(1)
  if (body.total > body.revisions.length) {
    await context.say(`The latest ${body.revisions.length} of ${body.total} revisions; -n 100 shows more`)
  }
}

const looseModes: Readonly<Record<Exclude<PageSearch['mode'], 'all'>, string>> = {
  begun: 'No page has these words; these have words that begin with the last one',
  similar: 'No page has these words; these have similar ones',
  any: 'No page has all of these words; these have some of them',
  scattered: 'No page has all of these words in one place; these have some of them',
}

/** Prints notes about the search to stderr: how it was relaxed, a suggestion, and whether it is incomplete. */
async function reportMode(context: Context, { results, mode, suggestion, partial }: PageSearch): Promise<void> {
  if (results.pages.length > 0 && mode !== 'all') await context.say(looseModes[mode])
  if (suggestion !== null) await context.say(`Did you mean: ${visibleLine(suggestion)}`)
  if (partial) await context.say('The search took too long and skipped some pages; add words to narrow it')
}

const historyColumns: readonly Column<HistoryMatch>[] = [
  { title: 'Revision', align: 'right', style: 'yellow', value: match => String(match.id) },
  { title: 'Time (UTC)', value: match => match.timestamp, people: match => shortTime(match.timestamp) },
  { title: 'User', value: match => match.user?.name ?? '' },
  { title: 'Change', align: 'right', value: ({ change }) => changeText(change) },
  { title: 'Title', names: 'title', value: match => match.page.title },
  { title: 'Line', value: match => match.line },
]

/** `+1` if the text was added, `-1` if it was removed. */
function changeText(change: number | null): string {
  if (change === null) return 'deleted'
  return change > 0 ? `+${change}` : String(change)
}

const titleColumns: readonly Column<SearchResult>[] = [
  { title: 'Title', names: 'title', value: page => page.title },
  { title: 'Redirect', names: 'title', style: 'dim', value: page => page.matched_title ?? '' },
]

const columns: readonly Column<SearchResult>[] = [
  ...titleColumns,
  { title: 'Excerpt', value: ({ excerpt }) => textOf(excerptPieces(excerpt)) },
]

function textOf(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text }) => text)
    .join('')
    .trim()
}

/** Returns the lines of a page below its title. */
type ExcerptLines = (page: SearchResult) => readonly Piece[][]

/** A search of source shows source in its excerpts. */
function linesOf(q: string, { title = false }: Values): ExcerptLines {
  if (title) return () => []
  const plain = /insource:/i.test(q) ? undefined : withoutMarkup
  return ({ excerpt }) => excerpt.split('\n').map(line => excerptPieces(line, plain))
}

/** Prints the title, the description and the excerpts, as wide as the terminal. */
async function printResults(context: Context, pages: readonly SearchResult[], linesOf: ExcerptLines): Promise<void> {
  if (pages.length === 0) return context.say('No page found')
  const paint = await context.paint()
  const columns = context.io.stdout.columns - indent.length
  for (const page of pages) {
    const lines = [headOf(page), ...linesOf(page).filter(line => textOf(line) !== '')]
    const wrapped = lines.flatMap(line => wrap(line, columns)).map(line => painted(line, paint))
    await context.print(`${wrapped.join(`\n${indent}`)}\n`)
  }
}

const indent = '  '

function headOf({ title, description, matched_title: redirect }: SearchResult): Piece[] {
  const head: Piece[] = [{ text: title, styles: ['bold'] }]
  if (description !== null) head.push({ text: `  ${visibleLine(description)}`, styles: ['dim'] })
  if (redirect !== null) head.push({ text: `  (redirect from ${redirect})`, styles: ['dim'] })
  return head
}
