/** `[[Tides|text]]` in Markdown. */

import type { StateInline } from 'markdown-it'

/** Longest `[[link]]`. UTF-16 units. */
const maximumLength = 1000

/** The rule of markdown-it's inline parser: makes of a `[[link]]` the tokens of a link whose `markup` is `[[`. */
export function wikiLinkRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('[[', state.pos)) return false
  const end = state.src.slice(state.pos, state.pos + maximumLength).indexOf(']]')
  if (end === -1) return false
  const inside = state.src.slice(state.pos + 2, state.pos + end)
  const [, target = '', text = target] = /^([^[\]\n|]+)(?:\|([^[\]\n]+))?$/.exec(inside) ?? []
  if (target === '') return false
  if (!silent) pushLink(state, target.trim(), text)
  state.pos += end + 2
  return true
}

function pushLink(state: StateInline, target: string, text: string): void {
  const open = state.push('link_open', 'a', 1)
  open.markup = '[['
  open.attrs = [['href', encodeURIComponent(target.replace(/^:/, '')).replaceAll('%23', '#')]]
  state.push('text', '', 0).content = text
  state.push('link_close', 'a', -1)
}
