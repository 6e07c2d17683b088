/** Changes what others have made of HTML, and leaves alone what is ours. */

import { type ChildNode, type ElementNode, element, type ParentNode } from '../../wikitext/tree/node.ts'
import { isNew, typesOf } from '../node-queries.ts'
import { replaceChildren } from '../tidy.ts'

/** Returns the replacement of an element; null if it stays. Its children are processed already. */
export type Rule = (node: ElementNode) => readonly ChildNode[] | null

/** Returns the children of a parent in other words; null if they stay. */
export type GroupRule = (children: readonly ChildNode[], parent: ParentNode) => readonly ChildNode[] | null

/** True for an element of others: the engine's tell their source, or have ids of its own. Only Markdown makes boxes. */
export function isForeign(node: ElementNode): boolean {
  if (node.name === 'input') return true
  return isNew(node) && !/^mw[\w-]{2,}$/.test(node.attributes.get('id') ?? '') && !isMarked(node)
}

/**
 * True for an element that represents a template, an extension tag or the like: nothing in it is changed. Files may belong to
 * other wikis.
 */
function isSealed(node: ElementNode): boolean {
  return isMarked(node) && !/^mw:File(?:$|\/)/.test(node.attributes.get('typeof') ?? '')
}

/** Lists the elements of others, in the order of the page; what is sealed is not looked into. */
export function foreignElements(root: ParentNode): ElementNode[] {
  const found: ElementNode[] = []
  const stack: ChildNode[] = root.children.toReversed()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind !== 'element' || isSealed(node)) continue
    if (isForeign(node)) found.push(node)
    for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at]!)
  }
  return found
}

function isMarked(node: ElementNode): boolean {
  return typesOf(node).some(type => type.startsWith('mw:'))
}

/** Applies rules to the foreign elements below a parent, the innermost first; the first rule counts that has something to say. */
export function rewrite(parent: ParentNode, rules: readonly Rule[], groups: readonly GroupRule[] = []): void {
  let isChanged = false
  // A copy: rules may take a node out of where it stands.
  let children: readonly ChildNode[] = [...parent.children].flatMap(child => {
    if (child.kind !== 'element' || isSealed(child)) return [child]
    rewrite(child, rules, groups)
    const said = isForeign(child) ? firstSaid(child, rules) : null
    isChanged ||= said !== null
    return said ?? [child]
  })
  for (const group of groups) {
    const said = group(children, parent)
    isChanged ||= said !== null
    children = said ?? children
  }
  if (isChanged) replaceChildren(parent, children)
}

function firstSaid(node: ElementNode, rules: readonly Rule[]): readonly ChildNode[] | null {
  for (const rule of rules) {
    const said = rule(node)
    if (said !== null) return said
  }
  return null
}

/** True for an element of one of these classes. */
export function hasClass({ attributes }: ElementNode, pattern: RegExp): boolean {
  return (attributes.get('class') ?? '').split(/\s+/).some(name => pattern.test(name))
}

/** Makes an extension tag with a body that is written as it is. */
export function extensionTag(
  name: string,
  { attrs = {}, source }: { readonly attrs?: Readonly<Record<string, string>>; readonly source?: string },
): ElementNode {
  const node = element(name === 'ref' ? 'sup' : 'div', [['typeof', `mw:Extension/${name}`]])
  node.data.mw = { name, attrs, ...(source !== undefined && { body: { extsrc: source } }) }
  return node
}

/** Puts nodes into a new element. Where they stood is given up with what they stood in. */
export function wrapped(
  name: string,
  children: readonly ChildNode[],
  attributes: readonly (readonly [string, string])[] = [],
): ElementNode {
  // Taken out of a long list one by one they would move the rest each time.
  for (const child of children) child.parent = null
  return element(name, attributes, children)
}

/** Makes another element of one, with what it holds. */
export function renamed(node: ElementNode, name: string): ElementNode {
  return wrapped(name, [...node.children])
}

/** The text of nodes, as far as it is this short; a longer one is cut off. UTF-16 units. */
export function shortText(nodes: readonly ChildNode[], longest: number): string {
  const stack = nodes.toReversed()
  let text = ''
  for (let node = stack.pop(); node !== undefined && text.length <= longest; node = stack.pop()) {
    if (node.kind === 'text') text += node.text.slice(0, longest + 1)
    else if (node.kind === 'element')
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at]!)
  }
  return text
}

/** Says that an element is to be written as a tag of HTML. */
export function asTag(node: ElementNode): void {
  node.data.parsoid = { stx: 'html' }
}

/** True for text that shows nothing. */
export function isBlank(node: ChildNode): boolean {
  return node.kind === 'comment' || (node.kind === 'text' && node.text.trim() === '')
}
