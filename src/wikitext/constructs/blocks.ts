/** Block elements and their effect on paragraphs. Source: MediaWiki BlockLevelPass. */

/** Effect of a tag on the text after it: `suppress` stops paragraphs, `allow` resumes them. */
export type BlockEffect = 'suppress' | 'allow' | null

const suppressWhileOpen = new Set('table h1 h2 h3 h4 h5 h6 pre p ul ol dl'.split(' '))
const allowWhileOpen = new Set(['td', 'th'])
const alwaysSuppress = new Set('tr caption dt dd li'.split(' '))
const alwaysAllow = new Set('center blockquote div hr figure aside section'.split(' '))

/** Returns the effect of an opening or closing tag of this name; null for inline elements. */
export function blockEffect(name: string, isClose: boolean): BlockEffect {
  if (suppressWhileOpen.has(name)) return isClose ? 'allow' : 'suppress'
  if (allowWhileOpen.has(name)) return isClose ? 'suppress' : 'allow'
  if (alwaysSuppress.has(name)) return 'suppress'
  return alwaysAllow.has(name) ? 'allow' : null
}
