/** Boxes, footnotes and diagrams of other Markdown programs: nested, without an end, and many of them. */

import MarkdownIt from 'markdown-it'
import { expect, test } from 'vitest'
import { findMarkdownLinks } from '../../src/wikitext/index.ts'
import { addNoteMarkup } from '../../src/wikitext/models/note-markup.ts'

function rendered(text: string): string {
  const parser = new MarkdownIt()
  addNoteMarkup(parser)
  return parser.render(text)
}

const nested = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => `${'    '.repeat(level)}!!! note\n`).join('')

test('boxes are inside each other up to a level, and the rest is text', () => {
  const html = rendered(`${nested(60)}${'    '.repeat(60)}deep`)
  expect([html.split('<div').length - 1, html.includes('!!! note'), html.includes('deep')]).toEqual([41, true, true])
})

test('a diagram without an end is text, one in a quote ends there, and a later one has an end of its own', () => {
  const html = rendered('> :::mermaid\n> a\n> :::\n\n:::mermaid\nb\n:::\n\n:::mermaid\nc')
  expect(html.match(/<pre>/g)).toHaveLength(2)
  expect(html).toContain('<p>:::mermaid\nc</p>')
})

const note = (content: string, title = 'Note') =>
  `<div class="markdown-alert markdown-alert-note">${title === '' ? '' : `<p class="markdown-alert-title">${title}</p>`}${content}</div>`

test.each([
  ['with any line end', '!!! note\r\n    a\r\n\r\n    b\r\nc', `${note('<p>a</p><p>b</p>')}<p>c</p>`],
  ['after a blank line', '!!! note\n\n    a', note('<p>a</p>')],
  ['indented by a tab', '!!! note\n\ta', note('<p>a</p>')],
  ['with a title', '!!! note "A *b*"\n    a', note('<p>a</p>', 'A <em>b</em>')],
  ['without one', '!!! note ""\n    a', note('<p>a</p>', '')],
  ['with places of its own', '!!! Note inline end "A"\n    a', note('<p>a</p>', 'A')],
  ['after a paragraph', 'a\n!!! note\n    b', `<p>a</p>${note('<p>b</p>')}`],
  ['in an item', '- a\n\n    !!! note\n        b', `<ul><li><p>a</p>${note('<p>b</p>')}</li></ul>`],
  ['in a quote', '> !!! note\n>     b', `<blockquote>${note('<p>b</p>')}</blockquote>`],
  ['with code', '!!! note\n        a', note('<pre><code>a</code></pre>')],
  ['a tab', '=== "note"\n    a', note('<p>a</p>', 'note').replace('alert-note', 'alert-tab')],
  [
    'that opens',
    '??? note\n    a',
    '<details class="markdown-alert markdown-alert-note"><summary class="markdown-alert-title">Note</summary><p>a</p></details>',
  ],
  [
    'that is open',
    '???+ note\n    a',
    '<details class="markdown-alert markdown-alert-note" open=""><summary class="markdown-alert-title">Note</summary><p>a</p></details>',
  ],
  ['without content is text', '!!! note\na', '<p>!!! note a</p>'],
  ['in code is code', '```\n!!! note\n    a\n```', '<pre><code>!!! note     a</code></pre>'],
])('a box %s', (_, text, html) => {
  const shown = rendered(text)
    .replace(/\n(?=<|$)/g, '')
    .replaceAll('\n', ' ')
  expect(shown).toBe(html)
})

test.each([
  [
    '!!! note "See [x](y.md)"\n    [a](b.md)\n\n        [code](c.md)\n    [[D]]\n\n[e](f.md)',
    ['y.md', 'b.md', 'D', 'f.md'],
  ],
  ['- i\n\n    ??? tip\n        - [a](b.md)\n\n            !!! x\n                [c](d.md)\n', ['b.md', 'd.md']],
  ['> === "T [[x]]"\r\n>     [a](b.md)\r\n', ['x', 'b.md']],
  ['!!! note\n\t[a](b.md)\n\n\t\t[code](c.md)', ['b.md']],
  ['x\n\n    !!! note\n        [code](b.md)', []],
  ['a[^1] [^2]\n\n[^1]: [a](b.md)\n[^2]: [[C]]\n\n    [d](e.md)\n\n        [code](f.md)', ['b.md', 'C', 'e.md']],
  ['> a[^1]\n>\n> [^1]:[a](b.md)\n\n[^a b]: c.md', ['b.md', 'c.md']],
])('the links of boxes and footnotes are found: %j', async (text, targets) => {
  const found = await findMarkdownLinks(text)
  expect(found?.links.map(({ start, end }) => text.slice(start, end))).toEqual(targets)
})

// Each took minutes when every opening sign searched for an end, and every level read its lines again.
test.each([
  ['diagrams without an end', ':::mermaid\n'.repeat(60_000)],
  ['boxes', nested(1500)],
])('many %s are read in linear time', { tags: 'long' }, (_, text) => {
  expect(rendered(text)).toContain('<p>')
})
