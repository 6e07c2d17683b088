/** New blocks in a page whose source is known: they get the line breaks that a page written from HTML alone gives them. */
import { defaultTreeAdapter as adapter, type DefaultTreeAdapterMap, parse, parseFragment, serialize } from 'parse5'
import { describe, expect, test } from 'vitest'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { oneIn } from '../_rounds.ts'
import { there, title, wiki } from './_convert.ts'

const caption = '<img resource="./File:A.jpg" height="20" width="180"></a><figcaption>New</figcaption>'
const added: Readonly<Record<string, string>> = {
  heading: '<h2>New</h2>',
  'unordered list': '<ul><li>New</li></ul>',
  'ordered list': '<ol><li>New</li></ol>',
  'definition list': '<dl><dt>New</dt><dd>x</dd></dl>',
  table: '<table><tbody><tr><td>New</td></tr></tbody></table>',
  paragraph: '<p>New</p>',
  'preformatted text': '<pre>New</pre>',
  rule: '<hr>',
  quotation: '<blockquote><p>New</p></blockquote>',
  box: '<div>New</div>',
  figure: `<figure typeof="mw:File/Thumb"><a href="./File:A.jpg">${caption}</figure>`,
  section: '<section><h2>New</h2><p>Text</p></section>',
}

/** Each source names its block, so that no block shares its words with a new one. */
const present = [
  'Words.',
  '== Heading ==',
  '* Item',
  '# Number',
  '; Term\n: Meaning',
  '{|\n|Cell\n|}',
  ' Code',
  '----',
  '<blockquote>Quotation</blockquote>',
  '<div>Box</div>',
  '{{Tide}}',
  '[[Category:Kind]]',
]
const sources = present.flatMap((block, at) => {
  const next = present[(at * 5 + 1) % present.length]!
  return [`First.\n\n${block}\n\n${next}\n\nLast.`, `First.\n\n${block}\n${next}\nLast.`]
})

type Place = readonly [edit: 'insert' | 'replace', at: number]

/** The children of the document's sections, in order. */
function blocksOf(document: DefaultTreeAdapterMap['document']) {
  const root = document.childNodes.find(node => node.nodeName === 'html')!
  const body = adapter.getChildNodes(root as never).find(node => node.nodeName === 'body')!
  return adapter.getChildNodes(body as never).flatMap(section => adapter.getChildNodes(section as never))
}

function edited(html: string, block: string, [edit, at]: Place): string {
  const document = parse(html)
  const place = blocksOf(document)[at]!
  const parent = adapter.getParentNode(place) as never
  for (const node of [...parseFragment(block).childNodes]) adapter.insertBefore(parent, node, place as never)
  if (edit === 'replace') adapter.detachNode(place as never)
  return serialize(document)
}

function placesIn(html: string): Place[] {
  const blocks = blocksOf(parse(html))
  // A rule or a box that another one replaces is the same one, edited.
  const isOther = (at: number): boolean => !/^(?:#text|hr|div)$/.test(blocks[at]!.nodeName)
  return [...blocks.keys()].flatMap((at): Place[] => [
    ['insert', at],
    ...(isOther(at) ? [['replace', at] as const] : []),
  ])
}

// A full run takes six seconds. The kinds take turns, so that each source is tried in `npm test`, too.
describe.each(Object.entries(added).map(([name, block], at) => [name, block, at] as const))(
  'a new %s',
  (_, block, at) => {
    test.each(oneIn(4, sources, at))('has the line breaks of new HTML in %j', { tags: 'rounds' }, async source => {
      const html = await there(source)
      for (const place of placesIn(html)) {
        const sent = edited(html, block, place)
        const options = { title, wiki, setsListsApart: true }
        const selective = htmlToWikitext(sent, { ...options, original: { source, html } })
        expect(selective.trimEnd(), place.join(' ')).toBe(htmlToWikitext(sent, options).trimEnd())
      }
    })
  },
)

test('foreign HTML in place of a page is as it is without the page', async () => {
  const source = '== Alpha ==\nOne.\n* x\n* y\n{|\n|z\n|}\n== Omega ==\n* l\nEnd.'
  const sent =
    '<p>Intro</p><h2>Beta</h2><p>Gamma</p><ul><li>q</li></ul><table><tbody><tr><td>t</td></tr></tbody></table><p>Last</p>'
  const options = { title, wiki, setsListsApart: true }
  const html = await there(source)
  const text = 'Intro\n\n== Beta ==\nGamma\n\n* q\n\n{|\n|t\n|}\nLast'
  expect(htmlToWikitext(sent, options)).toBe(text)
  expect(htmlToWikitext(sent, { ...options, original: { source, html } })).toBe(text)
})
