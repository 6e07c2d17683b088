/** Rewrites HTML of other programs and leaves the renderer's own HTML unchanged. */

import { type ChildNode, type ElementNode, element, type ParentNode } from '../../wikitext/tree/node.ts'
import { isNew, typesOf } from '../node-queries.ts'
import { replaceChildren } from '../tidy.ts'

/** Returns the replacement of an element; null to keep it. Its children are already processed. */
export type Rule = (node: ElementNode) => readonly ChildNode[] | null

/** Returns new children of a parent; null to keep them. */
export type GroupRule = (children: readonly ChildNode[], parent: ParentNode) => readonly ChildNode[] | null

/**
 * Returns true for an element that the renderer did not produce: its own elements record their source or have its ids.
 * Only Markdown makes boxes.
 */
export function isForeign(node: ElementNode): boolean {
  if (node.name === 'input') return true
  return isNew(node) && !/^mw[\w-]{2,}$/.test(node.attributes.get('id') ?? '') && !isMarked(node)
}

/**
 * Returns true for an element that represents a template, an extension tag or the like, whose content must not change.
 * Files may come from other wikis.
 */
function isSealed(node: ElementNode): boolean {
  return isMarked(node) && !/^mw:File(?:$|\/)/.test(node.attributes.get('typeof') ?? '')
}

/** Lists foreign elements in document order, without descending into sealed ones. */
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

/** Applies rules to the foreign elements below a parent, innermost first. The first rule that returns a result wins. */
export function rewrite(parent: ParentNode, rules: readonly Rule[], groups: readonly GroupRule[] = []): void {
  let isChanged = false
  // A copy, because rules may detach nodes.
  let children: readonly ChildNode[] = [...parent.children].flatMap(child => {
    if (child.kind !== 'element' || isSealed(child)) return [child]
    rewrite(child, rules, groups)
    const result = isForeign(child) ? firstResult(child, rules) : null
    isChanged ||= result !== null
    return result ?? [child]
  })
  for (const group of groups) {
    const result = group(children, parent)
    isChanged ||= result !== null
    children = result ?? children
  }
  if (isChanged) replaceChildren(parent, children)
}

function firstResult(node: ElementNode, rules: readonly Rule[]): readonly ChildNode[] | null {
  for (const rule of rules) {
    const result = rule(node)
    if (result !== null) return result
  }
  return null
}

/** Returns true for an element of one of these classes. */
export function hasClass({ attributes }: ElementNode, pattern: RegExp): boolean {
  return (attributes.get('class') ?? '').split(/\s+/).some(name => pattern.test(name))
}

/** Makes an extension tag whose body is written verbatim. */
export function extensionTag(
  name: string,
  { attrs = {}, source }: { readonly attrs?: Readonly<Record<string, string>>; readonly source?: string },
): ElementNode {
  const node = element(name === 'ref' ? 'sup' : 'div', [['typeof', `mw:Extension/${name}`]])
  node.data.mw = { name, attrs, ...(source !== undefined && { body: { extsrc: source } }) }
  return node
}

/** Moves nodes into a new element. Their old parent is discarded. */
export function wrapped(
  name: string,
  children: readonly ChildNode[],
  attributes: readonly (readonly [string, string])[] = [],
): ElementNode {
  // Removing them from a long list one at a time would take quadratic time.
  for (const child of children) child.parent = null
  return element(name, attributes, children)
}

/** Makes an element of another name with the same content. */
export function renamed(node: ElementNode, name: string): ElementNode {
  return wrapped(name, [...node.children])
}

/** Returns the text of nodes, truncated at a limit in UTF-16 units. */
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

/** Marks an element to be written as an HTML tag. */
export function asTag(node: ElementNode): void {
  node.data.parsoid = { stx: 'html' }
}

/** Returns true for text without visible characters. */
export function isBlank(node: ChildNode): boolean {
  return node.kind === 'comment' || (node.kind === 'text' && node.text.trim() === '')
}
