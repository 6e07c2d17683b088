/**
 * Writes problems as workflow commands of GitHub Actions, which annotate the lines. The log shows them too, so control
 * characters of names and texts are shown.
 *
 * Source: https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */

import { inOneLine } from '../../core/control-characters.ts'
import type { Problem, Severity } from '../problem.ts'
import type { Report } from '../report.ts'

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' }

/** Maximum annotations of each severity that GitHub shows for one step. It drops the rest silently. */
const shownOfKind = 10

/** Writes the first problems of each severity, and a notice with the number of those not shown. */
export function formatGithub({ problems }: Report): string {
  const shown = new Map<string, number>()
  let left = 0
  let text = ''
  for (const problem of problems) {
    const command = commands[problem.severity]
    const count = shown.get(command) ?? 0
    // One notice is reserved for the closing one.
    if (count >= shownOfKind - (command === 'notice' ? 1 : 0)) left++
    else {
      shown.set(command, count + 1)
      text += `${annotation(command, problem)}\n`
    }
  }
  const closing = `::notice title=wiki check::${left} more problems are not shown here; the log and the other reports have all.\n`
  return left === 0 ? text : text + closing
}

function annotation(command: string, { path, place, kind, title, message, hint }: Problem): string {
  const properties: Record<string, string | number> = { file: path }
  if (place !== null) {
    const { line, endLine, column, endColumn } = place
    Object.assign(properties, { line, endLine })
    // GitHub accepts columns only for a range within one line.
    if (line === endLine) Object.assign(properties, { col: column, endColumn })
  }
  properties.title = title === null ? kind : `${kind} in ${title}`
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${command} ${written.join(',')}::${[message, hint].filter(Boolean).map(escapeData).join('%0A')}`
}

function escapeData(text: string): string {
  return inOneLine(text).replaceAll('%', '%25')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
