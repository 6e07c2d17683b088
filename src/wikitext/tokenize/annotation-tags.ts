/**
 * Annotations: pairs of tags that mark a range of a text for other programs, such as the part to translate between
 * `<translate>` and `</translate>`. Their content stays part of the page.
 */

import type { PreNode } from '../preprocess/nodes.ts'

/** One end of an annotation in a text. Offsets into the text. */
export interface AnnotationTag {
  /** Lower case. */
  readonly name: string
  readonly start: number
  readonly end: number
  readonly edge: 'start' | 'end'
  /** In the order of the source. */
  readonly attributes: ReadonlyMap<string, string>
  /** The same object at both ends. */
  readonly range: AnnotationRange
}

/** Common to both ends of an annotation. */
export interface AnnotationRange {
  readonly name: string
}

/** Names of the tags of the Translate extension. */
export const annotationNames: readonly string[] = ['translate', 'tvar']

const none: ReadonlyMap<number, AnnotationTag> = new Map()

/** Makes the pattern of tags of these names; null if there are none. */
export function annotationPattern(names: readonly string[]): RegExp | null {
  return names.length === 0 ? null : new RegExp(`<(/?)(${names.join('|')})(?=[\\s>/|])`, 'gi')
}

/** Makes the pattern of whole tags of these names; null if there are none. */
export function annotationTagPattern(names: readonly string[]): RegExp | null {
  return names.length === 0 ? null : new RegExp(`</?(?:${names.join('|')})(?=[\\s>/|])[^<>]{0,${longestTag}}>`, 'gi')
}

/**
 * Finds the annotation tags of a text, by their start. Tags in templates, comments and extension tags are not in the text.
 * A closing tag without an opening one is text. Source: DOM specification of MediaWiki, Annotations.
 */
export function findAnnotations(
  text: string,
  nodes: readonly PreNode[],
  pattern: RegExp | null,
): ReadonlyMap<number, AnnotationTag> {
  if (pattern === null || text.search(pattern) === -1) return none
  const found = new Map<number, AnnotationTag>()
  const open = new Map<string, AnnotationRange[]>()
  let passed = 0
  for (const match of text.matchAll(pattern)) {
    while (passed < nodes.length && nodes[passed]!.end <= match.index) passed++
    const around = nodes[passed]
    if (around !== undefined && around.start <= match.index) continue
    const name = match[2]!.toLowerCase()
    const nameEnd = match.index + match[0].length
    const close = endOfTag(text, nodes, passed, nameEnd)
    if (close === -1) continue
    const ranges = open.get(name) ?? []
    open.set(name, ranges)
    const place = { name, start: match.index, end: close + 1 }
    if (match[1] === '') {
      const range = { name }
      ranges.push(range)
      const attributes = readAttributes(text, nodesUntil(nodes, passed, close), { start: nameEnd, end: close })
      found.set(place.start, { ...place, edge: 'start', attributes, range })
    } else {
      const range = ranges.pop()
      if (range !== undefined) found.set(place.start, { ...place, edge: 'end', attributes: new Map(), range })
    }
  }
  return found
}

/** The nodes from an index on that begin before an offset. */
function nodesUntil(nodes: readonly PreNode[], first: number, end: number): PreNode[] {
  let last = first
  while (last < nodes.length && nodes[last]!.start < end) last++
  return nodes.slice(first, last)
}

/** Maximum length of a tag, in UTF-16 units. */
const longestTag = 2000

/** Offset of the `>` that ends a tag, outside of the preprocessor's nodes; -1 if there is none before another tag. */
function endOfTag(text: string, nodes: readonly PreNode[], first: number, from: number): number {
  let at = from
  let next = first
  while (at < text.length && at - from < longestTag) {
    while (next < nodes.length && nodes[next]!.end <= at) next++
    const node = nodes[next]
    if (node !== undefined && node.start === at) {
      at = node.end
      continue
    }
    if (text[at] === '>') return at
    if (text[at] === '<') return -1
    at++
  }
  return -1
}

/** Reads names and values as they are written: what a template gives is not known here. `<tvar|name>` names the range. */
function readAttributes(
  text: string,
  nodes: readonly PreNode[],
  { start, end }: { start: number; end: number },
): ReadonlyMap<string, string> {
  const source = text.slice(start, end).replace(/\/$/, '')
  if (source.startsWith('|')) return new Map([['name', source.slice(1)]])
  const isNode = new Uint8Array(source.length)
  for (const node of nodes) isNode.fill(1, node.start - start, node.end - start)
  const attributes = new Map<string, string>()
  const passUntil = (from: number, stops: RegExp): number => {
    let at = from
    while (at < source.length && (isNode[at] === 1 || !stops.test(source[at]!))) at++
    return at
  }
  const passSpace = (from: number): number => {
    let at = from
    while (at < source.length && isNode[at] === 0 && /\s/.test(source[at]!)) at++
    return at
  }
  for (let at = passSpace(0); at < source.length; at = passSpace(at)) {
    const nameEnd = passUntil(at + (source[at] === '=' ? 1 : 0), /[\s=]/)
    const name = source.slice(at, nameEnd)
    const equals = passSpace(nameEnd)
    const value = source[equals] === '=' ? valueAt(source, passSpace(equals + 1), passUntil) : null
    attributes.set(name, value?.text ?? '')
    at = value?.end ?? Math.max(nameEnd, at + 1)
  }
  return attributes
}

function valueAt(
  source: string,
  from: number,
  passUntil: (from: number, stops: RegExp) => number,
): { text: string; end: number } {
  const quote = source[from]
  if (quote !== '"' && quote !== "'") {
    const end = passUntil(from, /\s/)
    return { text: source.slice(from, end), end }
  }
  const end = passUntil(from + 1, quote === '"' ? /"/ : /'/)
  return { text: source.slice(from + 1, end), end: end + 1 }
}

/** True for the text of a comment that names a unit to translate: `<!--T:12-->`. */
export function isUnitMarker(comment: string): boolean {
  return /^T:\S{1,100}$/.test(comment)
}

/** The annotation tags in a range of a text. */
export function annotationsBetween(
  text: string,
  annotations: ReadonlyMap<number, AnnotationTag>,
  { start, end }: { start: number; end: number },
): AnnotationTag[] {
  const found: AnnotationTag[] = []
  if (annotations.size === 0) return found
  for (let at = text.indexOf('<', start); at !== -1 && at < end; at = text.indexOf('<', at + 1)) {
    const tag = annotations.get(at)
    if (tag !== undefined && tag.end <= end) found.push(tag)
  }
  return found
}

/** The types that annotations give to an element of whose attributes they mark a part. */
export function annotationTypes(tags: readonly AnnotationTag[]): string[] {
  return [...new Set(tags.map(({ name }) => `mw:Annotation/${name}`))]
}
