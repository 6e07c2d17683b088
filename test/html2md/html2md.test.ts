import { describe, expect, test } from 'vitest'
import { htmlToMarkdown } from '../../src/html2md/index.ts'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { contentToHtml, memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'
import { randomNumbers } from '../html2wt/_convert.ts'

const wiki = memoryWiki({
  pages: { 'Template:Tide': '<span style="display:none">key</span>{{{1}}} m', Harbour: 'Ships.' },
})
const title = 'Ropes'

async function shown(text: string): Promise<string> {
  const { html } = await wikitextToHtml(text, { title, wiki, flavor: 'view', bodyOnly: true })
  return (await htmlToMarkdown(html, { key: title })).trimEnd()
}

describe('wikitext becomes the Markdown of its visible content', () => {
  test.each([
    ['headings', '== Knots ==\n=== [[Harbour]] ===', '## Knots\n\n### [Harbour](./Harbour)'],
    ['marks', "'''a''' ''b'' '''''c''''' <s>d</s> <code>e</code>", '**a** *b* ***c*** ~~d~~ `e`'],
    ['spaces in marks', "a'''b '''c '' d''", 'a**b** c *d*'],
    [
      'links',
      '[[Harbour|ships]] [[Nowhere]] [[#Part|below]] [[Ropes#Part]]',
      '[ships](./Harbour) [Nowhere](./Nowhere) [below](#Part) [Ropes#Part](#Part)',
    ],
    ['addresses', 'https://x.example/a_b [https://x.example x]', '<https://x.example/a_b> [x](https://x.example)'],
    ['lists in lists', '* a\n** b\n*# c\n# d', '- a\n  - b\n  1. c\n\n1. d'],
    ['terms', '; a : b\n: c\n\n: d', '- **a**\n  - b\n  - c\n\n> d'],
    ['templates as what they say', '{{Tide|4}}', '4 m'],
    ['code', '<syntaxhighlight lang="python">\nx = "<b>"\n</syntaxhighlight>', '```python\nx = "<b>"\n```'],
    ['preformatted lines', ' a\n  b', '```\na\n b\n```'],
    [
      'notes',
      'a<ref name="n">b [[Harbour]]</ref> c<ref name="n" />\n<references />',
      'a[^1] c[^1]\n\n[^1]: b [Harbour](./Harbour)',
    ],
    ['formulas', '<math>a^2 * b</math>', '$a^2 * b$'],
    ['indices', 'H<sub>2</sub>O', 'H<sub>2</sub>O'],
    ['breaks', 'a<br>b<br>', 'a\\\nb'],
    ['quotations', '<blockquote>\na\n\nb\n</blockquote>', '> a\n>\n> b'],
    ['what stands in a box', '<div>a</div><div><div>b</div></div>', 'a\n\nb'],
    [
      'pictures and their words',
      '[[File:Pic.png|thumb|A [[Harbour]]]]',
      '![A Harbour](./File:Pic.png)\n\nA [Harbour](./Harbour)',
    ],
    ['no categories', 'a [[Category:X]]', 'a'],
    [
      'no text as markup',
      '<nowiki>*a* _b_ [c](d) `e` # f ~~g~~ <h> &amp; [[i]]</nowiki>',
      '\\*a\\* \\_b\\_ \\[c]\\(d) \\`e\\` # f \\~\\~g\\~\\~ \\<h> & \\[\\[i]]',
    ],
    [
      'no text as a list',
      '<nowiki>- a</nowiki>\n\n<nowiki>1. b</nowiki>\n\n<nowiki># c</nowiki>',
      '\\- a\n\n1\\. b\n\n\\# c',
    ],
  ])('%s', async (_, text, markdown) => {
    expect(await shown(text)).toBe(markdown)
  })

  test('tables', async () => {
    const text =
      '{|\n|+ Tides\n! a !! style="text-align:right" | b\n|-\n| colspan="2" | c <code>|</code>\n* d\n* e\n|-\n! rowspan="2" | f\n| g\n|-\n| h\n|}'
    expect((await shown(text)).split('\n')).toEqual([
      '**Tides**',
      '',
      '| a | b |',
      '| --- | --: |',
      '| c `\\|`<br>• d<br>• e |  |',
      '| **f** | g |',
      '|  | h |',
    ])
  })

  test.each([
    ['{|\n! a\n|-\n| b || c\n|}', '| a |  |\n| --- | --- |\n| b | c |'],
    ['{|\n! colspan=2 | a\n|-\n| b || c || d\n|-\n| e\n|}', '| a |  |  |\n| --- | --- | --- |\n| b | c | d |\n| e |'],
  ])('a header has as many cells as the table has columns: %j', async (text, markdown) => {
    expect(await shown(text)).toBe(markdown)
  })

  test('a row header of the first row is bold, too', async () => {
    expect(await shown('{|\n! a\n| b\n|-\n! c\n| d\n|}')).toBe('|  |  |\n| --- | --- |\n| **a** | b |\n| **c** | d |')
  })

  test('tables without a header', async () => {
    expect(await shown('{|\n| a || b\n|}')).toBe('|  |  |\n| --- | --- |\n| a | b |')
  })
})

describe('HTML from other sources', () => {
  test.each([
    [
      'tasks',
      '<ul><li><input type="checkbox" checked> a</li><li><p><input type=checkbox> b</p></li></ul>',
      '- [x] a\n- [ ] b',
    ],
    ['lists beside their items', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['blocks in marks', '<b><p>a</p><p>b</p></b>', 'a\n\nb'],
    ['scripts', '<p onclick="x()">a<script>alert(1)</script></p><a href="javascript:x()">b</a>', 'a\n\nb'],
    ['nothing', '', ''],
    [
      'pictures inside of the text',
      '<img src="data:image/png;base64,AA" alt="dot"><img src="https://x.example/a.png" alt="b">',
      'dot![b](https://x.example/a.png)',
    ],
    ['numbers of lists', '<ol start="7"><li>a</ol>', '7. a'],
    [
      'cells that are too many',
      `<table><tr>${'<td>a'.repeat(300)}</table>`,
      expect.stringMatching(/^(?:[^|]*\|){201}\n/),
    ],
    [
      'cells that reach far',
      '<table><tr><td colspan=99999 rowspan=99999>a<tr><td>b</table>',
      expect.stringContaining('| a |'),
    ],
  ])('%s', async (_, html, markdown) => {
    expect((await htmlToMarkdown(html)).trimEnd()).toEqual(markdown)
  })

  test.each([
    ['deep lists', '<ul><li>a'.repeat(20_000)],
    ['deep boxes', '<div>a'.repeat(20_000)],
    ['deep tables', '<table><tr><td>a'.repeat(3000)],
    ['many marks', '<b><i>a '.repeat(5000)],
    ['a long line', 'a*_[`<&|~ '.repeat(20_000)],
  ])('%s is converted in bounded time', async (_, html) => {
    expect(await htmlToMarkdown(html)).toContain('a')
  })
})

/** A text of pieces with a meaning in some markup. */
function randomText(random: () => number): string {
  const pieces = [
    'a',
    'b',
    ' ',
    '*',
    '**',
    '_',
    '`',
    '[',
    ']',
    '(',
    ')',
    '#',
    '- ',
    '1. ',
    '> ',
    '<',
    '>',
    '&amp;',
    '\\',
    '|',
    '~~',
    '!',
    '[[a]]',
    '~',
    'é',
    '。',
  ]
  return Array.from({ length: 12 }, () => pieces[Math.floor(random() * pieces.length)]).join('')
}

const words = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/&(?:#39|apos);/g, "'")
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .trim()

test('text stays text, even if it looks like markup', { tags: 'long' }, async () => {
  const random = randomNumbers(7)
  for (let round = 0; round < 100; round++) {
    const text = randomText(random)
    const html = `<p>x ${text.replaceAll('&amp;', '&').replaceAll('&', '&amp;').replaceAll('<', '&lt;')} x</p>`
    const markdown = await htmlToMarkdown(html)
    const { html: again } = await contentToHtml(markdown, 'markdown', { title, wiki, bodyOnly: true })
    expect(words(again), markdown).toBe(words(html))
    expect(again.match(/<(?!\/?(?:p|section|span)\b)\w+/g), markdown).toBeNull()
  }
})

describe('Markdown converted to wikitext and back has the same meaning', () => {
  test.each([
    '# a\n\n## b *c*',
    'a *b* **c** ***d*** `e`',
    'a\\\nb',
    '- a\n- b\n  - c\n    - d\n- e',
    '1. a\n2. b\n   1. c',
    '- a\n  1. b\n     - c',
    '- [ ] a\n- [x] b',
    '> a',
    '```js\nlet a = "<b>"\n\n  b()\n```',
    '```\na\n```',
    '[a](https://x.example/b_c) <https://x.example>',
    '[Harbour](./Harbour) [ships](./Harbour) [part](./Harbour#Part)',
    '| a | b |\n| --- | :-: |\n| *c* | `d\\|e` |\n| f |  |',
    'a\n\n---\n\nb',
    '~~a~~',
    '\\*a\\* \\[b]\\(c) # d',
    "'' {{a}} == b == \\~\\~ \\<nowiki>",
    '1\\. a\n\n\\- b',
  ])('%j', async markdown => {
    const { html } = await contentToHtml(markdown, 'markdown', { title, wiki, bodyOnly: true })
    const text = htmlToWikitext(html, { title, wiki })
    expect(await shown(text), text).toBe(markdown)
  })
})
