/** A page's table of contents: beside the text if there is room, otherwise folded above it. */

import type { TocEntry } from '../../operations/show-page.ts'
import { html, type Markup } from '../markup.ts'
import type { Words } from '../words/words.ts'

/** Writes the contents; undefined for a page without any. */
export function contentsOf(entries: readonly TocEntry[], words: Words): Markup | undefined {
  if (entries.length === 0) return undefined
  const depths = depthsOf(entries)
  return html`<nav class="contents" data-ui-contents aria-label="${words.say('contents')}"><details>
<summary>${words.say('contents')}</summary>
<ul>${entries.map(({ text, id }, at) => html`<li class="depth-${depths[at]}"><a href="#${encodeURIComponent(id)}">${text}</a></li>`)}</ul>
</details></nav>`
}

/** Returns the depth of each entry below its ancestors. A skipped heading level adds no indent. */
function depthsOf(entries: readonly TocEntry[]): number[] {
  const above: number[] = []
  return entries.map(({ level }) => {
    while (above.length > 0 && above.at(-1)! >= level) above.pop()
    above.push(level)
    return above.length - 1
  })
}
