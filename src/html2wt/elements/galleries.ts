/** Galleries, from their boxes. */

import type { ElementNode } from '../../wikitext/tree/node.ts'
import { pageContext } from '../context.ts'
import { hasType } from '../facts.ts'
import { finish, innerWriter, type Writer } from '../writer.ts'
import { fileParts } from './media.ts'

function hasClass(node: ElementNode, name: string): boolean {
  return (node.attributes.get('class') ?? '').split(/\s+/).includes(name)
}

function below(node: ElementNode, test: (node: ElementNode) => boolean): ElementNode | null {
  const pending = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next !== node && test(next)) return next
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index]!
      if (child.kind === 'element') pending.push(child)
    }
  }
  return null
}

function textIn(writer: Writer, node: ElementNode): string {
  const inner = innerWriter(writer)
  writer.children(inner, node, { ...pageContext, link: 'media', isLine: true })
  return finish(inner).trim()
}

/** Writes a gallery's caption as an attribute. */
export function galleryCaption(writer: Writer, node: ElementNode): string {
  const held = below(node, one => hasClass(one, 'gallerycaption'))
  const text = held === null ? '' : textIn(writer, held)
  return text === '' ? '' : ` caption="${text.replaceAll('"', '&quot;')}"`
}

/** Writes the lines of a gallery, one for each box; null if it has none. */
export function galleryBody(writer: Writer, node: ElementNode): string | null {
  const lines = node.children.flatMap(child =>
    child.kind === 'element' && hasClass(child, 'gallerybox') ? [lineOf(writer, child)] : [],
  )
  const text = lines.filter(line => line !== '').join('\n')
  if (text === '' && node.data.mw?.body === undefined) return null
  return text === '' ? '' : `\n${text}\n`
}

function lineOf(writer: Writer, box: ElementNode): string {
  const file = below(box, one => hasType(one, /^mw:(?:File|Image|Video|Audio)/))
  if (file === null) return ''
  const held = below(box, one => hasClass(one, 'gallerytext'))
  const parts = fileParts(writer, file, pageContext)
  const caption = held === null ? '' : captionOf(writer, held)
  return parts === null ? '' : [...parts, ...(caption === '' ? [] : [caption])].join('|')
}

/** A caption without the name of the file, which a gallery may show above it. */
function captionOf(writer: Writer, node: ElementNode): string {
  const named = below(node, one => hasClass(one, 'galleryfilename'))
  if (named?.parent) named.parent.children.splice(named.parent.children.indexOf(named), 1)
  return textIn(writer, node)
}
