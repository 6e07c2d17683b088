/** State of the wikitext reader: position, open constructs and output. */

import type { MarkupWords } from './markup-words.ts'
import type { PageTextWriter } from './page-text.ts'

/** Open construct at a position of the text. */
export type Frame =
  | { readonly kind: 'template' | 'argument' | 'file'; readonly isAuxiliary: boolean }
  | { readonly kind: 'link' | 'external' | 'table' | 'ref' | 'gallery' }

/** Deeper constructs are read as if they were not nested. */
export const deepest = 100

/** The reader: its position, and the open constructs. */
export interface Reader {
  readonly text: string
  readonly words: MarkupWords
  readonly writer: PageTextWriter
  readonly frames: Frame[]
  at: number
  /** Offset at which the text of a heading ends, and the one after its line; null outside of headings. */
  heading: { readonly end: number; readonly next: number } | null
  isLead: boolean
  /** Tags without an end tag in the rest of the text. */
  readonly unclosed: Set<string>
}

/** Moves to another offset; the skipped text separates words. */
export function moveTo(reader: Reader, at: number): void {
  emit(reader, ' ')
  reader.at = at
}

/** Adds words to the part of the page that they belong to. */
export function emit(reader: Reader, text: string): void {
  if (reader.heading !== null) reader.writer.add('heading', text)
  else if (reader.frames.some(isAuxiliary)) reader.writer.add('auxiliary', text)
  else reader.writer.add(reader.isLead && reader.frames.every(isInline) ? 'lead' : 'body', text)
}

function isAuxiliary(frame: Frame): boolean {
  return frame.kind === 'ref' || frame.kind === 'gallery' || ('isAuxiliary' in frame && frame.isAuxiliary)
}

function isInline(frame: Frame): boolean {
  return frame.kind !== 'table'
}

/** Matches a pattern at the current offset. */
export function matchAt(pattern: RegExp, { text, at }: Reader): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** True at the beginning of a line. */
export function isLineStart({ text, at }: Reader): boolean {
  return at === 0 || text[at - 1] === '\n'
}

/** The end of a run of one character. */
export function endOfRun(text: string, start: number, character: string): number {
  let end = start
  while (text[end] === character) end++
  return end
}

/** Closes a construct, and all that were opened inside it. */
export function closeFrame(reader: Reader, isIt: (frame: Frame) => boolean): void {
  const index = reader.frames.findLastIndex(isIt)
  if (index < 0) return
  if (isAuxiliary(reader.frames[index]!)) emit(reader, '\n')
  reader.frames.splice(index)
}
