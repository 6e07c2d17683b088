/** Prints one change with its difference: a heading, the comment, and the output of `wiki compare`. */

import type { WikiChange } from '../../core/change.ts'
import { isWikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { Wiki } from '../../operations/wiki.ts'
import type { Context } from '../context.ts'
import { colourLevel } from '../terminal/colour.ts'
import { formatComparison } from './comparison.ts'
import { figures } from './figures.ts'
import { visibleLine } from './text.ts'
import { formatTime, type TimeForm } from './time.ts'

export interface ShownChange {
  readonly wiki: Wiki
  readonly change: WikiChange
  readonly form: 'patch' | 'stat'
  readonly date: TimeForm | undefined
}

/** Prints a change. If its difference is hidden or too large, a line says so. */
export async function printChange(context: Context, shown: ShownChange): Promise<void> {
  await context.print(await heading(context, shown))
  await context.print(await difference(context, shown))
}

/** `revision 43 of Main Page by Alice, 3 days ago (3f2a91c)`, with the comment below. */
async function heading(context: Context, { change, date }: ShownChange): Promise<string> {
  const paint = await context.paint()
  const { id, page, user, timestamp, commit, comment } = change
  const what = id === null ? 'deletion' : `revision ${id}`
  const time = formatTime(timestamp, date ?? (context.io.stdout.isTTY ? 'auto' : 'iso'))
  const who = visibleLine(user?.name ?? '(hidden)')
  const line = `${paint.yellow(what)} of ${paint.bold(visibleLine(page.title))} by ${paint.cyan(who)}, ${time} (${shortHash(commit)})`
  const text = (comment ?? '(hidden)').trimEnd()
  const lines = text === '' ? [] : text.split('\n').map(part => `    ${visibleLine(part)}`.trimEnd())
  return [line, ...lines, ''].join('\n')
}

async function difference(context: Context, { wiki, change, form }: ShownChange): Promise<string> {
  const { id, previous } = change
  if (id === null) return ''
  const sides = { from: previous ?? { text: '' }, to: id }
  const { compareRevisions, summarizeRevisions } = await import('../../operations/compare-revisions.ts')
  try {
    if (form === 'stat') return `${figures(await summarizeRevisions(wiki, sides))}\n`
    const isColoured = colourLevel(context.io.stdout, context.io.env, context.options.color) > 0
    return formatComparison(await compareRevisions(wiki, sides), await context.paint(), isColoured)
  } catch (error) {
    if (isWikiError(error)) return `(${error.code === 'rest-compare-inaccessible' ? 'hidden' : error.message})\n`
    throw error
  }
}
