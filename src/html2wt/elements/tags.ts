/** Elements written as HTML tags, and elements that are written as their content alone. */

import { attributesOf, isAllowedTag } from '../../wikitext/sanitize/allowed.ts'
import { isSafeUrl } from '../../wikitext/sanitize/urls.ts'
import type { ElementNode } from '../../wikitext/tree/node.ts'
import type { Context } from '../context.ts'
import { blockNames, isNew } from '../node-queries.ts'
import { type Writer, write } from '../writer.ts'
import { attributeText, closeSource, openSource } from './attributes.ts'

const voidNames: ReadonlySet<string> = new Set(['br', 'hr', 'wbr', 'link', 'meta'])
const indentedNames: ReadonlySet<string> = new Set(
  'blockquote table td th tr caption ul ol dl li dt dd p h1 h2 h3 h4 h5 h6'.split(' '),
)

/** Writes an element as HTML tags. */
export function tag(writer: Writer, node: ElementNode, context: Context): void {
  const { parsoid = {} } = node.data
  if (!isAllowedTag(node.name)) {
    unknown(writer, node, context)
    return
  }
  const isVoid = voidNames.has(node.name)
  const isClosed = isVoid
    ? isNew(node) || parsoid.stx !== 'html' || Boolean(parsoid.selfClose)
    : parsoid.selfClose === true
  if (parsoid.autoInsertedStart !== true) {
    write(writer, openSource(node) ?? `<${node.name}${attributeText(node, writer, context)}${isClosed ? ' />' : '>'}`)
  }
  if (isVoid) return
  // A line break right after the start tag is not part of the text.
  if (node.name === 'pre' && startsWithBreak(node)) write(writer, '\n')
  const isOut = blockNames.has(node.name)
  writer.children(writer, node, {
    ...context,
    term: false,
    ...(isOut && { list: '', isLine: false }),
    ...(indentedNames.has(node.name) && { isIndented: true }),
  })
  if (parsoid.autoInsertedEnd !== true && parsoid.selfClose !== true) {
    write(writer, closeSource(node) ?? `</${node.name}>`)
  }
}

/** Returns true if the text of an element starts with a line break. */
export function startsWithBreak({ children: [first] }: ElementNode): boolean {
  return first?.kind === 'text' && first.text.startsWith('\n')
}

/** Elements that HTML does not define. Their author meant the tag as text. */
const namesOfText: ReadonlySet<string> = new Set(['nowiki', 'noinclude', 'includeonly', 'onlyinclude'])

/** Writes the content of an element that wikitext has no tag for. Of an external image it writes the URL. */
function unknown(writer: Writer, node: ElementNode, context: Context): void {
  const source = node.name === 'img' ? (node.attributes.get('src') ?? '') : ''
  if (isSafeUrl(source)) write(writer, source)
  const isText = namesOfText.has(node.name)
  if (isText) write(writer, `&lt;${node.name}&gt;`)
  writer.children(writer, node, context)
  if (isText) write(writer, `&lt;/${node.name}&gt;`)
}

/** Writes only the content of an element. */
export function transparent(writer: Writer, node: ElementNode, context: Context): void {
  writer.children(writer, node, context)
}

/** Returns true if an element has attributes that only a tag can carry. */
export function hasOwnAttributes(node: ElementNode): boolean {
  const allowed = attributesOf(node.name)
  return [...node.attributes.keys()].some(name => name !== 'id' && allowed.has(name))
}
