/** Attributes and other things that only HTML can say are written as HTML, with and without a source. */

import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

test.each([
  ['<ol start="3"><li>a</li><li>b</li></ol>', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['<ol type="a"><li>a</li></ol>', '<ol type="a">\n<li>a</li>\n</ol>'],
  ['<ol><li value="5">a</li><li>b</li></ol>', '<ol>\n<li value="5">a</li>\n<li>b</li>\n</ol>'],
  ['<ul><li>a<ol start="2"><li>b</li></ol></li></ul>', '<ul>\n<li>a<ol start="2">\n<li>b</li>\n</ol></li>\n</ul>'],
  ['<dl class="x"><dt>a</dt><dd>b</dd></dl>', '<dl class="x">\n<dt>a</dt>\n<dd>b</dd>\n</dl>'],
  ['<p>a</p><p class="note">b</p><p>c</p>', 'a\n<p class="note">b</p>\n\nc'],
  ['<p>a</p><p style="color: red">b</p>', 'a\n<p style="color: red">b</p>'],
  ['<h2 class="x">a</h2><p>b</p>', '<h2 class="x">a</h2>\nb'],
  ['<hr class="x">', '<hr class="x">'],
  ['<p id="x">a</p><p><a href="#x">b</a></p>', '<p id="x">a</p>\n\n[[#x|b]]'],
  ['<p id="x">a</p>', 'a'],
  ['<h2 id="x">a</h2>', '== a =='],
  ['<ul><li class="task-list-item">a</li></ul>', '*a'],
  ['<table><tr><td><ol start="2"><li>a</li></ol></td></tr></table>', '{|\n|<ol start="2">\n<li>a</li>\n</ol>\n|}'],
])('%s', (html, wikitext) => {
  expect(back(html)).toBe(wikitext)
})

describe('attributes that an edit adds', () => {
  test.each([
    [
      "x\n\n# a\n# ''b''\n## c\n\ny",
      /<ol/,
      '<ol start="4"',
      "x\n\n<ol start=\"4\"><li>a</li>\n<li>''b''\n<ol>\n<li>c</li>\n</ol></li></ol>\n\ny",
    ],
    ['x\n\n* a\n* b\n\ny', /<li([^>]*>b)/, '<li value="7"$1', 'x\n\n<ul><li>a</li>\n<li value="7">b</li></ul>\n\ny'],
    ['x\n\na\n\ny', /<p([^>]*>a)/, '<p class="k"$1', 'x\n\n<p class="k">a</p>\n\ny'],
    ['x\n\n==  a  ==\ny', /<h2/, '<h2 class="k"', 'x\n\n<h2 class="k">a</h2>\ny'],
  ])('%j', async (source, from, to, wikitext) => {
    const html = await there(source)
    expect(html).toMatch(from)
    expect(back(html.replace(from, to), { source, html })).toBe(wikitext)
  })
})
