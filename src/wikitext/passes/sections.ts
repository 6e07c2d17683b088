/** Wraps headings and the following content in sections. Source: MediaWiki DOM specification 2.8.0, Headings and Sections. */

import { appendChild, type ChildNode, type ElementNode, element, type ParentNode } from '../tree/node.ts'
import { placeOf } from '../tree/place.ts'
import { isHeading } from './headings.ts'
import { setChildren } from './walk.ts'

interface Section {
  readonly level: number
  readonly node: ElementNode
}

/** A template with nodes in more than one section. */
interface Spread {
  readonly first: ElementNode
  readonly firstSection: ElementNode | null
  readonly lastSection: ElementNode
}

interface State {
  /** Number of headings so far, including those of templates. */
  count: number
  readonly spreads: Spread[]
  /** The page's text. */
  readonly text: string
  /** Inside an element that a template made. */
  isInTemplate: boolean
}

const lowest = 7
/** Level below all headings: a heading inside another element makes that element a section. */
const leadLevel = 6.5

/** Wraps the page's content; `end` is the length of the page's text. */
export function wrapSections(root: ParentNode, text: string): void {
  const state: State = { count: 0, spreads: [], text, isInTemplate: false }
  const lead: Section = { ...sectionOf(0, '0'), level: leadLevel }
  wrapChildren(root, lead, state)
  for (const spread of state.spreads) widenTemplate(spread, root, text)
}

function sectionOf(level: number, id: string): Section {
  return { level, node: element('section', [['data-mw-section-id', id]]) }
}

/** The template whose nodes are being traversed. */
interface Passing {
  readonly about: string
  readonly first: ElementNode
  readonly last: ChildNode
  firstSection: Section | null
}

/** The children of one node while they are wrapped in sections. */
interface Wrapping {
  readonly state: State
  /** Children of the result. */
  readonly top: ChildNode[]
  /** Open sections, the innermost last, without the lead. */
  readonly stack: Section[]
  current: Section | null
  /** Highest level of the headings so far. */
  highest: number
  passing: Passing | null
}

/** Wraps the children of a node and returns the highest level of the headings among them. */
function wrapChildren(root: ParentNode, lead: Section | null, state: State): number {
  const children = root.children.splice(0)
  for (const child of children) child.parent = null
  const top = lead === null ? [] : [lead.node]
  const wrapping: Wrapping = { state, top, stack: [], current: lead, highest: lowest, passing: null }
  for (const [index, child] of children.entries()) {
    if (wrapping.passing === null) beginTemplate(wrapping, templateAt(children, index))
    if (child.kind === 'element') openFor(wrapping, child)
    if (wrapping.current === null) wrapping.top.push(child)
    else appendChild(wrapping.current.node, child)
    passTemplate(wrapping, child)
  }
  if (lead === null) wrapping.current?.node.attributes.set('data-mw-section-id', '-1')
  setChildren(root, wrapping.top)
  return wrapping.highest
}

function beginTemplate(wrapping: Wrapping, passing: Passing | null): void {
  wrapping.passing = passing
  if (passing !== null) wrapping.state.count += headingsIn(passing.first, wrapping.state.text)
}

/** Opens the section of a heading, or of an element with headings in it. */
function openFor(wrapping: Wrapping, child: ElementNode): void {
  const { state, current, passing } = wrapping
  const level = levelOf(child)
  if (level === null) {
    const nested = wrapInside(child, { state, isTemplates: passing !== null })
    if (current === null || nested > current.level) return
    current.node.attributes.set('data-mw-section-id', '-1')
    open(wrapping, sectionOf(nested, '-2'))
    return
  }
  wrapping.highest = Math.min(wrapping.highest, level)
  const isNumbered = passing === null && !state.isInTemplate && child.data.isUneditable !== true
  if (isNumbered) state.count++
  open(wrapping, sectionOf(level, isNumbered ? String(state.count) : '-1'))
}

function open(wrapping: Wrapping, section: Section): void {
  const { stack, top } = wrapping
  while (stack.length > 0 && section.level <= stack.at(-1)!.level) stack.pop()
  if (stack.length === 0) top.push(section.node)
  else appendChild(stack.at(-1)!.node, section.node)
  stack.push(section)
  wrapping.current = section
}

function passTemplate(wrapping: Wrapping, child: ChildNode): void {
  const { passing, current, state } = wrapping
  if (passing === null) return
  if (passing.first === child) passing.firstSection = current
  if (passing.last !== child) return
  note(passing, current, state)
  wrapping.passing = null
}

function wrapInside(node: ElementNode, { state, isTemplates }: { state: State; isTemplates: boolean }): number {
  if (!holdsHeading(node)) return lowest
  const before = state.isInTemplate
  state.isInTemplate ||= isTemplates
  const highest = wrapChildren(node, null, state)
  state.isInTemplate = before
  return highest
}

function holdsHeading(node: ElementNode): boolean {
  return node.children.some(child => child.kind === 'element' && (levelOf(child) !== null || holdsHeading(child)))
}

/** Headings of wikitext begin sections; those written in HTML do not. */
function levelOf(node: ElementNode): number | null {
  return isHeading(node) && node.data.parsoid?.stx !== 'html' ? Number(node.name[1]) : null
}

/** Number of the page's own headings in a template's arguments: they are numbered, though not editable. */
function headingsIn({ data }: ElementNode, text: string): number {
  if (!data.range || data.range.start < 0) return 0
  const { start, end } = data.range
  const own = withoutVerbatim(text.slice(start, end))
  return own.match(/^=.*=[ \t]*$/gm)?.length ?? 0
}

/** Removes comments, and tags in whose text no line is a heading. */
function withoutVerbatim(source: string): string {
  if (!source.includes('<')) return source
  let out = ''
  let at = 0
  for (const { index, 0: opening, 1: name } of source.matchAll(
    /<!--|<(nowiki|pre|syntaxhighlight|source|math|poem|ref|gallery)\b[^<>]{0,1000}>/gi,
  )) {
    if (index < at || opening.endsWith('/>')) continue
    const close = name === undefined ? '-->' : `</${name.toLowerCase()}`
    const end = source
      .slice(index, index + longestVerbatim)
      .toLowerCase()
      .indexOf(close, opening.length)
    if (end === -1) continue
    out += source.slice(at, index)
    at = index + end + close.length
  }
  return out + source.slice(at)
}

/** Maximum text of such a tag, in UTF-16 units. */
const longestVerbatim = 20_000

function templateAt(children: readonly ChildNode[], index: number): Passing | null {
  const node = children[index]!
  if (node.kind !== 'element' || !/\bmw:(?:Transclusion|Param)\b/.test(node.attributes.get('typeof') ?? '')) return null
  const about = node.attributes.get('about')
  if (about === undefined) return null
  let last = index
  for (let at = index + 1; at < children.length; at++) {
    const next = children[at]!
    if (next.kind === 'element' && next.attributes.get('about') !== about) break
    if (next.kind === 'element') last = at
  }
  return { about, first: node, last: children[last]!, firstSection: null }
}

function note({ first, firstSection }: Passing, current: Section | null, { spreads }: State): void {
  if (current === null || current === firstSection) return
  spreads.push({ first, firstSection: firstSection?.node ?? null, lastSection: current.node })
}

/** Widens a template that spans several sections to include these sections. */
function widenTemplate({ first, firstSection, lastSection }: Spread, root: ParentNode, text: string): void {
  const [from, to] = commonSections(firstSection, lastSection)
  const parent = from.parent ?? root
  const about = first.attributes.get('about')!
  const nodes = parent.children.slice(placeOf(parent, from), placeOf(parent, to) + 1)
  for (const node of nodes) if (node.kind === 'element') node.attributes.set('about', about)
  from.attributes.set('typeof', first.attributes.get('typeof')!.includes('mw:Param') ? 'mw:Param' : 'mw:Transclusion')
  const { mw, range, parsoid } = first.data
  const start = startOf(from) ?? range?.start ?? 0
  const end = startAfter(to) ?? text.length
  const parts = Array.isArray(mw?.parts) ? [...(mw.parts as unknown[])] : []
  if (range && start < range.start) parts.unshift(text.slice(start, range.start))
  if (range && end > range.end) parts.push(text.slice(range.end, end))
  from.data = { mw: { parts: joinTexts(parts) }, parsoid: { ...(parsoid?.pi !== undefined && { pi: parsoid.pi }) } }
}

function joinTexts(parts: readonly unknown[]): unknown[] {
  const joined: unknown[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

/** The sibling sections that contain both; twice the first if it contains the second. */
function commonSections(first: ElementNode | null, last: ElementNode): [ElementNode, ElementNode] {
  if (first === null) return [last, last]
  const firsts = ancestors(first)
  const lasts = ancestors(last)
  if (lasts.includes(first)) return [first, first]
  const common = firsts.find(node => lasts.includes(node))
  const child = (path: readonly ParentNode[]): ElementNode =>
    path[common === undefined ? path.length - 1 : path.indexOf(common) - 1] as ElementNode
  return [child(firsts), child(lasts)]
}

function ancestors(node: ElementNode): ParentNode[] {
  const path: ParentNode[] = []
  for (let at: ParentNode | null = node; at !== null; at = at.parent) path.push(at)
  return path
}

function startOf(section: ElementNode): number | null {
  for (const child of section.children) {
    if (child.kind !== 'text' && child.data.range && child.data.range.start >= 0) return child.data.range.start
  }
  return null
}

/** Returns the offset in the page's text at which the next element begins. */
function startAfter(node: ElementNode): number | null {
  for (let at: ElementNode = node; at.parent !== null; at = at.parent as ElementNode) {
    const { children } = at.parent
    const next = children.slice(children.indexOf(at) + 1).find(child => child.kind === 'element')
    if (next?.kind === 'element') return next.name === 'section' ? startOf(next) : (next.data.range?.start ?? null)
    if (at.parent.kind === 'fragment') return null
  }
  return null
}
