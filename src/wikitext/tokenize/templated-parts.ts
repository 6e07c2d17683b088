/** Records in `data-mw` the parts of a link that come from templates, or that annotations mark. */

import { prependType } from '../passes/types.ts'
import type { PreNode } from '../preprocess/nodes.ts'
import type { ElementNode } from '../tree/node.ts'
import { annotationsBetween, annotationTypes } from './annotation-tags.ts'
import { htmlOf } from './attributes.ts'
import { nodesBetween, type Scan } from './scan.ts'

/** A part of a link in the scanned text: its name and range. */
export type LinkPart = readonly [name: string, start: number, end: number]

/**
 * Describes each part that templates contributed to, in the page's own text. Source: MediaWiki DOM specification 2.8.0,
 * `mw:ExpandedAttrs`.
 */
export function describeTemplates(scan: Scan, link: ElementNode, parts: readonly LinkPart[]): void {
  if (scan.base === -1) return
  const tags = ([, start, end]: LinkPart) => annotationsBetween(scan.text, scan.annotations, { start, end })
  const rows = parts.filter(
    part => nodesBetween(scan, part[1], part[2]).some(node => isDescribed(scan, node)) || tags(part).length > 0,
  )
  if (rows.length === 0) return
  prependType(link, ['mw:ExpandedAttrs', ...annotationTypes(rows.flatMap(tags))].join(' '))
  link.attributes.set('about', scan.run.about())
  const attribs = rows.map(([name, start, end]) => [{ txt: name }, { html: htmlOf(scan, start, end, true) }])
  link.data.mw = { ...link.data.mw, attribs }
}

/** Returns true if a node is `{{!}}`, which stands for a pipe and is not described. */
export function isPipe({ text }: Scan, { kind, start, end }: PreNode): boolean {
  return kind === 'template' && text.slice(start, end) === '{{!}}'
}

function isDescribed(scan: Scan, node: PreNode): boolean {
  return node.kind === 'argument' || node.kind === 'inclusion' || (node.kind === 'template' && !isPipe(scan, node))
}
