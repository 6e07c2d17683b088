/** `wiki page files`: lists the media files that a page uses. */

import type { FileObject } from '../../../core/file.ts'
import { sharedOptions } from '../../arguments/options.ts'
import type { Command } from '../../command.ts'
import { type Column, printList } from '../../render/table.ts'
import { shortTime } from '../../render/text.ts'

interface Values {
  readonly nul?: boolean
}

export const pageFiles: Command<Values> = {
  summary: 'List the media files that a page uses',
  arguments: { '<title>': 'title of the page' },
  options: [sharedOptions.nul, sharedOptions.baseUrl],
  examples: ['wiki page files "Fire station"', 'wiki page files "Fire station" --json'],
  completes: 'titles',
  paged: true,
  async run(context, [title = ''], { nul }) {
    const { pageFiles } = await import('../../../operations/page-files.ts')
    const body = await pageFiles(await context.snapshot(), { title, base: context.base })
    const list = {
      body,
      items: body.files,
      columns,
      none: 'The page uses no file',
    }
    await printList(context, list, { nul: nul === true })
  },
}

const columns: readonly Column<FileObject>[] = [
  { title: 'Title', names: 'file', value: file => file.title },
  { title: 'Type', value: file => file.preferred.mediatype },
  { title: 'Time (UTC)', value: ({ latest }) => latest.timestamp, people: ({ latest }) => shortTime(latest.timestamp) },
  { title: 'User', style: 'cyan', value: ({ latest }) => latest.user.name ?? '(hidden)' },
]
