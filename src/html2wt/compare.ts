/**
 * Finds the unchanged nodes of an edited tree: first by hashes of whole subtrees, then by position between matched
 * nodes.
 */

import { withPlainEnds } from '../core/line-ends.ts'
import type { ChildNode, CommentNode, ElementNode, FragmentNode, ParentNode, TextNode } from '../wikitext/tree/node.ts'
import { textOf } from '../wikitext/tree/walk.ts'
import { isNew } from './node-queries.ts'
import { noteOf, notesOf } from './notes.ts'
import type { Original } from './original.ts'
import { placesOf } from './places.ts'

/** Compares an edited tree with the tree made from the original text. */
export function compareTrees(tree: FragmentNode, before: FragmentNode, text: string): Original {
  const numbering: Numbering = { byDescription: new Map(), byNode: new Map() }
  numberSubtrees(tree, numbering)
  numberSubtrees(before, numbering)
  const keyOf = (node: ChildNode): number => numbering.byNode.get(node) ?? -1
  const twins = new Map<ChildNode, ChildNode>()
  const same = new Set<ChildNode>()
  const pending: { now: ParentNode; old: ParentNode }[] = [{ now: tree, old: before }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [now, then] of matchChildren(next.now.children, next.old.children, keyOf)) {
      twins.set(now, then)
      adoptData(now, then)
      if (keyOf(now) === keyOf(then)) same.add(now)
      else if (now.kind === 'element' && then.kind === 'element') pending.push({ now, old: then })
    }
  }
  return { source: withPlainEnds(text), twins, same, places: placesOf(before, text) }
}

/**
 * HTML for reading does not record its source. A replaced node is then written in the style of the node that it
 * replaces.
 */
function adoptData(now: ChildNode, then: ChildNode): void {
  if (now.kind !== 'element' || then.kind !== 'element' || now.name !== then.name || now.data.parsoid !== undefined)
    return
  const { parsoid, range } = then.data
  if (parsoid !== undefined) now.data = { ...now.data, parsoid, range: range ?? null }
}

type KeyOf = (node: ChildNode) => number

/** Numbers of subtrees: by description, and by node. */
interface Numbering {
  readonly byDescription: Map<string, number>
  readonly byNode: Map<ChildNode, number>
}

/**
 * Gives equal subtrees equal numbers. The mark of a note is numbered together with the note's text, which stands
 * elsewhere.
 */
function numberSubtrees(root: ParentNode, { byDescription, byNode }: Numbering): void {
  const notes = notesOf(root)
  const opened = new Set<ElementNode>()
  const pending: { readonly node: ElementNode; isOpen: boolean }[] = []
  const setNumber = (node: ChildNode, text: string): void => {
    const number = byDescription.get(text) ?? byDescription.size
    if (number === byDescription.size) byDescription.set(text, number)
    byNode.set(node, number)
  }
  const open = ({ children }: ParentNode): void => {
    for (let index = children.length - 1; index >= 0; index--) {
      const node = children[index]!
      if (node.kind === 'element') pending.push({ node, isOpen: false })
      else setNumber(node, describeText(node))
    }
  }
  open(root)
  for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
    const { node, isOpen } = next
    const note = notes.size === 0 ? undefined : noteOf(node, notes)
    // A note whose text contains its own mark.
    const isWithin = !isOpen && notes.size > 0 && opened.has(node)
    if (isWithin || byNode.has(node)) pending.pop()
    else if (isOpen) {
      setNumber(node, describe(node, byNode, note))
      pending.pop()
    } else {
      next.isOpen = true
      if (notes.size > 0) opened.add(node)
      open(node)
      if (note !== undefined) pending.push({ node: note, isOpen: false })
    }
  }
}

/** Attributes that do not describe content. */
const ignored: ReadonlySet<string> = new Set(['data-parsoid', 'about', 'data-ve-changed'])

function describeText(node: TextNode | CommentNode): string {
  return `${node.kind}:${isFirstInPre(node) ? node.text.replace(/^\n/, '') : node.text}`
}

/** Describes an element for its hash. The separator is NUL, which HTML cannot contain. */
function describe(
  { name, attributes, children }: ElementNode,
  byNode: ReadonlyMap<ChildNode, number>,
  note: ElementNode | undefined,
): string {
  const pairs: string[] = []
  for (const [key, value] of attributes)
    if (!ignored.has(key) && !(key === 'id' && /^mw[\w-]{2,}$/.test(value))) pairs.push(`${key}\0${value}`)
  if (pairs.length > 1) pairs.sort()
  let text = `<${name}\0${pairs.join('\0')}\0`
  for (const child of children)
    if (child.kind !== 'text' || child.text !== '\n' || !isFirstInPre(child)) text += `\0${byNode.get(child) ?? -1}`
  return note === undefined ? text : `${text}\0note\0${byNode.get(note) ?? -1}`
}

/** Browsers ignore a line break right after `<pre>` and drop it when they write HTML. */
function isFirstInPre(node: ChildNode): boolean {
  return node.parent?.kind === 'element' && node.parent.name === 'pre' && node.parent.children[0] === node
}

type Pair = readonly [now: ChildNode, then: ChildNode]

/** Pairs children: equal ones in order, then those of the same kind between the same neighbours. */
function matchChildren(now: readonly ChildNode[], then: readonly ChildNode[], keyOf: KeyOf): Pair[] {
  const pairs: Pair[] = []
  let start = 0
  while (start < now.length && start < then.length && keyOf(now[start]!) === keyOf(then[start]!)) {
    pairs.push([now[start]!, then[start]!])
    start++
  }
  let [nowEnd, thenEnd] = [now.length, then.length]
  const tail: Pair[] = []
  while (nowEnd > start && thenEnd > start && keyOf(now[nowEnd - 1]!) === keyOf(then[thenEnd - 1]!)) {
    nowEnd--
    thenEnd--
    tail.push([now[nowEnd]!, then[thenEnd]!])
  }
  return [...pairs, ...matchMiddle(now.slice(start, nowEnd), then.slice(start, thenEnd), keyOf), ...tail]
}

/**
 * Children that are equal and unique on both sides, or next in order, become anchors. Between anchors, children are
 * paired by kind.
 */
function matchMiddle(now: readonly ChildNode[], then: readonly ChildNode[], keyOf: KeyOf): Pair[] {
  const anchors = increasing(uniquePairs(now, then, keyOf))
  const pairs: Pair[] = []
  let [nowAt, thenAt] = [0, 0]
  for (const [nowIndex, thenIndex] of [...anchors, [now.length, then.length] as const]) {
    for (const pair of matchKinds(now.slice(nowAt, nowIndex), then.slice(thenAt, thenIndex), keyOf)) pairs.push(pair)
    if (nowIndex < now.length) pairs.push([now[nowIndex]!, then[thenIndex]!])
    nowAt = nowIndex + 1
    thenAt = thenIndex + 1
  }
  return pairs
}

type Indices = readonly [now: number, then: number]

function uniquePairs(now: readonly ChildNode[], then: readonly ChildNode[], keyOf: KeyOf): Indices[] {
  const count = (nodes: readonly ChildNode[]): Map<number, number> => {
    const places = new Map<number, number>()
    for (const [index, node] of nodes.entries()) places.set(keyOf(node), places.has(keyOf(node)) ? -1 : index)
    return places
  }
  const [ours, theirs] = [count(now), count(then)]
  const found: Indices[] = []
  for (const [key, index] of ours) {
    const other = theirs.get(key)
    if (index !== -1 && other !== undefined && other !== -1) found.push([index, other])
  }
  return found.sort((one, other) => one[0] - other[0])
}

/** Returns the longest sequence of pairs in which both indices increase. */
function increasing(pairs: readonly Indices[]): Indices[] {
  const tops: number[] = []
  const before: number[] = []
  pairs.forEach(([, value], index) => {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tops[middle]!]![1] < value) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? tops[low - 1]! : -1
    tops[low] = index
  })
  const row: Indices[] = []
  for (let at = tops.at(-1) ?? -1; at !== -1; at = before[at]!) row.push(pairs[at]!)
  return row.reverse()
}

/** Maximum distance, in siblings, to search for a child of the same kind. */
const reach = 50

function matchKinds(now: readonly ChildNode[], then: readonly ChildNode[], keyOf: KeyOf): Pair[] {
  const pairs: Pair[] = []
  let at = 0
  for (const node of now) {
    const window = then.slice(at, at + reach)
    const equal = window.findIndex(other => keyOf(other) === keyOf(node))
    const found = equal !== -1 && equal <= 2 ? equal : window.findIndex(other => isSameKind(node, other))
    if (found === -1) continue
    pairs.push([node, window[found]!])
    at += found + 1
  }
  return pairs
}

function isSameKind(one: ChildNode, other: ChildNode): boolean {
  if (one.kind !== 'element' || other.kind !== 'element') return one.kind === other.kind && one.kind === 'text'
  return (
    one.name === other.name &&
    one.attributes.get('typeof') === other.attributes.get('typeof') &&
    (!flowBlocks.test(one.name) || !isNew(one) || sharesWords(one, other))
  )
}

/** Blocks whose surroundings depend on whether they are new. Rows, cells and items only exist within others. */
const flowBlocks = /^(?:h[1-6]|[uod]l|table|p|pre|blockquote)$/

/** Characters of a block that tell whether it is another one. */
const beginning = 2_000

/** Returns true if a block has half of the words of the other, as an edited one has. Any other is new, and took its place. */
function sharesWords(one: ElementNode, other: ElementNode): boolean {
  const [ours, theirs] = [wordsOf(one), wordsOf(other)]
  const least = Math.min(ours.size, theirs.size)
  if (least === 0) return ours.size === theirs.size
  return [...ours].filter(word => theirs.has(word)).length * 2 >= least
}

/** Words of blocks, each read once: a block is compared with many others. */
const wordsByBlock = new WeakMap<ElementNode, ReadonlySet<string>>()

function wordsOf(block: ElementNode): ReadonlySet<string> {
  const read = wordsByBlock.get(block) ?? new Set(textOf(block.children, beginning).slice(0, beginning).match(words))
  wordsByBlock.set(block, read)
  return read
}

const words = /[\p{L}\p{N}]+/gu
