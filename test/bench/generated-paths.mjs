/** Paths of the pages of a generated wiki: `flat`, in 256 `folders` that are parts of their titles, or `sharded`. */
import { createHash } from 'node:crypto'

/** Path of the page with this number. */
export function pathOf(page, layout) {
  const key = keyOf(page, layout)
  if (layout !== 'sharded') return `${key}.wiki`
  return `${createHash('sha1').update(key).digest('hex').slice(0, 2)}/${key}.wiki`
}

/** Key of its title. */
export function keyOf(page, layout) {
  return layout === 'flat' || layout === 'sharded' ? `Page_${page}` : `Part_${page % 256}/Page_${page}`
}
