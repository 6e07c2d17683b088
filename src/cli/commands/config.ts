/** `wiki config`: the settings in wiki.json. */

import { WikiError } from '../../core/errors.ts'
import { nearest } from '../../core/nearest-name.ts'
import { sharedOptions } from '../arguments/options.ts'
import { findAuthor } from '../author.ts'
import { reportUnchangedFiles } from '../change-report.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'

/** Dotted path of a setting, and its value. */
type Setting = readonly [path: string, value: unknown]

export const configList: Command = {
  summary: 'List all settings, including the defaults',
  examples: ['wiki config list', 'wiki config list --json'],
  async run(context) {
    const config = await readAll(context)
    if (context.options.json) return context.printJson(config)
    const lines = settingsOf(config).map(([path, value]) => `${path}\t${valueText(value)}\n`)
    await context.print(lines.join(''))
  },
}

export const configGet: Command = {
  summary: 'Print the value of a setting',
  arguments: { '<setting>': 'its name in wiki.json: name, mainPage, license.url ...' },
  examples: ['wiki config get license.url'],
  async run(context, [path = '']) {
    const config = await readAll(context)
    const value = path.split('.').reduce(memberOf, config)
    if (value === undefined) throw unknownSetting(path, settingsOf(config))
    await (context.options.json ? context.printJson(value) : context.print(`${valueText(value)}\n`))
  },
}

interface SetValues {
  readonly comment?: string
  readonly user?: string
}

export const configSet: Command<SetValues> = {
  summary: 'Change a setting, as a commit',
  arguments: { '<setting>': 'its name in wiki.json', '<value>': 'its value; a list with commas or as JSON' },
  options: [sharedOptions.comment, sharedOptions.user, sharedOptions.noVerify],
  examples: ['wiki config set name "Our recipes"', 'wiki config set searchedNamespaces 0,4'],
  async run(context, [path = '', value = ''], { comment = null, user }) {
    const { writeConfig } = await import('../../operations/configure.ts')
    const author = await findAuthor(context, user)
    const { config, changed, leftAlone } = await writeConfig(await context.wiki(), { path, value, comment, author })
    if (context.options.json) await context.printJson(config)
    await context.say(changed ? `Set ${path} to ${value}` : `${path} has this value already`)
    await reportUnchangedFiles(context, leftAlone)
  },
}

async function readAll(context: Context): Promise<object> {
  const { readConfig } = await import('../../operations/configure.ts')
  return readConfig(await context.snapshot())
}

/** Flattens settings to dotted paths. Maps are flattened unless they are empty, lists are not. */
function settingsOf(config: object, prefix = ''): Setting[] {
  return Object.entries(config).flatMap(([key, value]): Setting[] =>
    isMap(value) && Object.keys(value).length > 0 && prefix.split('.').length < 4
      ? settingsOf(value, `${prefix}${key}.`)
      : [[prefix + key, value]],
  )
}

function memberOf(value: unknown, key: string): unknown {
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function unknownSetting(path: string, settings: readonly Setting[]): WikiError {
  const paths = settings.map(([path]) => path)
  const near = nearest(path, paths)
  const hint = near === undefined ? 'wiki config list' : `Did you mean: wiki config get ${near}`
  return new WikiError('wiki-usage', { params: [`There is no setting "${path}"`], hint })
}
