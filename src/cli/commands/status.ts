/** `wiki status`: lists edits that are not committed yet. */

import { asPath, asTitle, pathArgument } from '../../core/shell-quote.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { WikiStatus } from '../../operations/status.ts'
import type { TitledChange } from '../../operations/work-tree/work-changes.ts'
import { sharedOptions } from '../arguments/options.ts'
import { behindText, copyText, filterText, staleText, unshownText } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { recordLine } from '../render/table.ts'
import { counted, textWidth, visibleLine } from '../render/text.ts'
import { type Piece, painted, wrap } from '../render/wrap.ts'
import type { Paint } from '../terminal/colour.ts'

interface Values {
  readonly exitCode?: boolean
}

export const status: Command<Values> = {
  summary: 'Show edited files that are not committed yet',
  options: [{ ...sharedOptions.exitCode, help: 'exit with 1 if something is not committed' }],
  examples: ['wiki status', 'wiki status --exit-code --quiet'],
  async run(context, _, { exitCode }) {
    const { wikiStatus } = await import('../../operations/status.ts')
    const wiki = await context.wiki()
    const writer = async () => (await wiki.store.author(context.io.env))?.name ?? null
    const body = await wikiStatus(wiki, { writer })
    if (exitCode && body.changes.length + body.kept.length > 0) context.answer(1)
    const rows = [...body.changes, ...body.kept.map(version => ({ ...version, kind: 'kept' }))]
    if (context.options.jsonl) return context.print(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    if (context.options.json) return context.printJson(body)
    await (context.io.stdout.isTTY ? printForPeople(context, body) : printRecords(context, body))
  },
}

/**
 * One change per line: kind, path, title, and whether the file is outdated; for a preserved version, the file that it
 * belongs to. The rest goes to stderr, so that a script reads changes alone.
 */
async function printRecords(context: Context, body: WikiStatus): Promise<void> {
  const { changes, kept } = body
  const cells = (change: TitledChange) => {
    const remark = ageText(change)
    return [change.kind, asPath(change.path), asTitle(change.title ?? ''), ...(remark === undefined ? [] : [remark])]
  }
  const rows = [
    ...changes.map(cells),
    ...kept.map(({ path, original }) => ['kept', asPath(path), '', asPath(original)]),
  ]
  await context.print(rows.map(recordLine).join(''))
  if (body.shallow) await context.say('This clone is shallow: older history is missing')
  const paint = await context.paint()
  for (const piece of stateLines(body)) await context.say(painted([piece], paint))
}

async function printForPeople(context: Context, body: WikiStatus): Promise<void> {
  const { name, branch, tip, backend, shallow, index } = body
  const { changes, kept } = body
  const paint = await context.paint()
  const at = tip === null ? 'no revision yet' : shortHash(tip)
  const lines = [
    ...[
      plain(
        `${visibleLine(name || 'Wiki')} on ${branch}, ${at}${shallow ? ', shallow: older history is missing' : ''}`,
      ),
      plain(`${counts(index)} (read by ${backend})`),
      ...stateLines(body),
    ].map(piece => sentence(context, paint, piece)),
    ...(changes.length > 0 ? ['', 'Not recorded yet:'] : ['Everything is recorded.']),
    ...changes.map(change => `  ${changeLine(change, { paint, width: pathWidth(changes) })}`),
    ...(changes.length > 0 ? ['', 'Record it with: wiki commit -m "What changed"'] : []),
    ...keptLines(kept, paint),
  ]
  await context.print(`${lines.join('\n')}\n`)
}

/** A sentence, wrapped to the terminal. A command, and a row, stay on their line, to be copied. */
function sentence(context: Context, paint: Paint, piece: Piece): string {
  const lines = wrap([piece], context.io.stdout.columns)
  return lines.map(line => painted(line, paint)).join('\n')
}

const plain = (text: string): Piece => ({ text, styles: [] })
const warning = (text: string): Piece => ({ text, styles: ['yellow'] })

/** Lines about an unusual branch, an operation of git and provisional ids. */
function stateLines(body: WikiStatus): Piece[] {
  const { branch, served, tip, links, operation, provisional, repaired, unshown, problems, trust } = body
  const elsewhere = served.length > 0 && !served.includes(branch)
  return [
    plain(linkLine(links)),
    ...(branch === 'HEAD' ? [warning('HEAD is detached: edits made here are on no branch')] : []),
    ...(branch !== 'HEAD' && tip === null
      ? [plain(`The branch ${branch} has no commit yet: the first edit makes it`)]
      : []),
    ...(elsewhere ? [warning(`A server shows ${served.join(', ')}, not ${branch}`)] : []),
    ...(operation === null
      ? []
      : [warning(`Git is in the middle of a ${operation}: nothing is written until it is over`)]),
    ...(provisional === null || provisional.count === 0 ? [] : [plain(provisionalLine(provisional))]),
    ...unshown.map(one => warning(unshownText(one))),
    ...repaired.map(path => warning(`Git had removed an edit of ${visibleLine(path)} from its index; repaired`)),
    ...(trust === null ? [] : [plain(`Reading runs no filter of git's settings. ${trust}`)]),
    ...(problems > 0
      ? [warning(`Files that cannot be shown under their titles: ${problems}; wiki check lists them`)]
      : []),
  ]
}

/** Lists preserved versions of files, with the commands to compare and to restore one. */
function keptLines(kept: WikiStatus['kept'], paint: Paint): string[] {
  const first = kept[0]
  if (first === undefined) return []
  const [path, original] = [first.path, first.original].map(name => visibleLine(pathArgument(name)))
  return [
    '',
    'Saved by another program while or after a write replaced the file, and kept:',
    ...kept.map(version => `  ${paint.yellow(visibleLine(version.path))}`),
    '',
    'Compare it, take it back, or remove it:',
    `  git diff --no-index ${original} ${path}`,
    `  mv ${path} ${original}`,
    `  rm ${path}`,
  ]
}

const linkWords = {
  auto: 'a folder of files: titles and paths, in Markdown also names',
  mediawiki: 'MediaWiki: titles alone',
  paths: 'a folder of files: titles and paths',
  gollum: 'a wiki of GitHub, Gitea or Gollum: titles, paths and names',
  notes: 'notes: titles, paths and names',
} as const

function linkLine(links: WikiStatus['links']): string {
  return `Links as in ${linkWords[links]} (wiki config get links)`
}

function counts({ pages, revisions, files }: WikiStatus['index']): string {
  return [counted(pages, 'page'), counted(revisions, 'revision'), counted(files, 'file')].join(', ')
}

function provisionalLine({ upstream, count, first, last }: NonNullable<WikiStatus['provisional']>): string {
  const which = first === last ? `revision ${first}` : `revisions ${first} to ${last}`
  return `Not in ${visibleLine(upstream)} yet: ${which}; ${count === 1 ? 'its id' : 'their ids'} may change when you pull`
}

/** Width of the path column, which aligns the remarks. A very long path does not widen it. */
function pathWidth(changes: readonly TitledChange[]): number {
  return Math.min(
    40,
    changes.reduce((width, { path }) => Math.max(width, textWidth(visibleLine(path))), 0),
  )
}

function changeLine(change: TitledChange, { paint, width }: { readonly paint: Paint; readonly width: number }): string {
  const { kind, path, problem } = change
  const shown = visibleLine(path)
  const remark = problem === undefined ? ageText(change) : visibleLine(problem)
  const gap = ' '.repeat(Math.max(0, width - textWidth(shown)))
  const tail = remark === undefined ? '' : paint.yellow(`${gap}  ${remark}`)
  return `${paint[kind === 'conflicted' ? 'red' : 'green'](kind.padEnd(10))} ${shown}${tail}`
}

function ageText({ behind, stale, copy, filter }: TitledChange): string | undefined {
  if (copy !== undefined) return copyText(copy)
  if (filter !== undefined) return filterText(filter)
  if (stale !== undefined) return staleText(stale)
  return behind && behindText(behind)
}
