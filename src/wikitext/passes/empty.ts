/** Marks elements without content, so that styles may hide them. */

import { type ChildNode, detach, type ElementNode, type ParentNode } from '../tree/node.ts'
import { isBlankText } from './walk.ts'

const markableNames: ReadonlySet<string> = new Set(['li', 'tr', 'p', 'tbody'])

/** Marks empty paragraphs, items and rows; removes those of templates that have no attributes. */
export function markEmpty(root: ParentNode): void {
  for (const child of [...root.children]) {
    if (child.kind !== 'element') continue
    markEmpty(child)
    if (!isMarkable(child)) continue
    if (child.attributes.size === 0 && isOfTemplate(child)) detach(child)
    else if (!isRowWithAttributes(child)) child.attributes.set('class', classes(child))
  }
}

/** True for items and rows that have no markup in the page, because a template made them. */
function isOfTemplate({ name, data, children }: ElementNode): boolean {
  return (
    (name === 'li' || name === 'tr') &&
    data.open === undefined &&
    data.parsoid !== undefined &&
    children.every(isBlankText)
  )
}

/** True for a template's row with attributes of its own, which may be its purpose. */
function isRowWithAttributes({ name, data, attributes }: ElementNode): boolean {
  if (name !== 'tr' || data.open !== undefined) return false
  return [...attributes.keys()].some(key => key !== 'about' && key !== 'typeof')
}

function isMarkable(node: ElementNode): boolean {
  if (!markableNames.has(node.name)) return false
  if (node.name === 'tbody' && !node.children.some(child => child.kind === 'element')) return false
  return node.children.every(isNothing)
}

function isNothing(node: ChildNode): boolean {
  if (node.kind === 'comment' || isBlankText(node)) return true
  if (node.kind !== 'element') return false
  if (node.name === 'link' || node.name === 'meta') return true
  if (node.name === 'tr') return node.attributes.get('class') === 'mw-empty-elt'
  return (
    node.name === 'span' &&
    // The span of a template that gives nothing stands for that template.
    ((node.attributes.has('about') && node.children.length > 0) || node.attributes.get('class') === 'mw-empty-elt') &&
    node.data.variant === undefined &&
    !isExtension(node) &&
    node.children.every(isNothing)
  )
}

/** Elements of extensions are never empty: they may show something by other means. */
function isExtension({ attributes }: ElementNode): boolean {
  return attributes.get('typeof')?.includes('mw:Extension/') === true
}

function classes({ attributes }: ElementNode): string {
  const present = attributes.get('class')
  return present ? `${present} mw-empty-elt` : 'mw-empty-elt'
}
