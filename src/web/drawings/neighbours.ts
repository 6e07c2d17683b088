/** Draws a page between the pages that link to it and the pages that it links to. */

import { attributes, html, type Markup } from '../markup.ts'

/** A page linked with the one in the middle. */
export interface Neighbour {
  readonly title: string
  readonly address: string
  readonly isMissing: boolean
}

export interface Neighbourhood {
  readonly title: string
  readonly label: string
  /** Pages on the side where links start, and on the side where they end. */
  readonly incoming: readonly Neighbour[]
  readonly outgoing: readonly Neighbour[]
  /** True if links point from right to left. */
  readonly isMirrored: boolean
}

/** Drawing units. */
const width = 720
const row = 28
const column = 230
/** Longest title that fits a column, in UTF-16 units. */
const longest = 30

/** Draws a neighbourhood of at most 15 pages on each side. */
export function neighbourMap({ title, label, incoming, outgoing, isMirrored }: Neighbourhood): Markup {
  const height = row * Math.max(3, incoming.length, outgoing.length)
  const [before, after] = isMirrored ? [outgoing, incoming] : [incoming, outgoing]
  const middle = height / 2
  const leftEnd = isMirrored ? 'start' : 'end'
  const place = (at: number, count: number): number => middle + row * (at - (count - 1) / 2)
  const curve = (from: readonly [number, number], to: readonly [number, number], isTo: boolean): Markup => {
    const half = (from[0] + to[0]) / 2
    const path = `M${from.join(' ')}C${half} ${from[1]} ${half} ${to[1]} ${to.join(' ')}`
    return html`<path class="line" d="${path}" marker-${isTo ? 'end' : 'start'}="url(#arrow)"/>`
  }
  const lines = [
    ...before.map((_, at) => curve([column + 6, place(at, before.length)], [width / 2 - 8, middle], !isMirrored)),
    ...after.map((_, at) => curve([width / 2 + 8, middle], [width - column - 6, place(at, after.length)], !isMirrored)),
  ]
  const names = [
    ...before.map((page, at) => name(page, column, place(at, before.length), leftEnd)),
    ...after.map((page, at) => name(page, width - column, place(at, after.length), isMirrored ? 'end' : 'start')),
  ]
  return html`<svg class="drawing neighbours" viewBox="0 0 ${String(width)} ${String(height)}" role="group" aria-label="${label}"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8Z"/></marker></defs>
${lines}<circle cx="${String(width / 2)}" cy="${middle}" r="5"/><text class="self" x="${String(width / 2)}" y="${middle - 14}" text-anchor="middle">${cut(title)}</text>
${names}</svg>`
}

function name({ title, address, isMissing }: Neighbour, x: number, y: number, anchor: string): Markup {
  return html`<a href="${address}"${attributes({ class: isMissing ? 'new' : null })}><title>${title}</title><text x="${x}" y="${y + 4}" text-anchor="${anchor}">${cut(title)}</text></a>`
}

function cut(title: string): string {
  const signs = [...title]
  return signs.length <= longest ? title : `${signs.slice(0, longest - 1).join('')}…`
}
