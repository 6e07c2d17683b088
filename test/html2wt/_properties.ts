/** Properties of any wikitext and any text: used by tests, with few cases, and by test/fuzz/roundtrip.mjs, with many. */
import fc from 'fast-check'
import { parse, serialize } from 'parse5'
import type { ChildNode } from '../../src/wikitext/tree/node.ts'
import { parseHtml } from '../../src/wikitext/tree/parse-html.ts'
import { textOf, walk } from '../../src/wikitext/tree/walk.ts'
import { back, there } from './_convert.ts'

const word = fc.constantFrom('rope', 'Tide', 'über', '水', '😀', 'x1', 'Harbour', 'e\u0301', 'נמל', '0')
const blank = fc.constantFrom(' ', '', '  ', '\t')
const lineEnd = fc.constantFrom('\n', '\n', '\n\n', '\n\n\n', '\r\n', '\n \n')

const oddPieces = fc.constantFrom(
  '<!-- c -->',
  '<!--T:1-->',
  '<translate>',
  '</translate>',
  '<tvar name="a">',
  '</tvar>',
  '<!--',
  '-->',
  '<nowiki>[[x]]</nowiki>',
  '<nowiki/>',
  '<nowiki>',
  '</nowiki>',
  '&amp;',
  '&lt;b&gt;',
  '&#32;',
  '&nbsp;',
  '&bogus;',
  '&#x1F600;',
  '<br>',
  '<br/>',
  '<hr>',
  '{{!}}',
  '{{=}}',
  '{{',
  '}}',
  '{{{',
  '}}}',
  '[[',
  ']]',
  '[',
  ']',
  '|',
  '||',
  '!!',
  '{|',
  '|}',
  '|-',
  "''",
  "'''",
  "'''''",
  '~~~~',
  '__NOTOC__',
  '__TOC__',
  'http://a.example/b_(c)',
  'RFC 1234',
  '----',
  '-{zh:a}-',
  '</p>',
  '</div>',
  '</ref>',
  '<ref>',
  '<b>',
  '</i>',
  '<pre>',
  '</pre>',
  '<td>',
  '</table>',
  '<li>',
  '=',
  '==',
  '*',
  '#',
  ':',
  ';',
  '\u00a0',
  '\u200e',
  '\ufeff',
  '\ud800',
  '\r',
  '<span',
  'x="y"',
  '>',
  '<',
  '&',
  '\u007f',
  '\u0000',
)

const { text } = fc.letrec<{ inline: string; text: string }>(tie => {
  const held = tie('text')
  const tag = fc.constantFrom('b', 'i', 'span', 'div', 'small', 'code', 's', 'sup', 'u', 'center', 'p', 'blockquote')
  const parts: fc.WeightedArbitrary<string>[] = [
    { arbitrary: word, weight: 12 },
    { arbitrary: oddPieces, weight: 3 },
    { arbitrary: held.map(one => `''${one}''`), weight: 2 },
    { arbitrary: held.map(one => `'''${one}'''`), weight: 2 },
    { arbitrary: word.map(one => `[[${one}]]s`), weight: 2 },
    { arbitrary: fc.tuple(word, held).map(([page, one]) => `[[ ${page}#part |${one}]]`), weight: 2 },
    { arbitrary: held.map(one => `[http://a.example/?b=c&d ${one}]`), weight: 1 },
    { arbitrary: held.map(one => `[[File:${one}.png|thumb|left|alt=x|${one}]]`), weight: 1 },
    { arbitrary: word.map(one => `[[Category:${one}| x]]`), weight: 1 },
    { arbitrary: held.map(one => `{{Tide|${one}| a = ${one} }}`), weight: 2 },
    { arbitrary: held.map(one => `{{Unknown\n|${one}\n}}`), weight: 1 },
    { arbitrary: held.map(one => `{{#if:x|${one}|y}}`), weight: 1 },
    { arbitrary: held.map(one => `{{{1|${one}}}}`), weight: 1 },
    { arbitrary: held.map(one => `<ref>${one}</ref>`), weight: 1 },
    { arbitrary: fc.tuple(word, held).map(([name, one]) => `<ref name=${name}>${one}</ref>`), weight: 1 },
    { arbitrary: fc.tuple(tag, held).map(([name, one]) => `<${name} class='a  b'>${one}</${name} >`), weight: 2 },
    { arbitrary: held.map(one => `<noinclude>${one}</noinclude>`), weight: 1 },
    { arbitrary: held.map(one => `<translate><tvar name=1>${one}</tvar></translate>`), weight: 1 },
  ]
  return {
    inline: fc.oneof({ depthSize: 'small', withCrossShrink: true }, ...parts),
    text: fc.array(fc.tuple(tie('inline'), blank), { minLength: 1, maxLength: 4 }).map(all => all.flat().join('')),
  }
})

const cell = fc
  .tuple(fc.constantFrom('\n|', '\n| ', ' || ', '\n!', '\n! a="b" | ', '\n| style="x" |', '||'), text)
  .map(all => all.join(''))
const table = fc
  .tuple(
    fc.constantFrom('{|', '{| class="a"', ':{|'),
    fc.array(fc.tuple(fc.constantFrom('', '\n|-', '\n|- x', '\n|+ c'), cell)),
  )
  .map(([open, rows]) => `${open}${rows.flat().join('')}\n|}`)
const bullets = fc.array(fc.constantFrom('*', '#', ':', ';'), { minLength: 1, maxLength: 4 }).map(all => all.join(''))
const line = fc.oneof(
  { arbitrary: text, weight: 6 },
  { arbitrary: fc.tuple(bullets, blank, text).map(all => all.join('')), weight: 5 },
  {
    arbitrary: fc.tuple(fc.constantFrom('=', '==', '==='), text).map(([sign, one]) => `${sign} ${one}${sign}`),
    weight: 2,
  },
  { arbitrary: text.map(one => ` ${one}`), weight: 2 },
  { arbitrary: table, weight: 2 },
  { arbitrary: text.map(one => `<div>\n${one}\n</div>`), weight: 1 },
  {
    arbitrary: fc.constantFrom(
      '----',
      '<references />',
      '<gallery>\nA.png|x\n</gallery>',
      '#REDIRECT [[x]]',
      ' ',
      '<!-- c -->',
    ),
    weight: 1,
  },
)

/** A page of a few lines. */
export const pages = fc.array(fc.tuple(line, lineEnd), { maxLength: 6 }).map(all => all.flat().join(''))

/** HTML as a browser serializes it. */
export function throughBrowser(html: string): string {
  return serialize(parse(html))
}

/** The wikitext of an unedited page after a round trip. */
export async function roundtrip(source: string): Promise<string> {
  const html = await there(source)
  return back(throughBrowser(html), { source, html })
}

const signs = fc.oneof(
  { arbitrary: oddPieces, weight: 4 },
  { arbitrary: word, weight: 2 },
  { arbitrary: fc.constantFrom(' ', '\n', ':', 'a'), weight: 3 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }), weight: 1 },
)

/** Text that people may write, and much that looks like markup, all of it visible. */
export const texts = fc
  .array(signs, { minLength: 1, maxLength: 10 })
  .map(all => all.join(''))
  .filter(text => /[^\s\ufeff\u0000]/.test(text))

/** Positions of a text. */
export const holders: readonly (readonly [name: string, before: string, after: string])[] = [
  ['a paragraph', '<p>', '</p>'],
  ['a list item', '<ul><li>', '</li></ul>'],
  ['a deeper list item', '<ul><li>a<ol><li>', '</li></ol></li></ul>'],
  ['a term', '<dl><dt>', '</dt><dd>x</dd></dl>'],
  ['a cell', '<table><tbody><tr><td>', '</td></tr></tbody></table>'],
  ['a cell of a heading', '<table><tbody><tr><th>', '</th></tr></tbody></table>'],
  ['a heading', '<h2>', '</h2>'],
  ['a link', '<p>a <a rel="mw:WikiLink" href="./Harbour">', '</a> b</p>'],
  ['a link to another site', '<p>a <a rel="mw:ExtLink" href="https://a.example/">', '</a> b</p>'],
  ['bold text', '<p>a <b>', '</b> b</p>'],
  ['a block', '<div>', '</div>'],
  ['preformatted text', '<pre>', '</pre>'],
]

/** Makes HTML of a text. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The visible part of HTML: its text, white space counted once, and the elements with a meaning. */
export function shown(html: string): { text: string; elements: string[] } {
  const { children } = parseHtml(html)
  const apart = html.replace(/(?=<\/?(?:[uod]l|li|d[td]|t[dhr]|p|div)\b)/g, ' ')
  const text = textOf(parseHtml(apart).children)
    .replace(/[\s\u00a0\ufeff]+/g, ' ')
    .trim()
  // An empty element may be lost.
  if (text === '') return { text, elements: [] }
  const elements = [...walk(children)].map(step => step.element).filter(node => !isPlain(node))
  return { text, elements: elements.map(({ name }) => name) }
}

/** A text in one of the positions, converted to wikitext and rendered again, and the expected text. */
export async function textAgain(text: string, [, before, after]: (typeof holders)[number]) {
  const html = before + escaped(text) + after
  const wikitext = back(html)
  return { wikitext, again: shown(await there(wikitext, 'view')), given: shown(html) }
}

/** The page with a paragraph at its end. */
export async function extended(source: string): Promise<string> {
  const html = await there(source)
  return back(throughBrowser(html).replace(/(?=<\/body>)/, '<p>Zwischenruf</p>'), { source, html })
}

function isPlain(node: ChildNode): boolean {
  if (node.kind !== 'element') return true
  const type = node.attributes.get('typeof') ?? ''
  return ['p', 'section'].includes(node.name) || /^mw:(?:Nowiki|Entity|DisplaySpace|FallbackId)$/.test(type)
}
