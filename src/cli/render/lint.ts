/** Formats lint problems as `file:line:column`, with the line and a caret below the position. */

import { inOneLine } from '../../core/control-characters.ts'
import type { LintedText, LocatedLint } from '../../operations/lint-texts.ts'
import type { Context } from '../context.ts'
import { type DividedLine, lineWithCarets } from './source-line.ts'
import { type Piece, painted, wrap } from './wrap.ts'

const indent = '  '

/** Prints problems. On a terminal it also prints their lines and hints. */
export async function printLints(context: Context, texts: readonly LintedText[]): Promise<void> {
  if (!context.io.stdout.isTTY) {
    await context.print(texts.flatMap(({ path, problems }) => problems.map(one => `${headOf(path, one)}\n`)).join(''))
    return
  }
  const { describeLint } = await import('../../operations/lint-texts.ts')
  const paint = await context.paint()
  const columns = context.io.stdout.columns - indent.length
  for (const { path, problems } of texts) {
    for (const problem of problems) {
      const { says, hint } = describeLint(problem.type)
      const line = lineOf(problem)
      const [source, carets] = line === null ? ['', ''] : lineWithCarets(line, columns)
      const sentences: Piece[][] = [[{ text: says, styles: [] }], [{ text: `hint: ${hint}`, styles: ['dim'] }]]
      const wrapped = sentences.flatMap(pieces => wrap(pieces, columns)).map(pieces => painted(pieces, paint))
      const lines = [...(source === '' ? [] : [source, paint.red(carets)]), ...wrapped].map(text => indent + text)
      await context.print(`${paint.bold(headOf(path, problem))}\n${lines.join('\n')}\n`)
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

/** Divides the line of a problem; null for a position beyond the stored part of the line. */
function lineOf({ source, column, dsr: [start, end, openWidth] }: LocatedLint): DividedLine | null {
  const characters = [...source]
  if (column > characters.length + 1) return null
  const first = column - 1
  const last = first + (openWidth || end - start)
  const part = (from: number, to?: number): string => characters.slice(from, to).join('')
  return { before: part(0, first), range: part(first, last), after: part(last) }
}
