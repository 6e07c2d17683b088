/** Computes the number of line breaks between two nodes from the requirements of each. */

import type { ChildNode, ElementNode, ParentNode } from '../wikitext/tree/node.ts'
import { placeOf } from '../wikitext/tree/place.ts'
import { textOf } from '../wikitext/tree/walk.ts'
import { continuesRow, endsLine } from './layout.ts'
import {
  annotationOf,
  firstContent,
  isBlock,
  isElement,
  isEncapsulated,
  isGap,
  isItem,
  isList,
  isNew,
  isRendered,
  isTag,
  isTagPart,
} from './node-queries.ts'
import type { Limits } from './writer.ts'

type Other = ChildNode | ParentNode
type Rule = (node: ElementNode, other: Other) => Limits

/** Line breaks that a kind of node requires around itself and around its content. */
interface Wishes {
  readonly before?: Rule
  readonly after?: Rule
  readonly first?: Rule
  readonly last?: Rule
}

const none: Limits = {}
const line: Limits = { min: 1, max: 2 }

const list: Wishes = {
  before: (node, other) => {
    if (isItem(other)) return other === node.parent ? { min: 0, max: 1 } : { min: 1, max: 1 }
    if (other === node.parent)
      return isElement(other) ? { min: 1, max: isTag(other) || !isBlock(other) ? 1 : 2 } : { min: 0, max: 1 }
    if (!isElement(node.parent)) return line
    if (isItem(node.parent)) return { min: 1, max: 1 }
    return line
  },
  after: endOfList,
}

const item: Wishes = {
  before: (node, other) => {
    if (other === node.parent) return none
    if (isOnTermLine(node)) return { min: 0, max: 0 }
    return { min: 1, max: 1 }
  },
  after: (node, other) => (other === node.parent ? none : endOfList(node, other)),
  first: (_, other) => (isList(other) ? none : { min: 0, max: 0 }),
}

/** True for a definition on the line of its term. */
function isOnTermLine(node: Other): boolean {
  return isElement(node, 'dd') && node.data.parsoid?.stx === 'row' && !leavesTermLine(node)
}

/**
 * True for such a definition that an edit made follow another, or begin with a list: the bullets of the list, which replace
 * its sign, begin a line.
 */
export function leavesTermLine(node: Other): boolean {
  if (!isElement(node, 'dd') || node.data.parsoid?.stx !== 'row' || node.parent === null) return false
  const first = firstContent(node)
  const before = contentBefore(node.parent, node)
  return (first !== undefined && isList(first)) || (before !== null && isElement(before, 'dd') && !isOnTermLine(before))
}

/** Source: Parsoid, the separators of lists. */
function endOfList(node: ElementNode, other: Other): Limits {
  if (other === node.parent) return endOfParent(other)
  if (isOnTermLine(other)) return { min: 0, max: 0 }
  if (isEncapsulated(other)) return { min: isList(node) ? 1 : 0, max: 2 }
  if (isTag(other)) return { min: 1, max: 2 }
  if (isList(other)) {
    if (isList(node) && isElement(other, node.name)) return { min: 2, max: 2 }
    return isItem(node) || (node.parent !== null && isItem(node.parent)) ? { min: 1, max: 1 } : line
  }
  if (isItem(other)) return { min: 1, max: 1 }
  if (isCategory(other)) return line
  if (isBlock(other)) return isElement(other, 'p') ? { min: 1, max: 2 } : line
  return node.parent !== null && isItem(node.parent) ? { min: 1, max: 1 } : { min: 1, max: 2 }
}

function endOfParent(parent: Other): Limits {
  if (isList(parent) || isItem(parent) || !isElement(parent)) return none
  return cellNames.has(parent.name) ? { min: 0, max: 2 } : { min: 1, max: 1 }
}

function isCategory(node: Other): boolean {
  return isElement(node, 'link')
}

/** A paragraph in wikitext: the element, or bare text between blocks. */
function isParagraph(node: Other): boolean {
  return isElement(node, 'p') && !isTag(node)
}

const cellNames: ReadonlySet<string> = new Set(['td', 'th', 'caption'])

const paragraph: Wishes = {
  before: (node, other) => {
    if (node.parent === other) {
      if (isElement(other) && cellNames.has(other.name)) return { min: 0, max: 1 }
      if (isItem(other)) return { min: 0, max: 0 }
      return { min: isFreshIn(node, other) && needsOwnLines(other) ? 1 : 0, max: 2 }
    }
    if (isInline(other) && isOnFirstLine(node)) return { min: 1, max: 2 }
    if (isInline(other) || (isParagraph(other) && !isBesideBlock(other, node))) return { min: 2, max: 2 }
    if (isParagraph(other)) return { min: 1, max: 2 }
    if (isTag(other) && isBlock(other)) return { min: isElement(other, 'p') ? 2 : 0, max: 2 }
    if (isNew(node) && endsLine(node) && isFreshBlock(other)) return { min: 2, max: 2 }
    if (isEncapsulated(other) && isLine(other)) return { min: 1, max: 2 }
    if (isBesideOldCategory(node, other)) return { min: 2, max: 2 }
    return { min: isNew(node) && isPlainBlock(other) && hasLines(node) ? 1 : 0, max: 2 }
  },
  after: (node, other) => {
    if (node.parent === other)
      return { min: isFreshIn(node, other) && needsOwnLines(other) ? 1 : 0, max: isPlainBlock(other) ? 1 : 2 }
    if (isInline(other) || isBesideOldCategory(node, other)) return { min: 2, max: 2 }
    if (isParagraph(other)) return isBesideBlock(node, other) ? { min: 1, max: 2 } : { min: 2, max: 2 }
    return { min: isFreshBlock(other) && hasLines(node) ? 1 : 0, max: 2 }
  },
}

/** Paragraphs are already separate if a block tag ends the last line of one or starts the first line of the other. */
function isBesideBlock(one: Other, other: Other): boolean {
  return isLineOfTag(one, -1) || isLineOfTag(other, 1)
}

function hasLines(node: ElementNode): boolean {
  return textOf(node.children).trim().includes('\n')
}

function isLineOfTag(node: Other, side: -1 | 1): boolean {
  if (!isElement(node) || node.parent === null || hasLines(node)) return false
  const beside = node.parent.children[placeOf(node.parent, node) + side]
  return beside !== undefined && isTag(beside) && isBlock(beside) && !isElement(beside, 'p')
}

const plainBlocks = /^(?:div|blockquote|center)$/

/** After a block MediaWiki renders a paragraph the same with and without an empty line before it. */
function isFreshBlock(node: Other): boolean {
  return isElement(node) && isNew(node) && plainBlocks.test(node.name)
}

/** The line of a category of the page may continue a paragraph, which a new one does not join. */
function isBesideOldCategory(node: ElementNode, other: Other): boolean {
  return isNew(node) && isElement(other, 'link') && !isNew(other)
}

/** Lists and headings end with their line, also those of a template. */
function isLine(node: Other): boolean {
  return isElement(node) && /^(?:[uod]l|h[1-6])$/.test(node.name)
}

/** Text right after a block tag or cell separator forms no paragraph of its own. */
function isOnFirstLine(node: ElementNode): boolean {
  const { parent } = node
  if (!isElement(parent) || (!isBlock(parent) && !cellNames.has(parent.name))) return false
  for (let index = placeOf(parent, node) - 1; index >= 0; index--) if (isBlock(parent.children[index]!)) return false
  const [first] = parent.children
  return !(first?.kind === 'text' && first.text.startsWith('\n'))
}

/** A block written as an HTML tag. */
function isPlainBlock(node: Other): boolean {
  return isBlock(node) && isElement(node) && !cellNames.has(node.name) && !isItem(node) && node.name !== 'p'
}

/** True for a new paragraph, and for one that an edit put into a new element. */
function isFreshIn(node: ElementNode, parent: Other): boolean {
  return isNew(node) || (isElement(parent) && isNew(parent))
}

/** Text on the line of a block's tag is not a paragraph, except in a quotation. Source: Parsoid PHandler. */
function needsOwnLines(parent: Other): boolean {
  return isPlainBlock(parent) && !isElement(parent, 'blockquote') && !isElement(parent, 'figcaption')
}

/** Text and other content of paragraphs. A formatting tag around blocks is none. */
function isInline(node: Other): boolean {
  if (node.kind === 'text') return true
  if (isElement(node) && isTag(node) && node.children.some(isBlock)) return false
  return node.kind === 'element' && !isBlock(node) && !isEncapsulated(node) && !['link', 'meta'].includes(node.name)
}

const heading: Wishes = {
  before: (node, other) => {
    if (other === node.parent) return { min: 1, max: 2 }
    const isFresh = isNew(node)
      ? !isRendered(node)
      : isElement(other) && isNew(other) && !isPart(other) && !['link', 'meta'].includes(other.name)
    return isFresh ? { min: 2, max: 2 } : line
  },
  after: () => line,
  first: () => ({ min: 0, max: 0 }),
  last: () => ({ min: 0, max: 0 }),
}

/** True for an element of a group that one template made, which has no source of its own. */
function isPart({ attributes }: ElementNode): boolean {
  return attributes.has('about')
}

const rule: Wishes = {
  before: () => line,
  after: node => (node.data.parsoid?.lineContent === true ? { min: 0, max: 0 } : line),
}

const pre: Wishes = {
  before: (_, other) => (isElement(other, 'pre') && !isTag(other) ? { min: 2, max: 2 } : line),
  after: (_, other) => (isElement(other, 'pre') && !isTag(other) ? { min: 2, max: 2 } : line),
}

const maxInTable = (node: ElementNode): number => (isNew(node) ? 1 : 2)

const table: Wishes = {
  before: (node, other) => {
    // A call may end with the line break that an existing table needs.
    if ((isEncapsulated(other) && !isNew(node)) || (isItem(other) && node.parent === other)) return { min: 0, max: 2 }
    return { min: 1, max: 2 }
  },
  after: (node, other) => {
    // Text after a table in a list item is on the line of the table's end.
    if (isInline(other) && node.parent !== null && isItem(node.parent)) return { min: 0, max: 0 }
    const isFresh = isNew(node) || (isElement(other) && isNew(other)) || isElement(other, 'table')
    return { min: isFresh ? 1 : 0, max: 2 }
  },
  first: node => ({ min: 0, max: maxInTable(node) }),
  last: node => ({ min: 0, max: maxInTable(node) }),
}

/** Rows begin after the line of the table's tag, also if an editor dropped the white space between. */
const tableBody: Wishes = {
  before: (node, other) =>
    other === node.parent && other.children[0] === node && !node.children.every(isGap) ? { min: 1 } : none,
}

const row: Wishes = {
  before: node => ({ min: hasRowLine(node) ? 1 : 0, max: maxInTable(node) }),
  after: node => ({ min: 0, max: maxInTable(node) }),
}

/** The first row of a table needs no `|-` line. */
export function hasRowLine(node: ElementNode): boolean {
  if (typeof node.data.parsoid?.startTagSrc === 'string') return true
  const before = node.parent === null ? null : contentBefore(node.parent, node)
  if (isElement(before, 'tr') && (isNew(before) || !wasBefore(before, node))) return true
  if (node.data.range !== undefined && node.data.range !== null && node.data.range.openWidth !== null)
    return node.data.range.openWidth > 0
  if ([...node.attributes.keys()].some(name => !name.startsWith('data-') && name !== 'id')) return true
  const { parent: body } = node
  if (body === null) return false
  if (before !== null || !isElement(body) || body.name === 'table')
    return before !== null && !isElement(before, 'caption')
  const above = body.parent === null ? null : contentBefore(body.parent, body)
  return above !== null && isElement(above) && !['caption', 'colgroup'].includes(above.name)
}

/** Returns true if a row stood right before another in the source: a template's row may, or one whose end tag was written. */
function wasBefore(row: ElementNode, next: ElementNode): boolean {
  const [one, other] = [row.data.range, next.data.range]
  if (one == null || other == null || row.attributes.has('about')) return true
  return one.end <= other.start && other.start - one.end < 3
}

function contentAfter(parent: ParentNode, node: ChildNode): ChildNode | null {
  for (let index = placeOf(parent, node) + 1; index < parent.children.length; index++) {
    if (!isGap(parent.children[index]!)) return parent.children[index]!
  }
  return null
}

function contentBefore(parent: ParentNode, node: ChildNode): ChildNode | null {
  for (let index = placeOf(parent, node) - 1; index >= 0; index--) {
    if (!isGap(parent.children[index]!)) return parent.children[index]!
  }
  return null
}

const cell: Wishes = {
  before: node => (continuesRow(node) ? { min: 0, max: 0 } : { min: 1, max: maxInTable(node) }),
  after: node => ({ min: 0, max: maxInTable(node) }),
}

const caption: Wishes = {
  before: node => ({ min: 1, max: maxInTable(node) }),
  after: node => ({ min: 1, max: maxInTable(node) }),
}

const property: Wishes = {
  before: (node, other) => (hasOwnLine(node) && !(isElement(other) && other === node.parent) ? { min: 1 } : none),
  after: (node, other) => (hasOwnLine(node) && other !== node.parent ? { min: 1 } : none),
}

/** True for a new category or the like; one in a list item stays on the item's line, which is all of the item. */
function hasOwnLine(node: ElementNode): boolean {
  return isNew(node) && isPageProperty(node) && !(node.parent !== null && isItem(node.parent))
}

/** Behaviour switches may be adjacent to each other, but not to text; a new one leaves the paragraphs around it separate. */
const behaviour: Wishes = {
  before: (node, other) => besideSwitch(node, other, property.before!),
  after: (node, other) => besideSwitch(node, other, property.after!),
}

function besideSwitch(node: ElementNode, other: Other, rule: Rule): Limits {
  if (isParagraph(other) && other !== node.parent) return isNew(node) && isPageProperty(node) ? { min: 2 } : none
  return isInline(other) ? rule(node, other) : none
}

function isPageProperty({ attributes }: ElementNode): boolean {
  return /mw:PageProp/.test(`${attributes.get('rel')} ${attributes.get('property')}`)
}

/** An annotation's tag beside a block stands on a line of its own, outside the block. Source: Parsoid MetaHandler. */
const annotations: Readonly<Record<'start' | 'end', Wishes>> = {
  start: {
    before: (node, other) => (endsBefore(node, other) ? { min: 2 } : none),
    after: (node, other) => (other !== node.parent && isBlock(other) ? { min: 1 } : none),
  },
  end: {
    before: (node, other) => (endsBefore(node, other) ? { min: 1 } : none),
    after: (node, other) => (other !== node.parent && isBlock(other) ? { min: 2 } : none),
  },
}

/** True for a block before an annotation's tag, and for bare text before one that a block follows. */
function endsBefore(node: ElementNode, other: Other): boolean {
  if (other === node.parent) return false
  if (other.kind !== 'text') return isBlock(other)
  const after = node.parent === null ? null : contentAfter(node.parent, node)
  return after !== null && isBlock(after) && !isElement(after, 'pre')
}

const figure: Wishes = {
  before: node => (isNew(node) && !isElement(node.parent) ? { min: 1 } : none),
  after: (node, other) => (isNew(node) && !isElement(node.parent) && other !== node.parent ? { min: 1 } : none),
}

const byName: Readonly<Record<string, Wishes>> = {
  ul: list,
  ol: list,
  dl: list,
  li: item,
  dt: item,
  dd: item,
  p: paragraph,
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  hr: rule,
  pre,
  table,
  tbody: tableBody,
  thead: tableBody,
  tfoot: tableBody,
  tr: row,
  td: cell,
  th: cell,
  caption,
  link: property,
  meta: behaviour,
  figure,
}

const references: Wishes = {
  before: node => (isNew(node) ? { min: 1 } : none),
  after: (node, other) => (isNew(node) && other !== node.parent ? { min: 1 } : none),
}

const linesFirst = /^(?:table|tbody|tr|td|th|caption|ul|ol|dl|li|dt|dd|h[1-6]|hr|pre)$/

/** Templates whose wikitext starts with a construct that must start a line. */
const encapsulated: Wishes = {
  before: (node, other) => {
    const isFirst = other === node.parent
    return (isFirst ? isElement(other, 'tr') && startsCell(node) : startsLine(node)) ? { min: 1 } : none
  },
}

/** True for a cell whose sign is written before a template in it. */
function startsCell(node: ElementNode): boolean {
  return /^[|!](?![|!])/.test(openingOf(node))
}

/** The wikitext before the first template of a call; empty if there is none. */
function openingOf({ data }: ElementNode): string {
  const [opening] = Array.isArray(data.mw?.parts) ? (data.mw.parts as unknown[]) : []
  return typeof opening === 'string' ? opening : ''
}

function startsLine(node: ElementNode): boolean {
  const { parent } = node
  const firstNode = node.data.parsoid?.firstWikitextNode
  if (typeof firstNode === 'string') return linesFirst.test(firstNode.toLowerCase())
  if (/^(?:\{\||[*#:;]|={1,6}[^=]|-{4})/.test(openingOf(node))) return true
  const about = node.attributes.get('about')
  const next = parent?.children[placeOf(parent, node) + 1]
  const first =
    node.children.length === 0 && isElement(next ?? null) && (next as ElementNode).attributes.get('about') === about
      ? (next as ElementNode)
      : node
  return first.name === 'table' && !isTag(first)
}

function wishesOf(node: Other): Wishes {
  if (node.kind === 'element' && node.attributes.get('typeof') === 'mw:Extension/references') return references
  if (isEncapsulated(node)) return encapsulated
  const annotation = annotationOf(node)
  if (annotation !== null) return annotations[annotation.edge]
  if (node.kind !== 'element' || isTag(node) || !Object.hasOwn(byName, node.name)) return {}
  if (isTagPart(node)) return {}
  if (
    node.name === 'pre' &&
    node.attributes.size > 0 &&
    isNew(node) &&
    [...node.attributes.keys()].some(name => !/^data-|^id$/.test(name))
  )
    return {}
  return byName[node.name]!
}

/** Line breaks between two siblings. */
export function between(before: ChildNode, after: ChildNode): Limits[] {
  const wishes: Limits[] = []
  if (isElement(before, 'pre') && isElement(after, 'pre') && !isTag(before) && !isTag(after))
    return [{ min: 2, max: 2 }]
  if (before.kind === 'element') wishes.push(wishesOf(before).after?.(before, after) ?? none)
  if (after.kind === 'element') wishes.push(wishesOf(after).before?.(after, before) ?? none)
  return wishes
}

/**
 * Adds blank lines around a list that is known only from HTML. Source: Parsoid ListHandler, `before` and `wtListEOL`.
 */
export function aroundList(before: ChildNode, after: ChildNode): Limits[] {
  if (before.parent !== null && isItem(before.parent)) return []
  const isBegun = isFreshList(after) && !isItem(before) && !isTextStyle(before)
  const isEnded = isFreshList(before) && isElement(after) && !isItem(after) && isApart(after)
  return isBegun || isEnded ? [{ min: 2, max: 2 }] : []
}

function isFreshList(node: ChildNode): boolean {
  return isList(node) && isElement(node) && isNew(node) && !isTag(node)
}

function isApart(node: ChildNode): boolean {
  return !isEncapsulated(node) && !isTag(node) && !isTextStyle(node)
}

const textStyles = /^(?:[bius]|big|small|strike|em|strong|sub|sup|tt|code|font|span|del|ins|dfn)$/

function isTextStyle(node: ChildNode): boolean {
  return isElement(node) && textStyles.test(node.name)
}

/** Line breaks between the start of a parent and its first child. */
export function atStart(parent: ParentNode, child: ChildNode): Limits[] {
  const wishes: Limits[] = []
  if (parent.kind === 'element') wishes.push(wishesOf(parent).first?.(parent, child) ?? none)
  if (child.kind === 'element') wishes.push(wishesOf(child).before?.(child, parent) ?? none)
  return wishes
}

/** Line breaks between the last child of a parent and its end. */
export function atEnd(parent: ParentNode, child: ChildNode): Limits[] {
  const wishes: Limits[] = []
  if (child.kind === 'element') wishes.push(wishesOf(child).after?.(child, parent) ?? none)
  if (parent.kind === 'element') wishes.push(wishesOf(parent).last?.(parent, child) ?? none)
  return wishes
}
