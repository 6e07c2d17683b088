/** `wiki file list`: lists the media files of the wiki. */

import type { FileListItem } from '../../../core/file.ts'
import { sharedOptions } from '../../arguments/options.ts'
import type { Command } from '../../command.ts'
import { type Column, printList } from '../../render/table.ts'
import { shortTime } from '../../render/text.ts'

interface Values {
  readonly limit?: string
  readonly nul?: boolean
}

export const fileList: Command<Values> = {
  summary: 'List the media files',
  options: [sharedOptions.limit, sharedOptions.nul],
  examples: ['wiki file list', 'wiki file list --json'],
  paged: true,
  async run(context, _, { limit, nul }) {
    const { listFiles } = await import('../../../operations/list-files.ts')
    const { boundedInteger } = await import('../../../operations/resources/params.ts')
    const { partLimit, partRoute } = await import('../../../operations/resources/routes.ts')
    const most = limit === undefined ? undefined : boundedInteger('limit', limit, { min: 1, max: 1_000_000_000 })
    const { files, total } = await listFiles(await context.snapshot(), { limit: most })
    const next = files.length < total ? (files.at(-1)?.title.replaceAll(' ', '_') ?? null) : null
    const body = { files, next: partRoute(`${context.base}/files`, { limit: partLimit(most) }, next) }
    const list = { body, items: files, columns, none: 'No file found' }
    await printList(context, list, { nul: nul === true })
    if (total > files.length) await context.say(`${files.length} of ${total} files`)
  },
}

const columns: readonly Column<FileListItem>[] = [
  { title: 'Title', names: 'file', value: file => file.title },
  { title: 'Type', value: file => file.mime },
  { title: 'Bytes', align: 'right', value: file => String(file.size) },
  { title: 'Time (UTC)', value: ({ latest }) => latest.timestamp, people: ({ latest }) => shortTime(latest.timestamp) },
  { title: 'User', style: 'cyan', value: ({ latest }) => latest.user.name ?? '(hidden)' },
  { title: 'Path', names: 'path', style: 'dim', value: file => file.path },
]
