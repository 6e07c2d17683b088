/** `<nowiki>`: text that is not read as wikitext. */

import { type ChildNode, element, fragment, replaceWith } from '../tree/node.ts'
import { stepsOf } from '../tree/walk.ts'
import type { Extension } from './extension.ts'
import { plainText } from './plain-text.ts'

/** The extension of `<nowiki>`. Source: MediaWiki DOM specification 2.8.0, Nowiki blocks. */
export const nowiki: Extension = {
  tags: ['nowiki'],
  render({ body, bodyOffset, range }) {
    const node = element('span', [['typeof', 'mw:Nowiki']], plainText(body ?? '', bodyOffset))
    node.data.range = range
    return [node]
  },
}

/** Replaces `<nowiki>` elements by their content: other extensions keep no record of their place. */
export function unwrapNowiki(nodes: ChildNode[]): ChildNode[] {
  if (nodes.every(node => node.kind === 'text')) return nodes
  const body = fragment(nodes)
  for (const { element: node, embedded } of stepsOf(body)) {
    if (!embedded && node.attributes.get('typeof') === 'mw:Nowiki') replaceWith(node, [...node.children])
  }
  const children = body.children.splice(0)
  for (const child of children) child.parent = null
  return children
}
