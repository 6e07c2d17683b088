/** `wiki history`: lists the revisions of a page, or counts them. */

import { WikiError } from '../../core/errors.ts'
import { countTypes, type HistoryRevision, type HistorySegment, historyFilters } from '../../core/revision.ts'
import { shellQuote, titleArgument } from '../../core/shell-quote.ts'
import { shortHash } from '../../core/short-hash.ts'
import { type ChangeOptionValues, changeSelection } from '../arguments/change-options.ts'
import { sharedOptions } from '../arguments/options.ts'
import { optionalId } from '../arguments/revision-of-page.ts'
import { reportShallow } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { changeColumn, commentColumn, minorColumn } from '../render/change-columns.ts'
import { type Column, printList } from '../render/table.ts'

import { timeColumn } from '../render/time.ts'

interface Values extends ChangeOptionValues {
  readonly olderThan?: string
  readonly newerThan?: string
  readonly filter?: string
  readonly limit?: string
  readonly all?: boolean
  readonly count?: string
  readonly from?: string
  readonly to?: string
  readonly exitCode?: boolean
  readonly id?: string
  readonly hash?: boolean
}

export const history: Command<Values> = {
  summary: 'List the revisions of a page, newest first, or count them',
  details:
    'For a deleted page the first row says who deleted it. It is not a revision: wiki page restore restores the page.',
  arguments: { '<title>': 'title of the page' },
  options: [
    { flags: '--older-than <revision>', help: 'only revisions before this one: 42, @prev~2' },
    { flags: '--newer-than <revision>', help: 'only revisions after this one' },
    { flags: '--filter <mark>', help: `only edits of one kind: ${historyFilters.join(', ')}`, offers: historyFilters },
    { ...sharedOptions.limit, help: 'at most this many (default: 20)' },
    { flags: '--all', help: 'every revision' },
    sharedOptions.author,
    sharedOptions.since,
    sharedOptions.until,
    sharedOptions.date,
    sharedOptions.hash,
    { flags: '--count <type>', help: `a number instead of a list: ${countTypes.join(', ')}`, offers: countTypes },
    { flags: '--from <revision>', help: 'with --count edits or editors: only after this revision' },
    { flags: '--to <revision>', help: 'with --from: only before this revision' },
    { flags: '--id <page>', help: 'the page with this id, of several deleted pages with the title' },
    sharedOptions.exitCode,
    sharedOptions.baseUrl,
  ],
  examples: [
    'wiki history "Main Page" -n 5',
    'wiki history "Main Page" --author alice --since "2 weeks ago"',
    'wiki history "Main Page" --count editors',
  ],
  completes: 'titles',
  paged: true,
  async run(context, [title = ''], values) {
    const { asMissing } = await import('../../operations/resources/find-page.ts')
    const { count } = values
    if (count !== undefined) return asMissing(title, () => printCount(context, title, count, values))
    if (values.from !== undefined || values.to !== undefined)
      throw new WikiError('wiki-usage', { params: ['--from and --to go with --count'], hint: newerHint })
    return asMissing(title, () => printHistory(context, title, values))
  },
}

const newerHint = 'Parts of a list are named with --older-than or --newer-than'

/** A row for a revision or for the deletion of the page. */
type Row = Omit<HistoryRevision, 'id' | 'size'> & { readonly id: number | 'deleted'; readonly size: number | '' }

/** The same as a line of JSON, as in `wiki log`, without an id. */
type DeletionLine = Omit<HistoryRevision, 'id'> & { readonly type: 'delete'; readonly id: null }

function columnsOf({ hash, date }: Values): readonly Column<Row>[] {
  const commit: Column<Row> = {
    title: 'Commit',
    style: 'yellow',
    value: ({ commit = '' }) => commit,
    people: ({ commit = '' }) => shortHash(commit),
  }
  return [
    { title: 'Revision', align: 'right', style: 'yellow', value: revision => String(revision.id) },
    ...(hash ? [commit] : []),
    timeColumn(date),
    { title: 'User', style: 'cyan', least: 8, value: revision => revision.user?.name ?? '(hidden)' },
    { title: 'Bytes', align: 'right', leaves: 2, value: revision => String(revision.size) },
    changeColumn(),
    minorColumn(),
    commentColumn(),
  ]
}

async function printHistory(context: Context, title: string, values: Values): Promise<void> {
  const { pageHistory } = await import('../../operations/page-history.ts')
  const { boundedInteger, enumParam } = await import('../../operations/resources/params.ts')
  const wiki = await context.snapshot()
  const query = {
    title,
    deleted: await whichDeleted(values.id),
    base: context.base,
    ...(await changeSelection(values)),
    commits: values.hash,
    olderThan: await optionalId(wiki, 'older_than', values.olderThan, title),
    newerThan: await optionalId(wiki, 'newer_than', values.newerThan, title),
    filter: values.filter === undefined ? undefined : enumParam('filter', values.filter, historyFilters),
    limit: values.all ? most : boundedInteger('limit', values.limit ?? '20', { min: 1, max: most }),
  }
  const body = await pageHistory(wiki, query)
  const isTop = values.olderThan === undefined && values.newerThan === undefined
  const deletion = isTop ? deletionRow(body) : []
  if (context.options.jsonl) await printLines(context, [...deletion.map(row => lineOf(row, body)), ...body.revisions])
  else {
    const items = [...deletion, ...body.revisions]
    await printList(context, { body, items, columns: columnsOf(values), none: 'No revision found' })
  }
  await reportShallow(context, body)
  if (body.revisions.length === 0 && values.exitCode) context.answer(1)
  await sayOlder(context, title, body.older, values)
}

async function whichDeleted(id: string | undefined): Promise<number | true> {
  const { optionalInteger } = await import('../../operations/resources/params.ts')
  return optionalInteger('id', id) ?? true
}

function deletionRow({ deletion, revisions }: HistorySegment): Row[] {
  const latest = revisions[0]
  if (deletion === undefined || latest === undefined) return []
  const { timestamp, user, comment } = deletion
  return [{ id: 'deleted', timestamp, user, comment, minor: false, size: '', delta: null, page: latest.page }]
}

function lineOf(row: Row, { deletion }: HistorySegment): DeletionLine {
  return { type: 'delete', ...row, id: null, size: 0, ...(deletion && { commit: deletion.commit }) }
}

function printLines(context: Context, lines: readonly (DeletionLine | HistoryRevision)[]): Promise<void> {
  return context.print(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
}

/** Maximum number of revisions in a list. */
const most = 1_000_000

/** Tells a user at a terminal how to see the rest of the list. */
async function sayOlder(context: Context, title: string, older: string | undefined, values: Values) {
  if (older === undefined || !context.io.stdout.isTTY || context.options.json || context.options.jsonl) return
  const id = new URL(older).searchParams.get('older_than')
  const options = (['filter', 'author', 'since', 'until'] as const).flatMap(name => {
    const value = values[name]
    return value === undefined ? [] : [` --${name} ${shellQuote(value)}`]
  })
  await context.say(`hint: for older ones: wiki history ${titleArgument(title)} --older-than ${id}${options.join('')}`)
}

async function printCount(context: Context, title: string, count: string, values: Values): Promise<void> {
  const { countHistory } = await import('../../operations/count-history.ts')
  const { enumParam } = await import('../../operations/resources/params.ts')
  const wiki = await context.snapshot()
  const type = enumParam('type', count, countTypes)
  const from = await optionalId(wiki, 'from', values.from, title)
  const to = await optionalId(wiki, 'to', values.to, title)
  const body = await countHistory(wiki, { title, type, from, to, deleted: await whichDeleted(values.id) })
  if (context.options.json) return context.printJson(body)
  await context.print(`${body.count}\n`)
  if (body.limit) await context.say(`There are more than ${body.count}; counting stops there.`)
  await reportShallow(context, body)
}
