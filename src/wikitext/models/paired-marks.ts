/** Marks in pairs around words: `~struck~`, `~~struck~~`, `==marked==`. */

import type { MarkdownIt, StateInline } from 'markdown-it'

/** A sign, and the numbers of them that open and close. */
export interface PairedMark {
  readonly sign: string
  readonly lengths: readonly number[]
  readonly tag: string
}

/** Source: https://github.github.com/gfm/#strikethrough-extension- */
export const strikethrough: PairedMark = { sign: '~', lengths: [1, 2], tag: 'del' }
/** Source: https://help.obsidian.md/syntax */
export const highlight: PairedMark = { sign: '=', lengths: [2], tag: 'mark' }

/** Marks of other lengths than the sign's are other marks for markdown-it, so that they do not close each other. */
const perLength = 0x110000

/** Adds the rules to markdown-it, in place of its own for `~~`. */
export function addPairedMarks(parser: MarkdownIt, marks: readonly PairedMark[]): void {
  const bySign = new Map(marks.map(mark => [mark.sign, mark]))
  parser.inline.ruler.at('strikethrough', (state, silent) => readMark(state, silent, bySign))
  parser.inline.ruler2.at('strikethrough', state => {
    writeMarks(state, state.delimiters, bySign)
    for (const meta of state.tokens_meta) if (meta?.delimiters) writeMarks(state, meta.delimiters, bySign)
    return false
  })
}

function readMark(state: StateInline, silent: boolean, marks: ReadonlyMap<string, PairedMark>): boolean {
  const { pos, src } = state
  const mark = marks.get(src[pos]!)
  if (mark === undefined || silent) return false
  const { length, can_open, can_close } = state.scanDelims(pos, true)
  state.push('text', '', 0).content = mark.sign.repeat(length)
  state.pos += length
  // `x==1` compares; words of other scripts have no spaces between them.
  const isOperator =
    mark.sign === '=' && /[A-Za-z0-9_]=+[A-Za-z0-9_]/.test(src.slice(Math.max(0, pos - 1), state.pos + 1))
  if (!mark.lengths.includes(length) || isOperator) return true
  state.delimiters.push({
    marker: mark.sign.charCodeAt(0) + length * perLength,
    // Emphasis has a rule about the sum of lengths.
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open: can_open,
    close: can_close,
  })
  return true
}

function writeMarks(
  { tokens }: StateInline,
  delimiters: StateInline['delimiters'],
  marks: ReadonlyMap<string, PairedMark>,
): void {
  for (const { marker, end, token } of delimiters) {
    const mark = marks.get(String.fromCodePoint(marker % perLength))
    if (mark === undefined || marker < perLength || end === -1) continue
    become(tokens[token]!, `${mark.tag}_open`, mark.tag, 1)
    become(tokens[delimiters[end]!.token]!, `${mark.tag}_close`, mark.tag, -1)
  }
}

function become(token: StateInline['tokens'][number], type: string, tag: string, nesting: 1 | -1): void {
  Object.assign(token, { type, tag, nesting, content: '' })
}
