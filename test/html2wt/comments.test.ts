import { expect, test } from 'vitest'
import { back, there } from './_convert.ts'

test.each([
  '<!-- a & b > c - d -->',
  '<!-- &amp; &lt; &quot; -->',
  '<!-- a --&gt; b -->',
  '<!-- a --&amp;gt; b -->',
  '<!-- &#45;&#45;&#62; -->',
  '<!---->',
])('a comment comes back as it was: %s', async text => {
  const html = (await there(`a${text}`)).replace(/ data-parsoid=(?:'[^']*'|"[^"]*")/g, '')
  expect(back(html)).toBe(`a${text}`)
})

test.each([
  ['a&#x2D;&#x2D;&#x3E;b', 'a--&gt;b'],
  ['a&#x2D;&#x2D;&#x26;gt;b', 'a--&amp;gt;b'],
  ['a&#x26;lt;b', 'a&lt;b'],
])('a comment never ends inside its text: %s', (encoded, expected) => {
  expect(back(`<p>x<!--${encoded}--></p>`)).toBe(`x<!--${expected}-->`)
})
