/** Tree adapter for parse5: its tree construction creates and changes the engine's nodes. */

import { html, type Token as Parse5Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'
import type { AtomToken, OpenToken, Token, VoidToken } from '../tokenize/token.ts'
import {
  type ChildNode,
  type CommentNode,
  commentNode,
  type ElementNode,
  element,
  type FragmentNode,
  fragment,
  type NodeData,
  type ParentNode,
  type TextNode,
  textNode,
} from './node.ts'

export type TreeMap = TreeAdapterTypeMap<
  ParentNode | ChildNode,
  ParentNode,
  ChildNode,
  FragmentNode,
  FragmentNode,
  ElementNode,
  CommentNode,
  TextNode,
  ElementNode,
  CommentNode
>

/** State of the tree construction. */
export interface Builder {
  current: Token | null
  /** Templates whose text is being read. */
  templates: number
  /** True if the last text came from a template: a table emits texts late. */
  isTemplateText: boolean
  hasMarkers: boolean
  hasResumed: boolean
  resumedCount: number
  hasWrappers: boolean
  hasAnnotations: boolean
  /** True if the current tag opened or closed an element. */
  isAnswered: boolean
  /** The element that the current end tag closed. */
  ended: ElementNode | null
  /** The element that the current end tag reopened, in another block. */
  resumed: ElementNode | null
}

/** parse5 passes this array to the element, also when it creates another element for the same tag. */
export type TokenAttributes = Parse5Token.Attribute[] & { origin?: OpenToken | VoidToken | AtomToken; isUsed?: boolean }

/** Name of the element that wraps several finished nodes until the tree is complete. */
export const wrapperName = 'mw:nodes'

/** Makes the adapter for one tree. */
export function createAdapter(builder: Builder): TreeAdapter<TreeMap> {
  return {
    createDocument: () => fragment(),
    createDocumentFragment: () => fragment(),
    createElement: (name, _, attributes) => {
      builder.isAnswered = true
      const node = createElement(builder, name, attributes)
      if (builder.current?.kind === 'close' && builder.current.name === name) builder.resumed = node
      return node
    },
    createCommentNode: () => commentOf(builder) as CommentNode,
    createTextNode: textNode,
    appendChild,
    insertBefore: (parent, child, next) => insertBefore(builder, parent, child, next),
    detachNode: detach,
    insertText,
    insertTextBefore: (parent, text, next) => insertTextBefore(builder, parent, text, next),
    onItemPop: node => closeElement(builder, node),
    adoptAttributes: () => {},
    getFirstChild: node => node.children[0] ?? null,
    getChildNodes: node => node.children,
    getParentNode: node => node.parent,
    getAttrList: node => [...node.attributes].map(([name, value]) => ({ name, value })),
    getTagName: node => node.name,
    getNamespaceURI: () => html.NS.HTML,
    getTextNodeContent: node => node.text,
    getCommentNodeContent: node => node.text,
    getTemplateContent: () => fragment(),
    setTemplateContent: () => {},
    getDocumentMode: () => html.DOCUMENT_MODE.NO_QUIRKS,
    setDocumentMode: () => {},
    setDocumentType: () => {},
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    isTextNode: (node): node is TextNode => node.kind === 'text',
    isCommentNode: (node): node is CommentNode => node.kind === 'comment',
    isDocumentTypeNode: (node): node is CommentNode => node === null,
    isElementNode: (node): node is ElementNode => node.kind === 'element',
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => {},
    updateNodeSourceCodeLocation: () => {},
  }
}

function createElement(builder: Builder, name: string, attributes: TokenAttributes): ElementNode {
  const { origin } = attributes
  if (origin === undefined) return implied(name)
  if (origin.kind === 'atom') return atomOf(builder, origin)
  const node = element(name)
  for (const [key, value] of origin.attributes) node.attributes.set(key, value)
  const { start, end, data } = origin
  node.data = ownData(data)
  if (attributes.isUsed) {
    node.data.parsoid!.autoInsertedStart = true
    builder.hasResumed = true
    builder.resumedCount++
  } else if (start !== -1) {
    node.data.open = { start, end }
  }
  if (origin.kind === 'open') node.data.parsoid!.autoInsertedEnd = true
  attributes.isUsed = true
  return node
}

/** A copy, because a tag may make several elements. Most have only `parsoid`, which is empty. */
function ownData(data: NodeData): NodeData {
  for (const name in data) if (name !== 'parsoid') return { ...data, parsoid: { ...data.parsoid } }
  for (const _ in data.parsoid) return { parsoid: { ...data.parsoid } }
  return { parsoid: {} }
}

/** An element without a tag, such as a table's body. */
function implied(name: string): ElementNode {
  return element(name)
}

/** Returns the one finished node of a token, or all of them in a wrapper. */
export function atomOf(builder: Builder, { nodes, start, end }: AtomToken): ElementNode {
  const [first] = nodes
  builder.hasAnnotations ||= first?.kind === 'element' && first.data.annotation !== undefined
  builder.hasWrappers ||= nodes.length !== 1 || first?.kind !== 'element'
  const node = nodes.length === 1 && first?.kind === 'element' ? first : element(wrapperName, [], nodes)
  node.data.isAtom = true
  if (start !== -1 && node.data.range?.start !== start) {
    const { open = null, close = null } = node.data.widths ?? {}
    node.data.range = { start, end, openWidth: open, closeWidth: close }
  }
  return node
}

/** Creates the placeholder of an invisible token: a comment, or the content of a transparent one. */
export function commentOf(builder: Builder): ChildNode {
  const token = builder.current
  if (token?.kind === 'atom')
    return token.nodes.length === 1 && token.nodes[0]!.kind !== 'element' ? token.nodes[0]! : atomOf(builder, token)
  const node = commentNode(token?.kind === 'comment' ? token.text : '')
  if (token === null) return node
  if (token.kind === 'comment' && token.isUnitMarker) node.data.isUnitMarker = true
  if (token.kind === 'marker')
    node.data.marker = { edge: token.edge, transclusion: token.transclusion, partOf: token.partOf }
  if (token.start !== -1) node.data.range = { start: token.start, end: token.end, openWidth: null, closeWidth: null }
  return node
}

/** Records the tag that ended an element. */
function closeElement(builder: Builder, node: ElementNode): void {
  const { current } = builder
  if (current?.kind !== 'close' || current.name !== node.name) return
  builder.isAnswered = true
  if (node.data.close !== undefined) return
  // An end tag that continues in another block ends the last piece; the earlier ones are cut off without it.
  if (builder.ended !== null && builder.ended === builder.resumed) {
    cutOff(node)
    return
  }
  if (builder.ended !== null) cutOff(builder.ended)
  builder.ended = node
  const { start, end } = current
  if (start !== -1) node.data.close = { start, end }
  if (node.data.parsoid) delete node.data.parsoid.autoInsertedEnd
}

function cutOff({ data }: ElementNode): void {
  delete data.close
  if (data.parsoid) data.parsoid.autoInsertedEnd = true
}

function detach(child: ChildNode): void {
  const { parent } = child
  if (parent === null) return
  parent.children.splice(parent.children.lastIndexOf(child), 1)
  child.parent = null
}

function appendChild(parent: ParentNode, child: ChildNode): void {
  detach(child)
  child.parent = parent
  parent.children.push(child)
}

/** Only content that a table cannot hold is inserted before something. */
function insertBefore({ templates }: Builder, parent: ParentNode, child: ChildNode, next: ChildNode): void {
  detach(child)
  child.parent = parent
  if (child.kind === 'element') child.data = { ...child.data, isFostered: true }
  parent.children.splice(parent.children.lastIndexOf(next), 0, child)
  noteFostered(next, child, templates > 0)
}

/** A table records the content moved before it, so that a template with a part in both can be recognised. */
function noteFostered(table: ChildNode, child: ChildNode, isTemplate: boolean): void {
  if (table.kind !== 'element') return
  const { movedOut: earlier, fostered } = table.data
  const movedOut = { first: earlier?.first ?? child, isTemplate: isTemplate || earlier?.isTemplate === true }
  const isSeen = fostered === 'seen' || isShown(child)
  table.data = { ...table.data, movedOut, fostered: isSeen ? 'seen' : 'unseen' }
}

function isShown(node: ChildNode): boolean {
  return node.kind === 'text' || (node.kind === 'element' && node.name !== 'meta' && node.name !== 'link')
}

function insertText(parent: ParentNode, text: string): void {
  const last = parent.children.at(-1)
  if (last?.kind === 'text') last.text += text
  else appendChild(parent, textNode(text))
}

function insertTextBefore({ isTemplateText }: Builder, parent: ParentNode, text: string, next: ChildNode): void {
  const index = parent.children.lastIndexOf(next)
  const before = parent.children[index - 1]
  const movedOut = next.kind === 'element' ? next.data.movedOut : undefined
  if (before?.kind === 'text' && movedOut !== undefined) {
    before.text += text
    noteFostered(next, before, isTemplateText)
    return
  }
  const node = textNode(text)
  node.parent = parent
  parent.children.splice(index, 0, node)
  noteFostered(next, node, isTemplateText)
}
