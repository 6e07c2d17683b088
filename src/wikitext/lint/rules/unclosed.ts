/** Tags without an end, with an end in a wrong place, and ends without a beginning. */

import { isBlock } from '../../passes/loose-text.ts'
import type { ChildNode, ElementNode } from '../../tree/node.ts'
import { placeOf } from '../../tree/place.ts'
import { ancestorOf, isStrippedTag, isTag, strippedName } from '../node-queries.ts'
import type { Closers, Finding, LintPage } from '../rule.ts'

/** Elements whose end tag may be left out. */
const optionalEnd: ReadonlySet<string> = new Set('li td th tr tbody thead tfoot colgroup col'.split(' '))
const voidNames: ReadonlySet<string> = new Set(
  'br hr img link meta wbr col area base embed input source track'.split(' '),
)
/** Elements that a browser reopens if they were closed too early. Source: HTML, "formatting". */
const formatting: ReadonlySet<string> = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const tables: ReadonlySet<string> = new Set(['table'])
/** Elements that an unclosed tag does not leave. */
const bounds: ReadonlySet<string> = new Set(['td', 'th', ...headings])

interface Places {
  /** Number of the last element in each, in document order. */
  readonly last: ReadonlyMap<ElementNode, number>
  readonly byName: ReadonlyMap<string, readonly { readonly place: number; readonly node: ElementNode }[]>
}

/**
 * Finds late ends of tags: pieces that a browser reopened and the page closed, and stray end tags. An end right after the
 * place where the element had to end is always its own. Another one belongs to inline elements only, unless a cell or heading
 * ends between.
 */
export function closersOf(elements: readonly ElementNode[]): Closers {
  const places = placesOf(elements)
  const of = new Map<ElementNode, ElementNode>()
  const late = new Set<ElementNode>()
  const near = new Set<ElementNode>()
  for (const node of elements) {
    const closer = isTag(node) && isUnclosed(node) ? closerOf(node, places) : null
    if (closer === null) continue
    const isNear = nextLeaf(node) === closer
    if (!isNear && isStrippedTag(closer) && (isBlock(node) || endsBefore(node, closer, places))) continue
    of.set(node, closer)
    if (isNear) near.add(node)
    if (isNear || formatting.has(node.name)) late.add(closer)
  }
  return { of, late, near }
}

/** Returns true if the cell or heading that holds an element does not hold its end. */
function endsBefore(node: ElementNode, closer: ElementNode, { last }: Places): boolean {
  const bound = ancestorOf(node, bounds)
  return bound !== null && last.get(bound)! < last.get(closer)!
}

/** An element that the mark of a dropped tag may be in. */
const wrappers: ReadonlySet<string> = new Set(['p'])

/** Returns the first visible node after an element, or the mark of a dropped tag. */
function nextLeaf(node: ElementNode): ChildNode | null {
  let at: ChildNode = node
  for (let parent = at.parent; parent !== null; parent = at.parent) {
    let next = nextSeen(parent.children, placeOf(parent, at) + 1)
    while (next?.kind === 'element' && wrappers.has(next.name) && next.children.length > 0)
      next = nextSeen(next.children, 0)
    if (next !== undefined) return next
    if (parent.kind !== 'element') return null
    at = parent
  }
  return null
}

function nextSeen(children: readonly ChildNode[], from: number): ChildNode | undefined {
  let at = from
  while (at < children.length && isGapBefore(children[at]!)) at++
  return children[at]
}

function isGapBefore(node: ChildNode): boolean {
  return node.kind === 'comment' || (node.kind === 'text' && node.text.trim() === '')
}

function placesOf(elements: readonly ElementNode[]): Places {
  const last = new Map(elements.map((node, place) => [node, place]))
  const byName = new Map<string, { place: number; node: ElementNode }[]>()
  elements.forEach((node, place) => {
    const name = closedName(node)
    if (name === '') return
    const earlier = byName.get(name)
    if (earlier === undefined) byName.set(name, [{ place, node }])
    else earlier.push({ place, node })
  })
  for (const node of elements.toReversed()) {
    const outer = node.parent?.kind === 'element' ? node.parent : null
    if (outer !== null) last.set(outer, Math.max(last.get(outer) ?? 0, last.get(node)!))
  }
  return { last, byName }
}

function closedName(node: ElementNode): string {
  if (isStrippedTag(node)) return isStrayEnd(node) ? strippedName(node) : ''
  const { autoInsertedStart, autoInsertedEnd } = node.data.parsoid ?? {}
  return autoInsertedStart === true && autoInsertedEnd !== true ? node.name : ''
}

function isStrayEnd(node: ElementNode): boolean {
  return `${node.data.parsoid?.src ?? ''}`.startsWith('</')
}

/** The first later end tag with an element's name. */
function closerOf(node: ElementNode, { last, byName }: Places): ElementNode | null {
  const end = last.get(node)!
  const candidates = byName.get(node.name) ?? []
  let low = 0
  let high = candidates.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (candidates[middle]!.place > end) high = middle
    else low = middle + 1
  }
  return candidates[low]?.node ?? null
}

/** The rule of missing and misplaced ends. */
export function unclosed(node: ElementNode, { closers }: LintPage): readonly Finding[] {
  if (!isUnclosed(node)) return []
  if (!closers.of.has(node)) return [missingEnd(node)]
  const type = formatting.has(node.name) || closers.near.has(node) ? 'misnested-tag' : 'html5-misnesting'
  return [{ type, params: { name: node.name } }]
}

function isUnclosed(node: ElementNode): boolean {
  const { parsoid, range } = node.data
  if (parsoid?.autoInsertedStart === true || parsoid?.selfClose === true) return false
  if (voidNames.has(node.name) || optionalEnd.has(node.name)) return false
  const isApostrophes = (node.name === 'i' || node.name === 'b') && !isTag(node)
  if (!isTag(node) && !isApostrophes && node.name !== 'table') return false
  return parsoid?.autoInsertedEnd === true || (!isTag(node) && range?.closeWidth === 0)
}

function missingEnd(node: ElementNode): Finding {
  const { name } = node
  const heading = ancestorOf(node, headings)
  const params = { name, inTable: name === 'table' || ancestorOf(node, tables) !== null }
  if (heading === null) return { type: 'missing-end-tag', params }
  if (isTag(node)) return { type: 'missing-end-tag-in-heading', params }
  return { type: 'unclosed-quotes-in-heading', params: { name, ancestorName: heading.name } }
}

/** The rule of missing tags. A formatting tag with a later, misnested end is not reported twice. */
export function stripped(node: ElementNode, { closers }: LintPage): readonly Finding[] {
  if (!isStrippedTag(node)) return []
  const name = strippedName(node)
  if (name === 'p' || closers.late.has(node)) return []
  const { range } = node.data
  return [{ type: 'stripped-tag', params: { name }, ...(range ? { at: range } : {}) }]
}

/** The rule of `<div/>`: only void elements may be written so. */
export function selfClosed({ name, data }: ElementNode): readonly Finding[] {
  if (data.parsoid?.selfClose !== true || voidNames.has(name)) return []
  return [{ type: 'self-closed-tag', params: { name }, isTagOnly: true }]
}
