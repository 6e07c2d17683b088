/** Converts inline content: text, emphasis, links, images, footnotes. */

import type { ChildNode, ElementNode } from '../wikitext/tree/node.ts'
import { textOf } from '../wikitext/tree/walk.ts'
import type { Mark, Phrasing } from './node.ts'
import { hasClass, hasType, isInvisible, type Reading } from './reading.ts'
import { tidyPhrasing } from './tidy.ts'

const marks: Readonly<Record<string, Mark['type']>> = {
  b: 'strong',
  strong: 'strong',
  i: 'emphasis',
  em: 'emphasis',
  cite: 'emphasis',
  dfn: 'emphasis',
  var: 'emphasis',
  s: 'delete',
  strike: 'delete',
  del: 'delete',
}

type Handler = (node: ElementNode, reading: Reading) => Phrasing[]

const inCode: Handler = (node, reading) => phrasing(node.children, { ...reading, isCode: true })
/** Elements that stay HTML: Markdown cannot express them, and without them the meaning changes. */
const asHtml: Handler = (node, reading) => [
  { type: 'html', value: `<${node.name}>` },
  ...phrasing(node.children, reading),
  { type: 'html', value: `</${node.name}>` },
]

/** Converters of inline elements, by tag. Other elements are replaced by their content. */
const handlers: Readonly<Record<string, Handler>> = {
  a: link,
  br: () => [{ type: 'break' }],
  code: inCode,
  tt: inCode,
  kbd: inCode,
  samp: inCode,
  sub: asHtml,
  sup: asHtml,
  img: picture,
}

/** Converts the content of a paragraph. */
export function line(nodes: readonly ChildNode[], reading: Reading): Phrasing[] {
  return tidyPhrasing(phrasing(nodes, reading))
}

function phrasing(nodes: readonly ChildNode[], reading: Reading): Phrasing[] {
  return nodes.flatMap(node => {
    if (node.kind === 'text') return plain(node.text, reading)
    return node.kind === 'element' && !isInvisible(node) ? ofElement(node, reading) : []
  })
}

function plain(text: string, { isCode }: Reading): Phrasing[] {
  const value = text.replace(/[\t\n\f\r ]+/g, ' ')
  return [{ type: isCode && value !== ' ' ? 'inlineCode' : 'text', value }]
}

function ofElement(node: ElementNode, reading: Reading): Phrasing[] {
  if (hasType(node, 'mw:Extension/ref') || hasClass(node, 'footnote-ref')) return noteReference(node, reading)
  if (hasType(node, 'mw:Extension/math')) return formula(node)
  if (hasClass(node, 'mw-file-element')) return picture(node)
  const mark = Object.hasOwn(marks, node.name) ? marks[node.name] : undefined
  if (mark !== undefined) return marked(mark, node, reading)
  const handler = Object.hasOwn(handlers, node.name) ? handlers[node.name]! : undefined
  return handler === undefined ? phrasing(node.children, reading) : handler(node, reading)
}

/** Applies a mark once: bold inside bold is not marked again. */
function marked(type: Mark['type'], { children }: ElementNode, reading: Reading): Phrasing[] {
  if (reading.marks.includes(type)) return phrasing(children, reading)
  return [{ type, children: phrasing(children, { ...reading, marks: [...reading.marks, type] }) }]
}

function noteReference(node: ElementNode, reading: Reading): Phrasing[] {
  const anchor = node.children.find((child): child is ElementNode => child.kind === 'element' && child.name === 'a')
  const id = decoded(anchor?.attributes.get('href') ?? '').replace(/^[^#]*#/, '')
  const note = reading.notes.get(id)
  if (note === undefined) return phrasing(node.children, reading)
  return [{ type: 'footnoteReference', identifier: note.identifier }]
}

/** GitHub and others typeset text between dollar signs. */
function formula(node: ElementNode): Phrasing[] {
  const body = jsonOf(node.attributes.get('data-mw')).body as { extsrc?: unknown } | undefined
  const source = typeof body?.extsrc === 'string' ? body.extsrc : textOf(node.children)
  return [{ type: 'html', value: `$${source.replace(/\s+/g, ' ').trim()}$` }]
}

function jsonOf(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function link(node: ElementNode, reading: Reading): Phrasing[] {
  const url = addressOf(node.attributes.get('href') ?? '', reading)
  const children = phrasing(node.children, reading)
  const shown = children.filter(child => child.type !== 'text' || child.value.trim() !== '')
  // The picture links to its description already.
  if (shown.length === 1 && shown[0]!.type === 'image' && /^\.\/(?:File:|Special:)/.test(url ?? '')) return shown
  return url === null ? children : [{ type: 'link', url, children }]
}

/** An address for Markdown; null if it leads nowhere, or runs a script. */
function addressOf(href: string, { key }: Reading): string | null {
  const url = href.trim()
  if (url === '' || /^[\s\0]*(?:javascript|vbscript|data)\s*:/i.test(url)) return null
  if (!url.startsWith('./')) return url
  const [path = '', fragment] = url.split('#', 2)
  const page = path.replace(/\?action=edit&redlink=1$/, '')
  if (key !== null && decoded(page.slice(2)) === key) return fragment === undefined ? null : `#${fragment}`
  return fragment === undefined ? page : `${page}#${fragment}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A file of the wiki is named by its page; audio and video become links. */
function picture(node: ElementNode): Phrasing[] {
  const { attributes, name } = node
  const url = attributes.get('resource') ?? attributes.get('src') ?? ''
  const title = decoded(url.replace(/^\.\/(?:File:)?|^.*\//, '')).replaceAll('_', ' ')
  const alt = attributes.get('alt') ?? (name === 'img' ? '' : textOf(node.children).trim())
  if (url === '' || /^data:/i.test(url)) return alt === '' ? [] : [{ type: 'text', value: alt }]
  if (name === 'video' || name === 'audio') return [{ type: 'link', url, children: [{ type: 'text', value: title }] }]
  return [{ type: 'image', url, alt: alt === '' ? title : alt }]
}
