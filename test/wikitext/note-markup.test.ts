/** Boxes and diagrams of other Markdown programs: nested, without an end, and many of them. */

import MarkdownIt from 'markdown-it'
import { expect, test } from 'vitest'
import { addNoteMarkup, withQuotedBoxes } from '../../src/wikitext/models/note-markup.ts'

function rendered(text: string): string {
  const parser = new MarkdownIt()
  addNoteMarkup(parser)
  return parser.render(withQuotedBoxes(text))
}

const nested = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => `${'    '.repeat(level)}!!! note\n`).join('')

test('boxes inside each other are quotes up to the eighth level', () => {
  const html = rendered(`${nested(9)}${'    '.repeat(9)}deep`)
  expect([html.split('<blockquote>').length - 1, html.includes('!!! note'), html.includes('deep')]).toEqual([
    8,
    true,
    true,
  ])
})

test('a diagram without an end is text, one in a quote ends there, and a later one has an end of its own', () => {
  const html = rendered('> :::mermaid\n> a\n> :::\n\n:::mermaid\nb\n:::\n\n:::mermaid\nc')
  expect(html.match(/<pre>/g)).toHaveLength(2)
  expect(html).toContain('<p>:::mermaid\nc</p>')
})

// Each took minutes when every opening sign searched for an end, and every level read its lines again.
test.each([
  ['diagrams without an end', ':::mermaid\n'.repeat(60_000)],
  ['boxes', nested(1500)],
])('many %s are read in linear time', { tags: 'long' }, (_, text) => {
  expect(rendered(text)).toContain('<p>')
})
