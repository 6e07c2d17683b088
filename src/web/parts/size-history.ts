/** A page's size over time, above its history: a small line that expands to a large one with a table of months. */

import { type PageSize, pageSizes } from '../../operations/page-sizes.ts'
import { sizeLine } from '../drawings/sizes.ts'
import { html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import type { Words } from '../words/words.ts'
import { sizeText } from './sizes.ts'

/** Maximum number of months in the table. */
const maxMonths = 240

/** Draws the sizes of a page; null if they never changed. */
export async function sizeHistory({ wiki, words }: WebRequest, key: string): Promise<Markup | null> {
  if (wiki.store.findPage(key) === undefined) return null
  const { sizes, isWhole } = await pageSizes(wiki, { title: key, exact: true })
  if (sizes.length < 2) return null
  const [first, last] = [sizes[0]!.size, sizes.at(-1)!.size]
  const label = words.text('sizeOverTime', sizeText(first, words), sizeText(last, words))
  return html`<details class="size-history"><summary><span>${label}</span>${sizeLine(sizes, { width: 300, height: 40, label: null })}</summary>
${isWhole ? null : html`<p class="meta">${words.say('listIncomplete')}</p>`}${sizeLine(sizes, { width: 720, height: 200, label })}
${monthTable(sizes, words)}</details>`
}

/** Lists the size at the end of each month with edits. */
function monthTable(sizes: readonly PageSize[], words: Words): Markup {
  const months = new Map<string, { edits: number; size: number }>()
  for (const { time, size } of sizes) {
    const month = new Date(time).toISOString().slice(0, 7)
    months.set(month, { edits: (months.get(month)?.edits ?? 0) + 1, size })
  }
  const rows = [...months]
    .toReversed()
    .slice(0, maxMonths)
    .map(
      ([month, { edits, size }]) =>
        html`<tr><th scope="row">${month}</th><td>${words.number(edits)}</td><td>${words.number(size)}</td></tr>\n`,
    )
  return html`<table class="facts numbers"><thead><tr><th scope="col">${words.say('monthColumn')}</th><th scope="col">${words.say('revisions')}</th><th scope="col">${words.say('bytesColumn')}</th></tr></thead><tbody>
${rows}</tbody></table>`
}
