/** Tags without an end, with an end in a wrong place, and ends without a beginning. */

import type { ChildNode, ElementNode } from '../../tree/node.ts'
import { placeOf } from '../../tree/place.ts'
import { ancestorOf, isStrippedTag, isTag, strippedName } from '../node-queries.ts'
import type { Finding, LintPage } from '../rule.ts'

/** Elements whose end tag may be left out. */
const optionalEnd: ReadonlySet<string> = new Set('li td th tr tbody thead tfoot colgroup col'.split(' '))
const voidNames: ReadonlySet<string> = new Set(
  'br hr img link meta wbr col area base embed input source track'.split(' '),
)
/** Inline elements that HTML 5 ends with their paragraph, and HTML 4 did not. Source: MediaWiki, Help:Lint errors/html5-misnesting. */
const endedEarly: ReadonlySet<string> = new Set(
  'abbr bdi bdo cite data del dfn ins kbd mark q rb rp rt rtc ruby samp span sub sup time var'.split(' '),
)
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const tables: ReadonlySet<string> = new Set(['table'])
/** Elements that an unclosed tag does not leave. */
const bounds: ReadonlySet<string> = new Set(['a', 'td', 'th', ...headings])

/** Returns the first visible node after an element or after those that end with it, up to one of `within`; null for none. */
function nodeAfter(node: ElementNode, within: ReadonlySet<string>): ChildNode | null {
  let at: ChildNode = node
  for (let parent = at.parent; parent !== null; parent = at.parent) {
    const next = nextSeen(parent.children, placeOf(parent, at) + 1)
    if (next !== undefined) return next
    if (parent.kind !== 'element' || within.has(parent.name)) return null
    at = parent
  }
  return null
}

const nowhere: ReadonlySet<string> = new Set()

function nextSeen(children: readonly ChildNode[], from: number): ChildNode | undefined {
  let at = from
  while (at < children.length && isGapBefore(children[at]!)) at++
  return children[at]
}

function isGapBefore(node: ChildNode): boolean {
  return node.kind === 'comment' || (node.kind === 'text' && node.text.trim() === '')
}

/** Returns true if content follows that the tag would have had in HTML 4. */
function isEndedEarly(node: ElementNode): boolean {
  if (!isTag(node) || !endedEarly.has(node.name) || holdsItsLike(node)) return false
  const next = nodeAfter(node, bounds)
  if (next === null) return false
  const isParagraph = next.kind === 'element' && next.name === 'p' && !isTag(next)
  const content = isParagraph ? nextSeen(next.children, 0) : next
  return content !== undefined && !(content.kind === 'element' && isEndOf(content, node))
}

/** Returns true for an element whose first elements, one in the other, have one of its name with an end. */
function holdsItsLike({ name, children }: ElementNode): boolean {
  for (let first = firstElement(children); first !== undefined; first = firstElement(first.children))
    if (first.name === name && first.data.parsoid?.autoInsertedEnd !== true) return true
  return false
}

const firstElement = (children: readonly ChildNode[]): ElementNode | undefined =>
  children.find(child => child.kind === 'element')

const isEndOf = (node: ElementNode, { name }: ElementNode): boolean =>
  isStrippedTag(node) && strippedName(node) === name

/**
 * Returns the end of a tag that follows right after the place where the element had to end: the mark of a dropped tag, or the last
 * of the pieces that a browser reopened.
 */
function endAfter(node: ElementNode): ElementNode | null {
  for (let next = nodeAfter(node, nowhere); next?.kind === 'element'; ) {
    if (isStrippedTag(next)) return isEndOf(next, node) ? next : null
    const isPiece = next.name === node.name && isTag(next) === isTag(node)
    if (!isPiece || !isResumed(next)) next = next.children[0] ?? null
    else if (!hasOwnEnd(next)) next = nodeAfter(next, nowhere)
    else return next
  }
  return null
}

/** The rule of missing and misplaced ends. */
export function unclosed(node: ElementNode, { ends }: LintPage): readonly Finding[] {
  if (!isUnclosed(node)) return []
  const params = { name: node.name }
  if (isEndedEarly(node)) return [{ type: 'html5-misnesting', params }]
  const heading = ancestorOf(node, headings)
  if (heading !== null && !isTag(node))
    return [{ type: 'unclosed-quotes-in-heading', params: { ...params, ancestorName: heading.name } }]
  const end = endAfter(node)
  if (end !== null) {
    ends.add(end)
    return [{ type: 'misnested-tag', params }]
  }
  const type = heading === null ? 'missing-end-tag' : 'missing-end-tag-in-heading'
  return [{ type, params: { ...params, inTable: node.name === 'table' || ancestorOf(node, tables) !== null } }]
}

function isUnclosed(node: ElementNode): boolean {
  const { parsoid } = node.data
  if (isResumed(node) || parsoid?.selfClose === true) return false
  if (voidNames.has(node.name) || optionalEnd.has(node.name)) return false
  if (!isTag(node) && !isQuotes(node) && node.name !== 'table') return false
  return !hasOwnEnd(node)
}

/** Returns true for a piece that continues an element after an end that it overlaps. */
function isResumed(node: ElementNode): boolean {
  const { parsoid, range } = node.data
  return parsoid?.autoInsertedStart === true || (isQuotes(node) && range?.openWidth === 0)
}

const isQuotes = (node: ElementNode): boolean => (node.name === 'i' || node.name === 'b') && !isTag(node)

/**
 * Returns true if an element ends with markup of its kind: the end of a line ends apostrophes, and no tag does. Of a template's elements
 * no widths are known, and a resumed piece has no beginning.
 */
function hasOwnEnd(node: ElementNode): boolean {
  const { parsoid, range } = node.data
  if (parsoid?.autoInsertedEnd === true) return false
  const { openWidth = null, closeWidth = null } = range ?? {}
  if (!openWidth) return !isResumed(node) || closeWidth !== 0
  return closeWidth !== 0 && !(isQuotes(node) && closeWidth && openWidth !== closeWidth)
}

/** The rule of missing tags. The end of a misnested tag is reported with the tag. */
export function stripped(node: ElementNode, { ends }: LintPage): readonly Finding[] {
  if (!isStrippedTag(node)) return []
  const name = strippedName(node)
  if (name === 'p' || ends.has(node)) return []
  const { range } = node.data
  return [{ type: 'stripped-tag', params: { name }, ...(range ? { at: range } : {}) }]
}

/** The rule of `<div/>`: only void elements may be written so. */
export function selfClosed({ name, data }: ElementNode): readonly Finding[] {
  if (data.parsoid?.selfClose !== true || voidNames.has(name)) return []
  return [{ type: 'self-closed-tag', params: { name }, isTagOnly: true }]
}
