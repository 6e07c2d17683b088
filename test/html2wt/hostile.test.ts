import { describe, expect, test } from 'vitest'
import { parseHtml } from '../../src/wikitext/tree/parse-html.ts'
import { textOf } from '../../src/wikitext/tree/walk.ts'
import { back, randomNumbers, there } from './_convert.ts'

const signs = [
  "''",
  "'''",
  '[[',
  ']]',
  '[',
  ']',
  '{{',
  '}}',
  '{|',
  '|}',
  '|-',
  '|',
  '!',
  '*',
  '#',
  ':',
  ';',
  '=',
  '==',
  '----',
]
const words = [
  'a',
  'b c',
  ' ',
  '\n',
  'Harbour',
  'http://x.example',
  '<b>',
  '</b>',
  '<nowiki>',
  '</nowiki>',
  '<!--',
  '-->',
  '<ref>',
  '&amp;',
  '&',
  '<',
  '>',
  '~~~~',
  '__NOTOC__',
  'RFC 1',
  '-{',
  '}-',
  '<br/>',
  '<pre>',
  '0',
  'ü',
  '😀',
]
const pieces = [...signs, ...words]

function randomText(random: () => number): string {
  const count = 1 + Math.floor(random() * 12)
  return Array.from({ length: count }, () => pieces[Math.floor(random() * pieces.length)]).join('')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Text as it is shown: white space counts once. */
function shown(html: string): string {
  return textOf(parseHtml(html).children)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

describe('nothing that was text becomes markup', () => {
  test.each([1, 2, 3, 4])('random texts in a paragraph, seed %i', async seed => {
    const random = randomNumbers(seed)
    for (let round = 0; round < 150; round++) {
      const html = `<p>${escaped(randomText(random))}</p>`
      const wikitext = back(html)
      expect({ html, wikitext, shown: shown(await there(wikitext, 'view')) }).toEqual({
        html,
        wikitext,
        shown: shown(html),
      })
    }
  })

  test.each([
    ['li', '<ul><li>', '</li></ul>'],
    ['td', '<table><tr><td>', '</td></tr></table>'],
    ['th', '<table><tr><th>', '</th></tr></table>'],
    ['dd', '<dl><dd>', '</dd></dl>'],
    ['b', '<p>x <b>', '</b> y</p>'],
    ['div', '<div>', '</div>'],
  ])('random texts in %s', async (_, before, after) => {
    const random = randomNumbers(7)
    for (let round = 0; round < 60; round++) {
      const html = `${before}${escaped(randomText(random))}${after}`
      const wikitext = back(html)
      expect({ html, wikitext, shown: shown(await there(wikitext, 'view')) }).toEqual({
        html,
        wikitext,
        shown: shown(html),
      })
    }
  })
})

describe('hostile HTML is read in bounds', () => {
  const many = 5000

  test.each([
    ['deep', '<div>'.repeat(many)],
    ['deep and inline', '<b><i>'.repeat(many / 4)],
    ['deep lists', '<ul><li>'.repeat(many / 4)],
    ['many siblings', '<i>a</i>'.repeat(many)],
    ['more siblings than a call has arguments', '<br>'.repeat(150_000)],
    ['many rows', `<table>${'<tr><td>a</td></tr>'.repeat(many)}</table>`],
    ['many links', '<a rel="mw:WikiLink" href="./A">a</a> '.repeat(many)],
    ['braces', `<p>${'{'.repeat(many * 5)}</p>`],
    ['brackets', `<p>${'[['.repeat(many * 2)}</p>`],
    ['addresses that do not end', `<p>${'[http://a '.repeat(many)}</p>`],
    ['tags that do not end', `<p>${'&lt;b '.repeat(many)}</p>`],
    ['apostrophes', `<p>${"''a'".repeat(many)}</p>`],
    ['broken data', '<p data-parsoid="{" data-mw="[" typeof="mw:Transclusion">a</p>'],
    [
      'data that is not as it should be',
      '<p typeof="mw:Transclusion" data-mw=\'{"parts":[null,1,{"template":7}]}\'>a</p>',
    ],
    ['a conditional comment', '<!--[if mso]><b>x</b><![endif]--><p>a</p>'],
    ['broken encodings', '<p>\ud800\u0000\ufffd</p>'],
  ])(
    '%s',
    (_, html) => {
      expect(typeof back(html)).toBe('string')
    },
    60_000,
  )

  test('a changed page with many rows is compared in bounds', async () => {
    const source = `{|\n${'|-\n| a || b\n'.repeat(1000)}|}`
    const html = await there(source)
    expect(back(html.replace('>a<', '>A<'), { source, html })).toBe(source.replace('| a', '| A'))
  }, 60_000)
})
