import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

/** Renders a page, edits its HTML, and converts it back with the original. */
async function edited(text: string, from: RegExp | string, to: string): Promise<string> {
  const html = await there(text)
  const changed = html.replace(from, to)
  expect(changed).not.toBe(html)
  return back(changed, { source: text, html })
}

describe('new content beside unchanged content', () => {
  test.each([
    ['a row before the first one', '{|\n|a\n|}', /<tr/, '<tr><td>X</td></tr><tr', '{|\n|X\n|-\n|a\n|}'],
    [
      'a cell before a cell in HTML',
      '<table><tr><td>a</td></tr></table>',
      '<td',
      '<td>X</td><td',
      '<table><tr><td>X</td><td>a</td></tr></table>',
    ],
    ['a cell whose text ends with its line', '{|\n|a||b\n|}', '>a<', '>c\nd\n<', '{|\n|c\nd\n|b\n|}'],
    ['a cell whose first neighbour goes', '{|\n|a||-\n|}', /<td[^>]*>a<\/td>/, '', '{|\n| -\n|}'],
    ['a list in an item', '* a \n* b', '</li>', '<ul><li>X</li></ul></li>', '* a \n** X\n* b'],
    ['the last item of a list goes', 'a\n*b\n*c\nd', /<li[^>]*>c<\/li>/, '', 'a\n*b\nd'],
    [
      'a text whose line a template ended',
      '<div>\nabc\n{{Tide|\n{{{!}}\n{{!}} d\n{{!}}}}}',
      'abc',
      'def',
      '<div>\ndef\n{{Tide|\n{{{!}}\n{{!}} d\n{{!}}}}}',
    ],
    ['a heading whose text goes', '==a==\nb', /(<h2[^>]*>)a/, '$1', 'b'],
    ['what stood between two quotes goes', "''a''<u>b</u>''c''", /<u[^>]*>b<\/u>/, '', "''ac''"],
    ['a look in a link', '[[Harbour]]', '>Harbour<', '><i>Harbour</i><', "''[[Harbour]]''"],
    [
      'a bracket before an address',
      'https://x.example/',
      /(<a.*<\/a>)/,
      '[$1]',
      '<nowiki>[</nowiki>https://x.example/]',
    ],
  ] as const)('%s', async (_, text, from, to, wikitext) => {
    expect((await edited(text, from, to)).trim()).toBe(wikitext)
  })
})

describe('nodes from one piece of source', () => {
  const fostered = '{|\n[[Category:Ropes]]\n|a\n|}\n\nb'

  test('are kept together', async () => {
    expect(await edited(fostered, '>b<', '>c<')).toBe(fostered.replace('b', 'c'))
    expect(await edited(`z\n\n${fostered}`, '>b<', '>c<')).toBe(`z\n\n${fostered.replace('b', 'c')}`)
  })

  test('are written one by one if one of them has changed', async () => {
    const wikitext = await edited(fostered, '>a', '>c')
    expect(wikitext.match(/Category:Ropes/g)).toHaveLength(1)
    expect(wikitext).toContain('|c')
    expect(wikitext).toContain('\n\nb')
  })

  test('parts of a link that contains a link are written with it', async () => {
    const text = '* [https://x.example a [[Harbour]] b]. c\n* d'
    expect(await edited(text, '>d<', '>e<')).toBe(text.replace('* d', '* e'))
    expect(await edited(text, /(\. c)/, '$1<ul><li>X</li></ul>')).toBe(text.replace('. c', '. c\n** X'))
  })
})
