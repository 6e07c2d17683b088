/** Blocks that wikitext has no tag for, lists nested in non-standard ways, and elements that only work in a browser. */

import { isAllowedTag } from '../../wikitext/sanitize/allowed.ts'
import { type ChildNode, type ElementNode, textNode } from '../../wikitext/tree/node.ts'
import { placeOf } from '../../wikitext/tree/place.ts'
import { hasType, isBlock, isElement, isItem, isList } from '../node-queries.ts'
import { asTag, type GroupRule, hasClass, isBlank, isForeign, type Rule, renamed, wrapped } from './rewrite.ts'

const controls: ReadonlySet<string> = new Set(
  (
    'applet button canvas clipboard-copy datalist dialog embed frame frameset iframe meter noembed noframes object ' +
    'optgroup option output param portal progress select slot svg textarea'
  ).split(' '),
)
const furniture =
  /^(?:mw-editsection|mw-editsection-like|mw-cite-backlink|mw-jump-link|printfooter|zeroclipboard-container|katex-html|toc|toctitle|header-anchor|headerlink|heading-anchor|anchorjs-link|hash-link|footnote-backref|footnote-back|reversefootnote|data-footnote-backref|octicon|sr-only|visually-hidden|screen-reader-text)$/

/** Removes controls and decoration, which only work on the site that they come from. */
export const furnitureRule: Rule = node => {
  if (node.name === 'input') return box(node)
  if (controls.has(node.name) || (hasClass(node, furniture) && !isElement(node, 'body'))) return []
  // The sign that opens the properties of a note.
  const isFold = node.name === 'summary' && node.parent?.kind === 'element' && hasClass(node.parent, /^front-matter$/)
  if (isFold) return []
  const isAnchor = node.name === 'a' && hasClass(node, /^anchor$/) && node.children.every(child => isBlank(child))
  return isAnchor ? [] : null
}

/** A checkbox, as Markdown renders it. */
function box(node: ElementNode): ChildNode[] {
  if (node.attributes.get('type')?.toLowerCase() !== 'checkbox') return []
  const siblings = node.parent?.children ?? []
  const next = node.parent === null ? undefined : siblings[placeOf(node.parent, node) + 1]
  const isApart = next?.kind === 'text' && /^\s/.test(next.text)
  return [textNode(`[${node.attributes.has('checked') ? 'x' : ' '}]${isApart ? '' : ' '}`)]
}

const boxes: ReadonlySet<string> = new Set(
  'address article aside details fieldset figcaption figure footer form header hgroup legend main nav search section summary'.split(
    ' ',
  ),
)

/** Boxes around headings and notes, which wikitext does not need. */
const transparentBox = /^(?:mw-heading|markdown-heading|reflist|mw-references-wrap|footnotes)$/

/** Replaces a box that wikitext has no tag for with its content, in paragraphs. */
export const boxRule: Rule = node => {
  if (node.name === 'div' && hasClass(node, transparentBox) && !node.children.some(isOwn)) return node.children
  if (node.name.includes('-') || node.name.includes(':')) return node.children
  if (node.name === 'menu' || node.name === 'dir') return [renamed(node, 'ul')]
  if (!boxes.has(node.name) || isAllowedTag(node.name) || isCaptionOfFile(node)) return null
  return isElement(node.parent, 'p') ? node.children : inParagraphs(node)
}

function isOwn(node: ChildNode): boolean {
  return node.kind === 'element' && !isForeign(node) && node.data.mw === undefined
}

function isCaptionOfFile({ name, parent }: ElementNode): boolean {
  if (name !== 'figcaption') return false
  for (let at = parent; at?.kind === 'element'; at = at.parent) if (hasType(at, /^mw:File/)) return true
  return false
}

/** Returns the content of a block with the inline runs between its blocks wrapped in paragraphs. */
export function inParagraphs(node: ElementNode): readonly ChildNode[] {
  const out: ChildNode[] = []
  let inline: ChildNode[] = []
  const flush = (): void => {
    if (inline.some(child => !isBlank(child))) out.push(wrapped('p', inline))
    inline = []
  }
  for (const child of node.children) {
    if (!isBlock(child)) inline.push(child)
    else {
      flush()
      out.push(child)
    }
  }
  flush()
  return out
}

/** Moves a list that stands between the items of another list into the preceding item, and unwraps groups of terms. */
export const listGroups: GroupRule = (children, parent) => {
  if (!isElement(parent as ChildNode) || !isList(parent) || !isForeign(parent as ElementNode)) return null
  const flat = children.flatMap(child => (isElement(child, 'div') && isForeign(child) ? child.children : [child]))
  const isStray = (child: ChildNode): boolean => isList(child) && isForeign(child as ElementNode)
  if (flat.length === children.length && !flat.some(isStray)) return null
  const out: ChildNode[] = []
  for (const child of flat) {
    const last = out.findLast(one => isElement(one))
    if (!isStray(child)) out.push(child)
    else if (last !== undefined && isItem(last)) append(last as ElementNode, child)
    else out.push(wrapped((parent as ElementNode).name === 'dl' ? 'dd' : 'li', [child]))
  }
  return out
}

function append(parent: ElementNode, child: ChildNode): void {
  child.parent = parent
  parent.children.push(child)
}

const ownLines: ReadonlySet<string> = new Set('table hr h1 h2 h3 h4 h5 h6'.split(' '))

/** A list item is one line. Content that would start another line is written as tags. */
export const itemRule: Rule = node => {
  if (!isItem(node)) return null
  const content = node.children.filter(child => !isBlank(child))
  const isWritten = (child: ChildNode): child is ElementNode => child.kind === 'element' && isForeign(child)
  for (const [index, child] of content.entries()) {
    if (!isWritten(child)) continue
    if (isIndented(node, child, index)) continue
    if (ownLines.has(child.name) || (child.name === 'p' && index > 0)) asTag(child)
  }
  return null
}

/** A table may start a description item, on the item's own line. */
function isIndented(item: ElementNode, child: ElementNode, index: number): boolean {
  return item.name === 'dd' && child.name === 'table' && index === 0
}
