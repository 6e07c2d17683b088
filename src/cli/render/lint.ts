/** Formats lint problems as `file:line:column`, with the line and a caret below the position. */

import { inOneLine } from '../../core/control-characters.ts'
import type { LintedText, LocatedLint } from '../../operations/lint-texts.ts'
import type { Context } from '../context.ts'
import { textWidth, truncate, visibleLine } from './text.ts'

/** Maximum columns of a displayed source line. */
const shownColumns = 100
/** Columns shown before the position in a longer line. */
const shownBefore = 40

/** Prints problems. On a terminal it also prints their lines and hints. */
export async function printLints(context: Context, texts: readonly LintedText[]): Promise<void> {
  if (!context.io.stdout.isTTY) {
    await context.print(texts.flatMap(({ path, problems }) => problems.map(one => `${headOf(path, one)}\n`)).join(''))
    return
  }
  const { describeLint } = await import('../../operations/lint-texts.ts')
  const paint = await context.paint()
  for (const { path, problems } of texts) {
    for (const problem of problems) {
      const { says, hint } = describeLint(problem.type)
      const [line, caret] = excerpt(problem)
      const place = line === '' ? '' : `  ${line}\n  ${paint.red(caret)}\n`
      await context.print(`${paint.bold(headOf(path, problem))}\n${place}  ${says}\n  ${paint.dim(`hint: ${hint}`)}\n`)
    }
  }
}

function headOf(path: string, { line, column, type, params, templateInfo }: LocatedLint): string {
  return inOneLine(`${path}:${line}:${column}: ${type}${detailOf(params)}${templateOf(templateInfo)}`)
}

function detailOf(params: LocatedLint['params']): string {
  if (Array.isArray(params)) return ''
  const { name, id, items, file, href, columns } = params as Record<string, unknown>
  if (Array.isArray(items)) return `: ${items.join(', ')}`
  if (typeof columns === 'number') return `: ${columns} columns`
  const detail = id ?? file ?? href
  if (detail !== undefined) return `: ${detail}`
  return name === undefined ? '' : `: <${name}>`
}

function templateOf(info: LocatedLint['templateInfo']): string {
  if (info === null) return ''
  return 'name' in info ? ` (in ${info.name})` : ' (in several templates)'
}

/**
 * Returns the part of the line around the position, with a caret below; "" for a position beyond the stored part of the
 * line.
 */
function excerpt({ source, column, dsr: [start, end, openWidth] }: LocatedLint): [line: string, caret: string] {
  const characters = [...source]
  if (column > characters.length + 1) return ['', '']
  const from = column > shownColumns - shownBefore ? column - 1 - shownBefore : 0
  const shown = visibleLine(characters.slice(from, from + shownColumns).join(''))
  const before = textWidth(visibleLine(characters.slice(from, column - 1).join('')))
  const width = Math.max(
    1,
    Math.min(openWidth === null || openWidth === 0 ? end - start : openWidth, characters.length - column + 1),
  )
  return [truncate(shown, shownColumns), `${' '.repeat(before)}${'^'.repeat(Math.min(width, shownColumns - before))}`]
}
