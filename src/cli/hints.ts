/** Hints for errors: a likely correction, or the next step. An error has at most one hint. */

import { isWikiError } from '../core/errors.ts'
import { nearest } from '../core/nearest-name.ts'
import { asTitle, shellQuote } from '../core/shell-quote.ts'
import { possibleTitle } from '../core/title.ts'
import type { Command } from './command.ts'
import { commandTree } from './commands.ts'
import type { Context } from './context.ts'
import type { Request } from './parse.ts'

/** The command that ran, and its arguments. */
export interface FailedCommand {
  readonly context: Context
  readonly request: Request
  readonly args: readonly string[]
}

/** Returns a hint for an error of a command, or undefined. Never throws. */
export async function hintAfter(error: unknown, ran: FailedCommand): Promise<string | undefined> {
  const near = nearSubcommand(ran.request, ran.args)
  if (near !== undefined) return near
  if (isWikiError(error, 'edit-conflict')) return error.hint ?? conflictHint(error.data)
  const named = isWikiError(error) ? ran.args.find(arg => error.message.includes(`"${arg}"`)) : undefined
  if (isWikiError(error, 'wiki-bad-revision')) return (await nearTitleHint(ran, named)) ?? rangeHint(ran)
  if (named !== undefined && ran.request.words[0] === 'restore') return pageToRestore(ran, named)
  if (!isWikiError(error, 'rest-nonexistent-title') && !isWikiError(error, 'apierror-missingtitle')) return undefined
  const typed = ran.args.find(arg => error.message.includes(`(${arg})`)) ?? ran.args[0]
  if (typed !== undefined && revisionForm.test(typed))
    return `Did you mean: wiki revision get ${shellQuote(asTitle(typed))}`
  return nearTitleHint(ran, typed)
}

/** `wiki restore Tides` means the page, not a lost edit. */
async function pageToRestore({ context }: FailedCommand, typed: string): Promise<string | undefined> {
  const wiki = await context.wiki().catch(() => undefined)
  const key = wiki && possibleTitle(typed, wiki.store.titles)?.key
  if (wiki === undefined || key === undefined) return undefined
  const page = wiki.store.findPage(key) ?? wiki.store.deletedPages(key)[0]
  return page && `Did you mean: wiki page restore ${shellQuote(asTitle(page.title))}`
}

/** Two commits of git are compared as one range. */
async function rangeHint({ context, request, args }: FailedCommand): Promise<string | undefined> {
  const [from, to = 'HEAD', ...more] = args
  if (request.words[0] !== 'compare' || from === undefined || more.length > 0 || from.includes('..')) return undefined
  const { trees } = (await context.wiki()).store
  const commits = await Promise.all([from, to].map(name => trees.commitNamed(name).catch(() => null)))
  return commits.includes(null) ? undefined : `Compare two commits of git: wiki compare ${shellQuote(`${from}..${to}`)}`
}

/** Suggests the same command line with a similar title. */
async function nearTitleHint(
  { context, request, args }: FailedCommand,
  typed: string | undefined,
): Promise<string | undefined> {
  const { nearTitle } = await import('../operations/resources/near-title.ts')
  const wiki = typed === undefined ? undefined : await context.wiki().catch(() => undefined)
  const title = wiki && nearTitle(wiki.store, typed!)
  if (title === undefined) return undefined
  const words = args.map(arg => shellQuote(asTitle(arg === typed ? title : arg)))
  return `Did you mean: ${['wiki', ...request.words, ...words].join(' ')}`
}

/** Pattern of a revision address, which is not a title. */
const revisionForm = /.@(?:(?:latest|prev)(?:~\d+)?|\{[^{}]*\})$/

/** Returns a hint for an invalid command line. */
export function hintForUsage(error: unknown, request: Request, command: Command): string | undefined {
  return (
    nearSubcommand(request, request.rest) ??
    unquotedTitle(error, request, command) ??
    ofOnePage(error, request) ??
    excludedWord(error, request)
  )
}

/** `wiki page lsit` is parsed as the title "lsit", `wiki page history` as the title "history". */
function nearSubcommand({ implied, group, words }: Request, [first]: readonly string[]): string | undefined {
  if (implied !== true || group === undefined || first === undefined) return undefined
  if (Object.hasOwn(commandTree, first)) return `Did you mean: wiki ${first}`
  const near = nearest(first, [...Object.keys(group.commands), ...Object.keys(commandTree)])
  if (near === undefined) return undefined
  return `Did you mean: wiki ${Object.hasOwn(group.commands, near) ? `${words[0]} ${near}` : near}`
}

/** `wiki history Main Page` has two arguments for the shell. */
function unquotedTitle(error: unknown, { words, rest }: Request, command: Command): string | undefined {
  const isExcess = error instanceof Error && 'code' in error && error.code === 'commander.excessArguments'
  const takesOne = Object.keys(command.arguments ?? {}).join() === '<title>'
  if (!isExcess || !takesOne || rest.some(word => word.startsWith('-'))) return undefined
  return `Did you mean: wiki ${words.join(' ')} ${shellQuote(rest.join(' '))}`
}

/** Commands about the whole wiki, and the ones about a page. */
const pageCommands: Readonly<Record<string, string>> = { log: 'history', check: 'lint', restore: 'page restore' }

/** `wiki log Tides` is `git log Tides`. */
function ofOnePage(error: unknown, { words, rest }: Request): string | undefined {
  const isExcess = error instanceof Error && 'code' in error && error.code === 'commander.excessArguments'
  const command = pageCommands[words.join(' ')]
  if (!isExcess || command === undefined || rest.some(word => word.startsWith('-'))) return undefined
  return `Did you mean: wiki ${command} ${shellQuote(rest.join(' '))}`
}

/** `wiki search tide -low` looks like an option. */
function excludedWord(error: unknown, { words, rest }: Request): string | undefined {
  const isUnknown = error instanceof Error && 'code' in error && error.code === 'commander.unknownOption'
  if (!isUnknown || words.join(' ') !== 'search' || rest.includes('--')) return undefined
  const word = rest.find(one => error.message.includes(`'${one}'`) && /^-[^-]/.test(one))
  const meant = rest.flatMap(one => (one === word ? ['NOT', one.slice(1)] : [one]))
  return word && `Did you mean: wiki search ${meant.map(shellQuote).join(' ')}`
}

function conflictHint({ base, current }: Readonly<Record<string, unknown>>): string | undefined {
  return base === undefined ? undefined : `See what the others changed: wiki compare ${base} ${current}`
}
