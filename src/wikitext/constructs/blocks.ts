/** How elements stand to paragraphs. Source: MediaWiki BlockLevelPass. */

/** What a tag does to the paragraphs around it: from here on none, or again some. */
export type BlockEffect = 'suppress' | 'allow' | null

const suppressWhileOpen = new Set('table h1 h2 h3 h4 h5 h6 pre p ul ol dl'.split(' '))
const allowWhileOpen = new Set(['td', 'th'])
const alwaysSuppress = new Set('tr caption dt dd li'.split(' '))
const alwaysAllow = new Set('center blockquote div hr figure aside section'.split(' '))

/** What an opening or closing tag of this name does. */
export function blockEffect(name: string, isClose: boolean): BlockEffect {
  if (suppressWhileOpen.has(name)) return isClose ? 'allow' : 'suppress'
  if (allowWhileOpen.has(name)) return isClose ? 'suppress' : 'allow'
  if (alwaysSuppress.has(name)) return 'suppress'
  return alwaysAllow.has(name) ? 'allow' : null
}
