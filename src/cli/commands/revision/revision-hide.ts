/** `wiki revision hide` and `wiki revision show`: hide parts of a revision from readers, and show them again. */

import { type HideablePart, hideableParts } from '../../../core/wiki-config.ts'
import { sharedOptions } from '../../arguments/options.ts'
import { certainRevision } from '../../arguments/revision-of-page.ts'
import { findAuthor } from '../../author.ts'
import { reportUnchangedFiles } from '../../change-report.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'

interface HideValues {
  readonly reason?: string
  readonly text?: boolean
  readonly comment?: boolean
  readonly author?: boolean
  readonly user?: string
}

export const revisionHide: Command<HideValues> = {
  summary: 'Hide a revision from readers of the API and of this command',
  details:
    'This is recorded in wiki.json, so that all clones agree. Git still contains the text: anyone with a clone can read it. ' +
    'To remove it, rewrite the history with git. The text of the latest revision of a page cannot be hidden.',
  arguments: { '<revision>': 'an id, a commit, "Title@prev" ... (wiki help revisions)' },
  options: [
    { flags: '--reason <text>', help: 'the reason, for later readers' },
    { flags: '--text', help: 'hide the text (the default, if none of the three is given)' },
    { flags: '--comment', help: 'hide the edit summary' },
    { flags: '--author', help: 'hide the author' },
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki revision hide 41 --reason "an address of somebody"'],
  async run(context, [address = ''], { reason = '', text, comment, author, user }) {
    const wanted: Readonly<Record<HideablePart, boolean | undefined>> = { text, comment, user: author }
    const parts = hideableParts.filter(part => wanted[part])
    await change(context, address, { parts: parts.length === 0 ? ['text'] : parts, reason, user })
  },
}

export const revisionShow: Command<{ readonly user?: string }> = {
  summary: 'Show a hidden revision again',
  arguments: { '<revision>': 'its id' },
  options: [sharedOptions.user, sharedOptions.noVerify],
  examples: ['wiki revision show 41'],
  run: (context, [address = ''], { user }) => change(context, address, { parts: [], reason: '', user }),
}

interface Change {
  readonly parts: readonly HideablePart[]
  readonly reason: string
  readonly user: string | undefined
}

async function change(context: Context, address: string, { parts, reason, user }: Change): Promise<void> {
  const { hideRevision } = await import('../../../operations/hide-revision.ts')
  const wiki = await context.wiki()
  const id = await certainRevision(wiki, address)
  const author = await findAuthor(context, user)
  const commit = wiki.store.revision(id, { deleted: true })?.commit
  const state = await hideRevision(wiki, { id, commit, parts, reason, comment: null, author })
  if (context.options.json) await context.printJson(state)
  const sentence = parts.length === 0 ? `Revision ${id} is shown` : `Revision ${id} hides its ${parts.join(' and ')}`
  await context.say(`${sentence}${state.changed ? '' : ' already'}; git still holds all of it`)
  for (const other of state.sameText)
    await context.say(`Revision ${other} has the same text and shows it still: wiki revision hide ${other}`)
  await reportUnchangedFiles(context, state.leftAlone)
}
