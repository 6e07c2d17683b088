/** Gives headings unique ids, and makes the entries of the table of contents. */

import { createIdPool, headingId } from '../sanitize/ids.ts'
import { type ElementNode, element } from '../tree/node.ts'
import { type Step, textOf } from '../tree/walk.ts'

/** One line of the table of contents. */
export interface TocEntry {
  /** 1 to 6. */
  readonly level: number
  /** Plain text. */
  readonly text: string
  /** Id of the heading. */
  readonly id: string
}

const headingNames: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** True for elements h1 to h6. */
export function isHeading({ name }: ElementNode): boolean {
  return headingNames.has(name)
}

/** Gives every heading its id and, for old links, the id in MediaWiki's former format. */
export function addHeadingIds(steps: readonly Step[]): TocEntry[] {
  const unique = createIdPool()
  const uniqueFallback = createIdPool()
  const entries: TocEntry[] = []
  for (const { element: node } of steps) {
    const own = node.attributes.get('id')
    if (own !== undefined) unique(own)
  }
  const headings = steps.filter(step => isHeading(step.element))
  for (const { element: heading, embedded } of headings) {
    const text = headingText(heading)
    if (!heading.attributes.has('id')) addIds(heading, text, { unique, uniqueFallback })
    if (!embedded)
      entries.push({ level: Number(heading.name[1]), text: text.trim(), id: heading.attributes.get('id') ?? '' })
  }
  return entries
}

interface Pools {
  readonly unique: (id: string) => string
  readonly uniqueFallback: (id: string) => string
}

function addIds(heading: ElementNode, text: string, { unique, uniqueFallback }: Pools): void {
  const { id, fallback } = headingId(text)
  heading.attributes.set('id', id === '' ? '' : unique(id))
  if (fallback === null) return
  const span = element('span', [
    ['id', uniqueFallback(fallback)],
    ['typeof', 'mw:FallbackId'],
  ])
  span.parent = heading
  heading.children.unshift(span)
}

/** The visible text of a heading, without footnotes. */
function headingText(heading: ElementNode): string {
  return textOf(heading.children.filter(child => child.kind !== 'element' || !isNote(child)))
}

function isNote(node: ElementNode): boolean {
  return (
    node.name === 'script' || node.name === 'style' || /\bmw:Extension\/ref\b/.test(node.attributes.get('typeof') ?? '')
  )
}
