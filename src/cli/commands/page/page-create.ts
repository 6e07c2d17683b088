/** `wiki page create`: creates a page. */

import { contentModels } from '../../../core/content-models.ts'
import { isWikiError, WikiError } from '../../../core/errors.ts'
import { titleArgument } from '../../../core/shell-quote.ts'
import { sharedOptions } from '../../arguments/options.ts'
import { checkWrittenTitle } from '../../arguments/written-title.ts'
import { findAuthor } from '../../author.ts'
import { reportUnchangedFiles, revisionName } from '../../change-report.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'
import { readDraft, refuseEmpty } from '../../draft.ts'

interface Values {
  readonly file?: string
  readonly comment?: string
  readonly minor?: boolean
  readonly contentModel?: string
  readonly allowEmpty?: boolean
  readonly user?: string
}

const models = Object.keys(contentModels)

export const pageCreate: Command<Values> = {
  summary: 'Create a page from a file or in the editor',
  arguments: { '<title>': 'title of the new page' },
  options: [
    sharedOptions.file,
    sharedOptions.comment,
    sharedOptions.minor,
    { flags: '--content-model <model>', help: `kind of text: ${models.join(', ')}`, offers: models },
    sharedOptions.allowEmpty,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: [
    'wiki page create "Fire station" -f station.wiki -m "First draft"',
    'echo Hello | wiki page create Hello -f -',
  ],
  async run(context, [title = ''], { file, comment = null, minor, contentModel, allowEmpty, user }) {
    const { createPage } = await import('../../../operations/create-page.ts')
    const author = await findAuthor(context, user)
    await checkWrittenTitle(await context.wiki(), title)
    await refuseExisting(context, title)
    const draft = await readDraft(context, { file, title, text: '', model: contentModel ?? 'wikitext' })
    if (draft === null) throw nothingWritten()
    const { source } = draft
    refuseEmpty(draft, source, { title, allowEmpty })
    const { page, leftAlone } = await createPage(await context.wiki(), {
      title,
      source,
      comment,
      contentModel,
      author,
      minor,
    })
    draft.discard()
    if (context.options.json) await context.printJson(page)
    await context.say(`Created "${page.title}" as ${await revisionName(context, page.latest.id)}`)
    await reportUnchangedFiles(context, leftAlone)
  },
}

/** Checked before the user writes a text in vain. */
async function refuseExisting(context: Context, title: string): Promise<void> {
  const { readPageBare } = await import('../../../operations/read-page.ts')
  const found = await readPageBare(await context.wiki(), { title, base: '' }).catch((error: unknown) => {
    if (!isWikiError(error)) throw error
  })
  if (!found) return
  const hint = `wiki page edit ${titleArgument(found.title)}`
  throw new WikiError('apierror-articleexists', { params: [found.title], hint })
}

function nothingWritten(): WikiError {
  return new WikiError('wiki-usage', { params: ['The text is empty; no page was created'] })
}
