import { type DefaultTreeAdapterMap, parse, parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import type { ChildNode } from '../../src/wikitext/tree/node.ts'
import { parseWellFormed } from '../../src/wikitext/tree/well-formed.ts'

type Node = DefaultTreeAdapterMap['childNode']

const deep = (nodes: readonly ChildNode[]): unknown[] =>
  nodes.map(node => {
    if (node.kind !== 'element') return [node.kind, node.text]
    return [node.name, [...node.attributes], deep(node.children)]
  })

const deepOfParse5 = (nodes: readonly Node[]): unknown[] =>
  nodes.map(node => {
    if (node.nodeName === '#text') return ['text', (node as DefaultTreeAdapterMap['textNode']).value]
    if (node.nodeName === '#comment') return ['comment', (node as DefaultTreeAdapterMap['commentNode']).data]
    const { tagName, attrs, childNodes } = node as DefaultTreeAdapterMap['element']
    return [tagName, attrs.map(({ name, value }) => [name, value]), deepOfParse5(childNodes)]
  })

const bodyOf = (html: string): readonly Node[] => {
  const root = parse(html, { scriptingEnabled: false }).childNodes.find(node => node.nodeName === 'html')
  const body = (root as DefaultTreeAdapterMap['element']).childNodes.find(node => node.nodeName === 'body')
  return (body as DefaultTreeAdapterMap['element']).childNodes
}

const names = [
  'a b i span span div ul ol dl table section code sup br img link meta p h2 pre style hr font section figure'.split(
    ' ',
  ),
  'li dt dd tbody tr td th caption colgroup thead col h3 button svg ruby rt select option address nobr input'.split(
    ' ',
  ),
] as const
const voids = new Set(['br', 'hr', 'img', 'col', 'link', 'meta', 'input'])
const inside: Readonly<Record<string, readonly string[]>> = {
  ul: ['li'],
  ol: ['li'],
  dl: ['dt', 'dd'],
  table: ['tbody', 'thead', 'caption', 'colgroup'],
  tbody: ['tr'],
  thead: ['tr'],
  tr: ['td', 'th'],
  colgroup: ['col'],
}
/** Texts that programs write, and some that they hardly write. */
const texts = [
  ['x', ' ', '\n', 'a&amp;b', '&nbsp;', '&#233;', '&#x27;', '& ', '>', '"', '\ud83d\ude00'],
  ['&copy;', '<', '&amp', '&1', '&#128;'],
] as const
const attributes = [
  ['', '', '', ' id="x"', ' data-mw=\'{"a":"&lt;b>"}\'', ' href="?a&amp;b&c&amp;=1 "', ' hidden'],
  [' class=x', ' a="1" a="2"', ' href="?a&copy=1"', ' A="b"', ' a="b"c="d"', ' a = "b"'],
] as const
const comments = [
  ['<!--x-->', '<!---->', '<!-- - -- -->', '<!--a--->', '<!--<b>-->'],
  ['<!-->-->', '<!--a--!>b-->', '<?x?>', '<!--a'],
] as const

/** Random HTML: mostly as programs write it, in places not. */
function generated(seed: number): string {
  let state = seed * 2654435761 + 1
  const chance = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const one = <T>(list: readonly T[]): T => list[chance(list.length)]!
  const mostly = (lists: readonly [readonly string[], readonly string[]]): string =>
    one(lists[chance(40) === 0 ? 1 : 0]!)
  const part = (depth: number, parent: string): string => {
    const kind = chance(20)
    const isFrame = Object.hasOwn(inside, parent) && chance(40) > 0
    if (kind < 4) return isFrame ? one(['', '\n', ' ']) : mostly(texts)
    if (kind === 4) return chance(3) === 0 ? mostly(comments) : ''
    if (depth === 0) return ''
    const name = isFrame ? one(inside[parent]!) : mostly(names)
    const tag = `<${name}${mostly(attributes)}${chance(voids.has(name) ? 2 : 80) === 0 ? '/' : ''}>`
    if (voids.has(name)) return tag
    const held = Array.from({ length: chance(4) }, () => part(depth - 1, name)).join('')
    return `${tag}${held}${chance(60) === 0 ? '' : `</${name}>`}`
  }
  return Array.from({ length: 1 + chance(3) }, () => part(7, '')).join('')
}

test('very deep nesting is left to parse5', () => {
  expect(parseWellFormed(`${'<b>'.repeat(200)}${'</b>'.repeat(200)}`, { isDocument: false })).toBeNull()
})

const count = 4000

test('one pass builds the same tree as parse5', { tags: 'long' }, () => {
  let read = 0
  for (let seed = 0; seed < count; seed++) {
    const html = generated(seed)
    const tree = parseWellFormed(html, { isDocument: false })
    if (tree === null) continue
    read++
    expect(deep(tree), html).toEqual(deepOfParse5(parseFragment(html, { scriptingEnabled: false }).childNodes))
  }
  expect(read).toBeGreaterThan(count / 4)
})

test('a document is parsed like in parse5', { tags: 'long' }, () => {
  const head =
    '<html lang="x">\n<head prefix="a: b"><meta charset="utf-8"/><title>&lt;x</title>\n<style>p>b{}</style></head>'
  for (let seed = 0; seed < count / 4; seed++) {
    const html = `<!DOCTYPE html>\n${head}<body id="y">${generated(seed)}</body>\n</html>\n`
    const tree = parseWellFormed(html, { isDocument: true })
    if (tree !== null) expect(deep(tree), html).toEqual(deepOfParse5(bodyOf(html)))
  }
  const plain = parseWellFormed(`<!DOCTYPE html>${head}<body><p>x</p>\n</body>\n</html>\n`, { isDocument: true })
  expect(deep(plain!)).toEqual([
    ['p', [], [['text', 'x']]],
    ['text', '\n\n\n'],
  ])
})

test.each([
  ['<p>a<p>b</p>'],
  ['<p>a<div>b</div></p>'],
  ['<b><p>a</b></p>'],
  ['<a href="x">a<a href="y">b</a></a>'],
  ['<table><tr><td>a</td></tr></table>'],
  ['<table>a</table>'],
  ['<ul><li><div><li>a</li></div></li></ul>'],
  ['<h2><h3>a</h3></h2>'],
  ['<svg><p>a</p></svg>'],
  ['a\r\nb'],
  ['a\0b'],
  ['&copy;'],
  ['<P>a</P>'],
  ['<span/>a'],
  ['<p title="a">'],
  ['</p>'],
  ['<td>a</td>'],
])('%j is left to parse5', html => {
  expect(parseWellFormed(html, { isDocument: false })).toBeNull()
})
