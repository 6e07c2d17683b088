/** `wiki export`: writes pages as a MediaWiki XML export. */

import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { WikiError } from '../../core/errors.ts'
import { sharedOptions } from '../arguments/options.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { writeOutputFile } from '../output-file.ts'
import { counted } from '../render/text.ts'

interface Values {
  readonly all?: boolean
  readonly latest?: boolean
  readonly files?: string
  readonly output?: string
}

export const exportCommand: Command<Values> = {
  summary: 'Write pages with their revisions as a MediaWiki XML export',
  details: 'Imported revisions keep their original ids. Hidden parts of revisions are left out.',
  arguments: { '[title...]': 'pages to export (default: all)' },
  options: [
    { flags: '--all', help: 'every revision (the default)' },
    { flags: '--latest', help: 'only the latest revision of each page' },
    { flags: '--files <folder>', help: 'write the media files to a folder too' },
    { flags: sharedOptions.output.flags, help: 'write to a file, compressed if its name ends in .gz' },
  ],
  examples: ['wiki export -o wiki.xml.gz', 'wiki export "Main Page" "Talk:Main Page" --latest'],
  completes: 'titles',
  async run(context, titles, { all, latest, files, output }) {
    if (all && latest) throw new WikiError('wiki-usage', { params: ['--all and --latest exclude each other'] })
    const { exportDump, exportFiles } = await import('../../operations/export-dump.ts')
    const wiki = await context.snapshot()
    const progress = context.progress('Exporting pages')
    const isShown = output !== undefined || !context.io.stdout.isTTY
    const pieces = exportDump(wiki, { titles, latest, ...(isShown && { progress: progress.report }) })
    await (output === undefined || output === '-' ? print(context, pieces) : writeFile(context, pieces, output))
    await progress.clear()
    if (files === undefined) return
    const count = await exportFiles(wiki, resolve(context.io.cwd, files))
    await context.say(`Wrote ${counted(count, 'media file')} to ${files}`)
  },
}

async function print(context: Context, pieces: AsyncIterable<string>): Promise<void> {
  for await (const text of gathered(pieces)) await context.print(text)
}

function writeFile(context: Context, pieces: AsyncIterable<string>, output: string): Promise<void> {
  return writeOutputFile(resolve(context.io.cwd, output), file => {
    const source = Readable.from(gathered(pieces), { objectMode: true })
    return output.endsWith('.gz') ? pipeline(source, createGzip(), file) : pipeline(source, file)
  })
}

/** Combines small writes into large ones. */
async function* gathered(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < 64 * 1024) continue
    yield text
    text = ''
  }
  yield text
}
