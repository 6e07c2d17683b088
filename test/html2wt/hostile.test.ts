import { describe, expect, test } from 'vitest'
import { compareTrees } from '../../src/html2wt/compare.ts'
import type { ElementNode } from '../../src/wikitext/tree/node.ts'
import { parseHtml } from '../../src/wikitext/tree/parse-html.ts'
import { textOf } from '../../src/wikitext/tree/walk.ts'
import { firstOf } from '../_rounds.ts'
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

/** Visible text: white space counts once. */
function shown(html: string): string {
  return textOf(parseHtml(html).children)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

describe('no text becomes markup', () => {
  test.each(firstOf([1, 2, 3, 4], 2))(
    'random texts in a paragraph, seed %i',
    { tags: ['rounds', 'long'] },
    async seed => {
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
    },
  )

  test.each([
    ['li', '<ul><li>', '</li></ul>'],
    ['td', '<table><tr><td>', '</td></tr></table>'],
    ['th', '<table><tr><th>', '</th></tr></table>'],
    ['dd', '<dl><dd>', '</dd></dl>'],
    ['b', '<p>x <b>', '</b> y</p>'],
    ['div', '<div>', '</div>'],
  ])('random texts in %s', { tags: 'long' }, async (_, before, after) => {
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

describe('hostile HTML is read within limits', () => {
  const many = 5000

  test.each([
    ['deep', '<div>'.repeat(many)],
    ['deep and inline', '<b><i>'.repeat(many / 4)],
    ['deep lists', '<ul><li>'.repeat(many / 4)],
    ['many siblings', '<i>a</i>'.repeat(many)],
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
    ['a million spaces', `<p>a${' '.repeat(1_000_000)}b</p>`],
    ['a million line breaks', `<p>a${'\n'.repeat(1_000_000)}b</p>`],
    ['a million hyphens', `<p>${'-'.repeat(1_000_000)}</p>`],
    ['variants that do not end', `<p>${'-{'.repeat(500_000)}</p>`],
    ['a long attribute', `<p style="${'color:red;'.repeat(100_000)}">a</p>`],
    ['many attributes', `<p ${Array.from({ length: 20_000 }, (_, index) => `a${index}=b`).join(' ')}>a</p>`],
    [
      'deep data',
      `<p data-parsoid='{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}' data-mw='${'['.repeat(50_000)}'>a</p>`,
    ],
    [
      'deep data beside the parameters of a call',
      `<p typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"params":{"a":{},"1":{}},"i":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}'>a</p>`,
    ],
    [
      'a parameter with the name of a prototype',
      `<p typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"params":{"__proto__":{"wt":"a"},"1":{"wt":"b"}}}}]}'>a</p>`,
    ],
    [
      'a note in itself',
      `<i id="mw-reference-text-1"><sup typeof="mw:Extension/ref" data-mw='{"name":"ref","body":{"id":"mw-reference-text-1"}}'></sup></i>`,
    ],
    ['lone surrogates', '<p>\udc00a\ud800 [[\ud83d]]</p>'],
    ['broken encodings', '<p>\ud800\u0000\ufffd</p>'],
  ])('%s', (_, html) => {
    expect(typeof back(html)).toBe('string')
  })

  test.each([
    ['more siblings than a call has arguments', '<br>'.repeat(150_000)],
    ['many rows', `<table>${'<tr><td>a</td></tr>'.repeat(many)}</table>`],
    ['many links', '<a rel="mw:WikiLink" href="./A">a</a> '.repeat(many)],
  ])('%s', { tags: 'long' }, (_, html) => {
    expect(typeof back(html)).toBe('string')
  })

  test('a changed page with many rows is compared within limits', { tags: 'long' }, async () => {
    const source = `{|\n${'|-\n| a || b\n'.repeat(1000)}|}`
    const html = await there(source)
    expect(back(html.replace('>a<', '>A<'), { source, html })).toBe(source.replace('| a', '| A'))
  })

  test('data that imitates tree nodes stays data', () => {
    const told = JSON.stringify({ kind: 'fragment', inner: { kind: 'fragment', children: 7 } })
    for (const name of ['data-mw', 'data-parsoid'])
      expect(back(`<p ${name}='${told}'>a</p><div class="note" ${name}='${told}'>b</div>`)).toContain('a')
  })

  const lies = [
    '[-5,3,0,0]',
    '[0,99999999,0,0]',
    '[9,2,0,0]',
    '[0,8,50,50]',
    '[0,8,-1,-1]',
    '["0",{},[],null]',
    '[1e300,1e308,0,0]',
    '[0.5,1.5,0,0]',
    '{"length":4}',
    '"x"',
    'null',
    '[]',
  ]

  test.each(lies)('false positions: %s', async dsr => {
    const source = "== a ==\n''b'' c\n* d\n{|\n| e\n|}\n"
    const html = (await there(source)).replaceAll(
      /"dsr":\[[^\]]*\]/g,
      `"dsr":${dsr},"__proto__":{"x":1},"constructor":7`,
    )
    for (const original of [undefined, { source, html }]) {
      const wikitext = back(html.replace('>c<', '>C<').replace('<body', '<body class="x"'), original)
      expect(shown(await there(wikitext, 'view'))).toContain('d')
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

test('each block is read once, with however many new blocks it is compared', () => {
  const readsBeside = (count: number): number => {
    const before = parseHtml('<p>one two three</p>')
    const block = before.children[0] as ElementNode
    const { children } = block
    let reads = 0
    Object.defineProperty(block, 'children', {
      get: () => {
        reads++
        return children
      },
    })
    compareTrees(parseHtml('<p>four</p>'.repeat(count)), before, '')
    return reads
  }
  expect(readsBeside(50)).toBe(readsBeside(2))
})
