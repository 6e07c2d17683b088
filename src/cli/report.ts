/** Reports an error on stderr, as text or JSON, and maps it to an exit status. */

import { getSystemErrorMap } from 'node:util'
import { isWikiError } from '../core/errors.ts'
import type { Io } from './terminal/io.ts'

/** Exit status for an internal bug. Source: sysexits.h EX_SOFTWARE. */
export const bugStatus = 70

/** A failure, ready to be reported. */
interface Failure {
  readonly status: number
  readonly key: string
  readonly httpCode: number
  readonly message: string
  readonly hint?: string | undefined
  readonly data?: Readonly<Record<string, unknown>>
}

/** Destination and form of an error report. */
export interface Report {
  readonly io: Io
  json: boolean
  /** `wiki page edit`. */
  command: string
  /** Hint that overrides the error's own. */
  hint?: string | undefined
  /** File with a text that the user wrote and that could not be saved. */
  draft?: string | undefined
}

/** Prints an error on stderr and returns the exit status. */
export async function reportError(error: unknown, options: Report): Promise<number> {
  const failure = describe(error, options)
  const hint = options.hint ?? failure.hint
  const text = options.json ? jsonLine(failure, hint, options.draft) : await peopleLines(failure, hint, options.draft)
  const stack = options.io.env.WIKI_DEBUG && error instanceof Error ? `${stackOf(error)}\n` : ''
  await options.io.stderr.write(text + stack).catch(() => {})
  return failure.status
}

function describe(error: unknown, options: Report): Failure {
  if (isWikiError(error)) {
    const { code: key, status: httpCode, message, hint, data } = error
    return { status: httpCode === 409 ? 3 : 2, key, httpCode, message, hint, data }
  }
  if (isUsageError(error)) return describeUsage(error, options)
  if (isSystemError(error)) return { status: 2, key: 'wiki-io', httpCode: 500, message: systemMessage(error) }
  return describeBug(error, options)
}

/** commander's: `error: unknown option '--jsn'`, then optionally a line `(Did you mean --json?)`. */
function describeUsage(error: Error, options: Report): Failure {
  const [first = '', second] = error.message.split('\n')
  const message = first.replace(/^error: /, '')
  const near = second?.match(/^\(Did you mean (.*)\?\)$/)?.[1]
  const hint = near ? `Did you mean ${near}?` : `${options.command} --help`
  return { status: 2, key: 'wiki-usage', httpCode: 400, message, hint }
}

function describeBug(error: unknown, { io, command }: Report): Failure {
  const message = `this is a bug in wiki, please report it: ${error instanceof Error ? error.message : String(error)}`
  const hint = `say that it was wiki ${io.version()}, command "${command}"; WIKI_DEBUG=1 shows where it happened`
  return { status: bugStatus, key: 'wiki-bug', httpCode: 500, message, hint }
}

async function peopleLines(
  { key, message, data = {} }: Failure,
  hint: string | undefined,
  draft: string | undefined,
): Promise<string> {
  const isConflict = key === 'edit-conflict' || key === 'undo-failure'
  const sides = isConflict ? (await import('./render/conflict.ts')).formatConflict(key, data) : ''
  const kept = draft === undefined ? '' : `Your text is kept in ${draft}\n`
  return `wiki: ${message}\n${sides}${kept}${hint ? `hint: ${hint}\n` : ''}`
}

function jsonLine(
  { key, message, httpCode, data }: Failure,
  hint: string | undefined,
  draft: string | undefined,
): string {
  return `${JSON.stringify({ errorKey: key, message, httpCode, ...data, hint, draft })}\n`
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by: ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}

function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')
}

/** Returns true for a failure of the operating system: a missing file, a full disk. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

function systemMessage(error: NodeJS.ErrnoException): string {
  return error.path === undefined ? systemReason(error) : `${error.path}: ${systemReason(error)}`
}

/** Returns the system's reason, without the call and path that Node adds. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { errno } = error as NodeJS.ErrnoException
  return (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]) ?? error.message
}
