/** Help for `wiki`, for a group and for a topic; the help of one command is its parser's own. */

import { WikiError } from '../core/errors.ts'
import { commandTree, type Group, isGroup, type Loader } from './commands.ts'
import type { Io } from './io.ts'
import { addGlobalOptions, createParser, findCommand, helpText, parseWith, quietParser, type Request } from './parse.ts'
import { topics } from './topics.ts'

/** Answers a command line that names no command, or a group alone: with help, or with an error about its options. */
export async function helpFor(request: Request, io: Io): Promise<string> {
  const { words, rest, group } = request
  const parsed = parseWith(optionParser(words, io), rest)
  if ('text' in parsed) return parsed.text
  if (group === undefined) return commandsFirst(helpText(await rootParser(io))) + topicList()
  if (parsed.values.help) return commandsFirst(helpText(await groupParser(words, group, io)))
  const names = Object.keys(group.commands).join(', ')
  const hint = `wiki help ${words.join(' ')}`
  throw new WikiError('wiki-usage', { params: [`wiki ${words.join(' ')} needs a subcommand: ${names}`], hint })
}

/** Knows the options only: the summaries of all commands are not loaded for `wiki --version`. */
function optionParser(words: readonly string[], io: Io): Parser {
  const parser = addGlobalOptions(quietParser(['wiki', ...words].join(' '), io), io)
  return parser
    .helpOption(false)
    .option('-h, --help')
    .action(() => {})
}

/** Help on a command, a group or a topic. Errors: wiki-usage where there is none of that name. */
export async function helpOn(words: readonly string[], io: Io): Promise<string> {
  const topic = topics[words.join(' ')]
  if (topic !== undefined) return topic.text
  const request = words.length === 0 ? { words, rest: [] } : findCommand([...words, '--help'])
  if (request.load === undefined) return helpFor({ ...request, rest: ['--help'] }, io)
  return helpText(createParser(request.words, await request.load(), io))
}

async function rootParser(io: Io): Promise<Parser> {
  const parser = quietParser('wiki', io).usage('<command> [<arguments>] [<options>]')
  parser.description('A wiki kept in a git repository: its command line and its REST API.').helpCommand(false)
  for (const [name, entry] of Object.entries(commandTree)) await addSummary(parser, name, entry, io)
  return addGlobalOptions(parser, io)
}

async function groupParser(words: readonly string[], group: Group, io: Io): Promise<Parser> {
  const parser = quietParser(['wiki', ...words].join(' '), io).usage('<subcommand> [<arguments>] [<options>]')
  const short = group.fallback ? `\n\n\`wiki ${words.join(' ')}\` alone means \`${group.fallback}\`.` : ''
  parser.description(group.summary + short).helpCommand(false)
  for (const [name, load] of Object.entries(group.commands)) await addSummary(parser, name, load, io)
  return addGlobalOptions(parser, io)
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

/** commander lists the options before the commands; who asks for this help looks for a command. */
function commandsFirst(help: string): string {
  const [head, options, commands] = help.split(/\n(?=Options everywhere:|Commands:)/)
  return `${head}\n${commands}\n${options}`
}

function topicList(): string {
  const lines = Object.entries(topics).map(([name, { summary }]) => `\n  wiki help ${name.padEnd(12)} ${summary}`)
  return `\nMore help:${lines.join('')}\n`
}
