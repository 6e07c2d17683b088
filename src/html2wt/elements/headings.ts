/** Headings. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import type { Context } from '../context.ts'
import { isBlock, isNew, isRendered } from '../node-queries.ts'
import { finish, innerWriter, startLine, type Writer, withoutComments, write } from '../writer.ts'
import { edges } from './inner-spaces.ts'
import { tag } from './tags.ts'

/** Writes `== text ==`. A heading of several lines is written as a tag. */
export function heading(writer: Writer, node: ElementNode, context: Context): void {
  const inner = innerWriter(writer)
  writer.children(inner, node, { ...context, isLine: true, heading: true, list: '' })
  const text = finish(inner)
  if (node.children.some(isBlock) && withoutComments(text.trim()).includes('\n')) {
    tag(writer, node, context)
    return
  }
  startLine(writer)
  const signs = '='.repeat(Number(node.name.slice(1)))
  const space = isRendered(node) && !writer.layout.hasSections ? '' : ' '
  const { before, after } = isNew(node) ? { before: space, after: space } : edges(node, writer.original)
  const trimmed = isNew(node) ? text.trim() : text
  if (trimmed === '') {
    write(writer, `${signs}${isNew(node) ? '<nowiki/>' : before || '<nowiki/>'}${signs}`)
    return
  }
  write(writer, signs + before + shielded(trimmed, before !== '' && after !== '') + after + signs)
}

/** Escapes equals signs at the ends of the text, which would be read as part of the heading's marks. */
function shielded(text: string, isSpaced: boolean): string {
  if (isSpaced || !/^=[\s\S]*=$/.test(text)) return text
  if (/^=[^<]*=$/.test(text)) return `<nowiki>${text}</nowiki>`
  return text.replace(/^=/, '<nowiki>=</nowiki>').replace(/=$/, '<nowiki>=</nowiki>')
}
