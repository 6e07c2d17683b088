/** Scans the tags of annotations. */

import { element } from '../tree/node.ts'
import type { AnnotationTag } from './annotation-tags.ts'
import { emit, pageRange, type Scan } from './scan.ts'

/** Scans the annotation tag at a `<`; false if there is none. The line still begins after it. */
export function scanAnnotation(scan: Scan): boolean {
  const tag = scan.annotations.get(scan.at)
  if (tag === undefined) return false
  const { name, start, end, edge, attributes, range } = tag
  const meta = element('meta', [['typeof', `mw:Annotation/${name}${edge === 'end' ? '/End' : ''}`]])
  const place = pageRange(scan, start, end)
  const offsets = place.start === -1 ? null : place
  meta.data = {
    parsoid: {},
    mw: attributes.size > 0 ? { attrs: attributes } : {},
    annotation: { edge, range, offsets },
  }
  emit(scan, { kind: 'atom', level: 'transparent', nodes: [meta], ...place }, start, end)
  return true
}

/** The annotation tag that ends at an offset. */
export function annotationBefore({ text, annotations }: Scan, end: number): AnnotationTag | undefined {
  const tag = annotations.size === 0 ? undefined : annotations.get(text.lastIndexOf('<', end - 1))
  return tag?.end === end ? tag : undefined
}
