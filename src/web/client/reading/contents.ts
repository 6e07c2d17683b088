/** Marks the current section in the table of contents. */

import { decoded } from './decoded.ts'

/** Fraction of the window's height, from its top. A section is current once its heading is above this line. */
const reached = 0.3
/** Pixels; more than the height of any page. */
const farthest = 10_000_000

/** Observes the headings that the contents list. */
export function followContents(): void {
  const links = new Map<Element, HTMLAnchorElement>()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-ui-contents] a')) {
    const heading = document.getElementById(decoded(link.hash.slice(1)))
    if (heading !== null) links.set(heading, link)
  }
  const headings = [...links.keys()]
  if (headings.length === 0) return
  let current: HTMLAnchorElement | undefined
  const mark = (): void => {
    const now = links.get(headings[lastReached(headings)]!)
    if (now === current) return
    current?.removeAttribute('aria-current')
    now?.setAttribute('aria-current', 'location')
    current = now
    keepInSight(now)
  }
  // Everything above the line counts as visible. Otherwise a jump past a heading would go unnoticed.
  const observer = new IntersectionObserver(mark, { rootMargin: `${farthest}px 0px -${100 - 100 * reached}% 0px` })
  for (const heading of headings) observer.observe(heading)
}

/**
 * Returns the index of the last heading above the line; -1 for none. Uses binary search, because each measurement may
 * lay out part of a long page.
 */
function lastReached(headings: readonly Element[]): number {
  let [low, high] = [0, headings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (headings[middle]!.getBoundingClientRect().top <= innerHeight * reached) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Scrolls a table of contents that is longer than the window. */
function keepInSight(link: HTMLAnchorElement | undefined): void {
  const box = link?.closest('details')
  if (!link || !box || box.scrollHeight <= box.clientHeight) return
  const place = link.getBoundingClientRect().top - box.getBoundingClientRect().top
  if (place < 0 || place > box.clientHeight * 0.8) box.scrollTop += place - box.clientHeight / 2
}
