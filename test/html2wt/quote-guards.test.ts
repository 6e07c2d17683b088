import { describe, expect, test } from 'vitest'
import { back, there } from './_convert.ts'

describe('apostrophes beside bold and italic text', () => {
  test.each([
    ["'<i>a</i>", "'''a''"],
    ["<i>a'</i>", "''a'''"],
    ["<i>'a'</i>", "''<nowiki/>'a'''"],
    ["<i>a</i>'s", "''a''<nowiki/>'s"],
    ["<b>a'<i>b'</i>c</b>", "'''a'<nowiki/>''b'<nowiki/>''c'''"],
    ["'<i>a</i> b '<i>c</i>", "'<nowiki/>''a'' b '''c''"],
    ['<i>a</i><b>b</b>', "''a'''''b'''"],
    ['<b>a</b><i>b</i>', "'''a'''''b''"],
  ])('%s is %s, and is parsed back unchanged', async (html, wikitext) => {
    expect(back(`<p>${html}</p>`)).toBe(wikitext)
    const again = await there(wikitext)
    expect(again.replace(/ data-parsoid=(?:'[^']*'|"[^"]*")|<\/?span[^>]*>| id="mw[^"]*"/g, '')).toContain(
      `<p>${html}</p>`,
    )
  })
})

test('a link that begins with a link keeps its position, and does not become a numbered link', async () => {
  expect(back(await there('[https://x.example [[Harbour]] a]'))).toContain('[https://x.example <nowiki/>][[Harbour]]')
})

describe('brackets in several nodes', () => {
  test.each([
    ['[[<i>Har</i>bour]] x', "[[''Har''<nowiki>bour]]</nowiki> x"],
    ['[[<b>a</b>|', "[['''a'''|"],
    ['a]] <i>b</i>', "a]] ''b''"],
  ])('%s', (html, wikitext) => {
    expect(back(`<p>${html}</p>`)).toBe(wikitext)
  })
})
