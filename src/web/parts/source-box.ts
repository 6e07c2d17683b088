import { type Attributes, attributes, html, type Markup } from '../markup.ts'

/** Length of the longest line that has its own direction, UTF-16 units. */
const longLine = 100_000

/**
 * Writes a text box with the source of a page. By its style each paragraph has its own direction. The attribute `dir=auto` takes
 * minutes for a long text, because browsers evaluate it again for each part of the text that arrives; so does the style for a long line.
 *
 * HTML parsers drop the first line feed of a text box, so an extra one is written.
 */
export function sourceBox(text: string, own: Attributes): Markup {
  const isLong = text.length > longLine && text.split('\n').some(({ length }) => length > longLine)
  return html`<textarea${attributes({ ...own, class: isLong ? 'long-line' : undefined })}>
${text}</textarea>`
}
