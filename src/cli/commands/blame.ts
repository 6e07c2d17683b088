/** `wiki blame`: the author of each word of a page. */

import type { AuthoredRevision, PageAuthorship } from '../../core/authorship.ts'
import { shortHash } from '../../core/short-hash.ts'
import { sharedOptions } from '../arguments/options.ts'
import { revisionOfPage } from '../arguments/revision-of-page.ts'
import { reportShallow } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { type Column, printList } from '../render/table.ts'
import { type TimeForm, timeColumn } from '../render/time.ts'

interface Values {
  readonly words?: boolean
  readonly authors?: boolean
  readonly at?: string
  readonly date?: TimeForm
  readonly hash?: boolean
}

export const blame: Command<Values> = {
  summary: 'Show who wrote each line, or each word, of a page',
  details:
    'Each word is attributed to the revision that introduced it. Text that was deleted and restored, or moved, keeps its first ' +
    'author. A line shows the revision that most of its words come from.',
  arguments: { '<title>': 'title of the page' },
  options: [
    { flags: '--words', help: 'one row for each run of words by one revision' },
    { flags: '--authors', help: 'one row for each author, with the share of the words' },
    { flags: '--at <revision>', help: 'the page as it was then (wiki help revisions)' },
    sharedOptions.date,
    sharedOptions.hash,
  ],
  examples: [
    'wiki blame "Main Page"',
    'wiki blame "Main Page" --authors',
    'wiki blame "Main Page" --words --at @prev~2',
  ],
  completes: 'titles',
  paged: true,
  async run(context, [title = ''], values) {
    const { blamePage } = await import('../../operations/blame-page.ts')
    const wiki = await context.snapshot()
    const at = values.at === undefined ? undefined : await revisionOfPage(wiki, values.at, title)
    const { asMissing } = await import('../../operations/resources/find-page.ts')
    const body = await asMissing(title, () => blamePage(wiki, { title, at, deleted: true }))
    await reportShallow(context, body)
    if (values.authors) return printAuthors(context, body)
    await printRows(context, body, values)
  },
}

/** A line, or a part of one, and the revision that it comes from. */
interface Row {
  readonly revision: AuthoredRevision | undefined
  readonly timestamp: string
  readonly line: number
  readonly text: string
}

async function printRows(context: Context, body: PageAuthorship, values: Values): Promise<void> {
  const revisions = new Map(body.revisions.map(revision => [revision.id, revision]))
  const rowOf = (id: number | null, line: number, text: string): Row => {
    const revision = id === null ? undefined : revisions.get(id)
    return { revision, timestamp: revision?.timestamp ?? '', line, text }
  }
  const items = body.lines.flatMap(({ revision, spans }, at) =>
    values.words
      ? spans.map(span => rowOf(span.revision, at + 1, span.text))
      : [rowOf(revision, at + 1, spans.map(({ text }) => text).join(''))],
  )
  await printList(context, { body, items, columns: columnsOf(values), none: 'The page is empty' })
}

function columnsOf({ hash, date }: Values): readonly Column<Row>[] {
  const times = timeColumn<Row>(date)
  const people = times.people as (row: Row) => string
  const commit: Column<Row> = {
    title: 'Commit',
    style: 'yellow',
    value: ({ revision }) => revision?.commit ?? '',
    people: ({ revision }) => shortHash(revision?.commit ?? ''),
  }
  return [
    { title: 'Revision', align: 'right', style: 'yellow', value: ({ revision }) => String(revision?.id ?? '') },
    ...(hash ? [commit] : []),
    { title: 'User', style: 'cyan', least: 8, value: ({ revision }) => userOf(revision) },
    {
      ...times,
      leaves: 1,
      value: row => (row.revision === undefined ? '' : times.value(row)),
      people: row => (row.revision === undefined ? '' : people(row)),
    },
    { title: 'Line', align: 'right', value: ({ line }) => String(line) },
    { title: 'Text', value: ({ text }) => text },
  ]
}

function userOf(revision: AuthoredRevision | undefined): string {
  return revision === undefined ? '' : (revision.user?.name ?? '(hidden)')
}

/** An author, with the number of words that remain. */
interface Author {
  readonly user: string
  readonly words: number
  readonly share: string
  readonly first: number
  readonly last: number
}

const authorColumns: readonly Column<Author>[] = [
  { title: 'User', style: 'cyan', least: 8, value: ({ user }) => user },
  { title: 'Words', align: 'right', value: ({ words }) => String(words) },
  { title: 'Share', align: 'right', value: ({ share }) => share },
  { title: 'First', align: 'right', style: 'yellow', value: ({ first }) => String(first) },
  { title: 'Last', align: 'right', style: 'yellow', value: ({ last }) => String(last) },
]

async function printAuthors(context: Context, body: PageAuthorship): Promise<void> {
  const items = authorsOf(body)
  await printList(context, { body, items, columns: authorColumns, none: 'The page is empty' })
}

/** Lists authors by their number of words, descending. A user is identified by id, under any name. */
function authorsOf({ revisions, words: all }: PageAuthorship): Author[] {
  const groups = new Map<number | string, AuthoredRevision[]>()
  for (const revision of revisions) {
    const key = revision.user === null ? '' : (revision.user.id ?? revision.user.name)
    groups.set(key, [...(groups.get(key) ?? []), revision])
  }
  const authors = [...groups.values()].map(own => {
    const words = own.reduce((sum, revision) => sum + revision.words, 0)
    const ids = own.map(({ id }) => id)
    const share = `${((100 * words) / Math.max(1, all)).toFixed(1)} %`
    return { user: userOf(own.at(-1)), words, share, first: Math.min(...ids), last: Math.max(...ids) }
  })
  return authors.sort((a, b) => b.words - a.words || a.first - b.first)
}
