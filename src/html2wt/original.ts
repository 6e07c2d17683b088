/** The original text of a page, for the parts that have not changed. */

import type { ChildNode, ElementNode, TextNode } from '../wikitext/tree/node.ts'
import { placeOf } from '../wikitext/tree/place.ts'
import { firstContent, isItem, isList, isTag } from './node-queries.ts'
import type { Places } from './places.ts'

/** The page before the edit. */
export interface Original {
  /** Its text. All lines end in LF. */
  readonly source: string
  /** The original of each node, by the node that now stands in its place. */
  readonly twins: ReadonlyMap<ChildNode, ChildNode>
  /** Nodes that are unchanged, including their content. */
  readonly same: ReadonlySet<ChildNode>
  /** Source ranges of the original children. */
  readonly places: Places
}

interface Run {
  /** Index after the last node. */
  readonly end: number
  readonly text: string
}

/** Returns the source of the longest run of unchanged nodes from an index on; null if there is none. */
export function unchangedRun(original: Original, children: readonly ChildNode[], from: number): Run | null {
  const first = children[from]!
  if (isItem(first) && isList(firstContent(first as ElementNode) ?? first) && followsChange(original, children, from))
    return null
  if (isAutolink(first) || holdsApostrophe(first) || sharesBullets(first) || isMovedText(original, children, from))
    return null
  const old = original.twins.get(first)
  if (old !== undefined && sharesBullets(old)) return null
  const { same, twins, places, source } = original
  const end = endOfRun(original, children, from)
  if (end === from) return null
  const opening = twins.get(children[from]!)!
  const start = isAtEdge(opening, 0) ? 0 : startOf(opening, places)
  if (start === undefined) return null
  const isWhole = isAtEdge(twins.get(children[end - 1]!)!, -1) && !isAutolink(children[end - 1]!)
  // A space before a paragraph would make preformatted text at the start of a line.
  const hasIndent = first.kind === 'element' && first.name === 'p' && followsChange(original, children, from)
  const withoutIndent = (text: string): string => (hasIndent ? text.replace(/^[ \t]+/, '') : text)
  if (isWhole) return { end, text: withoutIndent(source.slice(start)) }
  const canEnd = (index: number): boolean =>
    endOf(twins.get(children[index]!)!, places) !== undefined && !isOpen(children, index, same)
  let reached = end
  while (reached > from && !canEnd(reached - 1)) reached--
  if (reached === from) return null
  const last = endOf(twins.get(children[reached - 1]!)!, places)!
  return last < start ? null : { end: reached, text: withoutIndent(source.slice(start, last)) }
}

/** A plain text after something else than before is written again: its first signs may be markup now. */
function isMovedText(original: Original, children: readonly ChildNode[], at: number): boolean {
  const { twins, places, source } = original
  const twin = twins.get(children[at]!)
  const place = twin?.kind === 'text' ? places.of.get(twin) : undefined
  if (twin?.kind !== 'text' || place === undefined || source.slice(place.start, place.end) !== twin.text) return false
  return followsChange(original, children, at)
}

/** Returns true if a node now follows another node than in the original. That node's own content may have changed. */
function followsChange({ twins }: Original, children: readonly ChildNode[], at: number): boolean {
  const twin = twins.get(children[at]!)
  if (twin === undefined || twin.parent === null) return false
  const [before, now] = [twin.parent.children[placeOf(twin.parent, twin) - 1], children[at - 1]]
  if (before === undefined || now === undefined) return before !== now
  return twins.get(now) !== before
}

function endOfRun({ same, twins }: Original, children: readonly ChildNode[], from: number): number {
  let end = from
  for (let last: ChildNode | undefined; end < children.length; end++) {
    if (last !== undefined && meetsQuote(children[end - 1]!, children[end]!)) break
    const twin = twins.get(children[end]!)
    if (
      twin === undefined ||
      !same.has(children[end]!) ||
      isTag(children[end]!) !== isTag(twin) ||
      (last !== undefined && nextOf(last) !== twin)
    )
      break
    last = twin
  }
  return end
}

/** Returns true if apostrophes of bold or italic are beside those of a text: a changed line may count them in another way. */
function meetsQuote(one: ChildNode, other: ChildNode): boolean {
  const isText = (node: ChildNode): boolean => node.kind === 'text'
  if (isQuote(other)) return isText(one) && edgeText(one, -1) === "'"
  return isQuote(one) && isText(other) && edgeText(other, 0) === "'"
}

/** Returns true for bold or italic that begins or ends with an apostrophe of its text. */
function holdsApostrophe(node: ChildNode): boolean {
  return isQuote(node) && [0, -1].some(edge => edgeText(node, edge) === "'")
}

function isQuote(node: ChildNode): node is ElementNode {
  return node.kind === 'element' && (node.name === 'b' || node.name === 'i') && !isTag(node)
}

/** Returns the first or last character of a node. */
function edgeText(node: ChildNode, edge: number): string | undefined {
  let at: ChildNode | undefined = node
  while (at?.kind === 'element') at = at.children.at(edge)
  return at?.kind === 'text' ? at.text.at(edge) : undefined
}

/** Returns the source offset of a node. Only the first of several nodes that share a range has one. */
function startOf(node: ChildNode, places: Places): number | undefined {
  const place = places.of.get(node)
  return place?.group === undefined || place.group[0] === node ? place?.start : undefined
}

function endOf(node: ChildNode, places: Places): number | undefined {
  const place = places.of.get(node)
  return place?.group === undefined || place.group.at(-1) === node ? place?.end : undefined
}

/** A bare URL would absorb new text that follows it. */
function isOpen(children: readonly ChildNode[], index: number, same: ReadonlySet<ChildNode>): boolean {
  const next = children[index + 1]
  return isAutolink(children[index]!) && next?.kind === 'text' && !same.has(next)
}

/** A text of several lines, some of them unchanged. */
export interface UnchangedLines {
  /** Source of the unchanged lines before the change, and of those after it. */
  readonly before: string
  readonly after: string
  readonly changed: string
}

/** Splits off the unchanged lines of a text; null if there are none, or if the source is unknown. */
export function unchangedLines({ twins, places, source }: Original, node: TextNode): UnchangedLines | null {
  const twin = twins.get(node)
  const place = twin === undefined ? undefined : places.of.get(twin)
  if (twin?.kind !== 'text' || place === undefined || place.group !== undefined) return null
  const sourceLines = source.slice(place.start, place.end).split('\n')
  const [old, now] = [twin.text.split('\n'), node.text.split('\n')]
  if (sourceLines.length !== old.length || sourceLines.length < 2) return null
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start++
  // Of a text that has only a new neighbour, the first line is written again.
  if (twin.text === node.text) start = 0
  let end = 0
  while (end < most - Math.max(start, 1) && old.at(-1 - end) === now.at(-1 - end)) end++
  return {
    before: sourceLines
      .slice(0, start)
      .map(line => `${line}\n`)
      .join(''),
    changed: now.slice(start, now.length - end).join('\n'),
    after: end === 0 ? '' : `\n${sourceLines.slice(sourceLines.length - end).join('\n')}`,
  }
}

/** Returns true if the source of a replaced node ended with a line break. */
export function endedLine({ same, twins, places, source }: Original, node: ChildNode): boolean {
  const twin = twins.get(node)
  const end = twin === undefined || same.has(node) ? undefined : places.of.get(twin)?.end
  return node.kind === 'element' && end !== undefined && end > 0 && source[end - 1] === '\n'
}

/** The first node of a page begins where the page does, and the last one ends with it. */
function isAtEdge(node: ChildNode, edge: 0 | -1): boolean {
  return node.parent?.kind === 'fragment' && node.parent.children.at(edge) === node
}

/** Returns true for bare URLs, which would absorb new neighbours. */
function isAutolink(node: ChildNode): boolean {
  return node.kind === 'element' && /\bexternal (?:free|mw-magiclink)/.test(node.attributes.get('class') ?? '')
}

/** Returns true for a list, or its first item, that shares the bullets of the enclosing item. */
function sharesBullets(node: ChildNode): boolean {
  const { parent } = node
  if (parent === null || !('name' in parent) || parent.children[0] !== node) return false
  if (isItem(parent)) return isList(node)
  return (
    isList(parent) &&
    isItem(node) &&
    parent.parent !== null &&
    isItem(parent.parent) &&
    parent.parent.children[0] === parent
  )
}

/**
 * Returns the source between a node and the next one, or the end of the parent, if no node covers it and both
 * neighbours are unchanged.
 */
export function sourceGap({ twins, places, source }: Original, children: readonly ChildNode[], index: number): string {
  const next = children[index + 1]
  const before = twins.get(children[index]!)
  const start = before === undefined ? undefined : places.of.get(before)?.end
  if (next === undefined || before === undefined || start === undefined) return ''
  const after = twins.get(next)
  const follower = nextOf(before)
  if (after !== undefined) return after === follower ? source.slice(start, places.of.get(after)?.start ?? start) : ''
  if (follower !== undefined || before.parent === null) return ''
  const rest = source.slice(start, places.inside.get(before.parent)?.end ?? start)
  return /^[ \t]*$/.test(rest) ? rest : ''
}

function nextOf(node: ChildNode): ChildNode | undefined {
  const { parent } = node
  return parent === null ? undefined : parent.children[placeOf(parent, node) + 1]
}
