/** Spaces at the ends of cells, items, headings and captions are not shown: they go. */

import type { ChildNode, ElementNode, ParentNode } from '../tree/node.ts'
import { isTransparentNode } from './walk.ts'

const names: ReadonlySet<string> = new Set('caption dd dt h1 h2 h3 h4 h5 h6 li td th'.split(' '))

/** Trims what was written in wikitext; HTML stays as it is. Source: Parsoid, CleanUp::trimWhiteSpace. */
export function trimSpaces(root: ParentNode): void {
  for (const child of root.children) {
    if (child.kind !== 'element' || child.data.isAtom) continue
    if (child.name !== 'p') trimSpaces(child)
    if (names.has(child.name) && child.data.parsoid?.stx !== 'html') trimElement(child)
  }
}

function trimElement({ children }: ElementNode): void {
  trimEnd(children, 0, 1, text => text.replace(/^[ \t]+/, ''))
  trimEnd(children, children.length - 1, -1, text => text.replace(/[ \t]+$/, ''))
}

/** Goes inwards from one end, past what is not shown, to the first thing that is. */
function trimEnd(children: ChildNode[], from: number, step: 1 | -1, trim: (text: string) => string): void {
  for (let index = from; index >= 0 && index < children.length; index += step) {
    const node = children[index]!
    if (node.kind !== 'text') {
      if (isTransparentNode(node)) continue
      return
    }
    node.text = trim(node.text)
    if (node.text !== '') return
    children.splice(index, 1)
    if (step === 1) index--
  }
}
