/** Finds the nodes that a template made, and describes the template to lint. */

import type { ElementNode } from '../tree/node.ts'
import type { LintRange, LintTemplate } from './types.ts'

/** Range and description of a template. */
export interface Encapsulation {
  readonly dsr: LintRange
  readonly info: LintTemplate
}

interface Part {
  readonly template?: { readonly target?: { readonly wt?: string; readonly href?: string } }
}

/** Maps each element from a template to the template. Elements come in document order. */
export function encapsulations(elements: readonly ElementNode[]): ReadonlyMap<ElementNode, Encapsulation> {
  const byAbout = new Map<string, Encapsulation>()
  const within = new Map<ElementNode, Encapsulation>()
  for (const node of elements) {
    const outer = node.parent?.kind === 'element' ? within.get(node.parent) : undefined
    const about = node.attributes.get('about') ?? ''
    const own = outer ?? byAbout.get(about) ?? begin(node)
    if (own === undefined) continue
    if (about !== '' && !byAbout.has(about)) byAbout.set(about, own)
    within.set(node, own)
  }
  return within
}

function begin(node: ElementNode): Encapsulation | undefined {
  const types = (node.attributes.get('typeof') ?? '').split(' ')
  const { range, mw } = node.data
  if (!types.includes('mw:Transclusion') || !range || range.start < 0) return undefined
  const parts = Array.isArray(mw?.parts) ? (mw.parts as readonly unknown[]) : []
  return { dsr: [range.start, range.end, range.openWidth, range.closeWidth], info: infoOf(parts) }
}

function infoOf(parts: readonly unknown[]): LintTemplate {
  if (parts.length !== 1) return { multiPartTemplateBlock: true }
  const target = (parts[0] as Part).template?.target
  return { name: target?.href?.replace(/^\.\//, '') ?? target?.wt?.trim() ?? '' }
}
