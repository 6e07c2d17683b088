/** The engine's tree and its basic changes. Nodes are plain objects: parse5 builds them, passes change them. */

import type { Title } from '../../core/title.ts'
import type { WrittenLink } from '../../links/link.ts'
import type { LintType } from '../lint/types.ts'
import { placeOf } from './place.ts'

/** Range of a node's source: UTF-16 offsets into the page's text, and the widths of its opening and closing markup. */
export interface SourceRange {
  readonly start: number
  readonly end: number
  /** Null if unknown, 0 if the source has none (an implied end tag). */
  readonly openWidth: number | null
  readonly closeWidth: number | null
}

/** Texts and size of a picture in Markdown. */
export interface PictureWords {
  readonly alt: string
  /** Tooltip; "" if there is none. */
  readonly title: string
  /** `300px`, `300x200px`; "" for the picture's own size. */
  readonly size: string
}

/** Data of a node in addition to its HTML. `data-parsoid` and `data-mw` are objects until they are serialised. */
export interface NodeData {
  /** Source range; null if the node does not come from the page's own text. */
  range?: SourceRange | null
  /** `data-mw`, any JSON object. A fragment anywhere in it is written as its HTML (a caption, the list of references). */
  mw?: Record<string, unknown>
  /** `data-mw-variant`: the text for each variant of the language. Fragments as in `mw`. */
  variant?: Record<string, unknown>
  /** Content that belongs to the node but is shown elsewhere (an indicator's): passes process it, and it is not written. */
  hidden?: FragmentNode
  /** On a table: the content moved out of it, and whether any of it is visible. */
  fostered?: 'seen' | 'unseen'
  /** Problems found while the construct was scanned, for lint. */
  problems?: readonly Problem[]
  /** Further members of `data-parsoid`: stx, a, sa, autoInsertedEnd, ... */
  parsoid?: Record<string, unknown>
  /** Ranges of the opening and closing tag in the page's text; absent if they are not in it. */
  open?: Span
  close?: Span
  /** On a comment: the marker of a unit to translate, which belongs to the text after it. */
  isUnitMarker?: boolean
  /** On a meta that is one end of an annotation. */
  annotation?: AnnotationMarker
  /** On a comment that marks the start or end of a template's text: the template. */
  marker?: TemplateMarker
  /** Of an atom: the width of its opening and closing markup. */
  widths?: { readonly open: number; readonly close: number }
  /** If true, the source is stored with the node, because the HTML does not determine it. */
  keepsSource?: boolean
  /** True for an inner link, which ended the link around it. */
  endsLink?: boolean
  /** Made as a whole by a construct (link, extension): its content is final. */
  isAtom?: boolean
  /** The target page of a link; absent for other targets. */
  link?: Title
  /** On a heading of Markdown that begins a section: its number in the page, and its offset in the page's text, UTF-16 units. */
  section?: { readonly number: number; readonly start: number }
  /** An unresolved link of Markdown. */
  written?: WrittenLink & { readonly picture?: PictureWords; readonly isEmbed?: boolean }
  /** The link's target is what the rules of Markdown make of it. */
  isResolved?: boolean
  /** The file that is shown, or whose bytes are linked. */
  media?: Title
  /** The category that the page is put into, and its sort key; "" for the title. */
  category?: { readonly key: string; readonly sort: string }
  /** The page in another language that a link names. */
  language?: { readonly code: string; readonly title: string }
  /** On a table: the first of the nodes moved out of it, and whether a template was involved. */
  movedOut?: { readonly first: ChildNode; readonly isTemplate: boolean }
  /** A heading without a number, because an editor could not locate it. */
  isUneditable?: boolean
  /** Moved out of a table, which cannot contain it. */
  isFostered?: boolean
}

/** UTF-16 offsets into the page's text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One end of an annotation in the tree. */
export interface AnnotationMarker {
  readonly edge: 'start' | 'end'
  /** The same object at both ends. */
  readonly range: { readonly name: string }
  /** Range of the tag in the page's text, UTF-16 offsets; null if it comes from a template. */
  readonly offsets: Span | null
  /** True if the tag stands elsewhere in the source. */
  wasMoved?: boolean
}

/** One end of a template's text in the tree. */
export interface TemplateMarker {
  readonly edge: 'start' | 'end'
  readonly transclusion: Transclusion
  /** Name of the element whose tag contains the marker, so that the template made a part of it; null if there is none. */
  readonly partOf: 'cell' | 'table' | 'tr' | null
}

/** One use of a template, an argument or a function in the page's own text. */
export interface Transclusion {
  /** Value of `about`. */
  readonly about: string
  /** The range of its braces in the page's text. */
  readonly start: number
  readonly end: number
  /** `mw:Transclusion` or `mw:Param`. */
  readonly type: string
  /** A further word of `typeof`; absent if there is none. */
  readonly subtype?: string
  /** The template's entry in `parts` of `data-mw`: `{template: {...}}`, without `i`. */
  readonly part: Readonly<Record<string, unknown>>
  /** The template's entry in `pi` of `data-parsoid`. */
  readonly parameters: readonly unknown[]
  /** The colon after a function's name if it is a full-width one. */
  readonly colon?: '：'
}

/** A problem that is known only while a construct is scanned. */
export interface Problem {
  readonly type: LintType
  readonly params?: Readonly<Record<string, unknown>>
  /** Range of the problem instead of the node's own; widths are then not reported. */
  readonly at?: { readonly start: number; readonly end: number }
}

export interface ElementNode {
  readonly kind: 'element'
  /** Lower case. */
  name: string
  /** In the order in which they are written. */
  readonly attributes: Map<string, string>
  readonly children: ChildNode[]
  parent: ParentNode | null
  data: NodeData
}

export interface TextNode {
  readonly kind: 'text'
  text: string
  parent: ParentNode | null
}

export interface CommentNode {
  readonly kind: 'comment'
  text: string
  parent: ParentNode | null
  data: NodeData
}

/** A list of nodes without an element around it. */
export interface FragmentNode {
  readonly kind: 'fragment'
  readonly children: ChildNode[]
  readonly parent: null
}

export type ChildNode = ElementNode | TextNode | CommentNode
export type ParentNode = ElementNode | FragmentNode

/** Makes an element; its children become its own. */
export function element(
  name: string,
  attributes: Iterable<readonly [string, string]> = [],
  children: readonly ChildNode[] = [],
): ElementNode {
  const node: ElementNode = {
    kind: 'element',
    name,
    attributes: new Map(attributes),
    children: ownCopy(children),
    parent: null,
    data: {},
  }
  for (const child of node.children) child.parent = node
  return node
}

/** Removes and returns the children. The copy has exactly the needed length, unlike a growing list. */
function ownCopy(children: readonly ChildNode[]): ChildNode[] {
  const own = children.slice()
  for (const child of own) if (child.parent !== null) detach(child)
  return own
}

/** Makes a text. */
export function textNode(text: string): TextNode {
  return { kind: 'text', text, parent: null }
}

/** Makes a comment. */
export function commentNode(text: string): CommentNode {
  return { kind: 'comment', text, parent: null, data: {} }
}

/** Makes a fragment; its children become its own. */
export function fragment(children: readonly ChildNode[] = []): FragmentNode {
  const node: FragmentNode = { kind: 'fragment', children: ownCopy(children), parent: null }
  for (const child of node.children) child.parent = node
  return node
}

/** Moves a node to the end of a parent. */
export function appendChild(parent: ParentNode, child: ChildNode): void {
  detach(child)
  child.parent = parent
  parent.children.push(child)
}

/** Moves a node before another child of the parent. */
export function insertBefore(parent: ParentNode, child: ChildNode, next: ChildNode): void {
  detach(child)
  child.parent = parent
  parent.children.splice(placeOf(parent, next), 0, child)
}

/** Removes a node from its parent. */
export function detach(child: ChildNode): void {
  const { parent } = child
  if (parent === null) return
  parent.children.splice(placeOf(parent, child), 1)
  child.parent = null
}

/** Replaces a node by others, which may be its own children. */
export function replaceWith(child: ChildNode, others: readonly ChildNode[]): void {
  const { parent } = child
  if (parent === null) return
  const nodes = [...others]
  for (const node of nodes) detach(node)
  parent.children.splice(placeOf(parent, child), 1, ...nodes)
  child.parent = null
  for (const node of nodes) node.parent = parent
}
