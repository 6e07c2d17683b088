/** Queries about nodes that many modules share. */

import type { ChildNode, ElementNode, ParentNode } from '../wikitext/tree/node.ts'
import { textOf } from '../wikitext/tree/walk.ts'

/** Returns true if the character at an offset is white space. */
export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code > 8 && code < 14) || (code > 127 && /\s/.test(text[at]!))
}

/** Returns true if the nodes are only white space and comments. */
export function isGap(node: ChildNode): boolean {
  if (node.kind !== 'text') return node.kind === 'comment'
  return node.text === '' || (isSpaceAt(node.text, 0) && node.text.trim() === '')
}

export const blockNames: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
const listNames: ReadonlySet<string> = new Set(['ul', 'ol', 'dl'])
const itemNames: ReadonlySet<string> = new Set(['li', 'dd', 'dt'])

/** Returns true if an element has no original wikitext. */
export function isNew(node: ElementNode): boolean {
  return node.data.parsoid === undefined
}

/** Returns true if a heading has the id that the renderer derives from its text. */
export function isRendered({ attributes, children }: ElementNode): boolean {
  const id = textOf(children).trim().replace(/\s+/g, '_')
  const given = attributes.get('id')
  return (
    given !== undefined &&
    id !== '' &&
    (given === id || (given.startsWith(id) && /^_\d+$/.test(given.slice(id.length))))
  )
}

const noTypes: readonly string[] = []

/** Lists the words of an element's `typeof`. */
export function typesOf(node: ElementNode): readonly string[] {
  const value = node.attributes.get('typeof')
  return value === undefined ? noTypes : value.split(/\s+/)
}

/** Returns true if an element has a type, such as `mw:Nowiki`. */
export function hasType(node: ElementNode, pattern: RegExp): boolean {
  return node.attributes.has('typeof') && typesOf(node).some(type => pattern.test(type))
}

/** Returns true if an element is written as an HTML tag. */
export function isTag(node: ChildNode | ParentNode): boolean {
  return node.kind === 'element' && node.data.parsoid?.stx === 'html'
}

const outerNames: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  dt: ['dl'],
  dd: ['dl'],
  tr: ['table', 'tbody', 'thead', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  caption: ['table'],
}

/** Returns true if an element is part of a list or table written in HTML, which is therefore a tag as well. */
export function isTagPart(node: ElementNode): boolean {
  let at = node
  while (Object.hasOwn(outerNames, at.name) || at.name === 'tbody' || at.name === 'thead' || at.name === 'tfoot') {
    const { parent } = at
    if (parent?.kind !== 'element') return false
    if (isTag(parent)) return (outerNames[at.name] ?? ['table']).includes(parent.name)
    if (at.name === 'li' || at.name === 'dt' || at.name === 'dd') return false
    at = parent
  }
  return false
}

export function isElement(node: ChildNode | ParentNode | null, name?: string): node is ElementNode {
  return node?.kind === 'element' && (name === undefined || node.name === name)
}

export function isList(node: ChildNode | ParentNode): boolean {
  return node.kind === 'element' && listNames.has(node.name) && !isTag(node) && !isEncapsulated(node)
}

export function isItem(node: ChildNode | ParentNode): boolean {
  return node.kind === 'element' && itemNames.has(node.name) && !isTag(node)
}

export function isBlock(node: ChildNode | ParentNode): boolean {
  return node.kind === 'element' && blockNames.has(node.name)
}

/** Returns true if a node represents a template, a parser function, an argument or an extension tag. */
export function isEncapsulated(node: ChildNode | ParentNode): boolean {
  return node.kind === 'element' && hasType(node, /^mw:(?:Transclusion|Param|Extension)/)
}

/** Returns the end of the nodes of one template or extension tag, which is written once. */
export function groupEnd(children: readonly ChildNode[], index: number): number {
  const node = children[index]!
  const about = node.kind === 'element' && isEncapsulated(node) ? node.attributes.get('about') : undefined
  if (about === undefined) return index + 1
  let end = index + 1
  for (let at = end; at < children.length; at++) {
    const next = children[at]!
    if (next.kind === 'element') {
      if (next.attributes.get('about') !== about || isCall(next)) break
      end = at + 1
    } else if (!isGap(next)) break
  }
  return end
}

function isCall(node: ElementNode): boolean {
  return hasType(node, /^mw:(?:Transclusion|Param)(?:$|\/)/) && Array.isArray(node.data.mw?.parts)
}

/** Lists the elements below a parent in document order, without the HTML in `data-mw`. */
export function elementsOf(root: ParentNode): ElementNode[] {
  const found: ElementNode[] = []
  const stack: ElementNode[] = []
  for (let next: ParentNode | undefined = root; next !== undefined; next = stack.pop()) {
    if (next.kind === 'element') found.push(next)
    for (let at = next.children.length - 1; at >= 0; at--) {
      const child = next.children[at]!
      if (child.kind === 'element') stack.push(child)
    }
  }
  return found
}

export function firstContent(parent: ParentNode): ChildNode | undefined {
  return parent.children.find(child => !isGap(child))
}

export function lastContent(parent: ParentNode): ChildNode | undefined {
  return parent.children.findLast(child => !isGap(child))
}

/** Returns the name and edge of an annotation's tag; null for other elements. */
export function annotationOf(node: ChildNode | ParentNode): { name: string; edge: 'start' | 'end' } | null {
  const type = node.kind === 'element' && node.name === 'meta' ? (node.attributes.get('typeof') ?? '') : ''
  const [, name, end] = /(?:^|\s)mw:Annotation\/([\w-]+?)(\/End)?(?:\s|$)/.exec(type) ?? []
  return name === undefined ? null : { name, edge: end === undefined ? 'start' : 'end' }
}
