/** Edits that change what surrounds unchanged source: it keeps its meaning. */
import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

async function edited(source: string, from: RegExp, to: string): Promise<string> {
  const html = await there(source)
  expect(html).toMatch(from)
  return back(html.replace(from, to), { source, html })
}

const note = `<sup typeof="mw:Extension/ref" about="#mwt9" data-mw='{"name":"ref","attrs":{},"body":{"html":"n"}}'>1</sup>`

describe('lists', () => {
  test.each([
    ['***b', /<ul[^>]*><li[^>]*>b/, 'a$&', '**a\n***b'],
    [':::b', /<dl[^>]*><dd[^>]*>b/, 'a$&', '::a\n:::b'],
    ['***b\n**c', /<ul[^>]*><li[^>]*>b/, 'a$&', '**a\n***b\n**c'],
  ])('a list keeps its bullets when text comes before it: %j', async (source, from, to, result) => {
    expect(await edited(source, from, to)).toBe(result)
  })

  test.each([
    [note, '*a <ref>n</ref>\n**b'],
    ['<b>c</b>', "*a '''c'''\n**b"],
  ])('what is put before a nested list stays on the line of its item', async (added, result) => {
    expect(await edited('*a\n**b', /<ul[^>]*><li[^>]*>b/, `${added}$&`)).toBe(result)
  })

  test('a definition that now begins with a list leaves the line of its term', async () => {
    expect(await edited('*;a :b', /b(?=<\/dd>)/, '<dl><dd>c</dd></dl>')).toBe('*;a \n*:: c')
  })

  test('the line break after a removed first item goes with it', async () => {
    expect(await edited('x\n\n*a\n*b', /<li[^>]*>a<\/li>/, '')).toBe('x\n\n*b')
  })

  test('a new list is set apart from the text before it', async () => {
    expect(await edited('one\n\ntwo', /<p[^>]*>two/, '<ul><li>a</li></ul>$&')).toBe('one\n\n* a\n\ntwo')
  })
})

describe('tables', () => {
  test('rows begin on a new line when an editor drops the white space before them', async () => {
    expect(await edited('{|\n|a||b\n|}', /(<table[^>]*>)\s+/, '$1')).toBe('{|\n|a||b\n|}')
  })

  test.each([
    ['{|\none\n|a\n|}\n', '\ntwo\n{|\n|a\n|}\n'],
    ['x\n\n<table>one<div>b</div><tr><td>a</table>', 'x\n\ntwo<div>b</div><table><tr><td>a</table>'],
  ])('words that a table moved out are written once: %j', async (source, result) => {
    expect(await edited(source, /one/, 'two')).toBe(result)
  })
})

describe('text', () => {
  test.each(['[[Harbour]]', '[[Harbour|ships]]'])('a link whose text was removed is gone: %s', async link => {
    expect(await edited(`a ${link} b`, /(<a [^>]*>)[^<]*/, '$1')).toBe('a  b')
  })

  test('apostrophes of removed text are gone', async () => {
    expect(await edited("{|\n|''a||''b\n|}", /(<i[^>]*>)a/, '$1')).toBe("{|\n|||''b\n|}")
  })

  test('an element in nowiki is its text', async () => {
    expect(await edited('a<nowiki>*</nowiki>', /\*/, '<b>*</b>')).toBe('a<nowiki>*</nowiki>')
  })

  test('a heading with several lines is a tag', async () => {
    expect(await edited('==a==\nb', /a(?=<\/h2>)/, 'a<p>c</p>')).toBe('<h2 id="a">a\nc\n</h2>\nb')
  })

  test('an existing paragraph in a new box stays one', async () => {
    expect(await edited('a', /<p[^>]*>a<\/p>/, '<div>$&</div>')).toBe('<div>\na\n</div>')
  })

  test('a heading is set apart from new text before it', async () => {
    const link = '<a rel="mw:ExtLink" href="http://a.example">t</a>'
    expect(await edited('==a==\nb', /<h2/, `${link}$&`)).toBe('[http://a.example t]\n\n==a==\nb')
  })
})
