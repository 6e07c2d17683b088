/** Writes the text of a page. */

import { decodeEntities } from '../wikitext/sanitize/entities.ts'
import type { ChildNode, ElementNode, TextNode } from '../wikitext/tree/node.ts'
import { placeOf } from '../wikitext/tree/place.ts'
import { textOf } from '../wikitext/tree/walk.ts'
import type { Context } from './context.ts'
import { decoded, isAddress, isRelativeTarget, isTitle } from './elements/targets.ts'
import { escapeText, hasSigns } from './escape.ts'
import type { EscapePlace } from './escape-place.ts'
import { blockNames, isBlock, isElement, isEncapsulated, isList, isNew, isSpaceAt, isTag } from './node-queries.ts'
import { gapText, lineBreakAfter, space, splitComments, type Writer, withoutComments, write } from './writer.ts'

const variantLanguages: ReadonlySet<string> = new Set('ban crh gan iu ku mni sh shi sr tg tly uz wuu zgh zh'.split(' '))

/** The part of a text to write, and the text that follows it. */
interface Part {
  readonly changed: string
  readonly after: string
}

function wholeOf({ text }: TextNode): Part {
  return { changed: text, after: '' }
}

/** Writes a text, or a part of it. White space at its ends that contains line breaks goes into the gap. */
export function writeText(writer: Writer, node: TextNode, context: Context, part: Part = wholeOf(node)): void {
  const { changed: all } = part
  if (context.pre === 'tag') {
    write(writer, preText(all))
    return
  }
  if (context.pre === 'indent') {
    writeEscaped(writer, node, part, context)
    return
  }
  const text = context.isLine ? onOneLine(all, node) : oneParagraph(writer, node, all)
  if (!/\s/.test(text)) {
    if (text !== '') writeEscaped(writer, node, { changed: text, after: part.after }, context)
    return
  }
  const [before] = isSpaceAt(text, 0) ? (/^\s*\n[ \t]*|^[ \t]+$/.exec(text) ?? ['']) : ['']
  const after = lineBreakAfter(text.slice(before.length))
  space(writer, before)
  const middle = text.slice(before.length, text.length - after.length)
  if (middle !== '') writeEscaped(writer, node, { changed: middle, after: after + part.after }, context)
  space(writer, after)
}

/**
 * Removes empty lines, which would start a new paragraph. Leading ones stay before the text. Two of them would become a
 * line break in a new block.
 */
export function oneParagraph({ original }: Writer, node: TextNode, text: string): string {
  if (!/\n[ \t]*\n/.test(text)) return text
  const block = blockOf(node)
  if (block === null) return text
  const isEdited = original !== null && !original.same.has(node) && block.name === 'p' && !isTag(block)
  if (!isNew(block) && !isEdited) return text
  if (!oneParagraphNames.has(block.name))
    return text.replace(/[ \t\n]+/g, found => (found.split('\n').length > 3 ? '\n\n' : found))
  const isFirst = isElement(node.parent, 'p') && node.parent.children[0] === node
  const [before] = isFirst ? (/^\s*/.exec(text) ?? ['']) : ['']
  const isEmptyLine = (found: string): boolean => found.indexOf('\n') !== found.lastIndexOf('\n')
  return before + text.slice(before.length).replace(/[ \t\n]+/g, found => (isEmptyLine(found) ? '\n' : found))
}

/** Edited white space in a paragraph has no empty line either: what stood in it is gone. */
export function gapInParagraph(writer: Writer, node: TextNode): string {
  const isWithin = writer.original !== null && isElement(node.parent, 'p') && node.parent.children[0] !== node
  return isWithin ? oneParagraph(writer, node, node.text) : node.text
}

const oneParagraphNames: ReadonlySet<string> = new Set(['p', 'td', 'th', 'caption', 'figcaption'])

/** Returns the block that contains a text; null at the top level. */
function blockOf(node: TextNode): ElementNode | null {
  let { parent } = node
  while (parent?.kind === 'element' && !blockNames.has(parent.name)) parent = parent.parent
  return parent?.kind === 'element' ? parent : null
}

/**
 * Replaces white space that contains line breaks with a space; at the end of the text, with the character that ends the
 * line.
 */
function onOneLine(text: string, node: TextNode): string {
  if (!text.includes('\n')) return text
  const joined = text.replace(/(?<!\s)\s+/g, (run, at: number) => {
    if (at + run.length < text.length) return run.includes('\n') ? ' ' : run
    return run.slice(0, -1).includes('\n') ? ` ${run.slice(-1)}` : run
  })
  const [tail] = /(?<!\s)\s+$/.exec(joined) ?? ['']
  const at = tail.search(/(?<![ \t])[ \t]*\n/)
  return at === -1 ? joined : joined.slice(0, joined.length - tail.length + at) + lineEnd(node)
}

/** Returns the end of a list item's text: a line break if a list follows, else a space. */
function lineEnd(node: TextNode): string {
  const siblings = node.parent?.children ?? []
  const next = siblings[node.parent === null ? 0 : placeOf(node.parent, node) + 1]
  return next === undefined ? '' : isList(next) ? '\n' : ' '
}

function nextOf(node: TextNode): ChildNode | null {
  return node.parent?.children[placeOf(node.parent, node) + 1] ?? null
}

/** Maximum siblings that are searched for a link in brackets; beyond them one is assumed. */
const maxLooked = 100

/** Returns true if a link in brackets may follow on the line. */
function isBeforeBracket(node: TextNode): boolean {
  const { children } = node.parent!
  if (node.parent!.kind === 'element' && !isBlock(node.parent!)) return true
  const from = placeOf(node.parent!, node) + 2
  if (children.length - from > maxLooked) return true
  return children.slice(from).some(holdsBracket)
}

/** Returns true if the source of a node may contain a bracket: it is a link, a file or a template, or contains one. */
function holdsBracket(node: ChildNode): boolean {
  if (node.kind !== 'element' || isBareAddress(node)) return false
  return node.name === 'a' || node.attributes.has('typeof') || node.children.some(holdsBracket)
}

/** Returns true if a node is a link that is written as a bare URL. */
function isBareAddress(node: ChildNode | null): boolean {
  if (!isElement(node, 'a') || isEncapsulated(node)) return false
  const href = node.attributes.get('href') ?? ''
  return isAddress(href) && textOf(node.children) === href
}

/** Removes spaces at the start of lines, which would make preformatted text. HTML does not display them. */
function withoutIndents(text: string, { isIndented, pre }: Context): string {
  return isIndented || pre !== '' || !text.includes('\n ') ? text : text.replace(/\n [ \t]*/g, '\n')
}

function preText(text: string): string {
  return text
    .replace(/&(?=[#\w]+;)/g, '&amp;')
    .replace(/<(?=\/pre)/gi, '&lt;')
    .replace(/<(\/?nowiki\s*\/?)>/gi, '&lt;$1&gt;')
}

function writeEscaped(writer: Writer, node: TextNode, { changed: given, after }: Part, context: Context): void {
  const gap = gapText(writer)
  const isLineStart = startsLine(writer, gap)
  const isFresh = isLineStart && !context.isIndented && context.pre === ''
  const indent = isFresh ? dropIndent(writer) : -1
  const isIndented = isFresh && given.startsWith(' ')
  const text = withoutIndents(isIndented ? given.replace(/^ [ \t]*/, '') : given, context)
  const isIndent = context.pre === 'indent'
  const escaper = isIndent ? escapedLines : isIndented || indent !== -1 ? guardedLine : escapeText
  const escaped =
    isIndent || hasSigns(text) ? escaper(text, placeOfText(writer, node, { context, gap, isLineStart, after })) : text
  const guard = gap === '' && (needsGuard(writer.tail, escaped) || joinsLink(writer, node, escaped)) ? emptyNowiki : ''
  const isGuarded = indent !== -1 && escaped.startsWith(emptyNowiki)
  if (isGuarded) writer.gap.text = writer.gap.text.slice(0, indent) + emptyNowiki + writer.gap.text.slice(indent)
  write(writer, isGuarded ? escaped.slice(emptyNowiki.length) : guard + escaped)
}

const emptyNowiki = '<nowiki/>'

/** Escapes text that lost the spaces before it: an empty nowiki in their place keeps its first sign from starting the line. */
function guardedLine(text: string, place: EscapePlace): string {
  const escaped = escapeText(text, place)
  if (!escaped.startsWith('<nowiki>')) return escaped
  const within = escapeText(text, Object.create(place, { isLineStart: { value: false } }) as EscapePlace)
  return within.startsWith('<nowiki>') ? escaped : emptyNowiki + within
}

function startsLine(writer: Writer, gap: string): boolean {
  if (gap === '') return writer.isLineStart
  const plain = withoutComments(gap)
  return plain.includes('\n') || (writer.isLineStart && plain.trim() === '')
}

interface TextPlace {
  readonly context: Context
  readonly gap: string
  readonly isLineStart: boolean
  /** Source of the node that is written after the text. */
  readonly after: string
}

/** Describes the surroundings of a text. Expensive properties are computed lazily. */
function placeOfText(writer: Writer, node: TextNode, { context, gap, isLineStart, after }: TextPlace): EscapePlace {
  const isNewLine = gap.includes('\n')
  let following: string | undefined
  return {
    context,
    isLineStart,
    lineHead: isNewLine ? '' : writer.lineHead,
    get isLineEnd() {
      return /^\s*(?:\n|$)/.test(this.following)
    },
    isPageStart: !writer.hasOutput && writer.isLineStart && context.link === '',
    get following() {
      following ??= after + textAfter(node, { isInBlock: true })
      return following
    },
    get later() {
      return textAfter(node, { isInBlock: false })
    },
    get isBeforeAddress() {
      return isBareAddress(nextOf(node))
    },
    get isBeforeBracket() {
      return isBareAddress(nextOf(node)) && isBeforeBracket(node)
    },
    openLink: isNewLine ? '' : writer.openLink,
    site: writer.site,
    isAddressOpen: writer.isAddressOpen && !isNewLine,
    bullets: bulletsBefore(writer, gap),
    isCellStart: context.cell !== '' && writer.isFirstLine && !isNewLine,
    hasAttributes: context.hasAttributes || writer.hasLink,
    isTarget: name => isLinkTarget(writer, name),
    hasVariants: variantLanguages.has(writer.site.language),
  }
}

function bulletsBefore({ tail, hasOutput }: Writer, gap: string): '' | 'bare' | 'spaced' {
  const line = tail.slice(tail.lastIndexOf('\n') + 1) + withoutComments(gap)
  if (!hasOutput || !/^[*#:;]+[ \t]*$/.test(line)) return ''
  return /[ \t]$/.test(line) ? 'spaced' : 'bare'
}

function isLinkTarget(writer: Writer, name: string): boolean {
  const target = name.split('|')[0]!.trim().replace(/^:/, '')
  if (target.startsWith('#')) return true
  if (/^\.{0,2}\/|^\.\.$/.test(target)) return isRelativeTarget(writer, target)
  return isTitle(writer, decoded(decodeEntities(target)))
}

/**
 * Drops the spaces at the start of a line, which would make it preformatted, also between comments. Returns the place of the
 * first one in the gap if comments follow; otherwise -1.
 */
function dropIndent({ gap }: Writer): number {
  const parts = splitComments(gap.text)
  if (parts.length === 1 || gap.isFromSource) {
    gap.text = gap.text.replace(/(^|\n)[ \t]+$/, '$1')
    return -1
  }
  const visible = parts.map((part, index) => (index % 2 === 0 ? part : ' '.repeat(part.length))).join('')
  const lineStart = visible.lastIndexOf('\n') + 1
  const start = gap.text.includes('<!--', gap.at) ? Math.max(lineStart, gap.at) : lineStart
  const line = splitComments(gap.text.slice(start))
  const first = line.findIndex((part, index) => index % 2 === 0 && /^[ \t]/.test(part))
  gap.text = gap.text.slice(0, start) + line.map((part, index) => (index % 2 === 0 ? part.trim() : part)).join('')
  if (first === -1 || line.length === 1) return -1
  const comments = line.slice(0, first).filter((_, index) => index % 2 === 1)
  return start + comments.join('').length
}

/** Escapes each line of preformatted text separately: one escape across lines would include their first spaces. */
function escapedLines(text: string, place: EscapePlace): string {
  let at = 0
  const lines = text.split('\n').map((line, number) => {
    at += line.length + 1
    const end = at
    const own: EscapePlace = Object.create(place, {
      isLineStart: { value: number === 0 && place.isLineStart },
      following: { get: () => (end > text.length ? '' : text.slice(end, end + longest)) + place.following },
    })
    return escapeText(line, own)
  })
  return lines.join('\n ')
}

/** Apostrophes after apostrophes would be counted together. */
function needsGuard(tail: string, text: string): boolean {
  return text.startsWith("'") && tail.endsWith("'")
}

/** Letters would become part of a link right before them whose source was kept. */
function joinsLink({ site: { linkTrail }, tail }: Writer, node: TextNode, text: string): boolean {
  if (!tail.endsWith(']]') || !isElement(node.parent?.children[placeOf(node.parent, node) - 1] ?? null, 'a'))
    return false
  linkTrail.lastIndex = 0
  return linkTrail.test(text)
}

const longest = 2000
/** Maximum number of nodes visited. */
const farthest = 1000

/** Returns the text after a node: up to the end of its block, or also the beginning of the text of later blocks. */
function textAfter(node: TextNode, { isInBlock }: { isInBlock: boolean }): string {
  let text = ''
  let left = farthest
  let at: { parent: TextNode['parent'] } & object = node
  for (let parent = node.parent; parent !== null && text.length < longest; parent = parent.parent) {
    const { children } = parent
    for (let index = placeOf(parent, at as TextNode) + 1; index < children.length && text.length < longest; index++) {
      const next = children[index]!
      if (left-- === 0) return text
      if (isInBlock && next.kind === 'element' && (blockNames.has(next.name) || next.name === 'br')) return text
      if (next.kind === 'text') text += next.text
      else if (next.kind === 'element' && (isInBlock || !isEncapsulated(next))) text += textOf(next.children, longest)
    }
    if (isInBlock && parent.kind === 'element' && blockNames.has(parent.name)) break
    at = parent
  }
  return text
}
