/** Tables in wikitext. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import type { Context } from '../context.ts'
import { isNew } from '../facts.ts'
import { hasRowLine } from '../limits.ts'
import { finish, gapText, innerWriter, limit, startLine, type Writer, write } from '../writer.ts'
import { attributeText, closeSource, openSource } from './attributes.ts'
import { edges } from './spacing.ts'

const fresh = { list: '', isLine: false, term: false, heading: false, link: '', pre: '' } as const

/** Writes `{| ... |}`. */
export function table(writer: Writer, node: ElementNode, context: Context): void {
  const source = node.data.parsoid ?? {}
  const open = typeof source.startTagSrc === 'string' ? source.startTagSrc : '{|'
  if (context.list === '') startLine(writer)
  write(writer, openSource(node) ?? open + attributeText(node, writer))
  writer.children(writer, node, { ...context, ...fresh, inTable: true, cell: '', isIndented: true })
  if (source.autoInsertedEnd === true) return
  limit(writer, { min: 1 })
  write(writer, closeSource(node) ?? '|}')
}

/** Writes a row: its line, where it needs one, and its cells. */
export function row(writer: Writer, node: ElementNode, context: Context): void {
  if (hasRowLine(node)) {
    const source = node.data.parsoid?.startTagSrc
    write(writer, openSource(node) ?? (typeof source === 'string' ? source : '|-') + attributeText(node, writer))
  }
  writer.children(writer, node, { ...context, cell: '' })
}

/** Writes `|+ caption`. */
export function caption(writer: Writer, node: ElementNode, context: Context): void {
  const source = node.data.parsoid?.startTagSrc
  write(writer, openSource(node) ?? (typeof source === 'string' ? source : '|+') + attributes(node, writer))
  writeContent(writer, node, { ...context, cell: 'td' })
}

/** Tells whether a cell can stand on the line of the one before. */
function continuesLine(writer: Writer): boolean {
  return /^\s*[|!]/.test(writer.lineHead) && !gapText(writer).includes('\n')
}

function startRow(writer: Writer): void {
  writer.gap.max = Number.POSITIVE_INFINITY
  limit(writer, { min: 1 })
}

/** Writes a cell or the head of one. */
export function cell(writer: Writer, node: ElementNode, context: Context): void {
  const { data, name } = node
  const isHead = name === 'th'
  const isRow = data.parsoid?.stx === 'row' && continuesLine(writer)
  if (!isRow && data.parsoid?.stx === 'row') startRow(writer)
  const given = data.parsoid?.startTagSrc
  const sign =
    typeof given === 'string' && /^(?:[|!]{1,2}|\{\{!\}\}){1,2}$/.test(given)
      ? given
      : isHead
        ? isRow
          ? '!!'
          : '!'
        : isRow
          ? '||'
          : '|'
  const source = openSource(node)
  write(
    writer,
    source === null
      ? sign + attributes(node, writer)
      : isRow
        ? source
        : source.replace(/^(?:\|\||!!)/, one => one.slice(1)),
  )
  writeContent(writer, node, { ...context, cell: isHead ? 'th' : 'td' })
}

function attributes(node: ElementNode, writer: Writer): string {
  const text = attributeText(node, writer)
  if (text === '') return ''
  const given = node.data.parsoid?.attrSepSrc
  return `${isNew(node) ? text : text} ${typeof given === 'string' ? given : '|'}`.replace(
    / (?=\|$)/,
    isNew(node) ? ' ' : '',
  )
}

function writeContent(writer: Writer, node: ElementNode, context: Context): void {
  const { before, after } = edges(node)
  const inner = innerWriter(writer)
  writer.children(inner, node, { ...context, inTable: true, isIndented: false })
  const text = finish(inner)
  const spaced =
    before === '' && /^[-+}]/.test(text) && context.cell === 'td' && !hasSeparator(node, writer) ? ' ' : before
  const trimmed = text
  const [end] = /\n*$/.exec(trimmed) ?? ['']
  write(writer, spaced + trimmed.slice(0, trimmed.length - end.length) + after)
  writer.gap.text += end
}

function hasSeparator(node: ElementNode, writer: Writer): boolean {
  return attributeText(node, writer) !== '' || node.data.parsoid?.stx === 'row'
}
