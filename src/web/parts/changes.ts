/** Marks and numbers that every list of changes shows. */

import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** Writes by how many bytes a text grew. */
export function deltaText(delta: number | null, words: Words): Markup {
  if (delta === null) return html`<span class="delta">–</span>`
  const kind = delta > 0 ? 'more' : delta < 0 ? 'less' : 'same'
  return html`<span class="delta ${kind}" title="${words.text('bytesChanged', delta)}">${words.signed(delta)}</span>`
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
