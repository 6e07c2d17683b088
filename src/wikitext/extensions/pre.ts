/** `<pre>`: preformatted text. */

import { sanitizeAttributes } from '../sanitize/attributes.ts'
import { type ChildNode, element, textNode } from '../tree/node.ts'
import type { Extension, ExtensionCall, ExtensionContext } from './extension.ts'
import { plainText } from './plain-text.ts'

/**
 * The extension of `<pre>`. A line feed at the start is dropped, and so are pairs of `<nowiki>` tags inside; with `format="wikitext"`
 * all of the text is parsed as wikitext. Source: MediaWiki CoreTagHooks::pre.
 */
export const pre: Extension = {
  tags: ['pre'],
  render(call, context) {
    return [element('pre', sanitizeAttributes('pre', call.attributes).allowed, contentOf(call, context))]
  },
}

function contentOf({ body, bodyOffset, attributes }: ExtensionCall, context: ExtensionContext): ChildNode[] {
  if (body === null) return []
  if (attributes.get('format') === 'wikitext') return context.parseInline(body, { offset: bodyOffset })
  return withoutFirstLineFeed(withoutNowiki(body, bodyOffset))
}

function withoutFirstLineFeed(nodes: ChildNode[]): ChildNode[] {
  const [first, ...rest] = nodes
  if (first?.kind !== 'text' || !first.text.startsWith('\n')) return nodes
  return first.text === '\n' ? rest : [textNode(first.text.slice(1)), ...rest]
}

/** Drops pairs of tags; a tag without the other stays. */
function withoutNowiki(text: string, offset: number | null): ChildNode[] {
  if (!/<nowiki/i.test(text)) return plainText(text, offset)
  const nodes: ChildNode[] = []
  let from = 0
  let open: RegExpExecArray | null = null
  const close = (to: number) => {
    if (to > from) nodes.push(...plainText(text.slice(from, to), offset === null ? null : offset + from))
  }
  const cut = (tag: RegExpExecArray) => {
    close(tag.index)
    from = tag.index + tag[0].length
  }
  for (const tag of text.matchAll(/<(\/?)nowiki\s*>/gi)) {
    if (tag[1] === '') {
      open ??= tag
    } else if (open !== null) {
      cut(open)
      cut(tag)
      open = null
    }
  }
  close(text.length)
  return nodes
}
