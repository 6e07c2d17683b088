/** Awkward strings in every kind of place: HTML that an editor or a program may send, and what it means. */

import type { FileMetadata } from '../../src/wikitext/index.ts'
import type { ChildNode, ElementNode, ParentNode } from '../../src/wikitext/tree/node.ts'
import { parseHtml } from '../../src/wikitext/tree/parse-html.ts'
import { randomNumbers } from './_convert.ts'

const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const quoted = (value: string): string => text(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')

/** A kind of place: HTML with a string in it. */
type Place = (value: string) => string

const file = (before: string, alt: string, after = ''): string =>
  `${before}<a href="./File:Boat.svg"><img resource="./File:Boat.svg" src="./Boat.svg"${alt} width="20" height="20" class="mw-file-element"/></a>${after}`
const thumb = '<figure class="mw-default-size" typeof="mw:File/Thumb">'

/** Places of a text. */
export const textPlaces: Readonly<Record<string, Place>> = {
  paragraph: s => `<p>${text(s)}</p>`,
  'middle of a paragraph': s => `<p>x ${text(s)} y</p>`,
  'inside a word': s => `<p>x${text(s)}y</p>`,
  'second line': s => `<p>x\n${text(s)}</p>`,
  'after a break': s => `<p>x<br/>${text(s)}</p>`,
  bold: s => `<p>a <b>${text(s)}</b> b</p>`,
  'beside bold': s => `<p><b>a</b>${text(s)}<i>b</i></p>`,
  'before italic': s => `<p>${text(s)}<i>b</i> d'<b>c</b></p>`,
  'between italic': s => `<p><i>a</i>${text(s)}<i>b</i></p>`,
  'italic in bold': s => `<p>a <b>b <i>${text(s)}</i></b> c</p>`,
  'bold in italic': s => `<p>a <i><b>${text(s)}</b> b</i> c</p>`,
  item: s => `<ul><li>${text(s)}</li><li>b</li></ul>`,
  'second item': s => `<ol><li>a</li><li>b ${text(s)}</li></ol>`,
  'nested item': s => `<ul><li>a<ol><li>${text(s)}</li></ol></li></ul>`,
  term: s => `<dl><dt>${text(s)}</dt><dd>b</dd></dl>`,
  definition: s => `<dl><dt>a</dt><dd>${text(s)}</dd></dl>`,
  heading: s => `<h2>${text(s)}</h2><p>a</p>`,
  'heading with italic': s => `<h3>a <i>${text(s)}</i></h3>`,
  cell: s => `<table><tbody><tr><td>${text(s)}</td><td>b</td></tr></tbody></table>`,
  'second cell': s => `<table><tbody><tr><td>a</td><td>${text(s)}</td></tr></tbody></table>`,
  'styled cell': s => `<table><tbody><tr><td lang="de">${text(s)}</td><td>b</td></tr></tbody></table>`,
  'bold cell': s => `<table><tbody><tr><td><b>${text(s)}</b></td><td>b</td></tr></tbody></table>`,
  'second line of a cell': s => `<table><tbody><tr><td><p>a <br/></p><p>${text(s)}</p></td></tr></tbody></table>`,
  'item of a cell': s => `<table><tbody><tr><td><ul><li>${text(s)}</li></ul></td></tr></tbody></table>`,
  header: s => `<table><tbody><tr><th>${text(s)}</th><th>b</th></tr></tbody></table>`,
  'second header': s => `<table><tbody><tr><th>a</th><th>${text(s)}</th></tr></tbody></table>`,
  caption: s => `<table><caption>${text(s)}</caption><tbody><tr><td>a</td></tr></tbody></table>`,
  link: s => `<p>a <a rel="mw:WikiLink" href="./Fog">${text(s)}</a> b</p>`,
  'italic link': s => `<p>a <a rel="mw:WikiLink" href="./Fog">x <i>${text(s)}</i></a> b</p>`,
  'before a link': s => `<p>a ${text(s)}<a rel="mw:WikiLink" href="./Fog">x y</a></p>`,
  'after a link': s => `<p>a <a rel="mw:WikiLink" href="./Fog">x y</a>${text(s)}</p>`,
  'external link': s => `<p>a <a rel="mw:ExtLink" href="http://a.example/b">${text(s)}</a> b</p>`,
  'italic external link': s => `<p><a rel="mw:ExtLink" href="http://a.example/b">x <i>${text(s)}</i></a></p>`,
  'link of a cell': s =>
    `<table><tbody><tr><td><a rel="mw:WikiLink" href="./Fog">${text(s)}</a></td><td>b</td></tr></tbody></table>`,
  'link of an item': s => `<ul><li>a <a rel="mw:WikiLink" href="./Fog">${text(s)}</a></li></ul>`,
  'caption of a picture': s => `${file(thumb, ' alt="x"')}<figcaption>${text(s)}</figcaption></figure>`,
  'italic in a caption': s => `${file(thumb, ' alt="x"')}<figcaption>a <i>${text(s)}</i> b</figcaption></figure>`,
  'link in a caption': s =>
    `${file(thumb, ' alt="x"')}<figcaption>a <a rel="mw:WikiLink" href="./Fog">${text(s)}</a></figcaption></figure>`,
  box: s => `<div>${text(s)}</div>`,
  quotation: s => `<blockquote><p>${text(s)}</p></blockquote>`,
  preformatted: s => `<pre>a\n${text(s)}\nb</pre>`,
  code: s => `<p>a <code>${text(s)}</code></p>`,
  small: s => `<p><small>${text(s)}</small></p>`,
}

/** Places of an attribute's value. */
export const valuePlaces: Readonly<Record<string, Place>> = {
  title: s => `<p>a <abbr title="${quoted(s)}">b</abbr> c</p>`,
  'title in an item': s => `<ul><li><span title="${quoted(s)}">b</span></li><li>c</li></ul>`,
  'title in a term': s => `<dl><dt><span title="${quoted(s)}">a</span></dt><dd>b</dd></dl>`,
  'title in a heading': s => `<h2>a <span title="${quoted(s)}">b</span></h2>`,
  'title in a cell': s =>
    `<table><tbody><tr><td><span title="${quoted(s)}">a</span></td><td>b</td></tr></tbody></table>`,
  'title in a header': s =>
    `<table><tbody><tr><th><span title="${quoted(s)}">a</span></th><th>b</th></tr></tbody></table>`,
  'title in a link': s => `<p><a rel="mw:WikiLink" href="./Fog">a <span title="${quoted(s)}">b</span></a></p>`,
  'title in an external link': s =>
    `<p><a rel="mw:ExtLink" href="http://a.example/b">a <span title="${quoted(s)}">b</span></a></p>`,
  'title in a caption': s =>
    `${file(thumb, ' alt="x"')}<figcaption>a <span title="${quoted(s)}">b</span></figcaption></figure>`,
  'title in italic': s => `<p>l'<i>a <span title="${quoted(s)}">b</span></i></p>`,
  'title of a cell': s => `<table><tbody><tr><td title="${quoted(s)}">a</td><td>b</td></tr></tbody></table>`,
  'title of a second cell': s => `<table><tbody><tr><td>a</td><td title="${quoted(s)}">b</td></tr></tbody></table>`,
  'title of a header': s => `<table><tbody><tr><th title="${quoted(s)}">a</th><th>b</th></tr></tbody></table>`,
  'title of a row': s => `<table><tbody><tr><td>a</td></tr><tr title="${quoted(s)}"><td>b</td></tr></tbody></table>`,
  'title of a table': s => `<table title="${quoted(s)}"><tbody><tr><td>a</td></tr></tbody></table>`,
  'title of a table caption': s =>
    `<table><caption title="${quoted(s)}">a</caption><tbody><tr><td>a</td></tr></tbody></table>`,
  'title of a box': s => `<div title="${quoted(s)}"><p>a</p></div>`,
  'title of bold': s => `<p>a <b title="${quoted(s)}">b</b></p>`,
  'title of a paragraph': s => `<p>a</p><p title="${quoted(s)}">b</p><p>c</p>`,
  'title of an item': s => `<ul><li title="${quoted(s)}">a</li><li>b</li></ul>`,
  'title of a list': s => `<ol title="${quoted(s)}"><li>a</li><li>b</li></ol>`,
  'title of a heading': s => `<h3 title="${quoted(s)}">a</h3>`,
  'title of code': s => `<pre title="${quoted(s)}">a\nb</pre>`,
  'alternative text': s =>
    `<p>a ${file('<span class="mw-default-size" typeof="mw:File">', ` alt="${quoted(s)}"`)}</span></p>`,
  'alternative text of a thumbnail': s => `${file(thumb, ` alt="${quoted(s)}"`)}<figcaption>c</figcaption></figure>`,
  'alternative text in a cell': s =>
    `<table><tbody><tr><td>${file('<span class="mw-default-size" typeof="mw:File">', ` alt="${quoted(s)}"`)}</span></td><td>b</td></tr></tbody></table>`,
}

const words = [
  'rope',
  'Homère',
  'qu',
  'x y',
  '1',
  'l',
  'Über',
  'http://b.example/c',
  'a=b',
  'A:b',
  '1',
  'a, b',
] as const
const signs = [
  '|',
  '||',
  '!!',
  '!',
  ']]',
  '[[',
  '[',
  ']',
  '{{',
  '}}',
  '{{{',
  '}}}',
  '{',
  '}',
  '{|',
  '|}',
  '|-',
  '|+',
  '-{',
  '}-',
  '>',
  '<',
  '"',
  "'",
  "''",
  "'''",
  "'''''",
  '=',
  '==',
  '*',
  '#',
  ':',
  ';',
  '----',
  ' ',
  '&',
  '&amp;',
  '&lt;',
  '~~~~',
  '~~~',
  '__NOTOC__',
  '<b>',
  '</b>',
  '<br>',
  '<!--',
  '-->',
  '<nowiki>',
  '</nowiki>',
  '<ref>',
  '</ref>',
  '<pre>',
  '</div>',
  '<span',
  '/>',
  '[[Fog]]',
  '[[Fog|x]]',
  '{{Tide}}',
  '{{Tide|x}}',
  '[http://c.example d]',
  'RFC 123',
  'ISBN 0306406152',
  '[[File:Boat.svg|x]]',
  '[[Category:Sea]]',
  '{{{1}}}',
  '#REDIRECT [[Fog]]',
  '<references/>',
  '</span>',
  '</li>',
  '\\',
  '/',
  '%7C',
  '?',
  '_',
  '.',
] as const

/** A generated case: HTML, and the name of its place. */
export interface AwkwardCase {
  readonly place: string
  readonly value: string
  readonly html: string
}

/** Makes an awkward text. */
export function awkwardText(next: () => number): string {
  const one = <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)]!
  const parts = Array.from({ length: 1 + Math.floor(next() * 4) }, () => (next() < 0.6 ? one(signs) : one(words)))
  const joined = parts.join(next() < 0.3 ? ' ' : '').trim()
  return joined === '' ? 'rope' : joined
}

/** Generates cases; the same for the same seed. */
export function* awkwardCases(count: number, seed: number): Generator<AwkwardCase> {
  const next = randomNumbers(seed)
  const places = Object.entries({ ...textPlaces, ...valuePlaces })
  for (let index = 0; index < count; index++) {
    const [place, make] = places[index % places.length]!
    const value = awkwardText(next)
    yield { place, value, html: make(value) }
  }
}

/** The file of the pictures. */
export const boat: FileMetadata = {
  name: 'Boat.svg',
  mediatype: 'DRAWING',
  mime: 'image/svg+xml',
  size: 200,
  width: 20,
  height: 20,
  duration: null,
  url: './Boat.svg',
  thumbnail: () => './Boat.svg',
}

const kept: ReadonlySet<string> = new Set(
  'title alt class style lang dir start value type reversed colspan rowspan'.split(' '),
)
const engineClass = /^(?:mw-.*|external|text|free|autonumber|new|wikitable|image|extiw)$/
const ends: ReadonlySet<string> = new Set(
  'p div ul ol li dl dt dd table tbody tr td th caption h1 h2 h3 h4 h5 h6 blockquote figure figcaption body br'.split(
    ' ',
  ),
)

/** Describes the text that HTML shows, with the attributes that carry meaning: the same for spellings that show the same. */
export function meaningOf(html: string): string {
  return written(parseHtml(html))
    .replace(/[ \n\t]*(<\/?(?:\w+)[^<>]*>\u0001)[ \n\t]*/g, '$1')
    .replaceAll('\u0001', '')
    .replace(/ +/g, ' ')
    .replace(/<p><\/p>/g, '')
    .trim()
}

function written(node: ParentNode): string {
  return node.children.map(child => writtenChild(child, node)).join('')
}

function writtenChild(node: ChildNode, parent: ParentNode): string {
  if (node.kind === 'comment') return ''
  if (node.kind === 'text')
    return isWithin(parent, 'pre')
      ? node.text.replaceAll('<', '‹').replaceAll('>', '›')
      : node.text
          .replace(/[ \n\t\u00a0]+/g, ' ')
          .replaceAll('<', '‹')
          .replaceAll('>', '›')
  if (['link', 'meta', 'style', 'script', 'head'].includes(node.name)) return ''
  // The list of notes follows from the notes.
  if (/\bmw-references/.test(node.attributes.get('class') ?? '')) return ''
  const attributes = attributesOf(node)
  const inner = written(node)
  const isBare =
    ['section', 'tbody', 'body', 'html'].includes(node.name) ||
    (node.name === 'span' && attributes === '' && !/^mw:File/.test(node.attributes.get('typeof') ?? '')) ||
    (node.name === 'p' &&
      attributes === '' &&
      parent.kind === 'element' &&
      !['section', 'body'].includes(parent.name)) ||
    (node.name === 'a' && parent.kind === 'element' && /^mw:File/.test(parent.attributes.get('typeof') ?? ''))
  if (isBare) return node.name === 'p' ? ` ${inner} ` : inner
  const mark = ends.has(node.name) ? '\u0001' : ''
  return `<${node.name}${attributes}>${mark}${inner}</${node.name}>${mark}`
}

function isWithin(node: ParentNode, name: string): boolean {
  for (let at: ParentNode | null = node; at !== null; at = at.kind === 'element' ? at.parent : null)
    if (at.kind === 'element' && at.name === name) return true
  return false
}

function attributesOf(node: ElementNode): string {
  const rows: string[] = []
  for (const [name, value] of node.attributes) {
    if (name === 'href') rows.push(`href=${decodeHref(value)}`)
    else if (name === 'class') {
      const own = value.split(/\s+/).filter(one => one !== '' && !engineClass.test(one))
      if (own.length > 0) rows.push(`class=${own.join(' ')}`)
    } else if (name === 'title' && node.name === 'a') continue
    else if (kept.has(name))
      rows.push(
        `${name}=${value
          .replace(/[\t\n\r ]+/g, ' ')
          .replaceAll('<', '‹')
          .replaceAll('>', '›')}`,
      )
  }
  return rows.length === 0 ? '' : ` ${rows.sort().join(' ')}`
}

function decodeHref(value: string): string {
  let decoded = value
  try {
    decoded = decodeURIComponent(value)
  } catch {
    // Stays as it is.
  }
  return decoded
    .replace(/^(?:\.\/|\/wiki\/)/, '')
    .replaceAll('_', ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
}
