/** Sanitises the `style` attribute. Source: MediaWiki Sanitizer::checkCss and ::normalizeCss. */

import { tokenize, tokenNames } from 'css-tree/tokenizer'
import { decodeEntities } from './entities.ts'

/** Replaces a style that could run or fetch something. */
export const insecureCss = '/* insecure input */'
/** Replaces a style with control characters. */
export const invalidCss = '/* invalid control char */'

/** `\` before a line break, up to six hexadecimal digits, any other character, or the end. */
const escapes = /\\(?:(\r\n|[\n\r\f])|([0-9A-Fa-f]{1,6})(?:\r\n|[\n\r\t\f ])?|([\s\S])|$)/gu

/** Letters that old browsers treated as ASCII. */
const lookAlikes: Readonly<Record<string, string>> = {
  ʀ: 'r',
  ɴ: 'n',
  ⁿ: 'n',
  ʟ: 'l',
  ɪ: 'i',
  '⁽': '(',
  '₍': '(',
}

const loneComment = /^\s*\/\*[^*\\/]*\*\/\s*$/

/** Control characters, and replacements of invalid bytes. */
const forbiddenCharacters = /[\0-\x08\x0b\x0e-\x1f\x7f\ufffd]/

const dangers = new RegExp(
  [
    'expression',
    'filter\\s*:',
    'accelerator\\s*:',
    '-o-link\\s*:',
    '-o-link-source\\s*:',
    '-o-replace\\s*:',
    '-moz-binding\\s*:',
    'behaviou?r\\s*:',
    'url\\s*\\(',
    'src\\s*\\(',
    'image\\s*\\(',
    'image-set\\s*\\(',
  ].join('|'),
  'i',
)

/**
 * Makes a style harmless: escapes and comments are resolved. If anything is left that could run or load something, a comment
 * replaces the whole style. Other text is returned unchanged.
 */
export function safeCss(style: string): string {
  const normalized = normalize(style)
  if (forbiddenCharacters.test(normalized)) return invalidCss
  return dangers.test(normalized) || hasDangerousToken(normalized) ? insecureCss : normalized
}

function normalize(style: string): string {
  const text = decodeEntities(style)
    .replace(escapes, resolveEscape)
    .replace(/[！-［］-ｚ]/g, character => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/[ʀɴⁿʟɪ⁽₍]/g, character => lookAlikes[character]!)
  return loneComment.test(text) ? text : withoutComments(text)
}

function resolveEscape(_source: string, newline?: string, digits?: string, literal?: string): string {
  if (newline !== undefined) return ''
  const character = digits === undefined ? (literal ?? '\\') : characterOf(Number.parseInt(digits, 16))
  // These would change the meaning of the surrounding text, so they stay escaped, in one form.
  if (/["'\\\n]/.test(character)) return `\\${character.charCodeAt(0).toString(16)} `
  return character
}

function characterOf(code: number): string {
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)
}

/** Replaces a comment by a space; an unclosed one extends to the end. */
function withoutComments(text: string): string {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    if (start === -1) return result + text.slice(at)
    const end = text.indexOf('*/', start + 2)
    result += text.slice(at, start)
    if (end === -1) return result
    result += ' '
    at = end + 2
  }
}

/** Addresses, and rules that are invalid in an element. */
const dangerousTokens: ReadonlySet<string> = new Set(['url-token', 'bad-url-token', 'at-keyword-token'])

/** Returns true if a modern CSS tokenizer finds a dangerous token: a URL, an attr() that is read as one, or an at-rule. */
function hasDangerousToken(style: string): boolean {
  let dangerous = false
  let insideAttr = false
  tokenize(style, (type: number, start: number, end: number) => {
    const name = tokenNames[type]
    if (name !== undefined && dangerousTokens.has(name)) dangerous = true
    if (name === 'function-token') insideAttr = /^attr\($/i.test(style.slice(start, end))
    if (name === ')-token') insideAttr = false
    if (insideAttr && name === 'ident-token' && /^url$/i.test(style.slice(start, end))) dangerous = true
  })
  return dangerous
}
