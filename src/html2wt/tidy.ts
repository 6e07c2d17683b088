/** Simplifies markup of users and editors before it is written as wikitext. */

import {
  type ChildNode,
  type ElementNode,
  element,
  type FragmentNode,
  type ParentNode,
  textNode,
} from '../wikitext/tree/node.ts'
import { textOf } from '../wikitext/tree/walk.ts'
import { hasOwnAttributes } from './elements/tags.ts'
import { bareHref, decoded } from './elements/targets.ts'
import { elementsOf, firstContent, hasType, isElement, isNew, isTag } from './node-queries.ts'

export interface Tidying {
  /** True if new content was inserted into an existing page. */
  readonly isEdited?: boolean
}

/** Tidies a tree bottom-up. */
export function tidy(parent: ParentNode, tidying: Tidying = {}): void {
  for (const child of parent.children) if (child.kind === 'element' && !hasType(child, /^mw:/)) tidy(child, tidying)
  const [first] = parent.children
  if (first === undefined || (parent.children.length === 1 && first.kind === 'text')) return
  sayPlainly(parent)
  dropEmpty(parent)
  moveSpacesOut(parent)
  mergeNeighbours(parent)
  moveFormatsOut(parent, tidying)
  hoistProperties(parent)
  stripDirections(parent)
}

/** Moves the first redirect to the start of the page, where alone it counts, and drops the others. Returns false if there is none. */
export function moveRedirect(tree: FragmentNode): boolean {
  const redirects = elementsOf(tree).filter(({ attributes }) => attributes.get('rel') === 'mw:PageProp/redirect')
  const [first] = redirects
  if (first === undefined) return false
  if (redirects.length === 1 && startsWith(tree, first)) return true
  const all = new Set<ChildNode>(redirects)
  for (const parent of new Set(redirects.map(node => node.parent!)))
    replaceChildren(
      parent,
      parent.children.filter(child => !all.has(child)),
    )
  replaceChildren(tree, [first, textNode('\n'), ...tree.children])
  return true
}

function startsWith(tree: FragmentNode, node: ElementNode): boolean {
  let first = firstContent(tree)
  while (first !== node && first?.kind === 'element') first = firstContent(first)
  return first === node
}

/** Replaces the children of a parent and merges adjacent text. */
export function replaceChildren(parent: ParentNode, children: readonly ChildNode[]): void {
  const joined: ChildNode[] = []
  for (const child of children) {
    const last = joined.at(-1)
    if (child.kind === 'text' && last?.kind === 'text') last.text += child.text
    else joined.push(child)
    child.parent = parent
  }
  parent.children.length = 0
  for (const child of joined) parent.children.push(child)
}

const otherNames: Readonly<Record<string, string>> = { strong: 'b', em: 'i' }

function sayPlainly(parent: ParentNode): void {
  const plain = parent.children.flatMap(plainer)
  const isJoined = (node: ChildNode, index: number): boolean =>
    node !== parent.children[index] || (node.kind === 'text' && plain[index + 1]?.kind === 'text')
  if (plain.length !== parent.children.length || plain.some(isJoined)) replaceChildren(parent, plain)
}

/** Replaces foreign HTML elements with those of wikitext, and unwraps presentational ones. */
function plainer(node: ChildNode): ChildNode | ChildNode[] {
  if (node.kind !== 'element') return node
  if (node.data.parsoid?.misnested === true && node.name === 'span') return node.children
  if (!isNew(node) || hasType(node, /^mw:/)) return node
  const name = otherNames[node.name]
  if (name !== undefined && !nests(node)) node.name = name
  if (node.name === 'a' && !node.attributes.has('href')) return anchor(node)
  return node
}

/** Apostrophes cannot mark emphasis within the same emphasis, which is displayed differently. */
function nests({ name, parent, children }: ElementNode): boolean {
  if (children.some(child => isElement(child, name))) return true
  return parent !== null && isElement(parent, name)
}

function anchor(node: ElementNode): ChildNode[] {
  const name = node.attributes.get('name')
  if (name === undefined || node.children.length > 0) return node.children
  return [element('span', [['name', name]])]
}

const emptyNames: ReadonlySet<string> = new Set(['b', 'i', 'a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Drops new elements without content. */
function dropEmpty(parent: ParentNode): void {
  const isEmpty = (node: ChildNode): boolean =>
    node.kind === 'element' &&
    emptyNames.has(node.name) &&
    !isTag(node) &&
    (isNew(node) || node.name !== 'a') &&
    !hasType(node, /^mw:/) &&
    node.children.length === 0 &&
    node.data.parsoid?.autoInsertedEnd !== true &&
    !isUnclosed(node) &&
    !/mw:ExtLink/.test(node.attributes.get('rel') ?? '') &&
    !/^(?:[a-z]+:)?\/\//i.test(node.attributes.get('href') ?? '')
  if (parent.children.some(isEmpty))
    replaceChildren(
      parent,
      parent.children.filter(node => !isEmpty(node)),
    )
}

/** Marks at the end of a line that were never closed. */
function isUnclosed({ data }: ElementNode): boolean {
  return data.range != null && data.range.closeWidth === 0 && data.range.openWidth !== 0
}

function isFreshLink(node: ChildNode | undefined): node is ElementNode {
  return (
    node?.kind === 'element' && node.name === 'a' && !hasType(node as ElementNode, /^mw:(?:Transclusion|Extension)/)
  )
}

/** Moves spaces at the end of a new link out of it. */
function moveSpacesOut(parent: ParentNode): void {
  if (!parent.children.some(child => isFreshLink(child) && isNew(child))) return
  const out: ChildNode[] = []
  for (const child of parent.children) {
    out.push(child)
    if (!isFreshLink(child) || !isNew(child)) continue
    const last = child.children.at(-1)
    const [spaces] = last?.kind === 'text' ? (/(?<![ \t\n])[ \t\n]+$/.exec(last.text) ?? ['']) : ['']
    if (spaces === '' || last?.kind !== 'text' || (last.text === spaces && child.children.length === 1)) continue
    last.text = last.text.slice(0, -spaces.length)
    out.push(textNode(spaces.replace(/\n[ \t]*(?:\n[ \t]*)+/g, '\n')))
  }
  if (out.length > parent.children.length) replaceChildren(parent, withoutDoubleSpaces(out))
}

function withoutDoubleSpaces(nodes: readonly ChildNode[]): ChildNode[] {
  return nodes.filter((node, index) => {
    const next = nodes[index + 1]
    return !(node.kind === 'text' && node.text === ' ' && next?.kind === 'text' && /^\s/.test(next.text))
  })
}

/** Merges adjacent elements that mean the same: bold and italic, and links to one page. */
function mergeNeighbours(parent: ParentNode): void {
  const isPair = (node: ChildNode, index: number): boolean =>
    node.kind === 'element' && parent.children[index + 1]?.kind === 'element'
  if (!parent.children.some(isPair)) return
  const kept: ChildNode[] = []
  const changed = new Set<ElementNode>()
  for (const child of parent.children) {
    const last = kept.at(-1)
    if (last?.kind !== 'element' || child.kind !== 'element' || !canMerge(last, child)) kept.push(child)
    else {
      for (const held of child.children) last.children.push(held)
      changed.add(last)
    }
  }
  if (changed.size === 0) return
  replaceChildren(parent, kept)
  for (const node of changed) {
    node.data = { ...node.data, range: null }
    replaceChildren(node, [...node.children])
    mergeNeighbours(node)
  }
}

/** Returns true for bold or italic text that apostrophes can mark: without attributes. */
function isQuote(node: ElementNode): boolean {
  if ((node.name !== 'b' && node.name !== 'i') || isTag(node) || hasType(node, /^mw:/)) return false
  return !isNew(node) || !hasOwnAttributes(node)
}

function canMerge(one: ElementNode, other: ElementNode): boolean {
  if (!isNew(one) && !isNew(other) && !wereApart(one, other)) return false
  if (one.name === 'a') return isSameLink(one, other)
  if (!isQuote(one) || !isQuote(other)) return false
  if (one.name === other.name) return true
  return swap(other, one.name) || swap(one, other.name)
}

/** Returns true if the original page had content between the two, which the edit removed. */
function wereApart({ data: one }: ElementNode, { data: other }: ElementNode): boolean {
  return one.range != null && other.range != null && one.range.end < other.range.start
}

function isSameLink(one: ElementNode, other: ElementNode): boolean {
  return (
    isFreshLink(other) &&
    one.attributes.get('href') === other.attributes.get('href') &&
    one.attributes.get('rel') === other.attributes.get('rel') &&
    /mw:WikiLink/.test(one.attributes.get('rel') ?? '')
  )
}

/** Turns `<b><i>x</i></b>` inside out, so that the outer element has the given name. */
function swap(node: ElementNode, name: string): boolean {
  const [only] = node.children
  if (node.children.length !== 1 || !isElement(only!, name) || !isQuote(only)) return false
  only.name = node.name
  node.name = name
  return true
}

const formats: ReadonlySet<string> = new Set(['b', 'i', 'u', 's', 'font', 'big', 'small'])

/** Moves formatting that covers the whole text of a new link around the link. */
function moveFormatsOut(parent: ParentNode, { isEdited = false }: Tidying): void {
  for (let index = 0; index < parent.children.length; index++) {
    const node = parent.children[index]
    if (!isFreshLink(node) || !/mw:WikiLink/.test(node.attributes.get('rel') ?? '')) continue
    const target = decoded(bareHref(node.attributes.get('href') ?? '')).replaceAll('_', ' ')
    const [only] = node.children
    if (textOf(node.children) !== target || node.children.length !== 1 || only?.kind !== 'element' || !isFormat(only))
      continue
    if (!isNew(node) && !(isEdited && isNew(only))) continue
    if (!isNew(node)) node.data = { ...node.data, parsoid: { ...node.data.parsoid, stx: 'simple' } }
    let inner = only
    for (
      let next = inner.children[0];
      inner.children.length === 1 && next?.kind === 'element' && isFormat(next);
      next = inner.children[0]
    )
      inner = next
    replaceChildren(node, [...inner.children])
    replaceChildren(inner, [node])
    only.parent = parent
    parent.children[index] = only
  }
}

function isFormat({ name, attributes }: ElementNode): boolean {
  return formats.has(name) && ![...attributes.keys()].some(key => !key.startsWith('data-') && key !== 'id')
}

const headingNames = /^h[1-6]$/

function isProperty(node: ChildNode): boolean {
  if (node.kind === 'element' && node.attributes.has('about')) return false
  return (
    node.kind === 'element' &&
    (node.name === 'link' || node.name === 'meta') &&
    /mw:PageProp/.test(`${node.attributes.get('rel')} ${node.attributes.get('property')}`)
  )
}

/** Moves categories and switches out of a heading, before or after it. */
function hoistProperties(parent: ParentNode): void {
  if (
    !parent.children.some(
      child => child.kind === 'element' && headingNames.test(child.name) && child.children.some(isProperty),
    )
  )
    return
  replaceChildren(parent, parent.children.flatMap(hoisted))
}

function hoisted(node: ChildNode): ChildNode[] {
  if (node.kind !== 'element' || !headingNames.test(node.name) || isTag(node) || node.data.range) return [node]
  const { children } = node
  const isOuter = (child: ChildNode): boolean =>
    isProperty(child) || child.kind === 'comment' || (child.kind === 'text' && child.text.trim() === '')
  let start = 0
  while (start < children.length && isOuter(children[start]!)) start++
  let end = children.length
  while (end > start && isOuter(children[end - 1]!)) end--
  const [before, after] = [children.slice(0, start), children.slice(end)]
  const middle = children.slice(start, end)
  const [moved, last] = [before.some(isProperty), after.some(isProperty)]
  if (!moved && !last) return [node]
  replaceChildren(node, [...(moved ? [] : before), ...middle, ...(last ? [] : after)])
  return [...(moved ? withoutEdge(before, -1) : []), node, ...(last ? withoutEdge(after, 0) : [])]
}

function withoutEdge(nodes: ChildNode[], edge: -1 | 0): ChildNode[] {
  const outer = nodes.at(edge)
  return outer?.kind === 'text' ? nodes.filter(node => node !== outer) : nodes
}

/** Removes invisible direction marks next to categories. */
function stripDirections(parent: ParentNode): void {
  if (!parent.children.some(isProperty)) return
  for (const child of parent.children) {
    if (child.kind === 'text' && /^[\s\u200e\u200f]*$/.test(child.text))
      child.text = child.text.replace(/[\u200e\u200f]/g, '')
  }
}
