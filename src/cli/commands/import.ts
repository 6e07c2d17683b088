/** `wiki import`: commits the revisions of a MediaWiki XML export. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { ImportedDump } from '../../operations/import-dump.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findAuthor } from '../author.ts'
import { reportUnchangedFiles } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { counted } from '../render/text.ts'

interface Values {
  readonly files?: string
  readonly merge?: boolean
  readonly settings?: boolean
  readonly maxUnpacked?: string
  readonly dryRun?: boolean
}

export const importCommand: Command<Values> = {
  summary: 'Import the revisions of a MediaWiki XML export, each as a commit',
  details: 'If it is interrupted, run it again: it resumes, and imports nothing twice.',
  arguments: { '<dump>': 'the export: .xml, .xml.gz or .xml.bz2 (- is stdin)' },
  options: [
    { flags: '--files <folder>', help: 'import the media files of a folder too' },
    { flags: '--merge', help: 'add the revisions on top of pages that already exist' },
    {
      flags: '--settings',
      help: 'add namespaces and settings of the dump to wiki.json (an empty wiki takes them anyway)',
    },
    {
      flags: '--max-unpacked <bytes>',
      help: 'largest uncompressed size of a compressed dump (default: 32 MiB and 250 times its size)',
    },
    sharedOptions.dryRun,
  ],
  examples: [
    'wiki import dump.xml.gz',
    'wiki import pages.xml.bz2 --files images/',
    'wiki import dump.xml --dry-run --json',
  ],
  async run(context, [path = ''], { files, merge, settings, dryRun, maxUnpacked }) {
    const { importDump } = await import('../../operations/import-dump.ts')
    const dump = path === '-' ? context.io.stdin.chunks() : resolve(context.io.cwd, path)
    const name = path === '-' ? 'stdin' : path
    if (typeof dump === 'string') refuseFolder(dump, path)
    const folder = files === undefined ? undefined : resolve(context.io.cwd, files)
    const author = await findAuthor(context, undefined).catch(() => undefined)
    const progress = progressOf(context)
    const unpackedBytes = maxUnpacked === undefined ? undefined : await bytesOf(maxUnpacked)
    const request = {
      dump,
      maxUnpacked: unpackedBytes,
      name,
      files: folder,
      merge,
      settings,
      dryRun,
      author,
      progress: progress.report,
    }
    const done = await importDump(await context.wiki(), request).finally(progress.clear)
    if (context.options.json) return context.printJson(done)
    await sayProblems(context, done)
    await context.say(summaryOf(done, dryRun === true))
    await reportUnchangedFiles(context, done.leftAlone)
  },
}

/** Opening a folder succeeds, and reading it fails without its name. */
function refuseFolder(dump: string, path: string): void {
  if (statSync(dump, { throwIfNoEntry: false })?.isDirectory())
    throw new WikiError('wiki-usage', { params: [`Cannot read ${path}: it is a folder`] })
}

async function bytesOf(text: string): Promise<number> {
  const { boundedInteger } = await import('../../operations/resources/params.ts')
  return boundedInteger('max-unpacked', text, { min: 1, max: Number.MAX_SAFE_INTEGER })
}

function progressOf(context: Context) {
  const lines = {
    reading: context.progress('Reading the dump'),
    writing: context.progress('Writing revisions'),
  }
  const report = (step: 'reading' | 'writing', done: number, total: number | null) => lines[step].report(done, total)
  const clear = async () => {
    await lines.reading.clear()
    await lines.writing.clear()
  }
  return { report, clear }
}

async function sayProblems(context: Context, { skipped, skippedPages, renamed, hidden, otherSlots }: ImportedDump) {
  for (const { title, reason } of skipped) await context.say(`Left out "${title}": ${reason}`)
  if (skippedPages > skipped.length) await context.say(`... and ${skippedPages - skipped.length} pages more`)
  for (const { title, reason } of renamed) await context.say(`Respelt "${title}": ${reason}`)
  if (hidden.length > 0) await context.say(`${counted(hidden.length, 'revision')} with something hidden`)
  if (otherSlots > 0) await context.say(`${counted(otherSlots, 'text')} in other slots left out`)
}

function summaryOf(done: ImportedDump, isDryRun: boolean): string {
  const { pages, revisions, files, known, commit } = done
  const what = `${counted(revisions, 'revision')} of ${counted(pages, 'page')}${files > 0 ? `, ${counted(files, 'file')}` : ''}`
  if (isDryRun) return `Would import ${what}`
  const rest = known > 0 ? `; ${counted(known, 'revision')} were here already` : ''
  return commit === null ? `Nothing to import${rest}` : `Imported ${what} up to ${shortHash(commit)}${rest}`
}
