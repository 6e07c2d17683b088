/** Finds the links of wikitext with the preprocessor. */

import { offsetsInText, withLineFeeds } from '../../core/line-ends.ts'
import { parseRedirect } from '../../core/redirect.ts'
import { readModifiers } from '../expand/modifiers.ts'
import { standardExtensions } from '../extensions/standard.ts'
import { findFunction, findVariable, type KnownNames } from '../functions/registry.ts'
import { readGalleryLines } from '../media/gallery.ts'
import type { ExtensionTag, PreNode, Range, Template } from '../preprocess/nodes.ts'
import { preprocess } from '../preprocess/preprocess.ts'
import { annotationNames } from '../tokenize/annotation-tags.ts'
import { findTagLinks } from './in-html.ts'
import type { FoundLinks, LinkForm, LinkRange } from './link-range.ts'

/** Extension tags whose content is wikitext. */
const wikitextTags: ReadonlySet<string> = new Set(['ref', 'references', 'poem', 'indicator', 'gallery'])
/** Keys of functions whose first argument names a page that they do not transclude. */
const pageFunctions: ReadonlySet<string> = new Set([
  ...['ifexist', 'lst', 'lstx', 'lsth'],
  ...['localurl', 'localurle', 'fullurl', 'fullurle', 'canonicalurl', 'canonicalurle'],
])
/** Maximum depth of extension tags. */
const maxDepth = 20

/** One pass over a page, or over the content of an extension tag. */
interface Reading {
  /** The whole page. */
  readonly text: string
  readonly inclusion: 'page' | 'transcluded'
  readonly depth: number
  readonly found: RangesByOffset
  readonly names: KnownNames
}

interface RangesByOffset {
  readonly links: Map<number, LinkRange>
  readonly computed: Map<number, Range>
}

/**
 * Finds the links of a page, including those that only its transclusion has. Magic words, functions and modifiers of a language
 * count besides the English ones. Takes linear time.
 */
export function findWikitextLinks(page: string, language: string): FoundLinks {
  const text = withLineFeeds(page)
  const found: RangesByOffset = { links: new Map(), computed: new Map() }
  const names = { own: new Map(), language: language.toLowerCase() }
  for (const inclusion of ['page', 'transcluded'] as const)
    readSpan({ text, inclusion, depth: 0, found, names }, { start: 0, end: text.length })
  markRedirect(text, found.links)
  const offsets = offsetsInText(page) ?? (offset => offset)
  return {
    links: ordered(found.links).map(link => movedLink(link, offsets)),
    computed: ordered(found.computed).map(({ start, end }) => ({ start: offsets(start), end: offsets(end) })),
  }
}

/** The link of a redirect has no visible text. */
function markRedirect(text: string, links: Map<number, LinkRange>): void {
  const link = parseRedirect(text, '*') === null ? undefined : ordered(links).find(({ form }) => form === 'link')
  if (link !== undefined) links.set(link.start, { ...link, textAt: null })
}

function ordered<Kind extends Range>(ranges: ReadonlyMap<number, Kind>): Kind[] {
  return [...ranges.values()].sort((a, b) => a.start - b.start)
}

function movedLink(link: LinkRange, offsets: (offset: number) => number): LinkRange {
  const textAt = link.textAt === null ? null : offsets(link.textAt)
  return { ...link, start: offsets(link.start), end: offsets(link.end), textAt }
}

function readSpan(reading: Reading, { start, end }: Range): void {
  const { text, inclusion } = reading
  const { nodes, brackets } = preprocess(text.slice(start, end), { tags: tagNames(), inclusion })
  const here: Reading & Place = { ...reading, base: start, obstacles: [] }
  for (const node of nodes) readNode(here, node)
  here.obstacles.sort((a, b) => a.start - b.start)
  const opened = [...brackets.keys()].map(at => ({ start: start + at, end: 0 })).sort((a, b) => a.start - b.start)
  for (const [from, to] of brackets) {
    const range = { start: start + from, end: start + to }
    const inner = opened[firstAt(opened, range.start + 1)]
    readBrackets(here, range, inner !== undefined && inner.start < range.end ? inner.start : null)
  }
}

/** Start of the scanned part, and the ranges in it that are neither text nor link. */
interface Place {
  readonly base: number
  readonly obstacles: (Range & { readonly kind: PreNode['kind'] })[]
}

let standardTags: ReadonlySet<string> | undefined

function tagNames(): ReadonlySet<string> {
  standardTags ??= new Set(standardExtensions().flatMap(({ tags }) => tags))
  return standardTags
}

function readNode(reading: Reading & Place, node: PreNode): void {
  const { base, text } = reading
  const range = { start: base + node.start, end: base + node.end }
  if (node.kind === 'text') {
    for (const link of findTagLinks(text.slice(range.start, range.end), range.start)) setLink(reading, link)
    return
  }
  reading.obstacles.push({ ...range, kind: node.kind })
  if (node.kind === 'extension') readTag(reading, node)
  if (node.kind === 'template') readTemplate(reading, node)
  if (node.kind === 'template' || node.kind === 'argument')
    for (const { children } of node.parts) for (const child of children) readNode(reading, child)
}

function readTag(reading: Reading & Place, { name, body }: ExtensionTag): void {
  if (body === null || !wikitextTags.has(name) || reading.depth === maxDepth) return
  const start = reading.base + body.start
  if (name === 'gallery') {
    for (const line of readGalleryLines(reading.text.slice(start, reading.base + body.end))) {
      const from = start + line.targetStart
      addLink(reading, 'gallery', { start: from, end: from + line.target.length })
    }
  }
  readSpan({ ...reading, depth: reading.depth + 1 }, { start, end: reading.base + body.end })
}

function addLink(reading: Reading, form: LinkForm, { start, end }: Range): void {
  setLink(reading, { form, start, end, textAt: null, second: null })
}

function setLink({ found, inclusion }: Reading, link: LinkRange): void {
  const earlier = found.links.get(link.start)
  const isOnlyHere = earlier === undefined || earlier.reading === inclusion
  found.links.set(link.start, { ...link, reading: isOnlyHere ? inclusion : 'both' })
}

function readTemplate(reading: Reading & Place, { parts, start, end }: Template): void {
  const [name] = parts
  const { text, base, found, names } = reading
  const written = text.slice(base + name.start, base + name.end)
  const { target, modifier } = readModifiers(written.trim(), names.language)
  const colon = target.search(/[:：]/)
  const called = colon > 0 && modifier === undefined ? findFunction(target.slice(0, colon), names) : undefined
  const isPlain = name.children.every(child => child.kind === 'text')
  const targetStart = base + name.start + written.trimEnd().length - target.length
  const range = { start: targetStart, end: targetStart + target.length }
  if (called !== undefined) {
    if (isPlain && pageFunctions.has(called.key)) addTrimmed(reading, { ...range, start: range.start + colon + 1 })
  } else if (!isPlain) {
    found.computed.set(base + start, { start: base + start, end: base + end })
  } else if (isTemplateName(target, parts.length, names)) {
    addLink(reading, 'template', range)
  }
}

function isTemplateName(target: string, parts: number, names: KnownNames): boolean {
  if (target === '' || /^[#\uff03]/.test(target)) return false
  return parts > 1 || findVariable(target, names) === undefined
}

function addTrimmed(reading: Reading, { start, end }: Range): void {
  const text = reading.text.slice(start, end)
  const trimmed = text.trim()
  const from = start + text.indexOf(trimmed)
  if (trimmed !== '') addLink(reading, 'function', { start: from, end: from + trimmed.length })
}

/**
 * Reads the link in a pair of brackets. `nested` is the start of the next brackets within, or null: the target ends before them, so that
 * no character is read once for each of the brackets around it.
 */
function readBrackets(reading: Reading & Place, { start, end }: Range, nested: number | null): void {
  const { text, found, obstacles } = reading
  if (!text.startsWith('[[', start)) return
  const from = start + 2
  const before = text.slice(from, nested ?? end - 2)
  const bar = before.indexOf('|')
  const written = bar === -1 ? before : before.slice(0, bar)
  const obstacle = obstacles[firstAt(obstacles, from)]
  if (obstacle !== undefined && obstacle.start < from + written.length) {
    if (obstacle.kind !== 'comment') found.computed.set(start, { start, end })
    return
  }
  const target = withoutAnnotation(written.trim())
  const isCut = bar === -1 && nested !== null
  if (isCut || target === '' || target.startsWith('#') || /[\n[\]{}]/.test(target)) return
  const at = from + written.indexOf(target)
  const textAt = bar === -1 ? end - 2 : null
  setLink(reading, {
    ...{ form: 'link', start: at, end: at + target.length, textAt, second: null },
    isNesting: nested !== null,
  })
}

/** The target in `<tvar name="1">target</tvar>`, as translated pages have it. */
function withoutAnnotation(target: string): string {
  return annotated.exec(target)?.[1]?.trim() ?? target
}

const annotated = new RegExp(
  `^<(?:${annotationNames.join('|')})(?:[\\s|][^<>]{0,200})?>([^<>]*)</(?:${annotationNames.join('|')})?>$`,
  'i',
)

/** Returns the index of the first range that begins at or after an offset. */
function firstAt(ranges: readonly Range[], offset: number): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.start < offset) low = middle + 1
    else high = middle
  }
  return low
}
