/** Footnotes of wikis, Markdown renderers and word processors: a number that links to a text becomes a reference. */

import { type ChildNode, commentNode, type ElementNode, type FragmentNode, fragment } from '../../wikitext/tree/node.ts'
import { elementsOf, isElement } from '../node-queries.ts'
import { replaceChildren, tidy } from '../tidy.ts'
import {
  extensionTag,
  foreignElements,
  type GroupRule,
  hasClass,
  isBlank,
  isForeign,
  type Rule,
  rewrite,
  shortText,
} from './rewrite.ts'

/** Patterns of note ids: MediaWiki, Word, Google Docs, GitHub, Pandoc and markdown-it. */
const noteId = /^(?:cite_note-.{1,200}|_?ftn\d+|_?edn\d+|ftnt\d+|(?:user-content-)?fn[-:]?[\w-]{1,100})$/

interface Note {
  /** The text of the note. */
  readonly text: ElementNode
  /** The element that is removed together with the text. */
  readonly holder: ElementNode
  /** Links to the note. */
  readonly numbers: ElementNode[]
}

/** Converts numbers to references, and removes the texts together with the rules above them. */
export function tidyNotes(tree: FragmentNode): void {
  const elements = foreignElements(tree)
  const notes = notesIn(elements)
  if (notes.size === 0) return
  for (const node of elements) {
    const note = node.name === 'a' ? notes.get(targetOf(node)) : undefined
    if (note !== undefined && !isInside(node, note.holder)) note.numbers.push(numberBox(node))
  }
  const others = new Map<ElementNode, ChildNode>()
  let count = 0
  for (const { numbers, text, holder } of notes.values()) {
    if (numbers.length === 0) continue
    const name = numbers.length > 1 ? `note-${++count}` : null
    for (const [index, node] of numbers.entries()) others.set(node, referenceTo(index === 0 ? text : null, name))
    others.set(holder, commentNode(gone))
  }
  const inPlace: Rule = node => {
    const made = others.get(node)
    return made === undefined ? null : [made]
  }
  rewrite(tree, [inPlace, emptied], [withoutLines])
  rewrite(tree, [], [children => (children.some(isGone) ? children.filter(child => !isGone(child)) : null)])
}

/** A placeholder for the text of a note. All of them are removed at the end. */
const gone = '\0note'

function isGone(node: ChildNode): boolean {
  return node.kind === 'comment' && node.text === gone
}

/** Replaces a list of which all notes were converted with a reference list, and removes an emptied box. */
const emptied: Rule = ({ name, children }) => {
  if (!children.some(isGone) || !children.every(isBlank)) return null
  if (name === 'ol' || name === 'ul') return [extensionTag('references', {}), commentNode(gone)]
  return name === 'div' ? [commentNode(gone)] : null
}

/** Removes the rule between the page and its notes. */
const withoutLines: GroupRule = (children, parent) => {
  if (!children.some(isGone)) return null
  const isList = parent.kind === 'element' && /^(?:[ou]l|div)$/.test(parent.name) && children.every(isBlank)
  const isLine = (child: ChildNode, index: number): boolean =>
    isElement(child, 'hr') && isForeign(child) && leadsToNotes(children, index)
  return children.filter((child, index) => !isLine(child, index) && (isList || !isGone(child)))
}

/** Looks ahead to the next visible node or reference list. */
function leadsToNotes(children: readonly ChildNode[], from: number): boolean {
  for (let index = from + 1; index < children.length; index++) {
    const child = children[index]!
    if (isGone(child) || (child.kind === 'element' && child.data.mw?.name === 'references')) return true
    if (!isBlank(child)) return false
  }
  return false
}

function notesIn(elements: readonly ElementNode[]): Map<string, Note> {
  const notes = new Map<string, Note>()
  for (const node of elements) {
    const id = node.attributes.get('id') ?? (node.name === 'a' ? node.attributes.get('name') : undefined) ?? ''
    if (!noteId.test(id) || notes.has(id)) continue
    // If the id belongs to the number before the text, the note is the block around it.
    const holder = node.name === 'a' ? blockAround(node) : node
    if (holder !== null && isText(holder)) notes.set(id, { text: textIn(holder), holder, numbers: [] })
  }
  return notes
}

function isText({ name }: ElementNode): boolean {
  return name === 'li' || name === 'div' || name === 'p' || name === 'aside' || name === 'dd'
}

function blockAround(node: ElementNode): ElementNode | null {
  let at = node.parent
  while (at?.kind === 'element' && !isText(at)) at = at.parent
  return at?.kind === 'element' ? at : null
}

function isInside(node: ElementNode, holder: ElementNode): boolean {
  let at: ElementNode | FragmentNode | null = node
  while (at !== null && at !== holder)
    at = at.kind === 'element' ? (at.parent as ElementNode | FragmentNode | null) : null
  return at === holder
}

function targetOf({ attributes }: ElementNode): string {
  const href = /#(.*)$/s.exec(attributes.get('href') ?? '')?.[1] ?? ''
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

/** Returns the text of a note without its back links. */
function textIn(holder: ElementNode): ElementNode {
  const text = elementsOf(holder).find(node => hasClass(node, /^(?:mw-)?reference-text$/))
  return text ?? holder
}

const backLink = /^(?:footnote-back(?:ref)?|reversefootnote|data-footnote-backref|mw-cite-backlink)$/

function isBackLink(node: ElementNode): boolean {
  if (hasClass(node, backLink)) return true
  return node.name === 'a' && /^(?:cite_ref|_?ftnref|_?ednref|ftnt_ref|(?:user-content-)?fnref)/.test(targetOf(node))
}

function withoutBackLinks(children: readonly ChildNode[]): ChildNode[] {
  return children.flatMap((child): ChildNode[] => {
    if (child.kind !== 'element') return [child]
    if (isBackLink(child)) return []
    const children = withoutBackLinks(child.children)
    if (children.length < child.children.length) replaceChildren(child, children)
    return children.every(isBlank) && child.children.length === 0 && child.name === 'sup' ? [] : [child]
  })
}

/** Returns the number with its superscript or brackets. */
function numberBox(node: ElementNode): ElementNode {
  let at = node
  while (at.parent?.kind === 'element' && isForeign(at.parent) && isNumberBox(at.parent)) at = at.parent
  return at
}

function isNumberBox({ name, children }: ElementNode): boolean {
  return (name === 'sup' || name === 'span') && /^[\s[\](){}\w:*†‡§\u00a0]{0,12}$/.test(shortText(children, 12))
}

/** The first of several references contains the text. */
function referenceTo(text: ElementNode | null, name: string | null): ElementNode {
  const made = extensionTag('ref', name === null ? {} : { attrs: { name } })
  if (text === null) return made
  const children = inlineOf(withoutBackLinks(text.children))
  for (const child of children) child.parent = null
  made.data.hidden = fragment(children)
  tidy(made.data.hidden)
  return made
}

/** Unwraps a note of a single paragraph. */
function inlineOf(children: readonly ChildNode[]): ChildNode[] {
  const content = children.filter(child => !isBlank(child))
  const [only] = content
  const inner = content.length === 1 && isElement(only!, 'p') ? only.children : children
  return trimmed(inner)
}

function trimmed(children: readonly ChildNode[]): ChildNode[] {
  const [first, last] = [children[0], children.at(-1)]
  if (first?.kind === 'text') first.text = first.text.replace(/^[\s\u00a0]+/, '')
  if (last?.kind === 'text') last.text = last.text.replace(/(?<!\s)\s+$/, '')
  return [...children]
}
