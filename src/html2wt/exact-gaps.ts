/**
 * Gaps that are unchanged from the source: the ranges in `data-parsoid` show that only the recorded characters lie
 * between two nodes.
 */

import type { ChildNode, ParentNode } from '../wikitext/tree/node.ts'

export interface ExactGaps {
  /** Children whose gap before them matches the source exactly. */
  readonly before: ReadonlySet<ChildNode>
  /** True if the same holds for the gap before the parent's end. */
  readonly isEnd: boolean
}

const nobody: ReadonlySet<ChildNode> = new Set()

/** Finds the exact gaps of a parent. */
export function exactGaps(parent: ParentNode): ExactGaps {
  let found: Set<ChildNode> | null = null
  const inside = parent.kind === 'element' ? parent.data.range : null
  let about: string | undefined
  let at = inside?.openWidth == null ? -1 : inside.start + inside.openWidth + spaces(parent, 0)
  if (parent.kind === 'fragment') at = 0
  for (const child of parent.children) {
    if (child.kind === 'text') {
      if (at !== -1) at += Buffer.byteLength(child.text)
    } else if (child.kind === 'comment') {
      if (at !== -1) at += Buffer.byteLength(commentSource(child.text))
    } else {
      const { range } = child.data
      if (range != null && at === range.start) {
        found ??= new Set()
        found.add(child)
      }
      if (range != null) {
        at = range.end
        about = child.kind === 'element' ? child.attributes.get('about') : undefined
      } else if (!isFurther(child, about)) at = -1
    }
  }
  const isEnd = inside?.closeWidth != null && at !== -1 && at === inside.end - inside.closeWidth - spaces(parent, 1)
  return { before: found ?? nobody, isEnd }
}

/** Later nodes of a group have no source of their own. */
function isFurther(node: ChildNode, about: string | undefined): boolean {
  if (node.kind !== 'element') return false
  return (
    (about !== undefined && node.attributes.get('about') === about) ||
    /\bmw:DisplaySpace\b/.test(node.attributes.get('typeof') ?? '')
  )
}

function commentSource(text: string): string {
  return `<!--${text.replace(/&#x(?:2D|3E|26);/g, '-')}-->`
}

function spaces(node: ParentNode, end: 0 | 1): number {
  const gaps = node.kind === 'element' ? node.data.parsoid?.ws : undefined
  const text: unknown = Array.isArray(gaps) ? gaps[end] : ''
  return typeof text === 'string' ? text.length : 0
}
