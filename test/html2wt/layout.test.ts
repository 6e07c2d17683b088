import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

describe('the layout of the HTML preserves the spacing of its wikitext', () => {
  test.each([
    ['a list as MediaWiki prints it', '<ul><li>a</li>\n<li>b\n<ul><li>c</li></ul></li></ul>', '*a\n*b\n**c'],
    ['a list on one line', '<ul><li>a</li><li>b</li></ul>', '* a\n* b'],
    ['a list that breaks its line first', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>', '* a\n* b'],
    ['an item of two lines', '<ul><li>a\nb</li>\n<li>c</li></ul>', '* a b\n* c'],
    ['a heading with its own id', '<h2 id="Two_knots">Two knots</h2>\n<h3 id="a">a</h3>', '==Two knots==\n===a==='],
    ['a heading of an editor', '<h2>Two knots</h2><h3>a</h3>', '== Two knots ==\n\n=== a ==='],
    [
      'cells as MediaWiki prints them',
      '<table>\n<tbody><tr>\n<th>a</th>\n<th>b\n</th>\n<td>c\n</td></tr></tbody></table>',
      '{|\n!a!!b\n|c\n|}',
    ],
    ['a paragraph after a block', '<div>a</div>\n<p>b\n</p>', '<div>a</div>\n\nb'],
    ['a paragraph of an editor after a block', '<div>a</div><p>b</p>', '<div>a</div>b'],
    ['cells of others', '<table><tr><td>a</td><td>b</td></tr></table>', '{|\n|a\n|b\n|}'],
    [
      'a block whose paragraph ends its line',
      '<blockquote>\n<p>a\n</p>\n</blockquote>',
      '<blockquote>\na\n</blockquote>',
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trim()).toBe(wikitext)
  })

  test('a new list in an existing page gets its spacing', async () => {
    const html = await there('a\n*b\n*c')
    const edited = html.replace('</p>', '</p><ul><li>d</li>\n<li>e</li></ul>')
    expect(back(edited, { source: 'a\n*b\n*c', html })).toContain('* d\n* e')
  })
})

test('a row of many formatted cells is written on one line', { tags: 'long' }, () => {
  const row = '<td>a</td>'.repeat(50_000)
  expect(back(`<table><tr>${row}<td>b\n</td></tr></table>`)).toContain('a||b')
})

describe("additional information in an editor's HTML", () => {
  test.each([
    [
      'ranges of translation',
      '<p>a <meta typeof="mw:Annotation/translate" data-mw=\'{"attrs":{"x":"1"}}\'/>b<meta typeof="mw:Annotation/translate/End"/></p>',
      'a <translate x="1">b</translate>',
    ],
    [
      'attributes that no page may have',
      '<div data-x-data-mw="a" data-x-y="b">c</div>',
      '<div data-mw="a" data-x-y="b">c</div>',
    ],
    ['a break with attributes', '<p><br style="clear:both">a</p>', '<br style="clear:both" />a'],
    ['a switch in a text', 'a<meta property="mw:PageProp/notoc"/>b', 'a\n__NOTOC__\nb'],
    ['a host that is a number', '<p><a href="http://[::1]/x">y</a></p>', '[http://[::1]/x y]'],
    [
      'brackets in an address',
      '<p><a href="http://x.example/[a]b">http://x.example/[a]b</a></p>',
      'http://x.example/&#x5B;a&#x5D;b',
    ],
    ['elements that HTML does not have', '<p><nowiki>a</nowiki></p>', '&lt;nowiki&gt;a&lt;/nowiki&gt;'],
    ['bold text in bold text', '<p><b>a<b>b</b>c</b></p>', "'''abc'''"],
    [
      'text in a rule of variants',
      '<p><span typeof="mw:LanguageVariant" data-mw-variant=\'{"disabled":{"t":"}-"}}\'></span></p>',
      '-{<nowiki>}-</nowiki>}-',
    ],
    ['a direction', '<p dir="rtl">a</p>', '<p dir="rtl">a</p>'],
    [
      'templates side by side under one name',
      '<p><span about="#mwt1" typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"a"}}}]}\'>x</span><span about="#mwt1" typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"b"}}}]}\'>y</span></p>',
      '{{a}}{{b}}',
    ],
    [
      'references in attributes of a tag',
      '<p><span typeof="mw:Extension/x" data-mw=\'{"name":"x","attrs":{"a":"&amp;amp;b"},"body":{"extsrc":"c"}}\'></span></p>',
      '<x a="&amp;amp;b">c</x>',
    ],
  ])('%s', (_, html, wikitext) => {
    expect(back(html).trim()).toBe(wikitext)
  })
})
