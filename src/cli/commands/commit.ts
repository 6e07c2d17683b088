/** `wiki commit`: commits edited files as revisions. */

import { pathspecArgument, titleArgument } from '../../core/shell-quote.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { RecordedChange } from '../../operations/commit-work.ts'
import type { TitledChange } from '../../operations/work-tree/work-changes.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findAuthor } from '../author.ts'
import { behindText, copyText, reportUnchangedFiles } from '../change-report.ts'
import type { Command } from '../command.ts'
import { counted, visibleLine } from '../render/text.ts'

interface Values {
  readonly comment?: string
  readonly minor?: boolean
  readonly dryRun?: boolean
  readonly allowEmpty?: boolean
  readonly allowMarkers?: boolean
  readonly user?: string
}

export const commit: Command<Values> = {
  summary: 'Record edited files as revisions',
  details:
    'A file that was edited from an older revision than the latest is merged with the newer ones, in the work tree, too. Where ' +
    'that is not possible, or a file seems to be older than the edits of others, no file is recorded and the exit status is 3. ' +
    'A plain `git commit` has no such check. ' +
    'A new file with the name of a conflict copy of Syncthing, Dropbox and others is recorded only if its title is given. ' +
    'During a git merge it records the merge, once its files have no conflicts left.',
  arguments: { '[title...]': 'pages and files to record (default: all that were edited)' },
  options: [
    sharedOptions.comment,
    sharedOptions.minor,
    sharedOptions.dryRun,
    sharedOptions.allowEmpty,
    { flags: '--allow-markers', help: 'also record texts that contain conflict markers' },
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki commit -m "Spelling"', 'wiki commit "Main Page" -m "New picture"'],
  completes: 'titles',
  async run(context, titles, { comment = null, minor, dryRun, allowEmpty, allowMarkers, user }) {
    const { commitWork } = await import('../../operations/commit-work.ts')
    const author = await findAuthor(context, user)
    const request = { titles, comment, minor, dryRun, allowEmpty, allowMarkers, author }
    const done = await commitWork(await context.wiki(), request)
    if (context.options.json) await context.printJson(done)
    else if (dryRun) await context.print(done.recorded.map(dryLine).join(''))
    if (dryRun) {
      for (const change of done.copies) await context.say(copyLine(change))
      return
    }
    const [first] = done.recorded
    const what = done.recorded.length === 1 ? `"${first?.title ?? first?.path}"` : counted(done.recorded.length, 'file')
    await context.say(done.commit === null ? 'Nothing to record' : `Recorded ${what} in ${shortHash(done.commit)}`)
    for (const { path, merged } of done.recorded)
      if (merged) await context.say(`${path} was merged with newer edits of others (${behindText(merged)})`)
    if (done.commit === null)
      for (const path of done.outdated)
        await context.say(
          `${path} holds nothing that its page lacks; take the latest with: git checkout HEAD -- ${pathspecArgument(path)}`,
        )
    for (const change of done.copies) await context.say(copyLine(change))
    await reportUnchangedFiles(context, done.leftAlone)
  },
}

/** Says why a file was left out, and how to record it. */
function copyLine({ path, title, copy }: TitledChange): string {
  return `Left out: ${visibleLine(path)} is ${copyText(copy!)}; to record it: wiki commit ${titleArgument(title ?? path)}`
}

/** Formats the kind, the path, and whether the file would be merged. */
function dryLine({ kind, path, merged }: RecordedChange): string {
  return `${kind}\t${path}${merged === undefined ? '' : `\tmerged; ${behindText(merged)}`}\n`
}
