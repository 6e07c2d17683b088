/** Parses untrusted HTML to a tree as a browser would; nothing is run or loaded. */

import { html as markup, Parser, type TreeAdapter } from 'parse5'
import type { TreeMap } from './adapter.ts'
import { maxTreeDepth } from './build.ts'
import {
  appendChild,
  type ChildNode,
  commentNode,
  detach,
  type ElementNode,
  element,
  type FragmentNode,
  fragment,
  type ParentNode,
  textNode,
} from './node.ts'
import { placeOf } from './place.ts'
import { parseWellFormed } from './well-formed.ts'

/**
 * Parses an HTML document, or the content of a body; uses parse5 if it is not well formed. Returns the nodes of the body;
 * elements deeper than `maxTreeDepth` are removed, and their content moves to the deepest remaining one.
 */
export function parseHtml(html: string): FragmentNode {
  const isDocument = /^(?:\s|<!--(?:[^-]|-(?!->))*-->)*<(?:!doctype|html|head|body)[\s>]/i.test(html)
  const read = parseWellFormed(html, { isDocument })
  if (read !== null) return ownerless(read)
  const treeAdapter = createAdapter()
  const options = { treeAdapter, scriptingEnabled: false }
  const parser = isDocument ? new Parser<TreeMap>(options) : Parser.getFragmentParser<TreeMap>(element('body'), options)
  limitDepth(parser)
  parser.tokenizer.write(html, true)
  return ownerless(isDocument ? bodyNodes(parser.document) : rootNodes(parser.document))
}

function ownerless(nodes: readonly ChildNode[]): FragmentNode {
  for (const node of nodes) node.parent = null
  return fragment(nodes)
}

/** Elements whose start closes no other: dropped at the maximum depth. */
function limitDepth(parser: Parser<TreeMap>): void {
  const start = parser.onStartTag.bind(parser)
  parser.onStartTag = token => {
    if (parser.openElements.stackTop < maxTreeDepth) start(token)
  }
}

function rootNodes({ children }: FragmentNode): ChildNode[] {
  const [root] = children
  return root?.kind === 'element' ? [...root.children] : []
}

/** The body's nodes, and comments after it. */
function bodyNodes({ children }: FragmentNode): ChildNode[] {
  const root = children.find((child): child is ElementNode => child.kind === 'element')
  const body = root?.children.find((child): child is ElementNode => child.kind === 'element' && child.name === 'body')
  if (root === undefined || body === undefined) return []
  const after = [...root.children.slice(root.children.indexOf(body) + 1), ...children.slice(children.indexOf(root) + 1)]
  return [...body.children, ...after.filter(node => node.kind === 'comment')]
}

/** Creates the adapter for trees of HTML that did not come from wikitext. */
function createAdapter(): TreeAdapter<TreeMap> {
  return {
    createDocument: () => fragment(),
    createDocumentFragment: () => fragment(),
    createElement: (name, _, attributes) =>
      element(
        name,
        attributes.map(one => [one.name, one.value]),
      ),
    createCommentNode: text => commentNode(text),
    createTextNode: textNode,
    appendChild,
    insertBefore,
    detachNode: detach,
    insertText,
    insertTextBefore,
    onItemPop: () => {},
    adoptAttributes: (node, attributes) => {
      for (const { name, value } of attributes) if (!node.attributes.has(name)) node.attributes.set(name, value)
    },
    getFirstChild: node => node.children[0] ?? null,
    getChildNodes: node => node.children,
    getParentNode: node => node.parent,
    getAttrList: node => [...node.attributes].map(([name, value]) => ({ name, value })),
    getTagName: node => node.name,
    getNamespaceURI: () => markup.NS.HTML,
    getTextNodeContent: node => node.text,
    getCommentNodeContent: node => node.text,
    getTemplateContent: node => node as unknown as FragmentNode,
    setTemplateContent: () => {},
    getDocumentMode: () => markup.DOCUMENT_MODE.NO_QUIRKS,
    setDocumentMode: () => {},
    setDocumentType: () => {},
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    isTextNode: (node): node is TreeMap['textNode'] => node.kind === 'text',
    isCommentNode: (node): node is TreeMap['commentNode'] => node.kind === 'comment',
    isDocumentTypeNode: (node): node is TreeMap['documentType'] => node === null,
    isElementNode: (node): node is ElementNode => node.kind === 'element',
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => {},
    updateNodeSourceCodeLocation: () => {},
  }
}

function insertBefore(parent: ParentNode, child: ChildNode, next: ChildNode): void {
  detach(child)
  child.parent = parent
  parent.children.splice(placeOf(parent, next), 0, child)
}

function insertText(parent: ParentNode, text: string): void {
  const last = parent.children.at(-1)
  if (last?.kind === 'text') last.text += text
  else appendChild(parent, textNode(text))
}

function insertTextBefore(parent: ParentNode, text: string, next: ChildNode): void {
  const before = parent.children[placeOf(parent, next) - 1]
  if (before?.kind === 'text') before.text += text
  else insertBefore(parent, textNode(text), next)
}
