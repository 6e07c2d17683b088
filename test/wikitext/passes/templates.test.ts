import { describe, expect, test } from 'vitest'
import { memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'

const pages = {
  'Template:Echo': '{{{1}}}',
  'Template:Item': '* sail',
  'Template:Cells': '|mast||keel',
  Quay: 'a',
}

async function html(text: string): Promise<string> {
  const settings = { sections: false, elementIds: false }
  const options = { title: 'Boats', wiki: memoryWiki({ pages }), bodyOnly: true, settings }
  return (await wikitextToHtml(text, options)).html
}

/** HTML without `data-mw`, and with `T` for the attributes that mark the beginning of a template's output. */
async function outline(text: string): Promise<string> {
  return (await html(text))
    .replace(/ data-mw=(?:'[^']*'|"[^"]*")/g, '')
    .replace(/ about="[^"]*"/g, ' a')
    .replace(/ typeof="mw:Transclusion"/g, ' T')
}

describe('the position of a template in the page', () => {
  test.each([
    ['{{Echo|a}}', '<p><span a T>a</span></p>'],
    ['x {{Echo|a}} y', '<p>x <span a T>a</span> y</p>'],
    ['{{Echo|a}}\n\n{{Echo|b}}', '<p><span a T>a</span></p>\n\n<p><span a T>b</span></p>'],
    ["{{Echo|''a''}}", '<p><i a T>a</i></p>'],
    ['{{Echo|<div>a</div>}}', '<div a T>a</div>'],
    ['{{Item}}', '<ul a T><li>sail</li></ul>'],
    ['b{{Echo|\n<div>c</div>}}', '<p>b</p><span class="mw-empty-elt" a T></span><div a>c</div>'],
    ['<i>b\n{{Echo|c<div>d</div>}}', '<p><i>b</i></p>\n<p a T><i>c</i></p><i a><div>d</div></i>'],
    ['{{Echo|<div>a</div>\n}}<b>c</b>', '<div a T>a</div><p><b>c</b></p>'],
    [
      '{{Echo|[[Category:A]]}}',
      '<span class="mw-empty-elt" a T><link rel="mw:PageProp/Category" href="./Category:A"/></span>',
    ],
    ['{{Echo|<div>a</div>\n<div>b</div>}}', '<div a T>a</div><div a>b</div>'],
    ['{{Echo|* a\n\n<hr>\n# b}}', '<ul a T><li>a</li></ul><span a>\n\n</span><hr a/><ol a><li>b</li></ol>'],
    [
      '{{Echo|<p>a [[Category:A]] b</p>}}',
      '<p a T>a <span class="mw-empty-elt"><link rel="mw:PageProp/Category" href="./Category:A"/></span> b</p>',
    ],
    [' {{Echo|a}}', '<pre><span a T>a</span></pre>'],
    [' b\n {{Echo|a}}\nc', '<pre>b\n<span a T>a</span></pre>\n<p>c</p>'],
    ['{{Echo| a}}\nc', '<pre a T>a</pre>\n<p>c</p>'],
    ['{{Echo|<div>}}<nowiki>b</nowiki></div>', '<div a T>b</div>'],
    ['{{Echo|<nowiki>b</nowiki>}}', '<p><span typeof="mw:Nowiki mw:Transclusion" a>b</span></p>'],
    ['{{Echo|__TOC__}}', '<meta property="mw:PageProp/toc" a T/>'],
    ['{{Echo|}}', '<span a T></span>'],
  ])('%j', async (text, expected) => {
    expect(await outline(text)).toBe(expected)
  })
})

describe('the data about a template in the page', () => {
  test.each([
    [
      '{{Echo|a|b= c }}',
      '{"target":{"wt":"Echo","href":"./Template:Echo"},"params":{"1":{"wt":"a"},"b":{"wt":"c"}},"i":0}',
    ],
    ['{{ echo }}', '{"target":{"wt":"echo ","href":"./Template:Echo"},"params":{},"i":0}'],
    ['{{lc:A}}', '{"target":{"wt":"lc:A","function":"lc"},"params":{},"i":0}'],
    ['{{:Quay}}', '{"target":{"wt":":Quay","href":"./Quay"},"params":{},"i":0}'],
  ])('%j', async (text, expected) => {
    expect(await html(text)).toContain(`data-mw='{"parts":[{"template":${expected}}]}'`)
  })

  test('several templates that cannot be distinguished are one', async () => {
    const page = await html('{|\n{{Cells}}\n{{Echo|}}x\n|}')
    expect(page.match(/mw:Transclusion/g)).toHaveLength(1)
    expect(await html('{{Echo|<i>}}a{{Echo|</i>}}')).toContain('},"a",{"template"')
  })
})

describe('trailing links of a list', () => {
  test.each([
    ['* a\n[[Category:A]]', '<ul><li>a</li></ul>\n<link'],
    ['* a\n** b\n\n[[Category:A]]', '<ul><li>a\n<ul><li>b</li></ul></li></ul>\n\n<link'],
    ['* a [[Category:A]]', '<ul><li>a<link'],
    ['* a\n[[Category:A]]\n* b', '<ul><li>a\n<link'],
  ])('%j', async (text, expected) => {
    expect(await html(text)).toContain(expected)
  })
})

test.each([
  ['{|\n! a !! b\n|-\n| c || d \n|}', '<th>a</th><th>b</th>'],
  ['; a : b', '<dl><dt>a</dt><dd>b</dd></dl>'],
  ['== a ==', '<h2 id="a">a</h2>'],
  ['<table><td> a </td></table>', '<td> a </td>'],
])('trailing spaces of wikitext are removed: %j', async (text, expected) => {
  expect(await html(text)).toContain(expected)
})
