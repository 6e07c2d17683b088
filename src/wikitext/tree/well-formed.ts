/**
 * Parses well-formed HTML in one pass: every element is closed by its own tag, and is in a place where a browser would leave
 * it. `parse-html.ts` gives anything that a browser would repair to parse5, which makes the same tree of well-formed HTML.
 */

import { type ChildNode, commentNode, type ElementNode, element, textNode } from './node.ts'

/** Maximum depth of elements; parse5 handles deeper ones. */
const deepest = 100

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const blocks = words(
  'address article aside blockquote center details div dl fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr ' +
    'main nav ol p pre section summary table ul',
)
const phrases = words(
  'a abbr audio b bdi bdo big cite code data del dfn em font i ins kbd label map mark picture q s samp small span strike ' +
    'strong style sub sup time tt u var video',
)
const voids = words('area br col embed hr img input link meta source track wbr')
const headings = words('h1 h2 h3 h4 h5 h6')
/** Parts of tables that contain only parts of tables. */
const frames = words('table colgroup tbody thead tfoot tr')
/** Elements at which a browser's search for open elements stops. */
const bounds = words('td th caption')

/** Elements that are valid only in certain parents. */
const parents: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['li', words('ul ol')],
  ['dt', words('dl')],
  ['dd', words('dl')],
  ['caption', words('table')],
  ['colgroup', words('table')],
  ['col', words('colgroup')],
  ['tbody', words('table')],
  ['thead', words('table')],
  ['tfoot', words('table')],
  ['tr', words('tbody thead tfoot')],
  ['td', words('tr')],
  ['th', words('tr')],
])

interface Reader {
  readonly html: string
  at: number
  /** The element that is open. */
  top: ElementNode
  depth: number
}

/** Parses the content of a body, or of a document, and returns the nodes of the body; null if parse5 is needed. */
export function parseWellFormed(html: string, { isDocument }: { readonly isDocument: boolean }): ChildNode[] | null {
  if (/[\0\r]/.test(html)) return null
  const body = isDocument ? bodyOf(html) : { inner: html, rest: '' }
  if (body === null) return null
  const root = element('body')
  const reader: Reader = { html: body.inner, at: 0, top: root, depth: 0 }
  while (reader.at < body.inner.length) if (!readNext(reader)) return null
  if (reader.depth > 0) return null
  if (body.rest !== '') addText(root, body.rest)
  return root.children
}

const attributes = String.raw`(?:\s+[\w:.-]+(?:="[^"]*"|='[^']*')?)*\s*`
const start = new RegExp(`^<!doctype html>\\s*<html${attributes}>\\s*<head${attributes}>`, 'i')
const headPiece = new RegExp(
  `\\s+|<(?:meta|link|base)${attributes}/?>|<title>[^<]*</title>|<style${attributes}>[^<]*</style>|<script${attributes}>[^<]*</script>`,
  'y',
)
const bodyTag = new RegExp(`</head>\\s*<body${attributes}>`, 'y')

/** Returns the content of a document's body, and the white space after it, which belongs to its last text. */
function bodyOf(html: string): { readonly inner: string; readonly rest: string } | null {
  const opening = start.exec(html)
  if (opening === null) return null
  let at = opening[0].length
  for (headPiece.lastIndex = at; headPiece.test(html); ) at = headPiece.lastIndex
  bodyTag.lastIndex = at
  if (!bodyTag.test(html)) return null
  const end = html.lastIndexOf('</body>')
  const rest = html.slice(end + '</body>'.length).replace('</html>', '')
  return end < bodyTag.lastIndex || /\S/.test(rest) ? null : { inner: html.slice(bodyTag.lastIndex, end), rest }
}

function addText(parent: ElementNode, text: string): void {
  const last = parent.children.at(-1)
  if (last?.kind === 'text') last.text += text
  else add(parent, textNode(text))
}

function add(parent: ElementNode, node: ChildNode): void {
  node.parent = parent
  parent.children.push(node)
}

/** Parses one text or tag; false if parse5 is needed. */
function readNext(reader: Reader): boolean {
  const { html, at } = reader
  if (html[at] !== '<') return readText(reader)
  if (html[at + 1] === '/') return readEndTag(reader)
  return html[at + 1] === '!' ? readComment(reader) : readStartTag(reader)
}

function readText(reader: Reader): boolean {
  const { html, at, top } = reader
  const next = html.indexOf('<', at)
  const end = next === -1 ? html.length : next
  const text = decoded(html.slice(at, end))
  if (text === null || (frames.has(top.name) && /[^ \t\n\f]/.test(text))) return false
  add(top, textNode(text))
  reader.at = end
  return true
}

function readEndTag(reader: Reader): boolean {
  const { html, at, top, depth } = reader
  const end = at + 2 + top.name.length
  if (depth === 0 || html[end] !== '>' || !html.startsWith(top.name, at + 2)) return false
  reader.top = top.parent as ElementNode
  reader.depth--
  reader.at = end + 1
  return true
}

function readComment(reader: Reader): boolean {
  const { html, at } = reader
  const end = html.indexOf('-->', at + 4)
  if (!html.startsWith('<!--', at) || end === -1) return false
  const text = html.slice(at + 4, end)
  if (/^-?>|--!>/.test(text)) return false
  add(reader.top, commentNode(text))
  reader.at = end + 3
  return true
}

function readStartTag(reader: Reader): boolean {
  const { html, top } = reader
  const end = nameEnd(html, reader.at + 1)
  const name = html.slice(reader.at + 1, end)
  const isVoid = voids.has(name)
  if (!isVoid && !phrases.has(name) && !blocks.has(name) && !parents.has(name)) return false
  const node = element(name)
  reader.at = end
  if (!mayStand(top, name) || !readAttributes(reader, node.attributes)) return false
  if (html[reader.at] === '/' && isVoid) reader.at++
  if (html[reader.at++] !== '>') return false
  add(top, node)
  if (isVoid) return true
  reader.top = node
  if (name === 'pre' && html[reader.at] === '\n') reader.at++
  return ++reader.depth < deepest && (name !== 'style' || readStyle(reader))
}

/** Markup characters in styles are text. */
function readStyle(reader: Reader): boolean {
  const end = reader.html.indexOf('</style', reader.at)
  if (end === -1) return false
  if (end > reader.at) add(reader.top, textNode(reader.html.slice(reader.at, end)))
  reader.at = end
  return true
}

/** Returns true if a browser leaves an element in its place, and closes nothing before it. */
function mayStand(parent: ElementNode, name: string): boolean {
  const holders = parents.get(name)
  if (holders !== undefined) return holders.has(parent.name)
  if (frames.has(parent.name)) return false
  if (name === 'a') return !isWithin(parent, 'a')
  if (!blocks.has(name)) return true
  return !isWithin(parent, 'p') && !(headings.has(name) && headings.has(parent.name))
}

function isWithin(parent: ElementNode, name: string): boolean {
  for (let node = parent; !bounds.has(node.name) && node.parent !== null; node = node.parent as ElementNode)
    if (node.name === name) return true
  return false
}

/** Letters, digits and the signs between them: the characters of names here. */
function nameEnd(html: string, from: number): number {
  for (let at = from; ; at++) {
    const code = html.charCodeAt(at)
    const isName = (code >= 97 && code <= 122) || (code >= 45 && code <= 58 && code !== 47) || code === 95
    if (!isName) return at
  }
}

/** Parses attributes up to the end of the tag. */
function readAttributes(reader: Reader, found: Map<string, string>): boolean {
  const { html } = reader
  let { at } = reader
  while (/[ \n\t]/.test(html[at] ?? '')) {
    while (html[at] === ' ' || html[at] === '\n' || html[at] === '\t') at++
    if (html[at] === '>' || html[at] === '/') break
    const end = nameEnd(html, at)
    const name = html.slice(at, end)
    if (end === at || found.has(name)) return false
    at = end
    let value: string | null = ''
    if (html[end] === '=') {
      const quote = html[end + 1]!
      const close = quote === '"' || quote === "'" ? html.indexOf(quote, end + 2) : -1
      if (close === -1) return false
      value = decoded(html.slice(end + 2, close))
      at = close + 1
    }
    if (value === null) return false
    found.set(name, value)
  }
  reader.at = at
  return true
}

const named: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
  '&apos;': "'",
}

/** A text without references; null if a reference is one that programs rarely write. */
function decoded(text: string): string | null {
  if (!text.includes('&')) return text
  let isValid = true
  const plain = text.replace(/&(?:#x[\da-fA-F]{1,5};|#\d{1,6};|[a-z]+;|[#A-Za-z])?/g, found => {
    const letter = found === '&' ? '&' : (named[found] ?? characterOf(found))
    isValid &&= letter !== null
    return letter ?? ''
  })
  return isValid ? plain : null
}

/** The printable character with a number. */
function characterOf(reference: string): string | null {
  if (reference[1] !== '#' || !reference.endsWith(';')) return null
  const code =
    reference[2] === 'x' ? Number.parseInt(reference.slice(3, -1), 16) : Number.parseInt(reference.slice(2, -1), 10)
  const isPlain = (code >= 0x20 && code < 0x7f) || (code > 0xa0 && code < 0xd800) || (code > 0xdfff && code <= 0xfffd)
  return isPlain ? String.fromCharCode(code) : null
}
