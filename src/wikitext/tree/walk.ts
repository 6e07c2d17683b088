/** Walks a tree without recursion: documents may be as deep as they are long. */

import {
  appendChild,
  type ChildNode,
  commentNode,
  type ElementNode,
  element,
  type FragmentNode,
  fragment,
  type NodeData,
  type ParentNode,
  textNode,
} from './node.ts'

/** An element reached by a walk. */
export interface Step {
  readonly element: ElementNode
  /** True inside a fragment in `data-mw`, which is not part of the visible page. */
  readonly embedded: boolean
}

/**
 * Walks the elements below a root, or among and below nodes, in document order, those in the fragments of an element's `data-mw`
 * before its children. Changes to an element before the next step take effect: its children are read when the walk continues.
 */
export function* walk(root: ParentNode | readonly ChildNode[]): Generator<Step, void, undefined> {
  const stack: Pending[] = []
  pushElements(stack, 'kind' in root ? root.children : root, false)
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { element: node, embedded } = top
    if (node.kind === 'element') yield top as Step
    pushElements(stack, node.children, embedded)
    if (node.kind === 'element') pushHeld(stack, node.data)
  }
}

/** A step, or a fragment on the way. */
interface Pending {
  readonly element: ElementNode | FragmentNode
  readonly embedded: boolean
}

function pushHeld(stack: Pending[], { mw, variant, hidden }: NodeData): void {
  if (mw !== undefined) for (const held of fragmentsIn(mw).reverse()) stack.push({ element: held, embedded: true })
  if (variant !== undefined)
    for (const held of fragmentsIn(variant).reverse()) stack.push({ element: held, embedded: true })
  if (hidden !== undefined) stack.push({ element: hidden, embedded: false })
}

/** All steps of a walk over a tree that does not change meanwhile. */
export function stepsOf(root: ParentNode): Step[] {
  const steps: Step[] = []
  const stack: Pending[] = []
  pushElements(stack, root.children, false)
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { element: node, embedded } = top
    pushElements(stack, node.children, embedded)
    if (node.kind !== 'element') continue
    steps.push(top as Step)
    pushHeld(stack, node.data)
  }
  return steps
}

function pushElements(stack: Pending[], nodes: readonly ChildNode[], embedded: boolean): void {
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i]!
    if (node.kind === 'element') stack.push({ element: node, embedded })
  }
}

/** Finds the fragments that `data-mw` holds, in their order. */
export function fragmentsIn(mw: Record<string, unknown>): FragmentNode[] {
  const found: FragmentNode[] = []
  const pending: unknown[] = [mw]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (isFragment(value)) found.push(value)
    else pushMembers(pending, value)
  }
  return found
}

/** `parts` describes templates in wikitext: it contains no HTML, and is the largest member. */
function pushMembers(pending: unknown[], value: object): void {
  const start = pending.length
  if (value instanceof Map) {
    for (const member of value.values()) if (typeof member === 'object' && member !== null) pending.push(member)
  } else {
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name]
      if (name !== 'parts' && typeof member === 'object' && member !== null) pending.push(member)
    }
  }
  reverseFrom(pending, start)
}

function reverseFrom(list: unknown[], start: number): void {
  for (let low = start, high = list.length - 1; low < high; low++, high--) {
    const held = list[low]
    list[low] = list[high]
    list[high] = held
  }
}

function isFragment(value: object): value is FragmentNode {
  return (value as { kind?: unknown }).kind === 'fragment'
}

/** Copies nodes with all below them. `data` is shared by parts, not copied deeply: change it by replacing. */
export function copyNodes(nodes: readonly ChildNode[]): FragmentNode {
  const copy = fragment()
  const pending: { from: readonly ChildNode[]; into: ParentNode }[] = [{ from: nodes, into: copy }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const node of next.from) {
      const made = copyNode(node)
      appendChild(next.into, made)
      if (node.kind === 'element' && made.kind === 'element') pending.push({ from: node.children, into: made })
    }
  }
  return copy
}

function copyNode(node: ChildNode): ChildNode {
  if (node.kind === 'text') return textNode(node.text)
  const made = node.kind === 'comment' ? commentNode(node.text) : element(node.name, node.attributes)
  made.data = { ...node.data }
  return made
}

/** Removes the ranges of nodes and their descendants, for a text that is not in the page. */
export function withoutPlaces(nodes: ChildNode[]): ChildNode[] {
  forgetPlaces(nodes)
  for (const { element: node } of walk(nodes)) forgetPlaces(node.children)
  return nodes
}

function forgetPlaces(nodes: readonly ChildNode[]): void {
  for (const node of nodes) {
    if (node.kind === 'text') continue
    const { open: _, close: __, ...data } = node.data
    node.data = { ...data, range: null }
  }
}

/** Returns the text below nodes, in document order: all of it, or about as many units as wanted. */
export function textOf(nodes: readonly ChildNode[], wanted = Number.POSITIVE_INFINITY): string {
  const parts: string[] = []
  const stack = [...nodes].reverse()
  let length = 0
  for (let node = stack.pop(); node !== undefined && length < wanted; node = stack.pop()) {
    if (node.kind === 'text') {
      parts.push(node.text)
      length += node.text.length
    } else if (node.kind === 'element')
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!)
  }
  return parts.join('')
}
