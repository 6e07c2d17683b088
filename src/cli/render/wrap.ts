/** Wraps styled words to columns. Styles are applied after wrapping, so that widths are those of the text. */

import type { Paint } from '../terminal/colour.ts'
import { textWidth, visible } from './text.ts'

export type StyleName = keyof Paint

/** A run of text with some styles. A line feed ends the line. */
export interface Piece {
  readonly text: string
  readonly styles: readonly StyleName[]
}

/** A word, or the space between two. */
interface Atom extends Piece {
  readonly width: number
  readonly isBlank: boolean
}

export type StyledLine = readonly Piece[]

/** Wraps pieces to lines of the given width. Longer words are split. */
export function wrap(pieces: readonly Piece[], columns: number): StyledLine[] {
  const width = Math.max(1, columns)
  const lines: Atom[][] = [[]]
  let used = 0
  for (const atom of atomsOf(pieces, width)) {
    const isBreak = atom.text === '\n'
    if (isBreak || (used + atom.width > width && used > 0)) {
      lines.push([])
      used = 0
    }
    if (isBreak || (used === 0 && atom.isBlank)) continue
    lines.at(-1)?.push(atom)
    used += atom.width
  }
  return lines.map(withoutLastBlank)
}

/** Returns the columns of a line. */
export function lineWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0)
}

/** Applies the styles, once per run of equal styles. */
export function painted(line: StyledLine, paint: Paint): string {
  const spans: { text: string; readonly styles: readonly StyleName[] }[] = []
  for (const { text, styles } of line) {
    const last = spans.at(-1)
    if (last !== undefined && last.styles.join() === styles.join()) last.text += text
    else spans.push({ text, styles })
  }
  return spans.map(({ text, styles }) => styles.reduce((shown, style) => paint[style](shown), text)).join('')
}

function* atomsOf(pieces: readonly Piece[], columns: number): Generator<Atom> {
  for (const { text, styles } of pieces)
    for (const word of visible(text.replaceAll('\t', ' ')).split(/( +|\n)/)) {
      if (word === '') continue
      const isBlank = word.startsWith(' ')
      if (isBlank || textWidth(word) <= columns) yield { text: word, styles, width: textWidth(word), isBlank }
      else for (const part of cutWord(word, columns)) yield { text: part, styles, width: textWidth(part), isBlank }
    }
}

function* cutWord(word: string, columns: number): Generator<string> {
  let part = ''
  let width = 0
  for (const char of word) {
    const own = textWidth(char)
    if (width + own > columns && part !== '') {
      yield part
      part = ''
      width = 0
    }
    part += char
    width += own
  }
  yield part
}

function withoutLastBlank(line: readonly Atom[]): Atom[] {
  const last = line.at(-1)
  return last?.isBlank ? line.slice(0, -1) : [...line]
}
