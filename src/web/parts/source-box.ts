import { type Attributes, attributes, html, type Markup, verbatim } from '../markup.ts'

/** Length of the longest line that has its own direction, UTF-16 units. */
const longLine = 100_000

/**
 * Writes a text box with the source of a page. By its style each paragraph has its own direction. The attribute `dir=auto` takes
 * minutes for a long text, because browsers evaluate it again for each part of the text that arrives; so does the style for a long line.
 *
 * HTML parsers drop the first line feed of a text box, so an extra one is written.
 */
export function sourceBox(text: string, own: Attributes): Markup {
  const isLong = hasLongLine(text)
  return html`<textarea${attributes({ ...own, class: isLong ? 'long-line' : undefined })}>
${verbatim(text)}</textarea>`
}

/** Examines one character in each `longLine`, because a longer line contains one of them. */
function hasLongLine(text: string): boolean {
  for (let at = longLine; at < text.length; at += longLine) {
    const start = text.lastIndexOf('\n', at) + 1
    const end = text.indexOf('\n', at)
    if ((end < 0 ? text.length : end) - start > longLine) return true
  }
  return false
}
