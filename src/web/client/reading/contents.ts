/** Marks in the table of contents where the reader is. */

/** Part of the screen, from its top, in which the heading of the section that is read stands. */
const reached = 0.3
/** Pixels: more than any page is high. */
const farthest = 10_000_000

/** Follows the headings that the contents name. */
export function followContents(): void {
  const links = new Map<Element, HTMLAnchorElement>()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.contents a')) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
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
  // Everything above the line counts as seen, or a jump past a heading would not be noticed.
  const observer = new IntersectionObserver(mark, { rootMargin: `${farthest}px 0px -${100 - 100 * reached}% 0px` })
  for (const heading of headings) observer.observe(heading)
}

/** Index of the last heading above the line, by binary search: each look may lay out a part of a long page. -1 for none. */
function lastReached(headings: readonly Element[]): number {
  let [low, high] = [0, headings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (headings[middle]!.getBoundingClientRect().top <= innerHeight * reached) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A list of contents that is longer than the screen scrolls by itself. */
function keepInSight(link: HTMLAnchorElement | undefined): void {
  const box = link?.closest('details')
  if (!link || !box || box.scrollHeight <= box.clientHeight) return
  const place = link.getBoundingClientRect().top - box.getBoundingClientRect().top
  if (place < 0 || place > box.clientHeight * 0.8) box.scrollTop += place - box.clientHeight / 2
}
