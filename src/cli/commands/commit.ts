/** `wiki commit`: edited files become revisions. */

import { findAuthor } from '../author.ts'
import type { Command } from '../command.ts'
import { sharedOptions } from '../options.ts'
import { counted } from '../render/text.ts'
import { sayLeftAlone, shortHash } from '../said.ts'

interface Values {
  readonly comment?: string
  readonly minor?: boolean
  readonly dryRun?: boolean
  readonly user?: string
}

export const commit: Command<Values> = {
  summary: 'Record edited files as revisions',
  details: 'A plain `git commit` does just as well.',
  arguments: { '[title...]': 'pages and files to record (default: all that were edited)' },
  options: [sharedOptions.comment, sharedOptions.minor, sharedOptions.dryRun, sharedOptions.user],
  examples: ['wiki commit -m "Spelling"', 'wiki commit "Main Page" -m "New picture"'],
  completes: 'titles',
  async run(context, titles, { comment = null, minor, dryRun, user }) {
    const { commitWork } = await import('../../operations/commit-work.ts')
    const author = await findAuthor(context, user)
    const done = await commitWork(await context.wiki(), { titles, comment, minor, dryRun, author })
    if (context.options.json) await context.printJson(done)
    else if (dryRun) await context.print(done.recorded.map(({ kind, path }) => `${kind}\t${path}\n`).join(''))
    if (dryRun) return
    const what = done.recorded.length === 1 ? `"${done.recorded[0]?.title}"` : counted(done.recorded.length, 'file')
    await context.say(done.commit === null ? 'Nothing to record' : `Recorded ${what} in ${shortHash(done.commit)}`)
    await sayLeftAlone(context, done.leftAlone)
  },
}
