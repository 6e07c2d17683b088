/** A page's table of contents: beside the text where there is room, folded above it elsewhere. */

import type { TocEntry } from '../../operations/show-page.ts'
import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** Writes the contents; undefined for a page that has none. */
export function contentsOf(entries: readonly TocEntry[], words: Words): Markup | undefined {
  if (entries.length === 0) return undefined
  const top = Math.min(...entries.map(({ level }) => level))
  return html`<nav class="contents" aria-label="${words.say('contents')}"><details>
<summary>${words.say('contents')}</summary>
<ul>${entries.map(({ level, text, id }) => html`<li class="depth-${level - top}"><a href="#${encodeURIComponent(id)}">${text}</a></li>`)}</ul>
</details></nav>`
}
