/** `wiki replace`: replaces a text on many pages. */

import { WikiError } from '../../core/errors.ts'
import { shortHash } from '../../core/short-hash.ts'
import type { ReplacedText } from '../../operations/replace-text.ts'
import { namespaceIds } from '../arguments/namespaces.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findAuthor } from '../author.ts'
import { reportUnchangedFiles, unwritableText } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'

interface Values {
  readonly comment?: string
  readonly regex?: boolean
  readonly ignoreCase?: boolean
  readonly namespace?: string
  readonly search?: string
  readonly category?: string
  readonly minor?: boolean
  readonly dryRun?: boolean
  readonly exitCode?: boolean
  readonly user?: string
}

export const replace: Command<Values> = {
  summary: 'Replace a text on many pages, in one commit',
  details:
    'Every occurrence is replaced, also in links, templates and code; all other bytes stay. With --regex the text is a pattern in the syntax of RE2, ' +
    'in which ^ and $ match at line ends; $1 or ${name} in the replacement stand for its groups. --dry-run prints the resulting ' +
    'difference. At a terminal it shows the number of matches and asks; if a page changes meanwhile, nothing is written. Undo it ' +
    'with: wiki undo <commit>',
  arguments: { '<text>': 'the text to find, case-sensitive', '<replacement>': 'its replacement' },
  options: [
    sharedOptions.comment,
    { flags: '--regex', help: 'the text is a regular expression' },
    { flags: '--ignore-case', help: 'find it in any case' },
    {
      flags: '--namespace <name>',
      help: 'only pages of one namespace: its name or its number (0 is that of articles)',
    },
    { flags: '--category <name>', help: 'only pages of a category' },
    { flags: '--search <query>', help: 'only pages that a search finds' },
    sharedOptions.minor,
    sharedOptions.dryRun,
    sharedOptions.exitCode,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: [
    'wiki replace "colour" "color" --dry-run',
    `wiki replace --regex '\\b(\\d+) *ft\\b' '$1 feet' --category Bridges -m "Units in words"`,
  ],
  async run(context, [find = '', replacement = ''], values) {
    const { replaceText } = await import('../../operations/replace-text.ts')
    const { optionalInteger } = await import('../../operations/resources/params.ts')
    const { comment = null, regex, ignoreCase, minor, dryRun, user } = values
    const author = await findAuthor(context, user)
    const wiki = await context.wiki()
    const namespace = optionalInteger('namespace', await namespaceIds(wiki, values.namespace))
    const text = { find, replacement, isPattern: regex, ignoreCase }
    const request = { ...text, namespace, search: searchOf(values), comment, minor, author }
    const planned = await replaceText(wiki, { ...request, dryRun: true })
    if (!dryRun) await confirm(context, planned)
    const done = dryRun ? planned : await replaceText(wiki, { ...request, planned })
    if (context.options.json) await context.printJson(done)
    else if (dryRun) await context.print(done.patch ?? '')
    await sayReplaced(context, done, dryRun === true)
    if (done.pages.length === 0 && values.exitCode) context.answer(1)
  },
}

function searchOf({ search, category }: Values): string | undefined {
  if (search === undefined && category === undefined) return undefined
  const within = category === undefined ? '' : `incategory:"${category.replace(/["“”]/g, '')}"`
  // A search covers the namespaces of the settings; a replacement covers all namespaces.
  return `all:${[search, within].filter(Boolean).join(' ')}`
}

/** Asks for confirmation only on a terminal. A script has already decided. */
async function confirm({ io, options }: Context, planned: ReplacedText): Promise<void> {
  if (planned.pages.length === 0 || options.yes || !options.input || !io.stdin.isTTY || !io.stderr.isTTY) return
  await io.stderr.write(`Replace ${placesOf(planned)}? [y/N] `)
  if (/^y(es)?$/i.test((await io.stdin.line()).trim())) return
  throw new WikiError('wiki-usage', { params: ['Nothing was replaced'] })
}

function placesOf({ pages }: ReplacedText): string {
  const count = pages.reduce((sum, page) => sum + page.count, 0)
  return `${count} ${count === 1 ? 'place' : 'places'} on ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`
}

async function sayReplaced(context: Context, done: ReplacedText, isDry: boolean): Promise<void> {
  for (const title of done.unread)
    await context.say(`Not replaced: "${title}" would become too large, or ${unwritableText(isDry)}`)
  if (done.pages.length === 0) await context.say('Nothing to replace')
  else if (isDry) await context.say(`Would replace ${placesOf(done)}`)
  else if (done.commit !== null) await context.say(`Replaced ${placesOf(done)} in ${shortHash(done.commit)}`)
  await reportUnchangedFiles(context, done.leftAlone)
}
