/** `[[Tides|text]]`, `![[tides.png|200]]` and pictures with a size in Markdown. */

import type { MarkdownIt, StateInline } from 'markdown-it'

/** Maximum length of a `[[link]]`, UTF-16 units. */
const maximumLength = 1000

/**
 * Attributes in which the rules pass the source to the tree. A page may write them, too: they make a link, as its `href` does.
 */
export const linkAttributes = {
  target: 'data-link',
  parts: 'data-parts',
  embed: 'data-embed',
  size: 'data-size',
} as const

/** `[[_TOC_]]` of Gollum, GitLab and Azure requests a table of contents, which every page has anyway. */
export const contentsMark = /^\s*_TO(?:C|SP)_\s*(?:\||$)/

/** Adds the rules to markdown-it's inline parser. */
export function addWikiLinks(parser: MarkdownIt): void {
  parser.inline.ruler.before('link', 'wiki_link', wikiLinkRule)
  parser.inline.ruler.before('image', 'sized_picture', sizedPictureRule)
}

/** Parses `[[a|b]]`: the dialect decides which part is the target. An exclamation mark before it embeds. */
function wikiLinkRule(state: StateInline, silent: boolean): boolean {
  const isEmbed = state.src.charCodeAt(state.pos) === 0x21
  const start = state.pos + (isEmbed ? 1 : 0)
  if (!state.src.startsWith('[[', start)) return false
  const end = state.src.slice(start, start + maximumLength).indexOf(']]')
  if (end === -1) return false
  const inside = state.src.slice(start + 2, start + end)
  if (!/^[^[\]\n|]+(?:\|[^[\]\n]*)?$/.test(inside)) return false
  if (!silent && !contentsMark.test(inside)) pushLink(state, inside, isEmbed)
  state.pos = start + end + 2
  return true
}

function pushLink(state: StateInline, inside: string, isEmbed: boolean): void {
  const parts = inside.split('|').map(part => part.trim())
  const open = state.push('link_open', 'a', 1)
  open.attrs = [[linkAttributes.parts, JSON.stringify(parts)]]
  if (isEmbed) open.attrs.push([linkAttributes.embed, ''])
  state.push('link_close', 'a', -1)
}

/** `![alt](picture.png =300x200)`, as in Wiki.js. */
function sizedPictureRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('![', state.pos)) return false
  const ahead = state.src.slice(state.pos, state.pos + maximumLength)
  const [whole, alt = '', source = '', size = ''] =
    /^!\[([^\][]*)\]\(([^\s()]+)[ \t]+=(\d{0,5}x\d{0,5})[ \t]*\)/.exec(ahead) ?? []
  if (whole === undefined) return false
  if (!silent) {
    const token = state.push('image', 'img', 0)
    token.attrs = [
      ['src', source],
      ['alt', alt],
      [linkAttributes.size, `${size.replace(/x$/, '')}px`],
    ]
    token.children = [Object.assign(new state.Token('text', '', 0), { content: alt })]
    token.content = alt
  }
  state.pos += whole.length
  return true
}
