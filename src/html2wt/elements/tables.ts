/** Tables in wikitext syntax. */

import type { ChildNode, ElementNode } from '../../wikitext/tree/node.ts'
import { placeOf } from '../../wikitext/tree/place.ts'
import type { Context } from '../context.ts'
import { continuesRow } from '../layout.ts'
import { hasRowLine } from '../line-breaks.ts'
import { isNew, isTag, isTagPart, lastContent } from '../node-queries.ts'
import { finish, gapText, innerWriter, limit, startLine, type Writer, write } from '../writer.ts'
import { attributeText, closeSource, openSource } from './attributes.ts'
import { edges } from './inner-spaces.ts'

const fresh = { list: '', isLine: false, term: false, heading: false, link: '', pre: '' } as const

/** Writes `{| ... |}`. */
export function table(writer: Writer, node: ElementNode, context: Context): void {
  const source = node.data.parsoid ?? {}
  const open = typeof source.startTagSrc === 'string' ? source.startTagSrc : '{|'
  if (context.list === '') startLine(writer)
  write(writer, openSource(node) ?? open + attributeText(node, writer, context, 'table'))
  writer.children(writer, node, { ...context, ...fresh, inTable: true, cell: '', isIndented: true })
  if (source.autoInsertedEnd === true) return
  limit(writer, { min: 1 })
  write(writer, closeSource(node) ?? (source.endTagSrc === '{{!}}}' ? source.endTagSrc : '|}'))
}

/** Writes a row: its `|-` line if it needs one, then its cells. */
export function row(writer: Writer, node: ElementNode, context: Context): void {
  if (hasRowLine(node)) {
    const source = node.data.parsoid?.startTagSrc
    write(
      writer,
      openSource(node) ?? (typeof source === 'string' ? source : '|-') + attributeText(node, writer, context, 'tr'),
    )
    limit(writer, { min: 1 })
  }
  writer.children(writer, node, { ...context, cell: '' })
}

/** Writes `|+ caption`. */
export function caption(writer: Writer, node: ElementNode, context: Context): void {
  const source = node.data.parsoid?.startTagSrc
  write(writer, openSource(node) ?? (typeof source === 'string' ? source : '|+') + attributes(node, writer, context))
  writeContent(writer, node, { ...context, cell: 'td' })
}

/** Returns true if a cell can follow on the line of the previous one. */
function continuesLine(writer: Writer, node: ElementNode): boolean {
  if (!continuesRow(node) || gapText(writer).includes('\n')) return false
  return /^\s*(?:[|!]|\{\{!\}\})/.test(writer.lineHead) && !followsParagraph(node)
}

/**
 * Returns true if a row or cell cannot keep its original start, because its previous sibling was removed or changed.
 */
export function needsNewStart(writer: Writer, node: ChildNode): boolean {
  if (node.kind !== 'element' || isTag(node) || isTagPart(node)) return false
  if (node.name === 'tr') return node.data.range?.openWidth === 0 && hasRowLine(node)
  return (node.name === 'td' || node.name === 'th') && node.data.parsoid?.stx === 'row' && !continuesLine(writer, node)
}

/** A new paragraph at the end of a cell ends the line. */
function followsParagraph(node: ElementNode): boolean {
  const { parent } = node
  const before = parent?.children[placeOf(parent, node) - 1]
  const last = before?.kind === 'element' ? lastContent(before) : undefined
  return last?.kind === 'element' && last.name === 'p' && !isTag(last) && isNew(last)
}

function startRow(writer: Writer): void {
  writer.gap.max = Number.POSITIVE_INFINITY
  limit(writer, { min: 1 })
}

/** Writes a cell or header cell. */
export function cell(writer: Writer, node: ElementNode, context: Context): void {
  const isRow = continuesLine(writer, node)
  const isMoved = !isRow && node.data.parsoid?.stx === 'row'
  if (isMoved) startRow(writer)
  const source = openSource(node)
  if (source === null) write(writer, cellSign(node, isRow) + attributes(node, writer, context))
  else
    write(
      writer,
      isMoved
        ? source.replace(/^(?:[|!]|\{\{!\}\}){2}/, one => (node.name === 'th' || one[0] === '!' ? '!' : '|'))
        : source,
    )
  writeContent(writer, node, { ...context, cell: node.name === 'th' ? 'th' : 'td' }, isRow)
}

/** Returns the cell separator of the source if it is valid in this position. */
function cellSign({ data, name }: ElementNode, isRow: boolean): string {
  const given = data.parsoid?.startTagSrc
  const fits = isRow ? /^(?:[|!]{1,2}|\{\{!\}\}){1,2}$/ : /^(?:[|!]|\{\{!\}\})$/
  if (typeof given === 'string' && fits.test(given)) return given
  return (name === 'th' ? '!' : '|').repeat(isRow ? 2 : 1)
}

function attributes(node: ElementNode, writer: Writer, context: Context): string {
  const owner = node.name === 'th' || node.name === 'caption' ? node.name : 'td'
  const text = attributeText(node, writer, context, owner)
  const given = node.data.parsoid?.attrSepSrc
  if (text === '') return given === '|' || given === '{{!}}' ? given : ''
  return given === '|' || given === '{{!}}' ? text + given : `${text} |`
}

function writeContent(writer: Writer, node: ElementNode, context: Context, isRow = false): void {
  const { before, after } = edges(node, writer.original)
  const inner = innerWriter(writer)
  const hasAttributes = attributes(node, writer, context) !== ''
  writer.children(inner, node, { ...context, hasAttributes, inTable: true, isIndented: false })
  const text = finish(inner)
  const isSign = before === '' && /^[-+}]/.test(text) && context.cell === 'td' && !isRow
  const spaced =
    isSign && attributes(node, writer, context) === '' ? (text.startsWith('-{') ? '<nowiki/>' : ' ') : before
  const [end] = /(?<!\n)\n*$/.exec(text) ?? ['']
  const content = spaced + text.slice(0, text.length - end.length) + after
  write(writer, (hasAttributes && continuesPipe(node, content) ? ' ' : '') + content)
  writer.gap.text += end
}

/** Returns true if the pipe after a cell's attributes would become two with what follows it. */
function continuesPipe(node: ElementNode, content: string): boolean {
  if (content !== '') return /^(?:\||\{\{!\}\})/.test(content)
  const next = node.parent?.children[placeOf(node.parent, node) + 1]
  return next?.kind === 'element' && next.data.parsoid?.stx === 'row'
}
