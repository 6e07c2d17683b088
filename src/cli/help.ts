/** Help for `wiki`, a group or a topic. The parser prints the help of a single command. */

import { WikiError } from '../core/errors.ts'
import { commandTree, type Group, isGroup, type Loader } from './commands.ts'
import {
  addGlobalOptions,
  createParser,
  findCommand,
  helpText,
  hideGlobalOptions,
  parseWith,
  quietParser,
  type Request,
  whereOptionsAre,
} from './parse.ts'
import type { Io } from './terminal/io.ts'
import { topics } from './topics.ts'

/**
 * Returns the help for a command line that names no command, or only a group. Throws `wiki-usage` for wrong options.
 */
export async function helpFor(request: Request, io: Io): Promise<string> {
  const { words, rest, group } = request
  const parsed = parseWith(optionParser(words, io), rest)
  if ('text' in parsed) return parsed.text
  if (group === undefined) return firstScreen
  if (parsed.values.help) return helpText(await groupParser(words, group, io))
  const names = Object.keys(group.commands).join(', ')
  const hint = `wiki help ${words.join(' ')}`
  throw new WikiError('wiki-usage', { params: [`wiki ${words.join(' ')} needs a subcommand: ${names}`], hint })
}

/** Parses only the options, because `wiki --version` must not load the summaries of all commands. */
function optionParser(words: readonly string[], io: Io): Parser {
  const parser = addGlobalOptions(quietParser(['wiki', ...words].join(' '), io), io)
  return parser
    .helpOption(false)
    .option('-h, --help')
    .action(() => {})
}

/** Returns the help on a command, a group or a topic. Throws `wiki-usage` if there is none of that name. */
export async function helpOn(words: readonly string[], io: Io): Promise<string> {
  const name = words.join(' ')
  if (name === 'commands') return helpText(await rootParser(io))
  if (name === 'options') return helpText(optionList(io))
  const topic = topics[name]
  if (topic !== undefined) return topic.text
  const request = words.length === 0 ? { words, rest: [] } : findCommand([...words, '--help'])
  if (request.load === undefined) return helpFor({ ...request, rest: ['--help'] }, io)
  return helpText(createParser(request.words, await request.load(), io))
}

/** Printed by `wiki` alone. At most 24 lines, so that it fits any terminal. */
const firstScreen = `Usage: wiki <command> [<arguments>] [<options>]

A wiki kept in a git repository: its command line and its REST API.

  init       make a wiki here, or adopt the git repository that is here
  page       read, create, edit, move, delete and restore pages
  show       show a page as readers see it
  search     find pages by their text or their titles
  log        list the changes of the whole wiki
  history    list the revisions of a page
  blame      show who wrote each line, or each word, of a page
  compare    show how two revisions or two commits differ
  undo       undo revisions of a page; later edits stay
  status     list edited files that are not revisions yet
  commit     record edited files as revisions
  lint       find problems in pages
  check      find problems of the whole wiki
  serve      start the server

  wiki <command> --help   arguments, options and examples of a command
  wiki help commands      all commands
  wiki help options       options of every command
  wiki help <topic>       ${Object.keys(topics).join(', ')}
`

async function rootParser(io: Io): Promise<Parser> {
  const parser = quietParser('wiki', io).usage('<command> [<arguments>] [<options>]')
  parser.description('All commands.').helpCommand(false)
  for (const [name, entry] of Object.entries(commandTree)) await addSummary(parser, name, entry, io)
  return withoutGlobalOptions(parser, io)
}

function withoutGlobalOptions(parser: Parser, io: Io): Parser {
  return hideGlobalOptions(addGlobalOptions(parser, io)).addHelpText('after', `\n${whereOptionsAre}`)
}

/** Lists the options that every command accepts. */
function optionList(io: Io): Parser {
  return addGlobalOptions(quietParser('wiki', io).usage('<command> [<arguments>] [<options>]'), io)
}

async function groupParser(words: readonly string[], group: Group, io: Io): Promise<Parser> {
  const parser = quietParser(['wiki', ...words].join(' '), io).usage('<subcommand> [<arguments>] [<options>]')
  const short = group.fallback ? `\n\n\`wiki ${words.join(' ')}\` alone means \`${group.fallback}\`.` : ''
  parser.description(group.summary + short).helpCommand(false)
  for (const [name, load] of Object.entries(group.commands)) await addSummary(parser, name, load, io)
  return withoutGlobalOptions(parser, io)
}

type Parser = ReturnType<typeof quietParser>

async function addSummary(parent: Parser, name: string, entry: Loader | Group, io: Io): Promise<void> {
  if (isGroup(entry)) {
    parent.addCommand(
      quietParser(name, io)
        .summary(entry.summary)
        .usage(`{${Object.keys(entry.commands).join('|')}}`),
    )
    return
  }
  parent.addCommand(createParser([name], await entry(), io).name(name))
}
