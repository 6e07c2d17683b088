/** `wiki page move`: another title for a page. */

import type { MovedPage } from '../../operations/move-page.ts'
import { findAuthor } from '../author.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { sharedOptions } from '../options.ts'
import { revisionName, sayLeftAlone } from '../said.ts'
import { checkWrittenTitle } from '../written-title.ts'

interface Values {
  readonly comment?: string
  readonly redirect?: boolean
  readonly dryRun?: boolean
  readonly user?: string
}

export const pageMove: Command<Values> = {
  summary: 'Give a page another title and leave a redirect',
  arguments: { '<from>': 'its title', '<to>': 'its new title' },
  options: [
    sharedOptions.comment,
    { flags: '--no-redirect', help: 'leave no redirect at the old title' },
    sharedOptions.dryRun,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki page move "Fire house" "Fire station" -m "The usual name"'],
  completes: 'titles',
  async run(context, [from = '', to = ''], { comment = null, redirect, dryRun, user }) {
    const { movePage } = await import('../../operations/move-page.ts')
    const author = await findAuthor(context, user)
    const wiki = await context.wiki()
    await checkWrittenTitle(wiki, to)
    const moved = await movePage(wiki, { from, to, comment, author, redirect, dryRun })
    if (context.options.json) await context.printJson(moved)
    else if (dryRun) await context.print(`Would move "${moved.from.title}" to "${moved.to.title}"${besides(moved)}\n`)
    if (!dryRun) await sayMoved(context, moved)
  },
}

async function sayMoved(context: Context, moved: MovedPage): Promise<void> {
  const revision = moved.latest === null ? '' : ` as ${await revisionName(context, moved.latest)}`
  await context.say(`Moved "${moved.from.title}" to "${moved.to.title}"${revision}${besides(moved)}`)
  await sayLeftAlone(context, moved.leftAlone)
}

function besides({ redirect, replaced }: MovedPage): string {
  return (replaced ? ', in place of a redirect' : '') + (redirect ? ', leaving a redirect' : '')
}
