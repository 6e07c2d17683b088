/** `wiki log`: lists the changes of the whole wiki. */

import type { WikiChange } from '../../core/change.ts'
import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { RecentChangesQuery } from '../../operations/recent-changes.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { type ChangeOptionValues, type ChangeSelection, changeSelection } from '../arguments/change-options.ts'
import { namespaceIds } from '../arguments/namespaces.ts'
import { sharedOptions } from '../arguments/options.ts'
import { reportShallow } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { changeColumn, commentColumn, minorColumn } from '../render/change-columns.ts'
import { type Column, formatRecords, formatTable, printList } from '../render/table.ts'
import { timeColumn } from '../render/time.ts'

interface Values extends ChangeOptionValues {
  readonly title?: string
  readonly prefix?: string
  readonly namespace?: string
  readonly minor?: boolean
  readonly bot?: boolean
  readonly olderThan?: string
  readonly newerThan?: string
  readonly limit?: string
  readonly all?: boolean
  readonly patch?: boolean
  readonly stat?: boolean
  readonly follow?: boolean
  readonly hash?: boolean
  readonly exitCode?: boolean
}

export const log: Command<Values> = {
  summary: 'List the changes of the whole wiki, newest first',
  details:
    'Changes are listed in the order in which they reached the branch; a change that was merged later appears at its merge. A moved page ' +
    'has its current title throughout. Deletions are listed as long as the page is deleted.',
  options: [
    { ...sharedOptions.limit, help: 'at most this many (default: 20)' },
    { flags: '--all', help: 'every change' },
    sharedOptions.author,
    sharedOptions.since,
    sharedOptions.until,
    { flags: '--title <title>', help: 'only changes of this page, also under its former titles' },
    { flags: '--prefix <text>', help: 'only pages whose title begins with this, in any case' },
    { flags: '--namespace <name>', help: 'only pages of one namespace: its name or its number' },
    { flags: '--minor', help: 'only minor edits' },
    { flags: '--no-minor', help: 'no minor edits' },
    { flags: '--bot', help: 'only edits by bots' },
    { flags: '--no-bot', help: 'no edits by bots' },
    { flags: '--older-than <revision>', help: 'only changes before this revision (wiki help revisions)' },
    { flags: '--newer-than <revision>', help: 'only changes after this revision' },
    { flags: '-p, --patch', help: 'with the difference that each change made, word by word' },
    { flags: '--stat', help: 'with statistics of each change: lines, bytes, sections' },
    { flags: '--follow', help: 'oldest first, and continue with new changes (Ctrl-C ends it)' },
    sharedOptions.date,
    sharedOptions.hash,
    sharedOptions.exitCode,
    sharedOptions.baseUrl,
  ],
  examples: ['wiki log -n 5', 'wiki log --author alice --since yesterday -p', 'wiki log --prefix "Talk:" --jsonl'],
  paged: true,
  async run(context, _, values) {
    checkForms(context, values)
    if (values.follow) return followChanges(context, values)
    const { recentChanges } = await import('../../operations/recent-changes.ts')
    const wiki = await context.snapshot()
    const body = await recentChanges(wiki, await queryOf(context, wiki, values))
    await reportShallow(context, body)
    if (body.changes.length === 0 && values.exitCode) context.answer(1)
    if ((values.patch || values.stat) && !context.options.json && !context.options.jsonl)
      return printDifferences(context, wiki, body.changes, values)
    await printList(context, { body, items: body.changes, columns: columnsOf(values), none: 'No change found' })
  },
}

function checkForms({ options }: Context, { follow, patch, stat }: Values): void {
  if (patch && stat) throw usage('Only one of --patch and --stat can be printed at once')
  if (follow && options.json && !options.jsonl)
    throw usage('--follow has no end: it goes with --jsonl, not with --json')
  if (follow && (patch || stat)) throw usage('--follow shows no differences')
}

function usage(sentence: string): WikiError {
  return new WikiError('wiki-usage', { params: [sentence], hint: 'wiki log --help' })
}

/** Maximum number of changes in a list. */
const most = 1_000_000_000

async function queryOf(context: Context, wiki: Wiki, values: Values): Promise<RecentChangesQuery> {
  const { boundedInteger, optionalInteger } = await import('../../operations/resources/params.ts')
  const { title, prefix, minor, bot } = values
  const [olderThan, newerThan] = await Promise.all(
    [values.olderThan, values.newerThan].map(at => cursorOf(wiki, at, title)),
  )
  const made = await changeSelection(values)
  return {
    ...made,
    base: context.base,
    title,
    prefix,
    namespace: optionalInteger('namespace', await namespaceIds(wiki, values.namespace)),
    minor,
    bot,
    olderThan,
    newerThan,
    limit: values.all ? most : boundedInteger('limit', values.limit ?? '20', { min: 1, max: most }),
    lookAt: most,
    filters: filtersOf(values, made),
  }
}

/** Returns the cursor of a change, from an earlier list or from a revision. */
async function cursorOf(wiki: Wiki, value: string | undefined, title: string | undefined): Promise<string | undefined> {
  if (value === undefined || /^\d+(-\d+)?$/.test(value)) return value
  const { revisionAt } = await import('../arguments/revision-of-page.ts')
  return String(await revisionAt(wiki, value, title))
}

/** Filters under their names in the REST API, for the routes in the JSON object. */
function filtersOf({ limit, title, prefix, namespace, minor, bot }: Values, { user, since, until }: ChangeSelection) {
  const [first, last] = [since, until].map(time => (time === undefined ? undefined : new Date(time).toISOString()))
  const filters = { limit, user, since: first, until: last, title, prefix, namespace, minor, bot }
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** Letters for unusual kinds of edits. */
const kinds: Readonly<Record<WikiChange['type'], string>> = { new: 'N', edit: '', delete: 'D' }

function columnsOf({ hash, date }: Values): readonly Column<WikiChange>[] {
  const commit: Column<WikiChange> = {
    title: 'Commit',
    style: 'yellow',
    value: change => change.commit,
    people: change => shortHash(change.commit),
  }
  return [
    { title: 'Revision', align: 'right', style: 'yellow', value: ({ id }) => String(id ?? 'deleted') },
    ...(hash ? [commit] : []),
    timeColumn(date),
    { title: '', value: ({ type }) => kinds[type] },
    { title: 'Page', names: 'title', style: 'bold', least: 12, value: ({ page }) => page.title },
    { title: 'User', style: 'cyan', least: 8, leaves: 1, value: ({ user }) => user?.name ?? '(hidden)' },
    { ...changeColumn(), leaves: 2 },
    minorColumn(),
    commentColumn(),
  ]
}

async function printDifferences(
  context: Context,
  wiki: Wiki,
  changes: readonly WikiChange[],
  { patch, date }: Values,
): Promise<void> {
  const { printChange } = await import('../render/log-entry.ts')
  for (const [at, change] of changes.entries()) {
    if (at > 0) await context.print('\n')
    await printChange(context, { wiki, change, form: patch ? 'patch' : 'stat', date })
  }
}

/** Milliseconds between two polls of the branch. */
const pause = 1000

async function followChanges(context: Context, values: Values): Promise<void> {
  const [{ recentChanges }, { setTimeout: wait }] = await Promise.all([
    import('../../operations/recent-changes.ts'),
    import('node:timers/promises'),
  ])
  const wiki = await context.wiki()
  const query = await queryOf(context, wiki, values)
  const end = new AbortController()
  void context.io.stopped().then(() => end.abort())
  let list = await recentChanges(wiki, query)
  for (;;) {
    await printOldestFirst(context, [...list.changes].reverse(), values)
    if (end.signal.aborted) return
    await wait(pause, undefined, { signal: end.signal }).catch(() => {})
    const cursor = new URL(list.newer ?? context.base).searchParams.get('newer_than') ?? undefined
    list = await recentChanges(wiki, { ...query, olderThan: undefined, newerThan: cursor, limit: most })
  }
}

async function printOldestFirst(context: Context, changes: readonly WikiChange[], values: Values): Promise<void> {
  const list = { items: changes, columns: columnsOf(values) }
  if (changes.length === 0) return
  if (context.options.jsonl) return context.print(changes.map(change => `${JSON.stringify(change)}\n`).join(''))
  const { isTTY, columns } = context.io.stdout
  if (!isTTY) return context.print(formatRecords(list))
  const table = formatTable(list, await context.paint(), columns)
  await context.print(table.slice(table.indexOf('\n') + 1))
}
