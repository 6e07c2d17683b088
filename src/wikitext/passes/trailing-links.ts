/** Moves categories and language links on the lines after a list out of its last item. */

import { type ChildNode, type ElementNode, type ParentNode, textNode } from '../tree/node.ts'
import { newlinesAt } from './trailing-newlines.ts'
import { isBlankText } from './walk.ts'

const listNames: ReadonlySet<string> = new Set(['ul', 'ol', 'dl'])

/** Moves such links after the outermost list that ends with the item. */
export function moveTrailingLinks(root: ParentNode): void {
  for (let index = 0; index < root.children.length; index++) {
    const child = root.children[index]!
    if (child.kind !== 'element' || child.data.isAtom) continue
    const isInner = root.kind === 'element' && isOfList(root)
    const moved = isWikitextList(child) && !isInner ? takeFromEnd(child) : []
    for (const node of moved) node.parent = root
    root.children.splice(index + 1, 0, ...moved)
    if (child.name !== 'p') moveTrailingLinks(child)
    index += moved.length
  }
}

function isWikitextList({ name, data }: ElementNode): boolean {
  return listNames.has(name) && data.parsoid?.stx !== 'html'
}

/** Takes the links from the last item of a list, or of the list that the item ends with. */
function takeFromEnd(list: ElementNode): ChildNode[] {
  let holder = list
  for (let last = list.children.at(-1); last?.kind === 'element' && isOfList(last); last = last.children.at(-1)) {
    holder = last
  }
  return isWikitextList(holder) ? [] : takeLinks(holder)
}

function isOfList({ name, data }: ElementNode): boolean {
  return (name === 'li' || name === 'dd' || name === 'dt' || listNames.has(name)) && data.parsoid?.stx !== 'html'
}

/** The links, the nodes between them, and the line break before the first. */
function takeLinks({ children }: ElementNode): ChildNode[] {
  let from = children.length
  while (from > 0 && isBeside(children[from - 1]!)) from--
  const before = children[from - 1]
  const cut = before?.kind === 'text' ? newlinesAt(before.text) : -1
  if (cut === -1) while (from < children.length && !hasNewline(children[from]!)) from++
  if (!children.slice(from).some(isLink)) return []
  const moved = children.splice(from)
  if (before?.kind === 'text' && cut !== -1) {
    moved.unshift(textNode(before.text.slice(cut)))
    before.text = before.text.slice(0, cut)
  }
  return moved
}

function isLink(node: ChildNode): boolean {
  return node.kind === 'element' && node.name === 'link' && /^mw:PageProp\//.test(node.attributes.get('rel') ?? '')
}

function isBeside(node: ChildNode): boolean {
  return isBlankText(node) || isLink(node) || (node.kind === 'comment' && node.data.marker === undefined)
}

function hasNewline(node: ChildNode): boolean {
  return node.kind === 'text' && node.text.includes('\n')
}
