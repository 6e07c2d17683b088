/** A comparison as HTML: changed words differ in colour and shape, and moved lines link to each other. */

import type { DiffElement, HighlightRange } from '../../core/comparison.ts'
import { createPause } from '../../operations/workers/pause.ts'
import { attributes, html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** `inline` shows changes within one column, `side` both texts side by side. */
export type DiffForm = 'inline' | 'side'

/** Maximum number of unchanged lines included in a page so that gaps can be expanded. */
const maxOpenable = 2000

/** The later text, from which gaps are filled, and the way to request a gap that is too long to include. */
export interface GapText {
  readonly text: string
  /** First line, counted from 0, of the gap to expand; null for none. */
  readonly open?: number | null
  /** URL of the comparison with the gap at a line expanded; absent if the comparison has none. */
  readonly opening?: (line: number) => string
}

/** Maximum bytes of a comparison, as JSON, that is written as a table: a page of the largest size, and one that replaces it. */
export const maxTableBytes = 6 * 1024 * 1024

/** Writes a comparison. Other requests are served meanwhile, because it may have a hundred thousand lines. */
export async function diffTable(
  diff: readonly DiffElement[],
  form: DiffForm,
  later: GapText,
  words: Words,
): Promise<Markup> {
  if (diff.length === 0) return html`<p class="no-changes">${words.say('noDifference')}</p>`
  const gaps = createGaps(later, form === 'side' ? 4 : 3, words)
  const pause = createPause()
  const rows: Markup[] = []
  for (const element of diff) {
    rows.push(html`${gaps.before(element)}${rowOf(element, form, words)}`)
    await pause()
  }
  const columns =
    form === 'side'
      ? html`<col class="mark"><col><col class="mark"><col>`
      : html`<col class="num"><col class="mark"><col>`
  return html`<table class="diff ${form}"><caption class="hidden">${words.say('comparison')}</caption>
<colgroup>${columns}</colgroup><tbody>
${rows}${gaps.end()}</tbody></table>`
}

/** Kinds of lines by their number in a comparison: their marks, and whether they occur in the earlier or later text. */
const kinds = [
  { name: 'same', sign: '', from: true, to: true },
  { name: 'added', sign: '+', from: false, to: true },
  { name: 'removed', sign: '−', from: true, to: false },
  { name: 'changed', sign: '±', from: true, to: true },
  { name: 'moved-away', sign: '↷', from: true, to: false },
  { name: 'moved-here', sign: '↶', from: false, to: true },
] as const

function rowOf(element: DiffElement, form: DiffForm, words: Words): Markup {
  const kind = kinds[element.type]
  const mark = html`<td class="mark">${markOf(element, kind.sign, words)}</td>`
  const id = element.moveInfo === undefined ? null : element.moveInfo.id
  const open = html`<tr${attributes({ class: kind.name, id })}>`
  if (form === 'inline')
    return html`${open}<td class="num">${element.lineNumber ?? ''}</td>${mark}<td class="line">${lineOf(element, null)}</td></tr>\n`
  const none = html`<td class="mark"></td><td class="line none"></td>`
  const left = kind.from
    ? html`${kind.to ? html`<td class="mark"></td>` : mark}<td class="line">${lineOf(element, 1)}</td>`
    : none
  const right = kind.to ? html`${mark}<td class="line">${lineOf(element, 0)}</td>` : none
  return html`${open}${left}${right}</tr>\n`
}

function markOf({ moveInfo, type }: DiffElement, sign: string, words: Words): Markup {
  if (moveInfo !== undefined) {
    const name = words.text(type === 4 ? 'movedAway' : 'movedHere')
    return html`<a href="#${moveInfo.linkId}" title="${name}" aria-label="${name}">${sign}</a>`
  }
  const spoken = ({ 1: 'lineAdded', 2: 'lineRemoved', 3: 'lineChanged' } as const)[type as 1 | 2 | 3]
  return spoken === undefined
    ? html``
    : html`<span aria-hidden="true">${sign}</span><span class="hidden">${words.say(spoken)}</span>`
}

/** Writes a line with its changed words. `side` 0 omits deleted words, 1 omits added ones, and null omits neither. */
function lineOf({ type, text, highlightRanges = [] }: DiffElement, side: 0 | 1 | null): Markup {
  if (type === 1) return html`<ins>${shown(text)}</ins>`
  if (type === 2) return html`<del>${shown(text)}</del>`
  if (highlightRanges.length === 0) return html`${shown(text)}`
  return html`${piecesOf(text, highlightRanges).map(({ part, type: change }) => {
    if (change === null) return part
    if (side !== null && change !== side) return null
    return change === 0 ? html`<ins>${part}</ins>` : html`<del>${part}</del>`
  })}`
}

/** Makes an empty line visible. */
function shown(text: string): string {
  return text === '' ? '\u00a0' : text
}

interface Piece {
  readonly part: string
  readonly type: 0 | 1 | null
}

/** Splits a line at the ranges, which count UTF-8 bytes. */
function piecesOf(text: string, ranges: readonly HighlightRange[]): Piece[] {
  const bytes = Buffer.from(text)
  const pieces: Piece[] = []
  let at = 0
  for (const { start, length, type } of ranges) {
    if (start > at) pieces.push({ part: bytes.toString('utf8', at, start), type: null })
    pieces.push({ part: bytes.toString('utf8', start, start + length), type })
    at = start + length
  }
  if (at < bytes.length) pieces.push({ part: bytes.toString('utf8', at), type: null })
  return pieces
}

/** Fills the gaps of a comparison with the unchanged lines. */
function createGaps({ text, open = null, opening }: GapText, columns: number, words: Words) {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  let reached = 0
  let opened = 0
  const gap = (from: number, to: number): Markup | null => {
    const count = to - from
    if (count <= 0) return null
    if (from === open && count > maxOpenable)
      return html`${gap(from, from + maxOpenable)}${gap(from + maxOpenable, to)}`
    const name = words.say('unchangedLines', count)
    opened += count
    const row = (inside: Markup): Markup =>
      html`<tr${attributes({ class: 'gap', id: opening === undefined ? null : `gap-${from}` })}><td colspan="${columns}">${inside}</td></tr>\n`
    if (opened > maxOpenable && from !== open)
      return row(opening === undefined ? name : html`<a href="${opening(from)}#gap-${from}">${name}</a>`)
    const inside = lines.slice(from, to).join('\n')
    return row(
      html`<details${attributes({ open: from === open })}><summary>${name}</summary><pre>${inside}</pre></details>`,
    )
  }
  return {
    before: ({ lineNumber }: DiffElement): Markup | null => {
      if (lineNumber === undefined) return null
      const found = gap(reached, lineNumber - 1)
      reached = lineNumber
      return found
    },
    end: () => gap(reached, lines.length),
  }
}
