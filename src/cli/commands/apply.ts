/** `wiki apply`: applies a patch to pages. */

import { shortHash } from '../../core/short-hash.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findAuthor } from '../author.ts'
import { reportUnchangedFiles } from '../change-report.ts'
import type { Command } from '../command.ts'
import { readBytes } from '../draft.ts'
import { visible } from '../render/text.ts'

interface Values {
  readonly comment?: string
  readonly minor?: boolean
  readonly dryRun?: boolean
  readonly user?: string
}

export const apply: Command<Values> = {
  summary: 'Apply a patch to pages, in one commit',
  details:
    'A patch is the output of git diff, git format-patch, diff -u or wiki compare --unified. It may edit, create and delete pages; its paths ' +
    'are from the top of the repository. It is applied to the latest texts where git apply does it: lines may have moved, but those in the patch ' +
    'must exist, and stay at the start or the end of the page if the patch says so. If ' +
    'any part does not match, nothing is written and the exit status is 3. Undo it with: wiki undo <commit>',
  arguments: { '[patch]': 'the patch (default: -, stdin)' },
  options: [
    sharedOptions.comment,
    sharedOptions.minor,
    sharedOptions.dryRun,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: [
    'wiki apply tides.patch -m "Corrections by mail"',
    'git -C ../fork diff main topic | wiki apply --dry-run',
  ],
  async run(context, [file = '-'], { comment = null, minor, dryRun, user }) {
    const { applyPatchToPages } = await import('../../operations/apply-patch.ts')
    const { decode } = await import('../editor.ts')
    const patch = decode(await readBytes(context, file), file === '-' ? 'stdin' : file)
    const author = await findAuthor(context, user)
    const done = await applyPatchToPages(await context.wiki(), { patch, comment, minor, dryRun, author })
    if (context.options.json) await context.printJson(done)
    else if (dryRun) await context.print(context.io.stdout.isTTY ? visible(done.patch ?? '') : (done.patch ?? ''))
    const pages = done.pages.map(({ title }) => `"${title}"`).join(', ')
    if (dryRun) await context.say(`Would apply the patch to ${pages}`)
    else if (done.commit === null) await context.say('The patch changes nothing; nothing was written')
    else await context.say(`Applied the patch to ${pages} in ${shortHash(done.commit)}`)
    await reportUnchangedFiles(context, done.leftAlone)
  },
}
