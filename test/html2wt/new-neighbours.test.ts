/** New HTML beside other content: what is written stays separate, and nothing more is escaped than needed. */
import { describe, expect, test } from 'vitest'
import { back } from './_convert.ts'

const call = (text: string): string =>
  `<span typeof="mw:Transclusion" about="#mwt1" data-mw='{"parts":[{"template":{"target":{"wt":"Tide"},"params":{},"i":0}}]}'>${text}</span>`
const address = '<a rel="mw:ExtLink" href="http://a.example/b">http://a.example/b</a>'

describe('a bare address', () => {
  test.each([
    ['a template whose text would continue it', call('x'), 'http://a.example/b<nowiki/>{{Tide}}'],
    ['a template whose text does not', call(' x'), 'http://a.example/b{{Tide}}'],
  ])('before %s', (_, after, result) => {
    expect(back(`<p>${address}${after}</p>`)).toBe(result)
  })

  test.each([
    ['<i>x</i>', "[http://a.example/b''x''"],
    ['<i>x</i>]', "<nowiki>[</nowiki>http://a.example/b''x'']"],
    ['<i><a rel="mw:WikiLink" href="./C">x</a></i>', "<nowiki>[</nowiki>http://a.example/b''[[C|x]]''"],
  ])('after a bracket, which only a later bracket makes a link: %s', (after, result) => {
    expect(back(`<p>[${address}${after}</p>`)).toBe(result)
  })
})

describe('links', () => {
  test.each([
    ['./Foo_bar', 'x', '[[Foo bar|x]]'],
    ['./Foo_bar', 'Foo_bar', '[[Foo_bar]]'],
    ['./Foo_bar', './Foo_bar', '[[Foo_bar|./Foo_bar]]'],
    ['./Foo_bar#c_d', 'x', '[[Foo bar#c_d|x]]'],
  ])('a title is written with spaces: %s as %s', (href, text, result) => {
    expect(back(`<p><a rel="mw:WikiLink" href="${href}">${text}</a></p>`)).toBe(result)
  })

  test.each([
    ['mw:WikiLink/Interwiki', 'https://other.example/wiki/a%20b%3Fc', 'other:a b?c', '[[other:a b?c]]'],
    ['mw:ExtLink', 'https://other.example/wiki/a?b=c', 'x', '[https://other.example/wiki/a?b=c x]'],
    ['mw:ExtLink', 'https://other.example/wiki/a', '', '[https://other.example/wiki/a]'],
  ])('to another wiki: %s %s', (rel, href, text, result) => {
    expect(back(`<p><a rel="${rel}" href="${href}">${text}</a></p>`)).toBe(result)
  })
})

describe('blocks', () => {
  test('a switch leaves the paragraphs around it separate', () => {
    expect(back('<p>a</p><meta property="mw:PageProp/notoc"><p>b</p>')).toBe('a\n\n__NOTOC__\n\nb')
  })

  test.each([
    ['<b>x<link rel="mw:PageProp/Category" href="./Category:A"></b>', "'''x\n[[Category:A]]'''"],
    ['<small><link rel="mw:PageProp/Category" href="./Category:A">x</small>', '<small>[[Category:A]]\nx</small>'],
  ])('a category that begins an element is on its line: %s', (html, result) => {
    expect(back(html)).toBe(result)
  })

  test('the first cell begins a line, also one that a template continues', () => {
    const data = `{"parts":["|",{"template":{"target":{"wt":"Tide"},"params":{},"i":0}}," b"]}`
    const cell = `<td typeof="mw:Transclusion" about="#mwt1" data-mw='${data}'>a b</td>`
    expect(back(`<table><tbody><tr>${cell}</tr></tbody></table>`)).toBe('{|\n|{{Tide}} b\n|}')
  })

  test('a figure keeps its caption in formatting that a browser repeats', () => {
    const picture = '<a href="./File:A.jpg"><img resource="./File:A.jpg" height="20" width="180"></a>'
    const html = `<figure typeof="mw:File/Thumb"><b>${picture}<figcaption>c</figcaption></b></figure>`
    expect(back(html)).toBe('[[File:A.jpg|thumb|180x180px|c]]')
  })
})
