/**
 * Addresses in the text of Markdown that become links without brackets: `www.example.org`, `https://…`, `name@example.org`.
 * Source: https://github.github.com/gfm/#autolinks-extension-
 */

import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'

/** Maximum length of an address, and of the name before `@`, UTF-16 units. */
const [longestAddress, longestName] = [2000, 200]

/** Text up to the next sign of Markdown, or to `www.`. The signs are those of markdown-it's own rule. */
const plain = /(?:[^\n!#$%&*+\-:<=>@[\\\]^_`{}~Ww]|[Ww](?![Ww]{2}\.))+/y
const domain = /[\p{L}\p{M}\p{N}\p{S}_-]{1,200}(?:\.[\p{L}\p{M}\p{N}\p{S}_-]{1,200}){0,50}/uy
/** An address with the end of brackets around it: `[http://example.org]`. */
const beforeBracket = /^[^[\]]*(?=\])/
const addressAt = new RegExp(`[^\\s<]{1,${longestAddress}}`, 'y')

/**
 * Adds the rules to markdown-it, whose own search for addresses stays off. The search for the end of a link's text asks silently: there an
 * address ends nothing, so that `[http://example.org](target)` is a link to its target.
 */
export function addAutolinks(parser: MarkdownIt): void {
  parser.inline.ruler.at('text', textRule)
  parser.inline.ruler.after('text', 'autolink_www', wwwRule)
  parser.inline.ruler.after('text', 'autolink_scheme', schemeRule)
  parser.core.ruler.after('inline', 'autolink_mail', mailRule)
}

function textRule(state: StateInline, silent: boolean): boolean {
  plain.lastIndex = state.pos
  if (!plain.test(state.src)) return false
  const end = Math.min(plain.lastIndex, state.posMax)
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}

function wwwRule(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (silent || state.linkLevel > 0 || !/^www\.$/i.test(src.slice(pos, pos + 4))) return false
  if (pos > 0 && !/[\s*_~(]/.test(src[pos - 1]!)) return false
  const url = addressIn(state, pos, { isShort: false })
  if (url === null) return false
  pushLink(state, `http://${url}`, url)
  state.pos += url.length
  return true
}

/** At the colon of a scheme, which was read as text. */
function schemeRule(state: StateInline, silent: boolean): boolean {
  const { src, pos, pending } = state
  if (silent || state.linkLevel > 0 || !src.startsWith('://', pos)) return false
  const [scheme] = /(?<![a-z])(?:https?|ftp)$/i.exec(src.slice(Math.max(0, pos - 6), pos)) ?? []
  if (scheme === undefined || !pending.endsWith(scheme)) return false
  const rest = addressIn(state, pos + 3, { isShort: true })
  if (rest === null) return false
  state.pending = pending.slice(0, -scheme.length)
  const url = `${scheme}://${rest}`
  pushLink(state, url, url)
  state.pos += 3 + rest.length
  return true
}

/** The address that begins with a domain at an offset; null if there is none. `isShort`: the domain needs no period. */
function addressIn(
  { src, posMax }: StateInline,
  at: number,
  { isShort }: { readonly isShort: boolean },
): string | null {
  domain.lastIndex = at
  const segments = domain.exec(src)?.[0].split('.') ?? []
  if (segments.length < (isShort ? 1 : 2) || segments.slice(-2).join('').includes('_')) return null
  addressAt.lastIndex = at
  const written = addressAt.exec(src)?.[0].slice(0, posMax - at) ?? ''
  const url = withoutPunctuation(beforeBracket.exec(written)?.[0] ?? written)
  return url === '' ? null : url
}

/** Without the punctuation of the sentence around an address, and a closing parenthesis without its opening one. */
function withoutPunctuation(text: string): string {
  let open = text.split(')').length - text.split('(').length
  for (let end = text.length; end > 0; end--) {
    const sign = text[end - 1]!
    const [entity] = sign === ';' ? (/&[A-Za-z0-9]{1,40};$/.exec(text.slice(0, end).slice(-42)) ?? []) : []
    if (entity !== undefined) end -= entity.length - 1
    else if (sign === ')' && open > 0) open--
    else if (!/[?!.,:*_~'";]/.test(sign)) return text.slice(0, end)
  }
  return ''
}

function pushLink(state: StateInline, url: string, text: string): void {
  const href = state.md.normalizeLink(url)
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', href]]
  state.push('text', '', 0).content = text
  state.push('link_close', 'a', -1)
}

/** Addresses of mail are found in whole texts: an underscore in a name is a sign of emphasis before. */
function mailRule({ tokens, Token: Made, md }: StateCore): void {
  for (const token of tokens) {
    if (token.type !== 'inline' || !token.content.includes('@')) continue
    let level = 0
    token.children = (token.children ?? []).flatMap(child => {
      if (child.type === 'link_open' || /^<a[\s>]/i.test(child.type === 'html_inline' ? child.content : '')) level++
      if (child.type === 'link_close' || /^<\/a[\s>]/i.test(child.type === 'html_inline' ? child.content : '')) level--
      return child.type !== 'text' || level > 0 ? [child] : mailIn(child, { Made, normalize: md.normalizeLink })
    })
  }
}

interface Making {
  readonly Made: typeof Token
  readonly normalize: (url: string) => string
}

const nameBefore = new RegExp(`(?:(?:mailto|xmpp):)?[A-Za-z0-9.+_-]{1,${longestName}}$`, 'i')
/** A domain, whose last sign is a letter or a digit, and for `xmpp:` a resource. */
const mailDomain = /@([A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){1,20})/y
const resource = /\/[A-Za-z0-9@.]{0,199}[A-Za-z0-9@]/y

function mailIn(token: Token, making: Making): Token[] {
  const text = token.content
  const found: Token[] = []
  let last = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (!/[\w.+-]/.test(text[at - 1] ?? '')) continue
    const name = nameBefore.exec(text.slice(Math.max(last, at - longestName - 7), at))?.[0] ?? ''
    mailDomain.lastIndex = at
    const host = mailDomain.exec(text)?.[1] ?? ''
    if (name === '' || host === '' || /[-_]$/.test(host)) continue
    const start = at - name.length
    resource.lastIndex = mailDomain.lastIndex
    const [tail = ''] = /^xmpp:/i.test(name) ? (resource.exec(text) ?? []) : []
    const end = mailDomain.lastIndex + tail.length
    found.push(
      ...textToken(token, text.slice(last, start), making),
      ...linkTokens(text.slice(start, end), token, making),
    )
    last = end
    at = end - 1
  }
  return last === 0 ? [token] : [...found, ...textToken(token, text.slice(last), making)]
}

function textToken({ level }: Token, content: string, { Made }: Making): Token[] {
  return content === '' ? [] : [Object.assign(new Made('text', '', 0), { content, level })]
}

function linkTokens(address: string, token: Token, making: Making): Token[] {
  const { Made, normalize } = making
  const href = normalize(/^(?:mailto|xmpp):/i.test(address) ? address : `mailto:${address}`)
  const open = Object.assign(new Made('link_open', 'a', 1), { attrs: [['href', href]], level: token.level })
  const close = Object.assign(new Made('link_close', 'a', -1), { level: token.level })
  return [open, ...textToken(token, address, making), close]
}
