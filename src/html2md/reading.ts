/** Context collected from a page before conversion: its block elements and its footnotes. */

import type { ElementNode, FragmentNode } from '../wikitext/tree/node.ts'
import { walk } from '../wikitext/tree/walk.ts'

export interface Reading {
  /** Key of the page's own title; links to it are links within the page. */
  readonly key: string | null
  /** Elements that contain a block. */
  readonly holdBlocks: ReadonlySet<ElementNode>
  /** Notes by the id of the element that holds their text. */
  readonly notes: ReadonlyMap<string, Note>
  /** True if text is code. */
  readonly isCode: boolean
  /** Marks already applied to the text. */
  readonly marks: readonly string[]
  /** Number of enclosing lists and quotations. */
  readonly depth: number
}

export interface Note {
  /** Its number on the page, in any group: "1". */
  readonly identifier: string
  readonly element: ElementNode
}

/** Block elements. */
const blockNames: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table ul'
  ).split(' '),
)

/** True for an element that is a block, or holds one. */
export function isFlow(node: ElementNode, { holdBlocks }: Reading): boolean {
  return blockNames.has(node.name) || holdBlocks.has(node)
}

/** Examines a tree once. */
export function readingOf(tree: FragmentNode, key: string | null): Reading {
  const holdBlocks = new Set<ElementNode>()
  const notes = new Map<string, Note>()
  for (const { element, embedded } of walk(tree)) {
    if (embedded) continue
    if (blockNames.has(element.name)) markAbove(element, holdBlocks)
    if (isNote(element)) notes.set(element.attributes.get('id')!, { identifier: String(notes.size + 1), element })
  }
  return { key, holdBlocks, notes, isCode: false, marks: [], depth: 0 }
}

function markAbove(node: ElementNode, marked: Set<ElementNode>): void {
  for (let above = node.parent; above?.kind === 'element' && !marked.has(above); above = above.parent) marked.add(above)
}

function isNote({ name, attributes, parent }: ElementNode): boolean {
  if (name !== 'li' || !attributes.has('id') || parent?.kind !== 'element') return false
  return ['references', 'mw-references', 'footnotes-list'].some(one => hasClass(parent, one))
}

/** True for an element of a class. */
export function hasClass({ attributes }: ElementNode, name: string): boolean {
  return ` ${attributes.get('class') ?? ''} `.includes(` ${name} `)
}

/** True for an element of a type, e.g. `mw:Extension/math`. */
export function hasType({ attributes }: ElementNode, type: string): boolean {
  return ` ${attributes.get('typeof') ?? ''} `.includes(` ${type} `)
}

const unseenNames: ReadonlySet<string> = new Set('base head link meta noscript script style template title'.split(' '))
const unseenClasses = ['mw-editsection', 'mw-cite-backlink', 'mw-empty-elt', 'footnote-backref', 'footnotes-sep']

/** The sign that opens the properties of a note: they are open in a text. */
function isFold({ name, parent }: ElementNode): boolean {
  return name === 'summary' && parent?.kind === 'element' && hasClass(parent, 'front-matter')
}

/** True for content that readers do not see. */
export function isInvisible(node: ElementNode): boolean {
  return (
    unseenNames.has(node.name) ||
    unseenClasses.some(name => hasClass(node, name)) ||
    isFold(node) ||
    /(?:^|;)\s*display\s*:\s*none/i.test(node.attributes.get('style') ?? '')
  )
}
