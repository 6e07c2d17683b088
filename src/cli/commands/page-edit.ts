/** `wiki page edit`: the next revision of a page. */

import { isWikiError } from '../../core/errors.ts'
import type { PageSource } from '../../core/page.ts'
import type { UpdatedPage } from '../../operations/update-page.ts'
import { findAuthor } from '../author.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { readDraft } from '../draft.ts'
import { sharedOptions } from '../options.ts'
import { revisionOfPage } from '../revision-of-page.ts'
import { revisionName, sayLeftAlone } from '../said.ts'

interface Values {
  readonly file?: string
  readonly comment?: string
  readonly minor?: boolean
  readonly base?: string
  readonly user?: string
}

export const pageEdit: Command<Values> = {
  summary: 'Change a page, from a file or in the editor',
  details:
    'A page that does not exist is created. Where somebody else saved a newer revision than the one that was edited,\n' +
    'both edits are merged; where they touch the same lines nothing is written, and the exit status is 3.',
  arguments: { '<title>': 'title of the page' },
  options: [
    sharedOptions.file,
    sharedOptions.comment,
    sharedOptions.minor,
    { flags: '--base <revision>', help: 'the revision that was edited (default: the latest)' },
    sharedOptions.user,
  ],
  examples: ['wiki page edit "Main Page" -m "Fix a typo" --minor', 'wiki page edit "Main Page" -f new.wiki --base 42'],
  completes: 'titles',
  async run(context, [title = ''], { file, comment = null, minor, base, user }) {
    const { updatePage } = await import('../../operations/update-page.ts')
    const wiki = await context.wiki()
    const author = await findAuthor(context, user)
    const start = await findStart(context, title, base)
    const text = start?.source ? `${start.source}\n` : ''
    const draft = await readDraft(context, { file, title, text, model: start?.content_model ?? 'wikitext' })
    if (draft === null) return context.say('Nothing was changed in the editor; nothing was saved')
    const { source } = draft
    const result = await updatePage(wiki, { title, source, comment, minor, author, base: start?.id })
    draft.discard()
    await sayUpdated(context, result)
  },
}

/** The revision that the edit starts from; null where there is no page yet. */
async function findStart(context: Context, title: string, base: string | undefined) {
  const { readPage } = await import('../../operations/read-page.ts')
  const wiki = await context.wiki()
  if (base !== undefined) {
    const { readRevision } = await import('../../operations/read-revision.ts')
    return readRevision(wiki, { id: await revisionOfPage(wiki, base, title) })
  }
  const page = await readPage(wiki, { title, base: '' }).catch((error: unknown): PageSource | null => {
    if (isWikiError(error, 'rest-nonexistent-title')) return null
    throw error
  })
  return page && { ...page, id: page.latest.id }
}

async function sayUpdated(context: Context, { page, created, changed, merged, leftAlone }: UpdatedPage): Promise<void> {
  if (context.options.json) await context.printJson(page)
  const revision = await revisionName(context, page.latest.id)
  const others = merged ? ', merged with the newer edits of others' : ''
  await context.say(
    changed
      ? `${created ? 'Created' : 'Saved'} "${page.title}" as ${revision}${others}`
      : `"${page.title}" has this text already, in ${revision}`,
  )
  await sayLeftAlone(context, leftAlone)
}
