/** `wiki init`: creates a wiki, or turns an existing repository into one. */

import { resolve } from 'node:path'
import { shortHash } from '../../core/short-hash.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findFirstAuthor } from '../author.ts'
import { reportUnchangedFiles } from '../change-report.ts'
import type { Command } from '../command.ts'

interface Values {
  readonly name?: string
  readonly licenseUrl?: string
  readonly licenseTitle?: string
  readonly bare?: boolean
  readonly nested?: boolean
  readonly mergeDriver?: boolean
  readonly diffDriver?: boolean
  readonly user?: string
}

export const init: Command<Values> = {
  summary: 'Create a wiki here, or turn a git repository into one',
  details: 'Writes wiki.json and the main page if they are missing. It is safe to run again.',
  arguments: { '[dir]': 'folder of the wiki, created if missing (default: this one)' },
  options: [
    { flags: '--name <name>', help: 'name of the wiki (default: that of the folder)' },
    { flags: '--license-url <url>', help: 'address of the license of its texts' },
    { flags: '--license-title <text>', help: 'name of that license' },
    { flags: '--bare', help: 'without a work tree, for a server' },
    { flags: '--nested', help: 'allow a repository of its own inside another one' },
    { flags: '--merge-driver', help: 'let git pull and git merge in this clone merge texts word by word' },
    { flags: '--diff-driver', help: 'let git diff and git show in this clone compare texts word by word' },
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki init recipes --name "Our recipes"', 'cd existing-repository && wiki init'],
  async run(context, [dir], { name, licenseUrl, licenseTitle, bare, nested, mergeDriver, diffDriver, user }) {
    const { initWiki } = await import('../../operations/init-wiki.ts')
    const directory = dir === undefined ? context.directory : resolve(context.directory, dir)
    const author = await findFirstAuthor(context, user)
    const settings = named({ name, 'license.url': licenseUrl, 'license.title': licenseTitle })
    const drivers = [...(mergeDriver ? (['merge'] as const) : []), ...(diffDriver ? (['diff'] as const) : [])]
    const made = await initWiki({
      ...{ directory, author, settings, bare, nested, drivers },
      programs: context.programs,
      environment: context.io.env,
    })
    if (context.options.json) await context.printJson(made)
    const written =
      made.commit === null ? 'nothing to write' : `wrote ${made.written.join(', ')} (${shortHash(made.commit)})`
    await context.say(`Wiki of ${made.pages} ${made.pages === 1 ? 'page' : 'pages'} in ${made.directory}: ${written}`)
    if (mergeDriver) await context.say('git now merges texts by words, and as before where it does not find wiki')
    if (diffDriver) await context.say('git now compares texts by words, and as before where it does not find wiki')
    await reportUnchangedFiles(context, made.leftAlone)
  },
}

/** Omits settings without a value. */
function named(settings: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
