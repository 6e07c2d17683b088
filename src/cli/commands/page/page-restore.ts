/** `wiki page restore`: restores deleted pages. */

import { shortHash } from '../../../core/short-hash.ts'
import type { RestoredPage } from '../../../operations/restore-page.ts'
import { sharedOptions } from '../../arguments/options.ts'
import { findAuthor } from '../../author.ts'
import { reportUnchangedFiles, revisionName } from '../../change-report.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'

interface Values {
  readonly id?: string
  readonly comment?: string
  readonly dryRun?: boolean
  readonly user?: string
}

export const pageRestore: Command<Values> = {
  summary: 'Restore a deleted page, with its id and history',
  details:
    'The page gets a new revision with its last text or, with @ and a revision (wiki help revisions), an older one. Of several pages ' +
    'deleted under one title, the one deleted last is restored, unless --id names another. With a "File:" title the media file is restored ' +
    'as well. Restore saved edits that git removed with: wiki restore',
  arguments: { '<title>': 'title of the page, or title@revision' },
  options: [
    { flags: '--id <page>', help: 'id of the page, where several were deleted (wiki history --id)' },
    sharedOptions.comment,
    sharedOptions.dryRun,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki page restore "Fire station"', 'wiki page restore "Fire station@prev" -m "Without the last edit"'],
  async run(context, [title = ''], { id, comment = null, dryRun, user }) {
    const { restoredBody, restorePage } = await import('../../../operations/restore-page.ts')
    const { optionalInteger } = await import('../../../operations/resources/params.ts')
    const author = await findAuthor(context, user)
    const request = { title, id: optionalInteger('id', id), comment, author, dryRun }
    const done = await restorePage(await context.wiki(), request)
    if (context.options.json) await context.printJson(restoredBody(done))
    else if (dryRun) await context.print(done.paths.map(path => `${done.title}\t${path}\n`).join(''))
    if (!dryRun) await sayRestored(context, done)
  },
}

async function sayRestored(context: Context, { title, latest, commit, leftAlone }: RestoredPage): Promise<void> {
  const hash = commit === null ? '' : ` (${shortHash(commit)})`
  await context.say(`Restored "${title}"${latest === null ? hash : ` as ${await revisionName(context, latest)}`}`)
  await reportUnchangedFiles(context, leftAlone)
}
