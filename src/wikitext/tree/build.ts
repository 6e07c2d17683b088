/** Builds the tree of tokens as a browser would: misnested tags, implied ends, content that tables move before them. */

import { html, InsertionMode, Token as Parse5Token, Parser } from 'parse5'
import type { AtomToken, CloseToken, OpenToken, Token, VoidToken } from '../tokenize/token.ts'
import { atomOf, type Builder, commentOf, createAdapter, type TokenAttributes, type TreeMap } from './adapter.ts'
import { type ChildNode, type ElementNode, element, type FragmentNode, fragment, textNode } from './node.ts'

/** Maximum depth of elements; deeper tags are dropped. */
export const maxTreeDepth = 500

/** Type of the marker of a dropped tag. */
export const strippedTag = 'mw:Placeholder/StrippedTag'

const { TAG_ID, getTagID } = html
const { TokenType } = Parse5Token

export interface BuildOptions {
  /** If true, tags without effect leave a marker everywhere, not only in list items. */
  readonly marksStrays?: boolean
}

/** A tree, and flags that let passes skip work that it has no nodes for. */
export interface BuiltTree {
  readonly root: FragmentNode
  /** True if the tree marks starts and ends of templates. */
  readonly hasMarkers: boolean
  /** True if elements were reopened for a single tag. */
  readonly hasResumed: boolean
  /** True if the tree has wrappers, which hold several finished nodes. */
  readonly hasWrappers: boolean
  /** True if the tree has ends of annotations. */
  readonly hasAnnotations: boolean
}

/** Elements that are reopened after a block ends them. Source: HTML, "formatting" elements. */
const formattingNames: ReadonlySet<string> = new Set('b big code em font i s small strike strong tt u'.split(' '))

/** Maximum elements reopened in one tree; after that, formatting ends with its block. */
const maxResumed = 20_000

/** Builds the tree of tokens in which apostrophes, lists and paragraphs are resolved. */
export function buildTree(tokens: readonly Token[], { marksStrays = false }: BuildOptions = {}): BuiltTree {
  const builder: Builder = {
    current: null,
    templates: 0,
    isTemplateText: false,
    isAnswered: false,
    ended: null,
    resumed: null,
    hasMarkers: false,
    hasResumed: false,
    resumedCount: 0,
    hasWrappers: false,
    hasAnnotations: false,
  }
  const flat = flatNodes(tokens, builder)
  return treeOf(builder, flat ?? constructedNodes(tokens, builder, marksStrays))
}

function treeOf(builder: Builder, nodes: readonly ChildNode[]): BuiltTree {
  const { hasMarkers, hasResumed, hasWrappers, hasAnnotations } = builder
  return { root: fragment(nodes), hasMarkers, hasResumed, hasWrappers, hasAnnotations }
}

/** Builds a tree by the HTML standard. */
function constructedNodes(tokens: readonly Token[], builder: Builder, marksStrays: boolean): ChildNode[] {
  const treeAdapter = createAdapter(builder)
  const context = element('body')
  const parser = Parser.getFragmentParser<TreeMap>(context, { treeAdapter, scriptingEnabled: false })
  for (const [index, token] of tokens.entries()) {
    builder.current = token
    if (token.kind === 'marker') {
      builder.hasMarkers = true
      builder.templates += token.edge === 'start' ? 1 : -1
    } else if (token.kind === 'text') builder.isTemplateText = builder.templates > 0
    builder.isAnswered = false
    builder.ended = null
    builder.resumed = null
    if (isBeforeParagraph(parser, tokens, index)) parser._insertCharacters(spaceOf('\n'))
    else give(parser, token)
    if (builder.resumedCount > maxResumed) parser.activeFormattingElements.clearToLastMarker()
    if (!builder.isAnswered && (marksStrays || isInItem(parser))) markStray(parser, builder, token)
  }
  builder.current = null
  parser.onEof({ type: TokenType.EOF, location: null })
  const [root] = parser.document.children
  return root?.kind === 'element' ? takeChildren(root.children) : []
}

/** True for a line break before a paragraph, which does not reopen formatting. Source: Parsoid T368720. */
function isBeforeParagraph({ insertionMode, openElements }: TreeParser, tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.kind !== 'newline' || insertionMode !== InsertionMode.IN_BODY) return false
  const token = tokens[at + 1]?.kind === 'newline' ? tokens[at + 2] : tokens[at + 1]
  return token?.kind === 'open' && token.name === 'p' && !openElements.hasInButtonScope(TAG_ID.P)
}

/** Makes the nodes of tokens without tags, which need no tree construction; null if there is a tag. */
function flatNodes(tokens: readonly Token[], builder: Builder): ChildNode[] | null {
  if (tokens.some(({ kind }) => !flatKinds.has(kind))) return null
  const nodes: ChildNode[] = []
  for (const token of tokens) {
    builder.current = token
    builder.hasMarkers ||= token.kind === 'marker'
    if (token.kind === 'text') addText(nodes, token.text)
    else if (token.kind === 'newline') addText(nodes, '\n')
    else
      nodes.push(token.kind === 'atom' && token.level !== 'transparent' ? atomOf(builder, token) : commentOf(builder))
  }
  return nodes
}

const flatKinds: ReadonlySet<Token['kind']> = new Set(['text', 'newline', 'comment', 'marker', 'atom'])

function addText(nodes: ChildNode[], text: string): void {
  const last = nodes.at(-1)
  if (last?.kind === 'text') last.text += text
  else if (text !== '') nodes.push(textNode(text))
}

const items: ReadonlySet<string> = new Set(['li', 'dd', 'dt'])

/** At the end of an item, a marker keeps dropped tags from being treated as a part of the list. */
function isInItem({ openElements }: TreeParser): boolean {
  return items.has((openElements.current as ElementNode).name)
}

/** Inserts a marker for a dropped HTML tag. Source: Parsoid, `mw:Placeholder/StrippedTag`. */
function markStray(parser: TreeParser, builder: Builder, token: Token): void {
  if ((token.kind !== 'open' && token.kind !== 'close') || token.syntax !== 'html') return
  if (parser.openElements.stackTop >= maxTreeDepth) return
  const marker = element('meta', [['typeof', strippedTag]])
  marker.data.parsoid = { name: token.name, src: token.kind === 'close' ? `</${token.name}>` : `<${token.name}>` }
  builder.current = { kind: 'atom', level: 'transparent', nodes: [marker], start: token.start, end: token.end }
  giveComment(parser)
}

function takeChildren(children: FragmentNode['children']): FragmentNode['children'] {
  const taken = children.splice(0)
  for (const child of taken) child.parent = null
  return taken
}

type TreeParser = Parser<TreeMap>

function give(parser: TreeParser, token: Token): void {
  switch (token.kind) {
    case 'text':
      giveText(parser, token.text)
      break
    case 'newline':
      giveText(parser, '\n')
      break
    case 'comment':
    case 'marker':
      giveComment(parser)
      break
    case 'open':
    case 'void':
      giveOpen(parser, token)
      break
    case 'close':
      giveClose(parser, token)
      break
    case 'atom':
      giveAtom(parser, token)
  }
}

const blank = /^[ \t\n\f\r]*$/

function giveText(parser: TreeParser, chars: string): void {
  if (chars.charCodeAt(0) > 32 || !blank.test(chars))
    parser.onCharacter({ type: TokenType.CHARACTER, chars, location: null })
  else parser.onWhitespaceCharacter(spaceOf(chars))
}

function spaceOf(chars: string): Parse5Token.CharacterToken {
  return { type: TokenType.WHITESPACE_CHARACTER, chars, location: null }
}

function giveComment(parser: TreeParser): void {
  parser.onComment({ type: TokenType.COMMENT, data: '', location: null })
}

function giveOpen(parser: TreeParser, token: OpenToken | VoidToken): void {
  if (parser.openElements.stackTop >= maxTreeDepth) return
  const attrs: TokenAttributes = formattingNames.has(token.name) ? attributesOf(token) : []
  attrs.origin = token
  const selfClosing = token.kind === 'void'
  parser.onStartTag({
    type: TokenType.START_TAG,
    tagName: token.name,
    tagID: getTagID(token.name),
    selfClosing,
    ackSelfClosing: false,
    attrs,
    location: null,
  })
  // A text after <pre> keeps its line break: the tokenizer has none of HTML's exceptions.
  parser.skipNextNewLine = false
}

/** Formatting elements are distinguished by their attributes. */
function attributesOf({ attributes }: OpenToken | VoidToken): TokenAttributes {
  return [...attributes].map(([name, value]) => ({ name, value }))
}

function giveClose(parser: TreeParser, { name }: CloseToken): void {
  parser.onEndTag({
    type: TokenType.END_TAG,
    tagName: name,
    tagID: getTagID(name),
    selfClosing: false,
    ackSelfClosing: false,
    attrs: [],
    location: null,
  })
}

const tableModes: ReadonlySet<InsertionMode> = new Set([
  InsertionMode.IN_TABLE,
  InsertionMode.IN_TABLE_TEXT,
  InsertionMode.IN_TABLE_BODY,
  InsertionMode.IN_ROW,
])

const movedNames: ReadonlySet<string> = new Set(['link', 'meta'])

/** True for a link or meta between the cells of a table: any other parser moves it before the table. */
function movesOut({ insertionMode }: TreeParser, { nodes }: AtomToken): boolean {
  const [node] = nodes
  return tableModes.has(insertionMode) && nodes.length === 1 && node!.kind === 'element' && movedNames.has(node!.name)
}

/** Finished nodes are in the tree as an image would be, as a rule if they are a block, or as a comment. */
function giveAtom(parser: TreeParser, token: AtomToken): void {
  const isMoved = token.level === 'transparent' && movesOut(parser, token)
  if (token.level === 'transparent' && !isMoved) {
    giveComment(parser)
    return
  }
  const isBlock = token.level === 'block'
  const attrs: TokenAttributes = []
  attrs.origin = token
  parser.onStartTag({
    type: TokenType.START_TAG,
    tagName: isMoved ? 'link' : isBlock ? 'hr' : 'img',
    tagID: isMoved ? TAG_ID.LINK : isBlock ? TAG_ID.HR : TAG_ID.IMG,
    selfClosing: true,
    ackSelfClosing: false,
    attrs,
    location: null,
  })
}
