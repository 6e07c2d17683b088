/** `[[Tides|text]]`, `![[tides.png|200]]`, pictures with a size, and links with expressions of site generators in Markdown. */

import type { MarkdownIt, StateInline } from 'markdown-it'
import { hasExpression } from '../../links/expression.ts'
import { contentsRequest, includePrefix } from './note-markup.ts'

/** Maximum length of a `[[link]]`, UTF-16 units. */
const maxLength = 1000

/**
 * Attributes in which the rules pass the source to the tree. A page may write them, too: they make a link, as its `href` does.
 */
export const linkAttributes = {
  target: 'data-link',
  parts: 'data-parts',
  embed: 'data-embed',
  size: 'data-size',
} as const

/** A destination in parentheses that may hold expressions with spaces, and a title; without the opening one. */
export const expressionDestination =
  '[ \\t]{0,9}((?:[^\\s(){}<>]|\\{\\{[^{}\\n]{0,300}\\}\\}|\\{%[^{}\\n]{0,300}%\\}){1,300})(?:[ \\t]{1,9}"[^"\\n]{0,300}")?[ \\t]{0,9}\\)'
const destinationAt = new RegExp(expressionDestination, 'y')

/** Adds the rules to markdown-it's inline parser. */
export function addWikiLinks(parser: MarkdownIt): void {
  parser.inline.ruler.before('link', 'wiki_link', wikiLinkRule)
  parser.inline.ruler.before('image', 'sized_picture', sizedPictureRule)
  parser.inline.ruler.before('link', 'computed_link', computedLinkRule)
}

/** Parses `[[a|b]]`: the dialect decides which part is the target. An exclamation mark before it embeds. */
function wikiLinkRule(state: StateInline, silent: boolean): boolean {
  const isEmbed = state.src.charCodeAt(state.pos) === 0x21
  const start = state.pos + (isEmbed ? 1 : 0)
  if (!state.src.startsWith('[[', start)) return false
  const end = state.src.slice(start, start + maxLength).indexOf(']]')
  if (end === -1) return false
  const inside = state.src.slice(start + 2, start + end)
  if (!/^[^[\]\n|]+(?:\|[^[\]\n]*)?$/.test(inside)) return false
  if (!silent && !contentsRequest.test(inside)) pushLink(state, inside, isEmbed)
  state.pos = start + end + 2
  return true
}

function pushLink(state: StateInline, inside: string, isEmbed: boolean): void {
  const isIncluded = includePrefix.test(inside)
  const parts = inside
    .replace(includePrefix, '')
    .split('|')
    .map(part => part.trim())
  const open = state.push('link_open', 'a', 1)
  open.attrs = [[linkAttributes.parts, JSON.stringify(parts)]]
  if (isEmbed || isIncluded) open.attrs.push([linkAttributes.embed, ''])
  state.push('link_close', 'a', -1)
}

/** `![alt](picture.png =300x200)`, as in Wiki.js. */
function sizedPictureRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('![', state.pos)) return false
  const ahead = state.src.slice(state.pos, state.pos + maxLength)
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

/** `[text]({{ site.baseurl }}{% link x.md %})`, also as a picture: CommonMark allows no spaces in a destination. */
function computedLinkRule(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  const isPicture = src.startsWith('![', pos)
  const start = pos + (isPicture ? 2 : 1)
  if (!isPicture && src[pos] !== '[') return false
  const end = state.md.helpers.parseLinkLabel(state, start - 1, !isPicture)
  if (end < 0 || src[end + 1] !== '(') return false
  destinationAt.lastIndex = end + 2
  const target = destinationAt.exec(src)?.[1] ?? ''
  if (!hasExpression(target)) return false
  const after = destinationAt.lastIndex
  if (!silent) pushComputed(state, { target, isPicture, start, end })
  state.pos = after
  return true
}

interface Computed {
  readonly target: string
  readonly isPicture: boolean
  /** Range of the text in the brackets. */
  readonly start: number
  readonly end: number
}

function pushComputed(state: StateInline, { target, isPicture, start, end }: Computed): void {
  const label = state.src.slice(start, end)
  if (isPicture) {
    const token = state.push('image', 'img', 0)
    token.attrs = [
      ['src', target],
      ['alt', label],
    ]
    token.children = [Object.assign(new state.Token('text', '', 0), { content: label })]
    token.content = label
    return
  }
  const { posMax } = state
  state.push('link_open', 'a', 1).attrs = [['href', target]]
  Object.assign(state, { pos: start, posMax: end })
  state.linkLevel++
  state.md.inline.tokenize(state)
  state.linkLevel--
  Object.assign(state, { posMax })
  state.push('link_close', 'a', -1)
}
