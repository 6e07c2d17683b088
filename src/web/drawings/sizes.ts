/** A page's size over time as a stepped line: it is constant until the next edit. */

import type { PageSize } from '../../operations/page-sizes.ts'
import { html, type Markup } from '../markup.ts'

/** Maximum number of points. Of more revisions the smallest and largest of each group are drawn. */
const maxPoints = 400

export interface SizeLine {
  /** Drawing units. */
  readonly width: number
  readonly height: number
  /** Text alternative; null if the surrounding text says the same. */
  readonly label: string | null
}

/** Draws the sizes. */
export function sizeLine(sizes: readonly PageSize[], { width, height, label }: SizeLine): Markup {
  const drawn = thinned(sizes)
  const [first, last] = [drawn[0]!.time, Math.max(...drawn.map(({ time }) => time))]
  const span = Math.max(1, last - first)
  const top = Math.max(1, ...drawn.map(({ size }) => size))
  const x = (time: number): number => round(1 + ((width - 2) * Math.max(0, time - first)) / span)
  const y = (size: number): number => round(height - 1 - ((height - 3) * size) / top)
  const steps = drawn.map(({ time, size }, index) => (index === 0 ? '' : `H${x(time)}V${y(size)}`)).join('')
  const line = `M1 ${y(drawn[0]!.size)}${steps}H${width - 1}`
  const named = label === null ? html` aria-hidden="true"` : html` role="img" aria-label="${label}"`
  return html`<svg class="drawing sizes" viewBox="0 0 ${String(width)} ${String(height)}" preserveAspectRatio="none"${named}><path class="area" d="${line}V${String(height)}H1Z"/><path class="line" d="${line}"/></svg>`
}

/** Keeps the ends and the extremes of each group. */
function thinned(sizes: readonly PageSize[]): readonly PageSize[] {
  if (sizes.length <= maxPoints) return sizes
  const length = Math.ceil((4 * sizes.length) / maxPoints)
  const points: PageSize[] = []
  for (let start = 0; start < sizes.length; start += length) {
    const part = sizes.slice(start, start + length)
    const bySize = part.toSorted((one, other) => one.size - other.size)
    const chosen = new Set([part[0]!, bySize[0]!, bySize.at(-1)!, part.at(-1)!])
    points.push(...part.filter(size => chosen.has(size)))
  }
  return points
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
