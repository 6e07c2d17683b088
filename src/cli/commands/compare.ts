/** `wiki compare`: two revisions line by line. Answers with its status, like diff(1). */

import type { Comparison } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import type { Comparable } from '../../operations/compare-revisions.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { colourLevel } from '../colour.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { formatComparison } from '../render/comparison.ts'
import { shortTime, visibleLine } from '../render/text.ts'

interface Values {
  readonly page?: string
}

export const compare: Command<Values> = {
  summary: 'Compare two revisions of a page; exit with 1 where they differ',
  details: 'Without colours, words look like this: [-gone-] {+new+}. With --quiet only the exit status answers.',
  arguments: {
    '[from]': 'a revision (wiki help revisions)',
    '[to]': 'another one of the same page (default: its latest)',
  },
  options: [{ flags: '--page <title>', help: 'compare the latest revision with the file in the work tree' }],
  examples: ['wiki compare 41 42', 'wiki compare "Main Page@prev"', 'wiki compare --page "Main Page"'],
  paged: true,
  async run(context, [from, to], { page }) {
    const comparison = await compareSides(await context.wiki(), { from, to, page })
    if (comparison.diff.length > 0) context.answer(1)
    if (context.options.json) return context.printJson(comparison)
    if (!context.options.quiet) await printComparison(context, comparison)
  },
}

interface Sides {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly page: string | undefined
}

async function compareSides(wiki: Wiki, { from, to, page }: Sides): Promise<Comparison> {
  const { compareRevisions, compareWork } = await import('../../operations/compare-revisions.ts')
  if ((page === undefined) === (from === undefined))
    throw new WikiError('wiki-usage', { params: ['Give either revisions or --page'], hint: 'wiki compare --help' })
  if (page !== undefined) return compareWork(wiki, { title: page })
  const { resolveRevision } = await import('../../operations/resolve-revision.ts')
  const older = await resolveRevision(wiki, from as string)
  const newer = to === undefined ? await latestBeside(wiki, older) : await resolveRevision(wiki, to)
  return compareRevisions(wiki, { from: older, to: newer })
}

/** The latest revision of the same page. */
async function latestBeside(wiki: Wiki, side: Comparable): Promise<number> {
  if (typeof side !== 'number') return side.page.latest
  const { readRevisionBare } = await import('../../operations/read-revision.ts')
  const { readPageBare } = await import('../../operations/read-page.ts')
  const { page } = await readRevisionBare(wiki, { id: side, base: '' })
  return (await readPageBare(wiki, { title: page.title, base: '' })).latest.id
}

async function printComparison(context: Context, comparison: Comparison): Promise<void> {
  if (comparison.diff.length === 0) {
    if (context.io.stdout.isTTY) await context.say('No difference')
    return
  }
  const { io, options } = context
  const paint = await context.paint()
  const wiki = await context.wiki()
  const from = await sideName(wiki, comparison.from.id)
  const to = await sideName(wiki, comparison.to.id)
  await context.print(`${paint.bold(`--- ${from}`)}\n${paint.bold(`+++ ${to}`)}\n`)
  await context.print(formatComparison(comparison, paint, colourLevel(io.stdout, io.env, options.color) > 0))
}

/** `Main Page, revision 41, 2026-01-31 12:00, Alice` */
async function sideName(wiki: Wiki, id: number): Promise<string> {
  if (id === 0) return 'work tree'
  const { readRevisionBare } = await import('../../operations/read-revision.ts')
  const { page, timestamp, user } = await readRevisionBare(wiki, { id, base: '' })
  return visibleLine(`${page.title}, revision ${id}, ${shortTime(timestamp)}, ${user?.name ?? '(hidden)'}`)
}
