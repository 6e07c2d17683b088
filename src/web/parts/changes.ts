/** Flags and sizes that every list of changes shows. */

import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** Formats the number of bytes by which a text grew. */
export function deltaText(delta: number | null, words: Words): Markup {
  if (delta === null) return html`<span class="delta">–</span>`
  const kind = delta > 0 ? 'more' : delta < 0 ? 'less' : 'same'
  return html`<span class="delta ${kind}" title="${words.text('bytesChanged', delta)}">${words.signed(delta)}</span>`
}

/** Length of the longest bar on one side of zero, in drawing units. */
const longestBar = 20

/**
 * Draws the growth of a text as a bar around zero. Each doubling adds two units, so small edits stay visible beside
 * large ones.
 */
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

/** Writes the flags of an edit: new, minor, bot, reverting. */
export function flagsOf({ minor, bot = false, reverted = false, isNew = false }: Flags, words: Words): Markup {
  const flags = [
    isNew ? html`<abbr title="${words.text('newPageMark')}">${words.say('newShort')}</abbr>` : null,
    minor ? html`<abbr title="${words.text('minorEdit')}">${words.say('minorShort')}</abbr>` : null,
    bot ? html`<abbr title="${words.text('botEdit')}">${words.say('botShort')}</abbr>` : null,
    reverted ? html`<span class="tag">${words.say('revertTag')}</span>` : null,
  ].filter(mark => mark !== null)
  return flags.length === 0 ? html`` : html`<span class="flags">${flags}</span> `
}
