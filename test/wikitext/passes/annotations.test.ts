import { expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'
import { back, there } from '../../html2wt/_convert.ts'

const wiki = memoryWiki({ pages: { 'Template:Same': '{{{1}}}' } })

/** The HTML without ids and sections: `[1 T` and `1]` for the tags of an annotation, `(` and `)` around a longer range. */
async function shown(text: string): Promise<string> {
  const settings = { sections: false, elementIds: false }
  const { html } = await wikitextToHtml(text, { title: 'A', wiki, bodyOnly: true, settings })
  return html
    .replace(/<meta typeof="mw:Annotation\/(\w+)"[^>]*?"rangeId":"mwa(\d+)"[^>]*>/g, '[$2 $1 ')
    .replace(/<meta typeof="mw:Annotation\/\w+\/End"[^>]*>/g, ' ]')
    .replace(/ data-mw='[^']*'| about="[^"]*"/g, '')
}

test.each([
  ['a line', 'a <translate>b</translate> c', '<p>a [0 translate b ] c</p>'],
  ['a paragraph', '<translate>a</translate>\n\nb', '<p>[0 translate a ]</p>\n\n<p>b</p>'],
  ['lines of their own', '<translate>\na\n\nb\n</translate>', '[0 translate \n<p>a</p>\n\n<p>b</p>\n ]'],
  [
    'tags in other letters, with attributes',
    '<TRANSLATE nowrap>a <tvar name="b">c</tvar></Translate>',
    '<p>[0 translate a [1 tvar c ] ]</p>',
  ],
  ['a heading', '<translate>== a ==</translate>', '[0 translate <h2 id="a">a</h2> ]'],
  ['the text of a heading', '== <translate>a</translate> ==', '<h2 id="a">[0 translate a ]</h2>'],
  ['an item', '* <translate>a</translate>\n* b', '<ul><li>[0 translate a ]</li>\n<li>b</li></ul>'],
  ['items', '<translate>\n* a\n* b\n</translate>', '[0 translate \n<ul><li>a</li>\n<li>b</li></ul>\n ]'],
  ['the text of a link', '[[A|<tvar name=1>b</tvar>]]', /<a [^>]*>\[0 tvar b \]<\/a>/],
  [
    'the target of a link',
    '[[<tvar name=1>A</tvar>|b]]',
    /<a rel="mw:WikiLink" href="\.\/A" typeof="mw:ExpandedAttrs mw:Annotation\/tvar"[^>]*>b<\/a>/,
  ],
  [
    'an attribute',
    '<i class="<tvar name=1>a</tvar>">b</i>',
    /^<p><i class="a" typeof="mw:ExpandedAttrs mw:Annotation\/tvar">b/,
  ],
  ['the name of a template', '{{<tvar name=1>Same</tvar>|a}}', '<p><span typeof="mw:Transclusion">a</span></p>'],
  [
    'the mark of a unit, which is not the start of a line',
    '<translate><!--T:1--> a</translate>',
    /^<p>\[0 translate <!--T:1--> a \]/,
  ],
])('an annotation of %s', async (_, text, expected) => {
  const html = await shown(text)
  if (typeof expected === 'string') expect(html).toBe(expected)
  else expect(html).toMatch(expected)
})

test.each([
  [
    'inside an element',
    "a ''b <translate>c'' d</translate>",
    /^<p>a <span typeof="mw:ExtendedAnnRange">\[0 translate <i>b c<\/i> d \]/,
  ],
  [
    'in two paragraphs',
    'a <translate>b\n\nc</translate> d',
    /^<div typeof="mw:ExtendedAnnRange">\[0 translate <p>a b<\/p>\n\n<p>c d<\/p> \]/,
  ],
  [
    'between the rows of a table',
    '{|\n|a\n|-\n<translate>\n|b\n|}</translate>',
    /^<div typeof="mw:ExtendedAnnRange">\[0 translate <table>/,
  ],
  [
    'of the same name that meet in a paragraph',
    '<tvar>a</tvar>\n\n<translate>\nb</translate> <translate>c\n\nd</translate>',
    /\[1 translate \n<p>b c<\/p>\n\n<p>d<\/p> \]<\/div>$/,
  ],
])('a range with an end %s grows to whole elements, and is marked', async (_, text, expected) => {
  expect(await shown(text)).toMatch(expected)
})

test('an end without a beginning is text, and so are tags in a comment, in <nowiki> and of other names', async () => {
  const text = 'a</translate><nowiki><translate></nowiki><translation>'
  expect(await shown(text)).toContain('a&lt;/translate><span typeof="mw:Nowiki">&lt;translate></span>&lt;translation>')
})

test('offsets count as ranges of elements do: in bytes for editors', async () => {
  expect(await there('ä <translate>b</translate>')).toContain('"wtOffsets":[3,14]')
})

const sources = [
  '<translate>\n== a ==\n\nb\n</translate>',
  "a ''b <translate nowrap>c'' d</translate>",
  '{|\n|a\n|-\n<translate>\n|b\n|}</translate>\n\nc',
  '[[<tvar name="1">A</tvar>|b]] and <tvar name="2">c</tvar>',
]

test.each(sources)('%j comes back from the HTML for editors without its source', async text => {
  expect(back(await there(text))).toBe(text)
})

test.each(sources)('%j stays as it is when a word after it changes', async text => {
  const source = `${text}\n\nlast word`
  const html = await there(source)
  expect(back(html.replace('last word', 'last words'), { source, html })).toBe(`${source}s`)
})

test('new blocks beside the tags stand on lines of their own', () => {
  const start = '<meta typeof="mw:Annotation/translate">'
  const end = '<meta typeof="mw:Annotation/translate/End">'
  expect(back(`<p>a</p>${start}<p>b</p>${end}<p>c</p>`)).toBe('a\n\n<translate>\nb\n</translate>\n\nc')
})

// Slow because of its length: with quadratic work this took many minutes.
test('ten thousand annotations are placed', { tags: 'long' }, async () => {
  expect((await shown('<translate>a</translate>\n\n'.repeat(10_000))).split('[').length).toBe(10_001)
})
