/** Generates the manual pages from the command table at build time. */

import { globalOptions, type OptionRow } from './arguments/options.ts'
import type { Command } from './command.ts'
import { commandTree, isGroup, type Loader } from './commands.ts'
import { topics } from './topics.ts'

/** A command of the tree with its full name. */
interface NamedCommand {
  /** `page move` */
  readonly name: string
  readonly command: Command
}

/** Returns the manual pages: roff text with the man macros, by file name (`wiki-page-move.1`). */
export async function manualPages(version: string): Promise<ReadonlyMap<string, string>> {
  const commands = await allCommands()
  const pages = new Map([['wiki.1', overview(commands, version)]])
  for (const named of commands) pages.set(`${pageName(named.name)}.1`, commandPage(named, version))
  return pages
}

async function allCommands(): Promise<NamedCommand[]> {
  const loaders = Object.entries(commandTree).flatMap(([word, entry]): [string, Loader][] =>
    isGroup(entry) ? Object.entries(entry.commands).map(([name, load]) => [`${word} ${name}`, load]) : [[word, entry]],
  )
  return Promise.all(loaders.map(async ([name, load]) => ({ name, command: await load() })))
}

function pageName(command: string): string {
  return `wiki-${command.replaceAll(' ', '-')}`
}

function overview(commands: readonly NamedCommand[], version: string): string {
  const rows = commands.map(({ name, command }) => entry(`wiki ${name}`, command.summary))
  return page('wiki', 'a wiki kept in a git repository', version, [
    section('SYNOPSIS', [`${bold('wiki')} ${roff('<command> [<arguments>] [<options>]')}`]),
    section('COMMANDS', rows),
    section('OPTIONS OF EVERY COMMAND', Object.values<OptionRow>(globalOptions).map(optionEntry)),
    ...Object.values(topics).map(topicSection),
    section('SEE ALSO', [`${bold('git')}(1), ${commands.map(({ name }) => `${bold(pageName(name))}(1)`).join(', ')}`]),
  ])
}

/** A topic's first line is its heading; the rest keeps its columns. */
function topicSection({ text }: { text: string }): string {
  const [heading = '', ...lines] = text.trimEnd().split('\n')
  return section(heading.toUpperCase(), ['.nf', ...lines.map(roff), '.fi'])
}

function commandPage({ name, command }: NamedCommand, version: string): string {
  const notations = Object.keys(command.arguments ?? {})
  const parts = [
    section('SYNOPSIS', [`${bold(`wiki ${name}`)} ${roff(['[<options>]', ...notations].join(' '))}`]),
    section('DESCRIPTION', paragraphs([`${command.summary}.`, command.details].filter(Boolean).join('\n\n'))),
    section(
      'ARGUMENTS',
      Object.entries(command.arguments ?? {}).map(([notation, help]) => entry(notation, help)),
    ),
    section('OPTIONS', [...(command.options ?? []).map(optionEntry), ...otherOptions(command)]),
    section('EXAMPLES', ['.nf', ...command.examples.map(line => roff(`$ ${line}`)), '.fi']),
    section('SEE ALSO', [`${bold('wiki')}(1)`]),
  ]
  return page(pageName(name), firstLower(command.summary), version, parts)
}

function otherOptions({ options = [] }: Command): string[] {
  return [...(options.length === 0 ? [] : ['.PP']), 'The options of every command are in wiki(1).']
}

/** Date of the version, which the header of a manual page must have. Source: man(7). */
const released = '2026-11-28'

function page(name: string, summary: string, version: string, parts: readonly string[]): string {
  const title = `.TH ${roff(name.toUpperCase())} 1 "${released}" "wiki ${version}" "wiki manual"`
  return `${[title, section('NAME', [`${roff(name)} \\- ${roff(summary)}`]), ...parts].filter(Boolean).join('\n')}\n`
}

/** Omits empty sections. */
function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`.SH ${roff(heading)}`, ...lines].join('\n')
}

function optionEntry({ flags, help, choices }: OptionRow): string {
  return entry(flags, choices === undefined ? help : `${help} (choices: ${choices.join(', ')})`)
}

function entry(term: string, text: string): string {
  return `.TP\n${bold(term)}\n${roff(text)}`
}

function paragraphs(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((part, at) => [...(at === 0 ? [] : ['.PP']), ...part.split('\n').map(roff)])
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`
}

/** Escapes a text for roff. Hyphens stay copyable. */
export function roff(text: string): string {
  const escaped = text.replace(/[\\-]/g, character => (character === '\\' ? '\\e' : '\\-'))
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}

function firstLower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
