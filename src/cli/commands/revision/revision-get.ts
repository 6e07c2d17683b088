/** `wiki revision get`: prints the text of a revision. */

import { sharedOptions } from '../../arguments/options.ts'
import { revisionAt } from '../../arguments/revision-of-page.ts'
import type { Command } from '../../command.ts'
import { withDeletion } from '../../deletion-notice.ts'
import { asksHtml, type HtmlValues, htmlOptions, printHtml, serverOf } from '../../render/html.ts'
import { printSource } from '../../render/source.ts'

interface Values extends HtmlValues {
  readonly meta?: boolean
}

export const revisionGet: Command<Values> = {
  summary: 'Print the source of one revision',
  details: '`wiki revision <revision>` is short for it.',
  arguments: { '<revision>': 'an id, a commit, "Title@prev" ... (wiki help revisions)' },
  options: [
    { flags: '--meta', help: 'metadata of the revision, without its source (JSON)' },
    ...htmlOptions,
    sharedOptions.output,
    sharedOptions.baseUrl,
  ],
  examples: ['wiki revision get 42', 'wiki revision get "Main Page@prev" --meta'],
  paged: true,
  async run(context, [address = ''], values) {
    const { readRevision, readRevisionBare } = await import('../../../operations/read-revision.ts')
    const wiki = await context.snapshot()
    const id = await revisionAt(wiki, address)
    if (asksHtml(values)) {
      const { renderRevision } = await import('../../../operations/render-page.ts')
      const { flavor } = values
      const query = { id, ...(flavor !== undefined && { flavor }), server: serverOf(context) }
      const { revision, html } = await renderRevision(wiki, query)
      return printHtml(context, { object: revision, html }, values)
    }
    if (values.meta)
      return context.printJson(await withDeletion(context, await readRevisionBare(wiki, { id, base: context.base })))
    await printSource(context, await withDeletion(context, await readRevision(wiki, { id })), values.output)
  },
}
