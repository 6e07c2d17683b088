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
  const cut = firstOfTail(children, node.name === 'td' || node.name === 'th')
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

/**
 * Index of the first node that leaves an element: its line breaks at the end, with the comments among them, or only the last
 * line breaks of a cell. -1 if it does not end with a line break.
 *
 * Source: Parsoid MigrateTrailingNLs.
 */
function firstOfTail(children: readonly ChildNode[], isCell: boolean): number {
  let first = -1
  let at = children.length - 1
  if (isCell) return endsLine(children[at]) ? at : -1
  for (; isPassed(children[at]); at--) if (children[at]!.kind === 'text') first = at
  if (endsLine(children[at])) return at
  while (first > at + 1 && children[first - 1]!.kind === 'comment') first--
  return first
}

/** True for a text that ends with a line break. */
function endsLine(node: ChildNode | undefined): boolean {
  return node?.kind === 'text' && newlinesAt(node.text) !== -1
}

/** True for a comment of the page, and for line breaks. */
function isPassed(node: ChildNode | undefined): boolean {
  if (node?.kind === 'comment') return node.data.marker === undefined
  return endsLine(node) && node?.kind === 'text' && node.text.trim() === ''
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
