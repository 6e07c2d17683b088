/** Moves line breaks at the end of cells, rows and items out of them. */

import { type ChildNode, type ElementNode, type ParentNode, textNode } from '../tree/node.ts'

const names: ReadonlySet<string> = new Set('p pre th td tr caption li dt dd'.split(' '))

/** Returns the offset of the trailing line breaks, with blanks between and after them; -1 if there are none. */
export function newlinesAt(text: string): number {
  let end = text.length
  while (end > 0 && ' \t\n'.includes(text[end - 1]!)) end--
  return text.indexOf('\n', end)
}

/** Moves line breaks out of the elements that end with them. */
export function moveTrailingNewlines(root: ParentNode): void {
  for (let index = 0; index < root.children.length; index++) {
    const child = root.children[index]!
    if (child.kind !== 'element' || child.data.isAtom) continue
    moveTrailingNewlines(child)
    if (isUnclosed(child) && !isFostered(child, root.children[index + 1])) index += moveOut(child, root, index)
  }
}

/** True for content that a table moved before itself. */
function isFostered({ data }: ElementNode, next: ChildNode | undefined): boolean {
  return data.isFostered === true || (next?.kind === 'element' && next.data.movedOut !== undefined)
}

/** True for an element that ends with its line or without an end tag. Source: Parsoid MigrateTrailingNLs. */
function isUnclosed({ name, data }: ElementNode): boolean {
  if (name === 'table') return false
  return data.parsoid?.autoInsertedEnd === true || (names.has(name) && data.parsoid?.stx !== 'html')
}

/** Number of nodes that were moved after the element. */
function moveOut(node: ElementNode, root: ParentNode, index: number): number {
  const holder = lastHolder(node)
  const { children } = holder
  const cut = firstOfTail(children)
  if (cut === -1) return 0
  const moved = children.splice(cut)
  const [first] = moved
  if (first?.kind === 'text') splitText(first, holder, moved)
  for (const child of moved) child.parent = root
  root.children.splice(index + 1, 0, ...moved)
  return moved.length
}

/** The innermost of the elements that end with this one without an end tag. */
function lastHolder(node: ElementNode): ElementNode {
  let at = node
  for (;;) {
    const last = at.children.at(-1)
    if (last?.kind !== 'element' || last.data.isAtom || last.data.parsoid?.autoInsertedEnd !== true) return at
    at = last
  }
}

/** Index of the last child if it is a text that ends in a line break; otherwise -1. */
function firstOfTail(children: readonly ChildNode[]): number {
  const last = children.at(-1)
  if (last?.kind !== 'text' || newlinesAt(last.text) === -1) return -1
  // A comment before it keeps it in its place.
  const before = children.at(-2)
  const isKept = before?.kind === 'comment' && before.data.mark === undefined && last.text.trim() === ''
  return isKept ? -1 : children.length - 1
}

/** Leaves the content before the line break in the element. */
function splitText(text: ChildNode & { kind: 'text' }, node: ElementNode, moved: ChildNode[]): void {
  const at = newlinesAt(text.text)
  if (at === 0) return
  const rest = textNode(text.text.slice(at))
  text.text = text.text.slice(0, at)
  text.parent = node
  node.children.push(text)
  moved[0] = rest
}
