/** Text and inline elements that stand loose beside blocks are put into paragraphs. */

import { wrapperName } from '../tree/adapter.ts'
import { appendChild, type ChildNode, type ElementNode, element, type ParentNode } from '../tree/node.ts'
import { isBlankText, isTransparentNode, setChildren } from './walk.ts'

const blockNames: ReadonlySet<string> = new Set(
  `address article aside blockquote body button caption center col colgroup dd details dialog div dl dt fieldset figcaption
  figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html isindex li main marquee menu nav noframes noscript
  ol p plaintext pre search section summary table tbody td template tfoot th thead title tr ul`.split(/\s+/),
)

/** Elements that may be split where they hold blocks and loose text. */
const splitNames: ReadonlySet<string> = new Set(
  'a b big code em font i nobr s small strike strong tt u span sup sub cite'.split(' '),
)

/** True for elements that stand beside paragraphs. */
export function isBlock(node: ChildNode): boolean {
  return node.kind === 'element' && blockNames.has(node.name)
}

/** A piece of an element: in a paragraph, outside of any, or (null) as its neighbours are. */
interface Piece {
  inParagraph: boolean | null
  readonly node: ChildNode
}

/** Wraps what is loose in the page and in quotations. */
export function wrapLooseText(root: ParentNode): void {
  wrapChildren(root)
  wrapQuotations(root)
}

function wrapQuotations(root: ParentNode): void {
  for (const child of root.children) {
    if (child.kind !== 'element') continue
    if (child.name === 'blockquote' && !child.data.isAtom) wrapChildren(child)
    wrapQuotations(child)
  }
}

function wrapChildren(root: ParentNode): void {
  const children: ChildNode[] = []
  const made = new Set<ChildNode>()
  let paragraph: ElementNode | null = null
  for (const child of [...root.children]) {
    for (const { inParagraph, node } of split(child)) {
      if (inParagraph === false) paragraph = null
      if (inParagraph === true && paragraph === null) {
        paragraph = element('p')
        made.add(paragraph)
        children.push(paragraph)
      }
      if (paragraph !== null && inParagraph !== false) appendChild(paragraph, node)
      else children.push(node)
    }
  }
  setChildren(
    root,
    children.flatMap(child => (made.has(child) ? [child, ...templateStartAtEnd(child as ElementNode)] : [child])),
  )
}

/** Takes from a paragraph's end the start of a template whose content comes after it. */
function templateStartAtEnd({ children }: ElementNode): ChildNode[] {
  const closed = new Set<unknown>()
  let from = children.length
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index]!
    if (child.kind === 'text' ? !isBlankText(child) : !isTransparentNode(child)) break
    const mark = child.kind === 'comment' ? child.data.mark : undefined
    if (mark?.edge === 'end') closed.add(mark.transclusion)
    else if (mark !== undefined && !closed.has(mark.transclusion)) from = index
  }
  return children.splice(from)
}

function split(node: ChildNode): Piece[] {
  if (node.kind === 'text') return [{ inParagraph: isBlankText(node) ? null : true, node }]
  if (node.kind === 'comment' || isTransparentNode(node)) return [{ inParagraph: null, node }]
  if (isBlock(node)) return [{ inParagraph: false, node }]
  if (node.data.isAtom) return [{ inParagraph: !(node.name === wrapperName && node.children.some(isBlock)), node }]
  if (splitNames.has(node.name) && node.children.length > 0) return merge(node, node.children.flatMap(split))
  return [{ inParagraph: !holdsBlock(node), node }]
}

function holdsBlock(node: ElementNode): boolean {
  return node.children.some(child => isBlock(child) || (child.kind === 'element' && holdsBlock(child)))
}

/** Puts pieces of one kind back together, each run in a copy of the element. */
function merge(node: ElementNode, pieces: readonly Piece[]): Piece[] {
  const merged: { inParagraph: boolean | null; nodes: ChildNode[] }[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (
      last === undefined ||
      (last.inParagraph !== null && piece.inParagraph !== null && last.inParagraph !== piece.inParagraph)
    ) {
      merged.push({ inParagraph: piece.inParagraph, nodes: [piece.node] })
    } else {
      last.inParagraph ??= piece.inParagraph
      last.nodes.push(piece.node)
    }
  }
  return merged.map(({ inParagraph, nodes }, index) => {
    const copy = index === 0 ? node : copyOf(node)
    setChildren(copy, nodes)
    return { inParagraph, node: copy }
  })
}

function copyOf(node: ElementNode): ElementNode {
  const copy = element(node.name, node.attributes)
  copy.data = { parsoid: { ...node.data.parsoid, autoInsertedStart: true } }
  return copy
}
