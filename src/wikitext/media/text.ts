/** Text of nodes, for attributes such as `alt` and `title`. */

import type { ChildNode } from '../tree/node.ts'

/** Elements with content that is not for readers. */
const withoutText: ReadonlySet<string> = new Set(['base', 'link', 'meta', 'noscript', 'script', 'style', 'template'])

/** Joins the text of nodes. */
export function plainText(nodes: readonly ChildNode[]): string {
  return textOf(nodes, () => true)
}

/** Joins the text of a caption, without references. */
export function captionText(nodes: readonly ChildNode[]): string {
  return textOf(nodes, type => !/(?:^|\s)mw:Extension\/ref(?:\s|$)/.test(type))
}

function textOf(nodes: readonly ChildNode[], counts: (type: string) => boolean): string {
  let text = ''
  const open = [...nodes].reverse()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'text') text += node.text
    if (node.kind !== 'element' || withoutText.has(node.name)) continue
    if (counts(node.attributes.get('typeof') ?? '')) {
      for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index]!)
    }
  }
  return text
}
