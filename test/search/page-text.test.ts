import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPageText } from '../../src/search/analysis.ts'
import { markupWords } from '../../src/search/text/markup-words.ts'
import { decodeEntities } from '../../src/wikitext/index.ts'
import { oneIn } from '../_rounds.ts'
import { readSource } from './_read.ts'

const textOf = async (source: string, model: 'wikitext' | 'markdown' = 'wikitext'): Promise<string> => {
  const { lead, headings, body } = await readSource(source, model)
  return [lead, ...headings, body].join(' ').replace(/\s+/g, ' ').trim()
}

describe('the words of wikitext', () => {
  const cases: readonly (readonly [what: string, source: string, text: string])[] = [
    ['have no quotes of emphasis', "'''Bold''' and ''italic'', don't", "Bold and italic, don't"],
    ['have the text of links', '[[Target|text]] [[Plain]]s [[:Category:X]]', 'text Plains Category:X'],
    ['have the text of links outside', '[https://example.org/a?b=c the text] more', 'the text more'],
    ['have no web addresses', 'see https://example.org/x_y?a=b&c=d, mailto:me@example.org now', 'see now'],
    ['have no categories', 'a [[Category:Food|sort]] b', 'a b'],
    ['have no links to other languages', 'a [[de:Gezeiten]] b', 'a b'],
    [
      'have captions of files, not how they are shown',
      'a [[File:X.png|thumb|120px|alt=no|The [[Tide|tide]] here]] b',
      'a b no The tide here',
    ],
    [
      'have values of parameters, not their names',
      'x {{box|name=Tide|low water|url=https://a.example/b}} y',
      'x Tide low water y',
    ],
    ['have defaults of arguments', '{{{name|default}}}', 'default'],
    [
      'have cells of tables',
      '{| class="x"\n|+ Caption\n! scope="col" | Head !! Two\n|-\n| style="a" | One || Other\n|}',
      'Caption Head Two One Other',
    ],
    ['have headings', "a\n== The ''heading'' ==\nb", 'a The heading b'],
    ['have no comments', 'a <!-- no --> b <!-- no', 'a b'],
    ['have no tags', 'a<br/>b <span class="x">c</span>d', 'a b cd'],
    [
      'have code as it is',
      '<syntaxhighlight lang="c">if (a[[b]]) x</syntaxhighlight> <nowiki>[[x]]</nowiki>',
      'if (a[[b]]) x [[x]]',
    ],
    ['have the source of formulas', 'a <math>\\frac{1}{2}</math> b', 'a \\frac{1}{2} b'],
    ['have references behind the text', 'a<ref>Note</ref> b<ref name="x" /> c', 'a b c Note'],
    ['have captions of galleries', '<gallery>\nFile:A.jpg|The [[sea]]\n</gallery>', 'The sea'],
    ['have character references as characters', 'a&nbsp;b &amp; &#233; &unknown;', 'a b & é &unknown;'],
    ['have no switches', '__NOTOC__ a __b', 'a __b'],
    ['have items of lists', '* one\n*# two\n; three', 'one two three'],
    ['survive what is not closed', 'a {{box|b\n== Heading ==\nc [[d', 'a b Heading c d'],
  ]
  test('of another language has no categories, and captions of files', () => {
    const words = markupWords({
      files: ['Datei', 'Bild'],
      categories: ['Kategorie'],
      options: ['mini', 'rechts', 'hochkant=', 'alternativtext='],
    })
    const source =
      'a [[Kategorie:Essen|x]] [[datei: X.png|mini|hochkant=1.2|alternativtext=y|Die [[Flut|flut]]]] b' +
      '<gallery>\nBild:A.jpg|Das Meer\n</gallery> [[:Kategorie:C]]'
    const { lead, body } = readPageText(source, 'wikitext', { words, decode: decodeEntities })
    expect(`${lead} ${body}`.replace(/\s+/g, ' ').trim()).toBe('a b Kategorie:C Die flut Das Meer')
    expect(
      readPageText(source, 'wikitext', { words, decode: decodeEntities }).links.map(({ target }) => target),
    ).toContain('File:A.jpg')
  })

  test.each(cases)('%s', async (_, source, text) => {
    expect(await textOf(source)).toBe(text)
  })

  test('are divided into lead, headings and body; boxes are not the lead', () => {
    const source = '{{Box\n| a = inside\n}}\nThe lead.\n== One ==\nText\n=== Two ===\n'
    expect(readPageText(source, 'wikitext', { decode: decodeEntities })).toMatchObject({
      lead: 'The lead.',
      headings: ['One', 'Two'],
    })
    expect(readPageText(source, 'wikitext', { decode: decodeEntities }).body).toMatch(/Text[\s\S]*inside/)
  })

  test.each([
    ['omits a note of one line', '{{About|the sea|{{a|b}}}} \nThe lead.', 'The lead.'],
    ['includes a template within a sentence', '{{big|Ebbe}} is low tide.', 'Ebbe is low tide.'],
    ['includes a template that ends a sentence', 'The {{big|Ebbe}}', 'The Ebbe'],
  ])('the lead %s', (_, source, lead) => {
    expect(readPageText(source, 'wikitext', { decode: decodeEntities }).lead.replace(/\s+/g, ' ')).toBe(lead)
  })

  const facts: readonly (readonly [what: string, source: string, facts: object])[] = [
    ['a short description', '{{Short description|The sea, twice a day}}\nx', { description: 'The sea, twice a day' }],
    ['the description of a switch', '{{SHORTDESC: The sea }}', { description: 'The sea' }],
    ['no description', '{{Short description|none}}', { description: null }],
    [
      'links and categories',
      '[[A]] [[b c#d|e]] [[Category:F]] [[:Category:G]]',
      { links: ['A', 'b c', 'Category:F', ':Category:G'].map(target => ({ target, syntax: 'title' })) },
    ],
    ['templates', '{{Box|{{inner_one}}}} {{#if:x|y}} {{ other |a}}', { templates: ['Box', 'inner one', 'other'] }],
  ]
  test.each(facts)('include %s', (_, source, expected) => {
    expect(readPageText(source, 'wikitext', { decode: decodeEntities })).toMatchObject(expected)
  })
})

describe('the words of Markdown', () => {
  const cases: readonly (readonly [what: string, source: string, text: string])[] = [
    ['have no emphasis', 'a **bold** `code` OP_CHECKSIG', 'a bold code OP_CHECKSIG'],
    ['have the text of links', '[text](Page_one.md "title") <https://a.example> https://b.example/c d', 'text d title'],
    ['have the text of wiki links', '[[Page|text]] [[Other]]', 'text Other'],
    ['have the text instead of pictures', 'a ![the sea](sea.jpg) b', 'a the sea b'],
    ['have code', '```js\nlet x\n```\nafter', 'let x after'],
    [
      'have no tags, comments, rules and definitions',
      '<b>a</b> <!-- no -->\n\n---\n\n[x]: https://a.example\nb',
      'a b',
    ],
    ['have cells of tables', '| a | b |\n|---|:-:|\n| c | d |', 'a b c d'],
    ['have headings of both kinds', '# One #\ntext\n\nTwo\n===\nmore', 'One Two text more'],
    [
      'have front matter behind the text, and its description before it',
      '---\ntags: X\ndescription: "The sea"\n---\ntext',
      'text The sea tags: X description: The sea',
    ],
    ['have signs', 'AT&T a & b! 1 < 2 \\*x', 'AT&T a & b! 1 < 2 *x'],
  ]
  test.each(cases)('%s', async (_, source, text) => {
    expect(await textOf(source, 'markdown')).toBe(text)
  })

  test('include description, picture and links', async () => {
    const source =
      '---\ndescription: The sea\nimage: ../files/Cover.jpg\n---\n![x](../files/Sea.jpg) [a](Page%20one.md#b) [c](https://a.example) [[Low tide#x|ebb]]'
    expect(await readSource(source, 'markdown')).toMatchObject({
      description: 'The sea',
      image: '../files/Cover.jpg',
      links: [
        { target: '../files/Sea.jpg', syntax: 'path' },
        { target: 'Page%20one.md', syntax: 'path' },
        { target: 'Low tide', syntax: 'name', second: 'ebb' },
      ],
    })
  })
})

describe("a page's own names", () => {
  const cases: readonly (readonly [
    what: string,
    model: 'wikitext' | 'markdown',
    source: string,
    title: string | null,
  ])[] = [
    ['comes from front matter', 'markdown', '---\ntitle: "Low tide"\ntags: [a]\n---\ntext', 'Low tide'],
    ['may have a colon', 'markdown', '---\ntitle: Tides: a guide\n---\n', 'Tides: a guide'],
    ['comes from the first heading of Markdown', 'markdown', 'Badge\n\n# Low tide\ntext', 'Low tide'],
    ['does not come from a second heading', 'markdown', '## One\n# Two', null],
    [
      'comes from a block of names and values',
      'wikitext',
      '<pre>\n  RFC: 7\n  Title: Low tide\n</pre>\ntext',
      'Low tide',
    ],
    [
      'goes on in lines further in',
      'wikitext',
      '<pre>\n  Title: Low\n         tide\n  By: X <x@y.z>\n</pre>',
      'Low tide',
    ],
    ['comes from a block after a few lines', 'wikitext', 'News\n\n<pre>\nTitle: Low tide\n</pre>', 'Low tide'],
    ['comes from a fence at the beginning', 'markdown', '```\n  Title: Low tide\n  By: X\n```\n# Abstract', 'Low tide'],
    ['does not come from text', 'wikitext', '<pre>\nSay it\nTitle: Low tide\n</pre>', null],
    ['does not come from a block in a section', 'wikitext', '== Use ==\n<pre>\nTitle: Low tide\n</pre>', null],
    ['does not come from names of object members', 'markdown', '---\nconstructor: X\n__proto__: Y\n---\n', null],
    ['is nothing where it is empty', 'markdown', '---\ntitle:\n---\n', null],
  ]
  test.each(cases)('%s', async (_, model, source, title) => {
    expect((await readSource(source, model)).title).toBe(title)
  })

  test('describe the page if nothing else does', async () => {
    const describedBy = async (source: string) => (await readSource(source, 'markdown')).description
    expect(await describedBy('---\ntitle: Low tide\n---\n')).toBe('Low tide')
    expect(await describedBy('---\ntitle: Low tide\nsummary: >\n  The sea\n  goes\n---\n')).toBe('The sea goes')
    expect(await describedBy('# Low tide\n')).toBeNull()
  })
})

describe('any text', () => {
  const pieces = [
    '{{',
    '}}',
    '{{{',
    '[[',
    ']]',
    '[',
    ']',
    '|',
    '=',
    '\n',
    '<',
    '>',
    '<ref>',
    '</ref>',
    '<pre>',
    '{|',
    '|}',
    "''",
    '&',
    'a',
    'http://a',
  ]
  test('is read without an error, in both languages', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), list => {
        for (const model of ['wikitext', 'markdown'] as const)
          expect(readPageText(list.join(''), model, { decode: decodeEntities })).toBeDefined()
      }),
    )
  })

  test.each(
    oneIn(4, [...pieces, '\n{{a', '[http://a ', '{{{a|', '\n=a', '<a ', '[a](', '<!--', '\n|', '[[File:a.jpg|']),
  )('of 300 kB of %j is read', { tags: ['rounds', 'long'] }, piece => {
    const text = piece.repeat(Math.ceil(300_000 / piece.length))
    // Up to 500 ms. Code that is not linear takes minutes, more than the limit of a test.
    for (const model of ['wikitext', 'markdown'] as const)
      expect(readPageText(text, model, { decode: decodeEntities })).toBeDefined()
  })
  // A scan of the rest of the line for each of its addresses took minutes.
  test.each(['http://a:b ', 'http://_ '])('of many addresses like %j in one line is read in linear time', piece => {
    for (const model of ['wikitext', 'markdown'] as const) {
      const { lead, body } = readPageText(piece.repeat(200_000), model, { decode: decodeEntities })
      expect((lead + body).trim()).toBe('')
    }
  })
})
