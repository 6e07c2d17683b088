/** Completes command lines, for the hidden `wiki __complete` that shell scripts call. */

import { escapeControls } from '../core/control-characters.ts'
import { asTitle } from '../core/shell-quote.ts'
import { flagNames, globalOptions, type OptionRow } from './arguments/options.ts'
import type { Command } from './command.ts'
import { commandTree } from './commands.ts'
import type { Context } from './context.ts'
import { findCommand, type Request } from './parse.ts'

/** Maximum number of titles offered. */
const most = 100

/** Returns the completions of the last word, which may be empty. */
export async function completeWord(context: Context, words: readonly string[]): Promise<readonly string[]> {
  const typed = (words.at(-1) ?? '').replace(/^["']/, '')
  const before = words.slice(0, -1)
  const request = findCommand(before)
  const command = await request.load?.()
  const option = optionBefore(before, command)
  if (option !== undefined) return startingWith(typed, option.offers ?? option.choices ?? [])
  if (typed.startsWith('-')) return startingWith(typed, allFlags(command))
  const names = startingWith(typed, commandNames(request, before))
  return command === undefined ? names : [...names, ...(await argumentsOf(context, command, typed))]
}

/** Lists the names of commands, or of a group's subcommands if none is typed yet. */
function commandNames({ load, group, implied, rest }: Request, before: readonly string[]): readonly string[] {
  if (group !== undefined)
    return load === undefined || (implied && rest.length === before.length - 1) ? Object.keys(group.commands) : []
  return load === undefined ? Object.keys(commandTree) : []
}

async function argumentsOf(context: Context, { completes }: Command, typed: string): Promise<readonly string[]> {
  if (completes !== 'titles') return startingWith(typed, completes ?? [])
  const { listPages } = await import('../operations/list-pages.ts')
  const colon = typed.startsWith(':') ? ':' : ''
  const { pages } = await listPages(await context.wiki(), { prefix: typed.slice(colon.length), limit: most })
  // A key needs no quotes. A user who typed spaces has opened some.
  const names = pages.map(page => (typed.includes(' ') ? page.title : page.key))
  const words = names.map(name => (colon === '' ? asTitle(name) : colon + name))
  // The shell writes the word to the terminal.
  return words.filter(word => escapeControls(word) === word)
}

/** Returns the option whose value is being typed. */
function optionBefore(before: readonly string[], command: Command | undefined): OptionRow | undefined {
  const last = before.at(-1)
  if (last === undefined || !last.startsWith('-')) return undefined
  return rowsOf(command).find(({ flags }) => flags.includes('<') && flagNames(flags).includes(last))
}

function allFlags(command: Command | undefined): string[] {
  return [...rowsOf(command).flatMap(({ flags }) => flagNames(flags)), '--help', '--version']
}

function rowsOf(command: Command | undefined): OptionRow[] {
  return [...(command?.options ?? []), ...Object.values(globalOptions)]
}

function startingWith(typed: string, words: readonly string[]): readonly string[] {
  return words.filter(word => word.startsWith(typed))
}
