/** Wraps lines outside of blocks in paragraphs. */

import { isTransparent, type MarkerToken, noAttributes, type TextToken, type Token } from '../tokenize/token.ts'
import type { AnnotationMarker, ElementNode } from '../tree/node.ts'
import { blockEffect } from './blocks.ts'

interface Paragraphs {
  /** Finished tokens, except for the end of an open paragraph. */
  out: Token[]
  /** The line being read. */
  line: Token[]
  /** Line breaks, white space and other invisible tokens since the last line with content. */
  pending: Token[]
  newlines: number
  isOpen: boolean
  /** True if the line has content to be wrapped. */
  hasContent: boolean
  /** Effect of the line's last block tag on the lines that follow; null if the line has none. */
  effect: 'suppress' | 'allow' | null
  /** Inside a block that takes no paragraphs. */
  inBlock: boolean
  inPre: boolean
  /** In indented lines that a block keeps from being preformatted text. */
  inPlainPre: boolean
}

/**
 * Opens and closes paragraphs: two line breaks separate them, more become empty ones, blocks end them.
 *
 * Source: MediaWiki BlockLevelPass; the cases of paragraphs.
 */
export function resolveParagraphs(tokens: readonly Token[]): readonly Token[] {
  const state: Paragraphs = {
    out: [],
    line: [],
    pending: [],
    newlines: 0,
    isOpen: false,
    hasContent: false,
    effect: null,
    inBlock: false,
    inPre: false,
    inPlainPre: false,
  }
  for (const token of tokens) add(state, token)
  endLine(state)
  close(state, state.out)
  settle(state, false)
  return state.out
}

function add(state: Paragraphs, token: Token): void {
  if (token.kind === 'newline') addNewline(state, token)
  else if (isIndentPre(token)) addPre(state, token)
  else if (state.inPre) state.line.push(token)
  else if (state.inPlainPre && token.kind === 'text' && token.wasIndented) add(state, withIndent(token))
  else if (isTransparent(token) || token.kind === 'comment') addTransparent(state, token)
  else addContent(state, token)
}

/** A further line of preformatted text that a block keeps from being it: its space is back. */
function withIndent({ text, start, end }: TextToken): TextToken {
  return { kind: 'text', text: ` ${text}`, start: start === -1 ? -1 : start - 1, end }
}

function isIndentPre(token: Token): boolean {
  return (token.kind === 'open' || token.kind === 'close') && token.name === 'pre' && token.syntax === 'wiki'
}

function addNewline(state: Paragraphs, token: Token): void {
  if (state.inPre) {
    state.line.push(token)
    return
  }
  endLine(state)
  state.newlines++
  state.pending.push(token)
}

/** Decides at the end of a line whether it begins a paragraph or ends one. */
function endLine(state: Paragraphs): void {
  const { effect, hasContent } = state
  if (state.line.length === 0) return
  const isParagraph = effect === null && !state.inBlock && hasContent
  if (isParagraph) takeTemplateStart(state)
  settle(state, effect !== null)
  if (effect !== null) state.inBlock = effect === 'suppress'
  else if (isParagraph) open(state, state.line)
  for (const token of state.line) state.out.push(token)
  Object.assign(state, { line: [], hasContent: false, effect: null })
}

/** A template that begins directly before the line is inside its paragraph. */
function takeTemplateStart(state: Paragraphs): void {
  const { pending } = state
  let start = -1
  for (let index = pending.length - 1; index >= 0 && pending[index]!.kind !== 'newline'; index--) {
    const edge = edgeOf(pending[index]!)
    if (edge === 'end') break
    if (edge === 'start') start = index
  }
  if (start !== -1) state.line.unshift(...pending.splice(start))
}

/** Inside a block indentation is only a space. */
function addPre(state: Paragraphs, token: Token): void {
  if (token.kind === 'open') {
    if (state.inBlock) {
      state.inPlainPre = true
      state.line.push({ kind: 'text', text: ' ', start: token.start, end: token.end })
      return
    }
    state.inPre = true
    addBlock(state, token, 'suppress')
    return
  }
  state.inPlainPre = false
  if (!state.inPre) return
  state.inPre = false
  addBlock(state, token, 'allow')
}

/** White space and comments wait with the line breaks; a marker or a category begins a line of its own. */
function addTransparent(state: Paragraphs, token: Token): void {
  if (state.newlines === 0 || state.line.length > 0) {
    state.line.push(token)
  } else if (isFiller(token)) {
    state.pending.push(token)
  } else {
    if (state.newlines === 1) takeAll(state)
    else settle(state, false)
    state.line.push(token)
  }
}

/** A line with only a behaviour switch counts as empty. */
function isSwitch({ attributes }: ElementNode): boolean {
  const property = attributes.get('property') ?? ''
  return property.startsWith('mw:PageProp/') && property !== 'mw:PageProp/toc'
}

function isFiller(token: Token): boolean {
  if (token.kind === 'atom') return token.nodes.every(node => node.kind !== 'element' || isSwitch(node))
  return token.kind === 'comment' || token.kind === 'text'
}

/** Emits the waiting tokens unchanged. */
function takeAll(state: Paragraphs): void {
  for (const token of state.pending) state.out.push(token)
  state.pending = []
  state.newlines = 0
}

function addContent(state: Paragraphs, token: Token): void {
  const effect = effectOf(token)
  if (effect !== null) {
    addBlock(state, token, effect)
    return
  }
  state.line.push(token)
  state.hasContent = true
}

function effectOf(token: Token): 'suppress' | 'allow' | null {
  switch (token.kind) {
    case 'open':
    case 'void':
      return blockEffect(token.name, false)
    case 'close':
      return blockEffect(token.name, true)
    case 'atom':
      return token.level === 'block' ? 'allow' : null
    default:
      return null
  }
}

function addBlock(state: Paragraphs, token: Token, effect: 'suppress' | 'allow'): void {
  state.effect = effect
  state.line.push(token)
}

/** Emits the waiting tokens: line breaks as such, or as empty paragraphs. */
function settle(state: Paragraphs, beforeBlock: boolean): void {
  if (state.newlines >= 2 && !state.inBlock) emptyLines(state)
  if (beforeBlock) close(state, state.out)
  takeAll(state)
}

/** Every second line break of three or more is an empty line. */
function emptyLines(state: Paragraphs): void {
  close(state, state.out)
  const { pending, out } = state
  /** Line breaks after the first that are left. */
  let left = state.newlines - 1
  const rest = left % 2
  let at = passUntilNewline(state, 0)
  out.push(pending[at++]!)
  for (; left > 0; left--) {
    at = passUntilNewline(state, at)
    if (left % 2 !== rest) out.push(emptyLineBreak)
    else if (state.isOpen) endParagraph(state)
    out.push(pending[at++]!)
    if (left % 2 === rest && left > 1) beginParagraph(state)
  }
  state.pending = pending.slice(at)
  state.newlines = 0
}

/** Emits the tokens before the next waiting line break; returns the index of that line break. */
function passUntilNewline({ pending, out }: Paragraphs, from: number): number {
  let at = from
  while (pending[at]!.kind !== 'newline') out.push(pending[at++]!)
  return at
}

function beginParagraph(state: Paragraphs): void {
  state.out.push(paragraphOpen)
  state.isOpen = true
}

function endParagraph(state: Paragraphs): void {
  state.out.push(paragraphClose)
  state.isOpen = false
}

const none = { attributes: noAttributes, syntax: 'wiki', start: -1, end: -1 } as const
const emptyLineBreak: Token = { kind: 'void', name: 'br', data: {}, ...none }
const paragraphOpen: Token = { kind: 'open', name: 'p', data: {}, ...none }
const paragraphClose: Token = { kind: 'close', name: 'p', syntax: 'wiki', start: -1, end: -1 }

/** Inserts the opening tag before the first content; a template that begins here stays whole. */
function open(state: Paragraphs, tokens: Token[]): void {
  if (state.isOpen) return
  let marker = -1
  let index = 0
  for (; index < tokens.length && isTransparent(tokens[index]!); index++) {
    if (annotationEdge(tokens[index]!) === 'start') break
    const edge = edgeOf(tokens[index]!)
    if (edge === 'start' && marker === -1) marker = index
    else if (edge === 'end') marker = -1
  }
  tokens.splice(marker === -1 ? index : marker, 0, paragraphOpen)
  state.isOpen = true
}

/** Inserts the closing tag after the last content; a template that ends here stays whole. */
function close(state: Paragraphs, tokens: Token[]): void {
  if (!state.isOpen) return
  let marker = -1
  let index = tokens.length - 1
  for (; index >= 0 && isBesideContent(tokens, index); index--) {
    if (annotationEdge(tokens[index]!) === 'end') break
    const edge = edgeOf(tokens[index]!)
    if (edge === 'end' && marker === -1) marker = index
    else if (edge === 'start') marker = -1
  }
  tokens.splice((marker === -1 ? index : marker) + 1, 0, paragraphClose)
  state.isOpen = false
}

/** True for a token that may stand after a paragraph: an invisible one, and a line break after a category or the like. */
function isBesideContent(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]!
  return token.kind === 'newline' ? isProperty(tokens[index - 1]) : isTransparent(token)
}

function isProperty(token: Token | undefined): boolean {
  if (token?.kind === 'comment') return true
  const [node] = token?.kind === 'atom' && isTransparent(token) ? token.nodes : []
  return node?.kind === 'element' && !/^mw:Extension/.test(node.attributes.get('typeof') ?? '')
}

function edgeOf(token: Token): MarkerToken['edge'] | null {
  return token.kind === 'marker' && token.transclusion.type === 'mw:Transclusion' ? token.edge : null
}

/** An annotation around a paragraph's content begins and ends in the paragraph. */
function annotationEdge(token: Token): AnnotationMarker['edge'] | undefined {
  const [node] = token.kind === 'atom' ? token.nodes : []
  return node?.kind === 'element' ? node.data.annotation?.edge : undefined
}
