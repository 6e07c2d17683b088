/** Compares two definitions of the same reference name. */

import type { ChildNode, ElementNode } from '../../tree/node.ts'

/** Attributes of origin, which do not change the content. */
const origins = new Set(['about', 'typeof', 'data-mw', 'data-parsoid', 'id'])

/** Result of comparing two contents: equal in HTML, equal apart from attributes of origin, or different. */
export type ContentMatch = 'same' | 'same to the eye' | 'different'

/** Compares two contents. */
export function compareContents(one: readonly ChildNode[], other: readonly ChildNode[]): ContentMatch {
  if (signature(one, { withOrigins: true }) === signature(other, { withOrigins: true })) return 'same'
  const shown = signature(one, { withOrigins: false }) === signature(other, { withOrigins: false })
  return shown ? 'same to the eye' : 'different'
}

/** Writes nodes in a canonical form for comparison. */
export function signature(nodes: readonly ChildNode[], { withOrigins }: { withOrigins: boolean }): string {
  const parts: string[] = []
  const stack: (ChildNode | string)[] = [...nodes].reverse()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') parts.push(node)
    else if (node.kind === 'text') parts.push(JSON.stringify(node.text))
    else if (node.kind === 'comment') parts.push(`!${JSON.stringify(node.text)}`)
    else {
      parts.push(opening(node, withOrigins))
      stack.push('>')
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!)
    }
  }
  return parts.join('')
}

function opening({ name, attributes, data }: ElementNode, withOrigins: boolean): string {
  const shown = [...attributes].filter(([key]) => (withOrigins ? key !== 'about' && key !== 'id' : !origins.has(key)))
  const mw = withOrigins && data.mw !== undefined ? JSON.stringify(data.mw, withoutParents) : ''
  return `<${name}${JSON.stringify(shown.sort())}${mw}`
}

function withoutParents(key: string, value: unknown): unknown {
  if (value instanceof Map) return [...value]
  return key === 'parent' || key === 'data' ? undefined : value
}
