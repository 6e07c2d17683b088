/** Lines that begin with a space become preformatted text. */

import { isTransparent, noAttributes, type Token } from '../tokenize/token.ts'
import { blockEffect } from './blocks.ts'

/** A line's tokens, including the line break at its end. */
interface Line {
  readonly start: number
  /** Index of the line break, or of the end of the text. */
  readonly end: number
  /** Index of the text that starts the line; -1 if it does not start with a space. */
  readonly indent: number
  readonly isBlank: boolean
  readonly hasBlock: boolean
}

/**
 * Wraps indented lines. A line with a block tag is excluded, and an empty line does not begin preformatted text.
 *
 * Source: MediaWiki BlockLevelPass, help page on formatting.
 */
export function resolvePre(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(token => token.kind === 'text' && token.text.startsWith(' '))) return tokens
  const out: Token[] = []
  let isOpen = false
  let isQuoted = false
  for (let start = 0; start < tokens.length; ) {
    const line = readLine(tokens, start)
    const isPre: boolean = line.indent !== -1 && !line.hasBlock && !isQuoted && (isOpen || !line.isBlank)
    isQuoted = opensQuote(tokens, line) ?? isQuoted
    if (isOpen && !isPre) closePre(out)
    if (isPre) addLine(tokens, line, isOpen, out)
    else for (let index = line.start; index < line.end; index++) out.push(tokens[index]!)
    isOpen = isPre
    if (line.end < tokens.length) out.push(tokens[line.end]!)
    start = line.end + 1
  }
  if (isOpen) closePre(out)
  return out
}

function readLine(tokens: readonly Token[], start: number): Line {
  let end = start
  while (end < tokens.length && tokens[end]!.kind !== 'newline') end++
  const indent = indentOf(tokens, start, end)
  if (indent === -1) return { start, end, indent, isBlank: false, hasBlock: false }
  let isBlank = true
  let hasBlock = false
  for (let index = start; index < end; index++) {
    isBlank &&= isTransparent(tokens[index]!)
    hasBlock ||= isBlockToken(tokens[index]!)
  }
  return { start, end, indent, isBlank, hasBlock }
}

/** The effect of a line's last tag of `<blockquote>`, in which indented lines are text. Null if it has none. */
function opensQuote(tokens: readonly Token[], { start, end }: Line): boolean | null {
  for (let index = end - 1; index >= start; index--) {
    const token = tokens[index]!
    if ((token.kind === 'open' || token.kind === 'close') && token.name === 'blockquote') return token.kind === 'open'
  }
  return null
}

function indentOf(tokens: readonly Token[], start: number, end: number): number {
  for (let index = start; index < end; index++) {
    const token = tokens[index]!
    if (token.kind === 'text') return token.text.startsWith(' ') ? index : -1
    if (!isTransparent(token)) return -1
  }
  return -1
}

function isBlockToken(token: Token): boolean {
  switch (token.kind) {
    case 'open':
    case 'void':
      return blockEffect(token.name, false) !== null
    case 'close':
      return blockEffect(token.name, true) !== null
    case 'atom':
      return token.level === 'block'
    default:
      return token.kind === 'item'
  }
}

/** White space beside a comment that is alone on its line. */
function isCommentLine(token: Token): boolean {
  return token.kind === 'atom' && token.nodes.every(node => node.kind === 'text')
}

function addLine(tokens: readonly Token[], line: Line, isOpen: boolean, out: Token[]): void {
  for (let index = line.start; index < line.end; index++) {
    const token = tokens[index]!
    if (index !== line.indent || token.kind !== 'text') {
      if (isOpen && isCommentLine(token)) continue
      out.push(token)
      continue
    }
    const { start, end } = token
    const next = start === -1 ? -1 : start + 1
    if (!isOpen)
      out.push({ kind: 'open', name: 'pre', attributes: noAttributes, syntax: 'wiki', data: {}, start, end: next })
    const rest = { kind: 'text', text: token.text.slice(1), start: next, end } as const
    if (rest.text !== '') out.push(isOpen ? { ...rest, wasIndented: true } : rest)
  }
}

/** The end tag goes before the line break and the invisible tokens at the end, but a template that begins inside ends inside. */
function closePre(out: Token[]): void {
  let index = out.length
  let last = -1
  while (index > 0 && isTail(out[index - 1]!)) {
    const token = out[--index]!
    if (token.kind !== 'marker') continue
    if (token.edge === 'start') last = -1
    else if (last === -1) last = index
  }
  const begins = last !== -1 && isInside(out, last)
  out.splice(begins ? last + 1 : index, 0, { kind: 'close', name: 'pre', syntax: 'wiki', start: -1, end: -1 })
}

/** True if the template that ends at a place begins in the open preformatted text. */
function isInside(out: readonly Token[], end: number): boolean {
  const marker = out[end]!
  for (let index = end - 1; index >= 0; index--) {
    const token = out[index]!
    if (token.kind === 'open' && token.name === 'pre') return false
    if (token.kind === 'marker' && marker.kind === 'marker' && token.transclusion === marker.transclusion) return true
  }
  return false
}

function isTail(token: Token): boolean {
  return token.kind === 'newline' || (token.kind !== 'text' && isTransparent(token))
}
