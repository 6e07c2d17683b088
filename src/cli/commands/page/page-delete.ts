/** `wiki page delete`: deletes pages. */

import { WikiError } from '../../../core/errors.ts'
import { shortHash } from '../../../core/short-hash.ts'
import type { DeletedPages } from '../../../operations/delete-page.ts'
import { sharedOptions } from '../../arguments/options.ts'
import { findAuthor } from '../../author.ts'
import { reportUnchangedFiles } from '../../change-report.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'

interface Values {
  readonly comment?: string
  readonly dryRun?: boolean
  readonly user?: string
}

export const pageDelete: Command<Values> = {
  summary: 'Delete pages; their history stays in git',
  details:
    'At a terminal it asks first, unless --yes is given. If one of the titles is unknown, nothing is deleted. Restore a deleted page ' +
    'with: wiki page restore',
  arguments: { '<title...>': 'titles of the pages' },
  options: [sharedOptions.comment, sharedOptions.dryRun, sharedOptions.user, sharedOptions.noVerify],
  examples: ['wiki page delete "Sandbox" -m "No longer needed"', 'wiki page delete "Draft 1" "Draft 2" --dry-run'],
  completes: 'titles',
  async run(context, titles, { comment = null, dryRun, user }) {
    const { deletedBody, deletePages } = await import('../../../operations/delete-page.ts')
    const wiki = await context.wiki()
    const request = { titles, comment, author: await findAuthor(context, user) }
    const planned = await deletePages(wiki, { ...request, dryRun: true })
    if (!dryRun) await confirm(context, planned)
    const done = dryRun ? planned : await deletePages(wiki, { ...request, planned })
    if (context.options.json) await context.printJson(deletedBody(done))
    else if (dryRun) await context.print(done.deleted.map(({ title, path }) => `${title}\t${path}\n`).join(''))
    if (!dryRun) await sayDeleted(context, done)
  },
}

/** Asks for confirmation only on a terminal. A script has already decided, and git keeps deleted pages. */
async function confirm({ io, options }: Context, { deleted }: DeletedPages): Promise<void> {
  if (options.yes || !options.input || !io.stdin.isTTY || !io.stderr.isTTY) return
  const what = deleted.length === 1 ? `"${deleted[0]?.title}"` : `${deleted.length} pages`
  await io.stderr.write(`Delete ${what}? [y/N] `)
  if (/^y(es)?$/i.test((await io.stdin.line()).trim())) return
  throw new WikiError('wiki-usage', { params: ['Nothing was deleted'] })
}

async function sayDeleted(context: Context, { deleted, commit, leftAlone }: DeletedPages): Promise<void> {
  const hash = commit === null ? '' : ` (${shortHash(commit)})`
  for (const { title } of deleted) await context.say(`Deleted "${title}"${hash}`)
  await reportUnchangedFiles(context, leftAlone)
}
