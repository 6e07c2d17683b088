/**
 * `<ref>` and `<references>`: footnotes and their lists.
 *
 * A `<ref>` becomes a sealed element in its place. Once the page is complete, the marks are numbered in document order and the
 * lists are filled. Source: MediaWiki DOM specification 2.8.0 and the Cite extension's behaviour.
 */

import {
  appendChild,
  type ChildNode,
  detach,
  type ElementNode,
  element,
  fragment,
  insertBefore,
  textNode,
} from '../../tree/node.ts'
import { walk } from '../../tree/walk.ts'
import { callData, type Extension, type ExtensionCall, type ExtensionContext, type PageBody } from '../extension.ts'
import { unwrapNowiki } from '../nowiki.ts'
import { type CiteError, noteErrors } from './errors.ts'
import { fillList, showListErrors } from './list.ts'
import { sealed } from './mark.ts'
import { type Numbering, numberRef, type OpenList } from './number.ts'
import { type RefTag, readRefTag } from './ref-tag.ts'
import { type Book, type Group, groupMessage, newReferences } from './references.ts'

export interface CiteOptions {
  /** If true, lists get a wrapper element and, beyond the threshold, columns. */
  readonly responsive?: boolean
  /** Maximum length of a list without columns. */
  readonly responsiveThreshold?: number
  /** If true, `details` makes sub-references. */
  readonly subReferences?: boolean
}

interface ListTag {
  readonly group: string
  readonly responsive: string | null
  readonly contents: readonly ChildNode[]
  /** If true, `data-mw` holds the list's definitions as HTML. */
  readonly showsDefinitions: boolean
  readonly inTemplate: boolean
  readonly errors: readonly CiteError[]
}

interface State {
  readonly book: Book
  readonly refs: Map<ElementNode, RefTag>
  readonly lists: WeakMap<ElementNode, ListTag>
  /** The `<ref>`s being rendered, and whether each may contain others. */
  readonly open: boolean[]
  /** Lists being rendered. */
  openLists: number
  hasLists: boolean
}

const stateName = 'cite'
const standard = { responsive: true, responsiveThreshold: 10, subReferences: true }

/** Makes the extension of `<ref>` and `<references>`. */
export function cite(options: CiteOptions = {}): Extension {
  const settings = { ...standard, ...options }
  return {
    tags: ['ref', 'references'],
    render: (call, context) =>
      call.name === 'ref' ? renderRef(call, context, settings) : renderReferences(call, context),
    finish: (body, context) => finishPage(body, context, settings),
  }
}

function stateOf(context: ExtensionContext): State {
  return context.state(stateName, () => ({
    book: newReferences(),
    refs: new Map(),
    lists: new WeakMap(),
    open: [],
    openLists: 0,
    hasLists: false,
  }))
}

function renderRef(call: ExtensionCall, context: ExtensionContext, settings: typeof standard): ChildNode[] {
  const state = stateOf(context)
  if (state.open.at(-1) === false) return []
  const group = call.attributes.get('group') ?? ''
  // Requested here, while missing data can still be fetched.
  if (group !== '') context.message(groupMessage(group))
  const node = element('sup', [
    ['about', context.about()],
    ['typeof', sealed],
  ])
  node.data.mw = callData(call)
  state.open.push(call.byFunction === true)
  const parsed =
    call.body === null ? [] : context.parseInline(call.body, { offset: call.bodyOffset, withoutArguments: true })
  state.open.pop()
  const content = unwrapNowiki(parsed)
  state.refs.set(node, readRefTag(call, { content, detailsContent: detailsOf(call, context) }, settings))
  return [node]
}

/** References inside details stay sealed: nothing will number them. */
function detailsOf(call: ExtensionCall, context: ExtensionContext): ChildNode[] {
  const details = call.attributes.get('details') ?? ''
  if (details === '') return []
  const { open, refs } = stateOf(context)
  open.push(true)
  const nodes = context.parseInline(details)
  open.pop()
  for (const { element: inner } of walk(nodes)) refs.delete(inner)
  return nodes
}

function renderReferences(call: ExtensionCall, context: ExtensionContext): ChildNode[] {
  const state = stateOf(context)
  state.openLists += 1
  const contents = call.body === null ? [] : context.parseInline(call.body, { offset: call.bodyOffset })
  state.openLists -= 1
  // A list in a list is not one: its definitions belong to the outer list, and a span bears the errors of the inner tag.
  if (state.openLists > 0) return [element('span'), ...contents]
  state.hasLists = true
  const node = element('div')
  node.data.mw = callData(call)
  const inTemplate = call.inTemplate || call.byFunction === true
  state.lists.set(node, {
    group: call.attributes.get('group') ?? '',
    responsive: call.attributes.get('responsive') ?? null,
    contents,
    showsDefinitions: call.body !== null && !inTemplate,
    inTemplate,
    errors: unknownAttributes(call),
  })
  return [node]
}

function unknownAttributes({ attributes }: ExtensionCall): CiteError[] {
  const allowed = ['group', 'responsive']
  const unknown = [...attributes.keys()].find(name => !allowed.includes(name))
  if (unknown === undefined) return []
  return [{ key: 'cite_error_references_invalid_parameters', params: [unknown, allowed.join(', ')] }]
}

function finishPage(body: PageBody, context: ExtensionContext, settings: typeof standard): void {
  const state = stateOf(context)
  if (state.refs.size === 0 && !state.hasLists) return
  for (const mark of [...state.refs.keys()].reverse()) hoistFromLink(mark)
  const numbering = numberingOf(state, context)
  for (const { element: node, embedded } of walk(body)) {
    const tag = state.refs.get(node)
    if (tag !== undefined) numberOnce(node, { tag, embedded, list: null }, { state, numbering })
    const list = state.lists.get(node)
    if (list !== undefined) finishList(node, list, { state, numbering, settings })
  }
  for (const group of [...state.book.groups.values()]) addList(body, group, context, settings)
}

function numberingOf(state: State, { pageHref, message }: ExtensionContext): Numbering {
  const numbering: Numbering = {
    book: state.book,
    pageHref,
    message,
    nested(content, embedded) {
      for (const step of walk(content)) {
        const tag = state.refs.get(step.element)
        const place = { embedded: embedded || step.embedded, list: null }
        if (tag !== undefined) numberOnce(step.element, { tag, ...place }, { state, numbering })
      }
    },
  }
  return numbering
}

function numberOnce(
  node: ElementNode,
  { tag, embedded, list }: { tag: RefTag; embedded: boolean; list: OpenList | null },
  { state, numbering }: { state: State; numbering: Numbering },
): void {
  state.refs.delete(node)
  numberRef(node, tag, { embedded, list }, numbering)
}

interface Finishing {
  readonly state: State
  readonly numbering: Numbering
  readonly settings: typeof standard
}

function finishList(node: ElementNode, tag: ListTag, { state, numbering, settings }: Finishing): void {
  state.lists.delete(node)
  const open: OpenList = { group: tag.group, definitions: [] }
  const marks: ElementNode[] = []
  for (const { element: inner } of walk(tag.contents)) {
    const ref = state.refs.get(inner)
    if (ref === undefined) continue
    numberOnce(inner, { tag: ref, embedded: true, list: open }, { state, numbering })
    marks.push(inner)
  }
  if (tag.showsDefinitions) node.data.mw = { ...node.data.mw, body: { html: definitionsHtml(marks) } }
  const group = state.book.groups.get(tag.group)
  state.book.groups.delete(tag.group)
  if (tag.inTemplate && (group?.references.length ?? 0) === 0) {
    drop(node)
    return
  }
  const errors = [...tag.errors, ...settleErrors(open, group)]
  const isResponsive = tag.responsive === null ? settings.responsive : tag.responsive !== '0'
  fillList(node, group, {
    group: tag.group,
    pageHref: numbering.pageHref,
    responsive: isResponsive ? { threshold: settings.responsiveThreshold } : null,
  })
  noteErrors(node, tag.errors)
  showListErrors(node, errors)
}

function definitionsHtml(marks: readonly ElementNode[]): ReturnType<typeof fragment> {
  if (marks.length === 0) return fragment()
  return fragment([textNode('\n'), ...marks.flatMap(mark => [mark, textNode('\n')])])
}

/** Places the errors of definitions at their first mark in the text; errors without a mark stay for the list. */
function settleErrors(list: OpenList, group: Group | undefined): CiteError[] {
  const left: CiteError[] = []
  for (const { reference, errors } of list.definitions) {
    if (reference.marks.length > 0) noteErrors(reference.marks[0]!, errors)
    else left.push(...errors)
    const isUsed = reference.marks.length > 0 || reference.parts.size > 0
    if (!isUsed && reference.name !== '') {
      left.push({ key: 'cite_error_references_missing_key', params: [reference.name] })
    }
  }
  for (const { name, content, uses } of group?.references ?? []) {
    if (content !== null || name === '') continue
    for (const use of uses) noteErrors(use, [{ key: 'cite_error_references_no_text', params: [name] }])
  }
  return left
}

/** Removes an empty list that a template made; its template data moves to the next sibling. */
function drop(node: ElementNode): void {
  const { parent } = node
  const about = node.attributes.get('about')
  const next = parent?.children[parent.children.indexOf(node) + 1]
  const parts = node.data.mw?.parts
  detach(node)
  if (parts === undefined || next?.kind !== 'element' || next.attributes.get('about') !== about) return
  next.attributes.set('typeof', `mw:Transclusion ${next.attributes.get('typeof') ?? ''}`.trim())
  next.data.mw = { ...next.data.mw, parts }
}

/** Adds the list that a group lacks. */
function addList(body: PageBody, group: Group, context: ExtensionContext, settings: typeof standard): void {
  if (group.references.length === 0) return
  const node = element('div', [
    ['typeof', 'mw:Extension/references'],
    ['about', context.about()],
  ])
  const attrs = group.name === '' ? {} : { group: group.name }
  node.data.mw = { name: 'references', attrs, autoGenerated: true }
  settleErrors({ group: group.name, definitions: [] }, group)
  fillList(node, group, {
    group: group.name,
    pageHref: context.pageHref,
    responsive: settings.responsive ? { threshold: settings.responsiveThreshold } : null,
  })
  const errors: CiteError[] =
    group.name === '' ? [] : [{ key: 'cite_error_group_refs_without_references', params: [group.name] }]
  noteErrors(node, errors)
  showListErrors(node, errors)
  appendChild(body, textNode('\n'))
  appendChild(body, node)
}

/** Moves a mark out of a link, after it: links cannot nest. The last mark of a link is moved first. */
function hoistFromLink(mark: ElementNode): void {
  let place = mark.parent
  while (place?.kind === 'element' && place.name !== 'a') place = place.parent
  if (place?.kind === 'element' && place.parent !== null) moveBehind(mark, place)
}

function moveBehind(mark: ElementNode, link: ElementNode): void {
  const parent = link.parent!
  const about = link.attributes.get('about')
  if (about !== undefined) mark.attributes.set('about', about)
  const next = parent.children[parent.children.indexOf(link) + 1]
  if (next === undefined) appendChild(parent, mark)
  else insertBefore(parent, mark, next)
}
