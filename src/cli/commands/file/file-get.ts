/** `wiki file get`: prints metadata of a media file, its bytes, or a thumbnail. */

import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { WikiError } from '../../../core/errors.ts'
import type { FileObject } from '../../../core/file.ts'
import { sharedOptions } from '../../arguments/options.ts'
import type { Command } from '../../command.ts'
import type { Context } from '../../context.ts'
import { writeOutputFile } from '../../output-file.ts'
import { type Column, printList } from '../../render/table.ts'
import { shortTime } from '../../render/text.ts'

interface Values {
  readonly output?: string
  readonly width?: string
}

export const fileGet: Command<Values> = {
  summary: 'Describe a media file, or write out its bytes',
  details: 'Without -o the file is described; with -o its bytes are written (- is stdout).',
  arguments: { '<title>': 'title of the file, with or without "File:"' },
  options: [
    sharedOptions.output,
    { flags: '--width <pixels>', help: 'with -o: a picture of it at least this wide, instead of the original' },
    sharedOptions.baseUrl,
  ],
  examples: ['wiki file get "Fire station.jpg"', 'wiki file get "Fire station.jpg" --width 250 -o small.jpg'],
  async run(context, [title = ''], { output, width }) {
    if (output !== undefined) return writeContent(context, title, { output, width })
    if (width !== undefined) throw new WikiError('wiki-usage', { params: ['--width goes with --output'] })
    const { readFile } = await import('../../../operations/read-file.ts')
    const { file } = await readFile(await context.snapshot(), { title, base: context.base })
    await printList(context, { body: file, items: [file], columns })
  },
}

interface WriteOptions {
  readonly output: string
  readonly width: string | undefined
}

async function writeContent(context: Context, title: string, { output, width }: WriteOptions): Promise<void> {
  const { openFile, openThumbnail } = await import('../../../operations/open-file.ts')
  const { boundedInteger } = await import('../../../operations/resources/params.ts')
  const pixels = width === undefined ? null : boundedInteger('width', width, { min: 1, max: 100_000 })
  const wiki = await context.snapshot()
  const opened = await openFile(wiki, title)
  const picture = pixels === null ? null : await openThumbnail(wiki, opened, pixels)
  const content = picture === null ? opened.content() : [picture.bytes]
  if (output !== '-')
    return writeOutputFile(resolve(context.io.cwd, output), file => pipeline(Readable.from(content), file))
  for await (const piece of content) await context.print(piece)
}

const columns: readonly Column<FileObject>[] = [
  { title: 'Title', names: 'file', value: file => file.title },
  { title: 'Type', value: file => file.preferred.mediatype },
  { title: 'Width', align: 'right', value: ({ original }) => String(original?.width ?? '') },
  { title: 'Height', align: 'right', value: ({ original }) => String(original?.height ?? '') },
  { title: 'Seconds', align: 'right', value: ({ original }) => String(original?.duration ?? '') },
  { title: 'Bytes', align: 'right', value: ({ original }) => String(original?.size ?? '') },
  { title: 'Time (UTC)', value: ({ latest }) => latest.timestamp, people: ({ latest }) => shortTime(latest.timestamp) },
  { title: 'User', style: 'cyan', value: ({ latest }) => latest.user.name ?? '(hidden)' },
]
