/** Writes problems as Markdown, for a pull request comment or a job summary. */

import { inOneLine } from '../../core/control-characters.ts'
import { type Problem, severities } from '../problem.ts'
import type { Report } from '../report.ts'

/** Maximum characters of a GitHub comment. */
const commentLimit = 65_536

/** Characters reserved for the last line. */
const closingLimit = 200

/** Maximum characters of a message or path in a row. */
const shownCharacters = 200

/** Writes a table of at most 65,536 characters, and states how many problems are omitted. */
export function formatMarkdownReport({ problems, known, gone, base }: Report): string {
  const top = `${headline(problems, base !== null)}${tail(known.length, gone)}\n`
  if (problems.length === 0) return top
  let text = `${top}\n| Where | Severity | Problem |\n|---|---|---|\n`
  let count = 0
  for (const problem of problems) {
    const row = rowOf(problem)
    if (text.length + row.length > commentLimit - closingLimit) break
    text += row
    count++
  }
  const left = problems.length - count
  return left === 0 ? text : `${text}\n… and ${left} more.\n`
}

function headline(problems: readonly Problem[], isNew: boolean): string {
  if (problems.length === 0) return isNew ? 'No new problems.' : 'No problems.'
  return `**${counted(problems.length, isNew ? 'new problem' : 'problem')}:** ${countsBySeverity(problems)}.`
}

/** `1 error, 2 notes`; "" for no problem. */
export function countsBySeverity(problems: readonly Problem[]): string {
  const counts = [...severities].reverse().flatMap(severity => {
    const count = problems.filter(problem => problem.severity === severity).length
    return count === 0 ? [] : [counted(count, severity)]
  })
  return counts.join(', ')
}

function tail(known: number, gone: number): string {
  const fixed = gone === 0 ? '' : ` ${counted(gone, 'old one')} fixed.`
  return `${fixed}${known === 0 ? '' : ` ${counted(known, 'old one')} in the baseline.`}`
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function rowOf({ path, place, severity, kind, message }: Problem): string {
  const where = place === null ? path : `${path}:${place.line}`
  return `| <code>${literal(where)}</code> | ${severity} | <code>${kind}</code> ${literal(message)} |\n`
}

/**
 * Markdown displays entities as text, whatever they encode: also those of characters that turn a line around, which are
 * therefore named. A zero-width character keeps a user name from becoming a mention.
 */
function literal(text: string): string {
  const line = inOneLine(text.slice(0, shownCharacters))
  const cut = text.length <= shownCharacters ? line : `${line}…`
  return cut.replace(/[^\p{L}\p{N} ,-]/gu, char => `&#${char.codePointAt(0)};`).replaceAll('&#64;', '&#64;&#8203;')
}
