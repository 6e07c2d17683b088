/** `wiki undo`: undoes revisions and keeps later edits. */

import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { UndoneRevisions } from '../../operations/undo-revisions.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { sharedOptions } from '../arguments/options.ts'
import { revisionAt } from '../arguments/revision-of-page.ts'
import { findAuthor } from '../author.ts'
import { reportUnchangedFiles, revisionName } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { visible } from '../render/text.ts'

interface Values {
  readonly comment?: string
  readonly minor?: boolean
  readonly dryRun?: boolean
  readonly user?: string
}

export const undo: Command<Values> = {
  summary: 'Undo revisions of a page; later edits stay',
  details:
    'A new revision has the latest text without the changes of these revisions, merged by words. If later edits changed the same ' +
    'words, nothing is written, both differences are shown, and the exit status is 3. A range keeps its first revision: ' +
    '40..42 undoes those after 40, up to 42. A commit is undone as a whole: all pages that it changed, created, moved or ' +
    'deleted. Restore a deleted page with: wiki page restore',
  arguments: {
    '<revision>': 'a revision (wiki help revisions), two with .. between them, or a commit: 3f2a91c, HEAD~2',
  },
  options: [
    sharedOptions.comment,
    sharedOptions.minor,
    { flags: '--dry-run', help: 'show the difference without changing anything' },
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki undo "Main Page@latest"', 'wiki undo 40..42 -m "Back to the agreed text"', 'wiki undo 41 --dry-run'],
  async run(context, [address = ''], values) {
    const { undoneBody, undoRevisions } = await import('../../operations/undo-revisions.ts')
    const { comment = null, minor, dryRun, user } = values
    const wiki = await context.wiki()
    const hash = await wholeCommit(wiki, address)
    if (hash !== null) return undoWhole(context, hash, values)
    const range = await rangeOf(wiki, address)
    const author = await findAuthor(context, user)
    const done = await undoRevisions(wiki, { ...range, comment, minor, dryRun, author })
    if (context.options.json) await context.printJson(undoneBody(done))
    else if (dryRun) await printPatch(context, done)
    if (!dryRun || !done.changed) await sayUndone(context, done)
  },
}

/** Git's name of the current commit, with steps back: `HEAD~2`. */
const head = /^HEAD(?:[~^]\d{0,6})*$/

/** Returns the name of a commit in an address if more than the text of one page must be undone; otherwise null. */
async function wholeCommit(wiki: Wiki, address: string): Promise<string | null> {
  if (head.test(address)) return address
  const prefix = /^(?:commit:)?([0-9a-f]{7,40})$/i.exec(address)?.[1]?.toLowerCase()
  if (prefix === undefined || /^\d+$/.test(address)) return null
  await wiki.store.refresh()
  const made = wiki.store.commits(prefix)
  const previous = made[0]?.previous == null ? undefined : wiki.store.revision(made[0].previous, { deleted: true })
  return made.length === 1 && previous !== undefined && previous.blob !== made[0]?.blob ? null : prefix
}

async function undoWhole(context: Context, hash: string, values: Values): Promise<void> {
  const { undoCommit } = await import('../../operations/undo-commit.ts')
  const { comment = null, minor, dryRun, user } = values
  const author = await findAuthor(context, user)
  const done = await undoCommit(await context.wiki(), { commit: hash, comment, minor, dryRun, author })
  if (context.options.json) await context.printJson(done)
  else if (dryRun) await printPatch(context, done)
  const pages = done.titles.map(title => `"${title}"`).join(', ')
  const short = shortHash(done.undone)
  if (!done.changed) await context.say(`The wiki contains no change of ${short} any more; nothing was written`)
  else if (done.commit !== null) await context.say(`Undid ${short} of ${pages} in ${shortHash(done.commit)}`)
  await reportUnchangedFiles(context, done.leftAlone)
}

async function rangeOf(wiki: Wiki, address: string): Promise<{ revision: number; after?: number }> {
  const dots = address.indexOf('..')
  if (dots === -1) return { revision: await revisionAt(wiki, address) }
  const [from, to] = [address.slice(0, dots), address.slice(dots + 2)]
  if (from === '' || to === '' || to.startsWith('.'))
    throw new WikiError('wiki-usage', {
      params: [`"${address}" is not a range of revisions`],
      hint: 'Two revisions of one page, the older one first: wiki undo 40..42',
    })
  return { after: await revisionAt(wiki, from), revision: await revisionAt(wiki, to) }
}

async function printPatch(context: Context, { patch = '' }: Pick<UndoneRevisions, 'patch'>): Promise<void> {
  await context.print(context.io.stdout.isTTY ? visible(patch) : patch)
}

async function sayUndone(context: Context, { changed, undone, page, leftAlone }: UndoneRevisions): Promise<void> {
  const [oldest, newest] = undone
  const what = oldest === newest ? `revision ${newest}` : `revisions ${oldest} to ${newest}`
  await context.say(
    changed
      ? `Undid ${what} of "${page.title}" as ${await revisionName(context, page.latest.id)}`
      : `"${page.title}" has nothing of ${what} any more; nothing was written`,
  )
  await reportUnchangedFiles(context, leftAlone)
}
