/** Removes white space at the ends of cells, items, headings and captions. */

import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import { isTransparentNode } from './walk.ts'

const names: ReadonlySet<string> = new Set('caption dd dt h1 h2 h3 h4 h5 h6 li td th'.split(' '))

/** Trims elements of wikitext markup; HTML stays as it is. Source: Parsoid, CleanUp::trimWhiteSpace. */
export function trimSpaces(root: ParentNode): void {
  for (const child of root.children) {
    if (child.kind !== 'element' || child.data.isAtom) continue
    if (child.name !== 'p') trimSpaces(child)
    if (names.has(child.name) && child.data.parsoid?.stx !== 'html') trimElement(child)
  }
}

function trimElement(node: ElementNode): void {
  const { children, data } = node
  const before = trimEnd(children, 0, 1, /^[ \t]+/)
  const after = trimEnd(children, children.length - 1, -1, /(?<!\s)[ \t]+$/)
  if (before + after !== '') node.data = { ...data, parsoid: { ...data.parsoid, ws: [before, after] } }
}

/** Walks inwards from one end, past invisible nodes, to the first visible one. Returns the spaces found. */
function trimEnd(children: ChildNode[], from: number, step: 1 | -1, spaces: RegExp): string {
  let taken = ''
  for (let index = from; index >= 0 && index < children.length; index += step) {
    const node = children[index]!
    if (node.kind !== 'text') {
      if (isTransparentNode(node) && !(node.kind === 'comment' && node.data.isUnitMarker)) continue
      return taken
    }
    if (step === -1 && isIndent(children, index)) return taken
    const [found] = spaces.exec(node.text) ?? ['']
    taken = step === 1 ? taken + found : found + taken
    node.text = node.text.replace(spaces, '')
    if (node.text !== '') return taken
    children.splice(index, 1)
    if (step === 1) index--
  }
  return taken
}

/** True for white space at the start of a line. */
function isIndent(children: readonly ChildNode[], index: number): boolean {
  const before = children[index - 1]
  const node = children[index]!
  return before?.kind === 'text' && before.text.endsWith('\n') && node.kind === 'text' && node.text.trim() === ''
}
