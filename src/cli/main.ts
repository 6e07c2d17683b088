/** Runs `wiki`: maps one command line to an exit status. */

import type { GlobalOptions } from './arguments/options.ts'
import type { Command } from './command.ts'
import { createContext } from './context.ts'
import { titlesOfFiles } from './file-title.ts'
import { hintAfter, hintForUsage } from './hints.ts'
import { findCommand, type Parsed, parseCommand, type Request } from './parse.ts'
import { repeatedInput, runRepeatedly } from './repeated-run.ts'
import { type Report, reportError } from './report.ts'
import { type Io, isBrokenPipe } from './terminal/io.ts'
import { guardTerminal } from './terminal/terminal-guard.ts'

/**
 * Runs a command line (without `node` and `wiki`) and resolves to its exit status; never rejects. 0: success. 1: a
 * check found something. 2: failure. 3: an edit conflict. 70: a bug.
 */
export async function main(argv: readonly string[], world: Io): Promise<number> {
  const json = asksJson(argv)
  const io = guardTerminal(world, json ? 'json' : 'text')
  const report: Report = { io, json, command: 'wiki' }
  try {
    const request = findCommand(argv)
    report.command = ['wiki', ...request.words].join(' ')
    return await runRequest(request, report)
  } catch (error) {
    return isBrokenPipe(error) ? 0 : reportError(error, report)
  }
}

async function runRequest(request: Request, report: Report): Promise<number> {
  const { io } = report
  if (request.load === undefined) {
    const { helpFor } = await import('./help.ts')
    await io.stdout.write(await helpFor(request, io))
    return 0
  }
  const command = await request.load()
  const parsed = readArguments(request, command, report)
  if ('args' in parsed) return runCommand({ request, command, parsed }, report)
  await io.stdout.write(parsed.text)
  return 0
}

function readArguments(request: Request, command: Command, report: Report): Parsed {
  try {
    return parseCommand(request, command, report.io)
  } catch (error) {
    report.hint = hintForUsage(error, request, command)
    throw error
  }
}

interface Run {
  readonly request: Request
  readonly command: Command
  readonly parsed: Extract<Parsed, { args: unknown }>
}

async function runCommand({ request, command, parsed }: Run, report: Report): Promise<number> {
  const { values } = parsed
  let { args } = parsed
  const options = values as unknown as GlobalOptions
  // For a result that is not a list, --jsonl is the same as --json.
  report.json = options.json === true || options.jsonl === true
  const input = repeatedInput(report.io.stdin)
  // A copy would read the working directory, which costs a system call.
  const io: Io = Object.create(report.io, { stdin: { value: input } })
  const context = createContext(io, { ...options, json: report.json }, command)
  try {
    if (command.completes === 'titles') args = await titlesOfFiles(context, args)
    await runRepeatedly(context, input, () => command.run(context, args, values))
  } catch (error) {
    if (!isBrokenPipe(error)) {
      report.hint = await hintAfter(error, { context, request, args })
      report.draft = context.draft
      throw error
    }
  } finally {
    await context.close()
  }
  return context.status
}

/** Read before the options are parsed, because parsing errors must have the same form. */
function asksJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? argv.length : end).some(word => word === '--json' || word === '--jsonl')
}
