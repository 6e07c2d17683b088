/**
 * Parses a command line to a command, arguments and option values. commander parses the options of the requested
 * command.
 */

import { Option, Command as Parser } from 'commander'
import { WikiError } from '../core/errors.ts'
import { nearest } from '../core/nearest-name.ts'
import { requiredParam } from '../operations/resources/params.ts'
import { globalOptions, leadingTakesValue, type OptionRow } from './arguments/options.ts'
import type { Command, OptionValues } from './command.ts'
import { commandTree, type Group, hiddenCommands, isGroup, type Loader } from './commands.ts'
import { meantCommand } from './suggest.ts'
import type { Io } from './terminal/io.ts'

/** The command named by the first words of a command line. */
export interface Request {
  /** `['page', 'move']`; for a group alone only its word; empty if no command is named. */
  readonly words: readonly string[]
  /** The remaining command line. */
  readonly rest: readonly string[]
  readonly load?: Loader
  readonly group?: Group
  /** True if the group's default subcommand was chosen without being typed. */
  readonly implied?: true
}

/** Heading of the options that every command accepts. */
const globalGroup = 'Options of every command:'

/** Values of a command line, or the text of the help or version that it requests. */
export type Parsed = { readonly args: readonly string[]; readonly values: OptionValues } | { readonly text: string }

/** Finds the command, whose words may stand anywhere among the options. Throws `wiki-usage` if it does not exist. */
export function findCommand(argv: readonly string[]): Request {
  const at = nextWord(argv, 0)
  if (at < 0) return { words: [], rest: argv }
  const word = argv[at] as string
  const rest = argv.toSpliced(at, 1)
  const entry = ownEntry(commandTree, word) ?? ownEntry(hiddenCommands, word)
  if (entry === undefined) throw unknownCommand(word)
  return isGroup(entry) ? findInGroup(word, entry, rest, at) : { words: [word], rest, load: entry }
}

function findInGroup(word: string, group: Group, rest: readonly string[], from: number): Request {
  const at = nextWord(rest, from)
  const name = at < 0 ? undefined : (rest[at] as string)
  const load = name === undefined ? undefined : ownEntry(group.commands, name)
  if (name !== undefined && load !== undefined) return { words: [word, name], rest: rest.toSpliced(at, 1), load, group }
  if (group.fallback !== undefined && !asksHelpOfGroup(name, rest))
    return { words: [word, group.fallback], rest, load: group.commands[group.fallback] as Loader, group, implied: true }
  if (name === undefined) return { words: [word], rest, group }
  throw unknownCommand(`${word} ${name}`, name, Object.keys(group.commands))
}

/** `wiki page --help` is about all of `page`, although `page` alone means `page get`. */
function asksHelpOfGroup(name: string | undefined, rest: readonly string[]): boolean {
  return name === undefined && rest.some(word => word === '--help' || word === '-h')
}

/**
 * Returns the index of the next word that is neither an option nor an option's value; -1 if there is none or it is
 * ambiguous.
 */
function nextWord(argv: readonly string[], from: number): number {
  let at = from
  while (at < argv.length) {
    const word = argv[at] as string
    if (word === '--') return -1
    if (!word.startsWith('-') || word === '-') return at
    const length = optionLength(word)
    if (length === 0) return -1
    at += length
  }
  return -1
}

/** Number of words that this option takes, itself included; 0 if the option cannot precede a command. */
function optionLength(word: string): 0 | 1 | 2 {
  if (word === '--help' || word === '--version') return 1
  if (word.startsWith('--')) {
    const takesValue = leadingTakesValue(word.replace(/=.*/s, ''))
    return takesValue === undefined ? 0 : takesValue && !word.includes('=') ? 2 : 1
  }
  return clusterLength(word)
}

/** The same for `-q`, `-qz`, `-n5`, `-qC`. */
function clusterLength(word: string): 0 | 1 | 2 {
  for (let at = 1; at < word.length; at++) {
    const takesValue = word[at] === 'h' ? false : leadingTakesValue(`-${word[at]}`)
    if (takesValue === undefined) return 0
    if (takesValue) return at === word.length - 1 ? 2 : 1
  }
  return 1
}

function ownEntry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function unknownCommand(typed: string, name = typed, names?: readonly string[]): WikiError {
  const group = typed.slice(0, typed.length - name.length)
  const near = names === undefined ? meantCommand(name) : nearest(name, names)
  const hint = near === undefined ? 'wiki help' : `Did you mean: wiki ${group}${near}`
  return new WikiError('wiki-usage', { params: [`"${typed}" is not a wiki command`], hint })
}

/** Parses the arguments and options of one command. Throws commander's `CommanderError` for a usage error. */
export function parseCommand(request: Request, command: Command, io: Io): Parsed {
  const parser = createParser(request.words, command, io)
  const parsed = parseWith(parser, command.guard?.(request.rest) ?? request.rest)
  if ('args' in parsed) {
    refuseEmptyPaths(parser, request)
    refuseEmptyTitles(parser, request)
  }
  return parsed
}

const pathNames: ReadonlySet<string> = new Set(['file', 'folder', 'dir', 'dump', 'patch'])

/** An empty name, as of an unset variable of a shell, would stand for the current folder. */
function refuseEmptyPaths(parser: Parser, { words }: Request): void {
  const argument = parser.registeredArguments.find((one, at) => pathNames.has(one.name()) && parser.args[at] === '')
  const option = parser.options.find(
    one => pathNames.has(/<(\w+)>/.exec(one.flags)?.[1] ?? '') && parser.getOptionValue(one.attributeName()) === '',
  )
  const name = argument?.name() ?? option?.long
  if (name === undefined) return
  const params = [`The name of a file or folder is empty: ${name}`]
  throw new WikiError('wiki-usage', { params, hint: `wiki ${words.join(' ')} --help` })
}

/** Parameters of the API, by the arguments that stand for them. */
const titleParams: Readonly<Record<string, string>> = { title: 'title', from: 'title', name: 'name' }

/** An empty title is missing, as in a route of the API. A new page has its title in the body, where an empty one is invalid. */
function refuseEmptyTitles(parser: Parser, { words }: Request): void {
  if (words.join(' ') === 'page create') return
  for (const [at, argument] of parser.registeredArguments.entries()) {
    const name = ownEntry(titleParams, argument.name())
    if (name !== undefined && argument.required) requiredParam(name, parser.args[at])
  }
}

/** Parses a command line, or captures the text that the parser would print. */
export function parseWith(parser: Parser, argv: readonly string[]): Parsed {
  let text = ''
  parser.configureOutput({ writeOut: chunk => (text += chunk) })
  try {
    parser.parse(argv, { from: 'user' })
  } catch (error) {
    if (text === '') throw error
    return { text }
  }
  const args = parser.processedArgs.flat().filter(arg => arg !== undefined)
  return { args, values: parser.opts() }
}

/** Returns the whole help of a parser, with its examples. */
export function helpText(parser: Parser): string {
  let text = ''
  parser.configureOutput({ writeOut: chunk => (text += chunk) }).outputHelp()
  return text
}

/** Creates a commander command that prints nothing by itself and throws instead of exiting. */
export function createParser(words: readonly string[], command: Command, io: Io): Parser {
  const parser = quietParser(['wiki', ...words].join(' '), io)
  parser.summary(command.summary).description([command.summary, command.details].filter(Boolean).join('\n\n'))
  for (const [notation, help] of Object.entries(command.arguments ?? {})) parser.argument(notation, help)
  addOptions(parser, command.options ?? [])
  hideGlobalOptions(addGlobalOptions(parser, io))
  const examples = command.examples.map(line => `\n  $ ${line}`).join('')
  return parser.addHelpText('after', `\nExamples:${examples}\n\n${whereOptionsAre}`).action(() => {})
}

/** In a list of commands: every command has options, so they are not mentioned. */
function termOf(command: Parser): string {
  const notations = command.registeredArguments.map(one => {
    const name = one.name() + (one.variadic ? '...' : '')
    return one.required ? `<${name}>` : `[${name}]`
  })
  return [command.name(), ...notations].join(' ')
}

/** The same for `wiki` and its groups, which have options but no action. */
export function quietParser(name: string, io: Io): Parser {
  const parser = new Parser(name).exitOverride().configureHelp({ subcommandTerm: termOf })
  return parser.configureOutput({
    writeErr: () => {},
    outputError: () => {},
    getOutHelpWidth: () => io.stdout.columns,
    getOutHasColors: () => false,
  })
}

/** Last line of each help, which refers to the options of every command. */
export const whereOptionsAre = 'Options of every command (--dir, --json, --quiet ...): wiki help options'

/** Adds the options of every command, in a separate section. */
export function addGlobalOptions(parser: Parser, io: Io): Parser {
  parser.optionsGroup(globalGroup)
  addOptions(parser, Object.values(globalOptions))
  parser.option('--version', 'print the version').on('option:version', () => printVersion(parser, io))
  return parser.helpOption('-h, --help', 'print this help')
}

/** Omits the options of every command from the help. They are still parsed. */
export function hideGlobalOptions(parser: Parser): Parser {
  for (const option of parser.options) if (option.helpGroupHeading === globalGroup) option.hideHelp()
  return parser.addHelpOption(new Option('-h, --help').hideHelp())
}

function printVersion(parser: Parser, io: Io): never {
  parser.configureOutput().writeOut?.(`wiki ${io.version()}\n`)
  return parser.error('', { exitCode: 0 })
}

function addOptions(parser: Parser, rows: readonly OptionRow[]): void {
  for (const row of rows) {
    const option = new Option(row.flags, row.help)
    if (row.choices !== undefined) option.choices(row.choices)
    if (row.repeats) option.argParser((value, before: readonly string[] = []) => [...before, value])
    parser.addOption(option)
  }
}
