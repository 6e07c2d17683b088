/** Marks and numbers that every list of changes shows. */

import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** Writes by how many bytes a text grew. */
export function deltaText(delta: number | null, words: Words): Markup {
  if (delta === null) return html`<span class="delta">–</span>`
  const kind = delta > 0 ? 'more' : delta < 0 ? 'less' : 'same'
  return html`<span class="delta ${kind}" title="${words.text('bytesChanged', delta)}">${words.signed(delta)}</span>`
}

/** Units of the longest bar on one side of zero. */
const longestBar = 20

/** Draws by how much a text grew, around zero; two units for each doubling, so that small edits are seen beside large ones. */
export function deltaBar(delta: number | null): Markup {
  const length = Math.min(longestBar, Math.round(2 * Math.log2(Math.abs(delta ?? 0) + 1)))
  const x = (delta ?? 0) < 0 ? longestBar - length : longestBar
  return html`<svg class="drawing bar" viewBox="0 0 40 10" aria-hidden="true"><path d="M20 0V10"/><rect class="${(delta ?? 0) < 0 ? 'less' : 'more'}" x="${x}" y="2" width="${length}" height="6"/></svg> `
}

interface Flags {
  readonly minor: boolean
  readonly bot?: boolean | undefined
  readonly reverted?: boolean | undefined
  readonly isNew?: boolean
}

/** Writes the marks of an edit: new, minor, bot, a revert. */
export function flagsOf({ minor, bot = false, reverted = false, isNew = false }: Flags, words: Words): Markup {
  const marks = [
    isNew ? html`<abbr title="${words.text('newPageMark')}">${words.say('newShort')}</abbr>` : null,
    minor ? html`<abbr title="${words.text('minorEdit')}">${words.say('minorShort')}</abbr>` : null,
    bot ? html`<abbr title="${words.text('botEdit')}">${words.say('botShort')}</abbr>` : null,
    reverted ? html`<span class="tag">${words.say('revertTag')}</span>` : null,
  ].filter(mark => mark !== null)
  return marks.length === 0 ? html`` : html`<span class="flags">${marks}</span> `
}
