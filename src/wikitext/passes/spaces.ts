/** Non-breaking spaces, as French has them before some punctuation. */

import { type ChildNode, element, type ParentNode, textNode } from '../tree/node.ts'
import { setChildren } from './walk.ts'

const bound = / (?=[?:;!%»›](?![\p{L}\p{N}_]))|(?<=[«‹])(?<!\p{L}[«‹]) /gu
const probe = / [?:;!%»›]|[«‹] /
/** Elements with preformatted text. */
const untouched: ReadonlySet<string> = new Set(['pre', 'style', 'script', 'textarea'])

/** Marks the spaces in all texts. Source: MediaWiki Sanitizer::armorFrenchSpaces. */
export function bindSpaces(root: ParentNode): void {
  const hasBound = root.children.some(child => child.kind === 'text' && probe.test(child.text))
  if (hasBound) setChildren(root, root.children.flatMap(split))
  for (const child of root.children) {
    if (child.kind === 'element' && !untouched.has(child.name) && !isDisplaySpace(child)) bindSpaces(child)
  }
}

function isDisplaySpace(node: ChildNode): boolean {
  return node.kind === 'element' && node.attributes.get('typeof') === 'mw:DisplaySpace'
}

function split(node: ChildNode): ChildNode[] {
  if (node.kind !== 'text' || !probe.test(node.text)) return [node]
  const out: ChildNode[] = []
  let from = 0
  for (const { index } of node.text.matchAll(bound)) {
    if (index > from) out.push(textNode(node.text.slice(from, index)))
    out.push(element('span', [['typeof', 'mw:DisplaySpace']], [textNode('\u00a0')]))
    from = index + 1
  }
  if (from < node.text.length) out.push(textNode(node.text.slice(from)))
  return out
}
