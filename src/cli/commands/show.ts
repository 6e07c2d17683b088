/** `wiki show`: shows a page as readers see it. */

import { WikiError } from '../../core/errors.ts'
import { revisionOfPage } from '../arguments/revision-of-page.ts'
import type { Command } from '../command.ts'
import { formatPage } from '../render/page.ts'
import { visibleLine } from '../render/text.ts'

interface Values {
  readonly at?: string
  readonly work?: boolean
  readonly redirect?: boolean
}

export const show: Command<Values> = {
  summary: 'Show a page as readers see it',
  details:
    'Templates are expanded; headings, lists, tables and emphasis are drawn; links are numbered, and listed at the end. The source ' +
    'is printed by: wiki page get',
  arguments: { '<title>': 'title of the page' },
  options: [
    { flags: '--work', help: 'the current file in the work tree, committed or not' },
    { flags: '--at <revision>', help: 'the page as it was then (wiki help revisions)' },
    { flags: '--no-redirect', help: 'show a redirect itself, not its target' },
  ],
  examples: ['wiki show "Main Page"', 'wiki show "Main Page" --work', 'wiki show "Main Page" --at @prev'],
  completes: 'titles',
  paged: true,
  async run(context, [title = ''], { at, work, redirect }) {
    if (at !== undefined && work) throw new WikiError('wiki-usage', { params: ['--at and --work exclude each other'] })
    const { pageBlocks } = await import('../../operations/page-blocks.ts')
    const wiki = await context.snapshot()
    const { findRedirect } = await import('../../operations/render-page.ts')
    const follows = redirect !== false && at === undefined && !work
    const target = follows ? (await findRedirect(wiki, { title })).redirect : null
    const query = {
      title: target ?? title,
      work,
      at: at === undefined ? undefined : await revisionOfPage(wiki, at, title),
    }
    const page = await pageBlocks(wiki, query)
    if (context.options.json) return context.printJson(page)
    const paint = await context.paint()
    const name = visibleLine(page.title)
    await context.print(`${paint.bold(name)}\n${paint.dim('═'.repeat([...name].length))}\n\n`)
    await context.print(formatPage(page.blocks, paint, context.io.stdout.columns))
  },
}
