/** Values of parameters: when they need a name, and what in them would end them. */

import { isAllowedTag } from '../../wikitext/sanitize/allowed.ts'

/** A value with an equals sign has to be named, unless the sign lies where it is no part of the call: attributes of HTML count. */
export function needsName(wikitext: string, isKnown: boolean): boolean {
  if (isKnown || wikitext.length > longestValue) return outside(wikitext).includes('=')
  const open = wikitext.replace(shielded, (match, tag?: string) =>
    tag !== undefined && isAllowedTag(tag) ? match.replace(braced, '') : '',
  )
  return open.includes('=')
}

/** A pipe in a value would begin another one. */
export function escaped(wikitext: string): string {
  if (wikitext.length > longestValue) return wikitext
  if (isUnbalanced(wikitext)) return `<nowiki>${wikitext}</nowiki>`
  return outside(wikitext).includes('|') ? protect(wikitext) : wikitext
}

/** Brackets that others would be taken with. */
function isUnbalanced(wikitext: string): boolean {
  if (!/\[\[|\]\]|\{\{|\}\}/.test(wikitext) || /<nowiki/i.test(wikitext)) return false
  const count = (sign: string): number => wikitext.split(sign).length
  return count('[[') !== count(']]') || count('{{') !== count('}}')
}

/** Longest value, UTF-16 units, that is looked into: a longer one is named where it has an equals sign, and written as it is. */
const longestValue = 50_000

/** What hides an equals sign in a tag of HTML, too. */
const braced = /\{\{\{?(?:[^{}]|\{\{[^{}]*\}\})*\}\}\}?|<nowiki>[\s\S]*?<\/nowiki>|<!--[\s\S]*?-->/gi

const shielded =
  /\{\{\{?(?:[^{}]|\{\{[^{}]*\}\})*\}\}\}?|\[\[(?:[^[\]]|\[\[[^[\]]*\]\])*\]\]|<([a-z]+)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi

/** A text without what pipes and equals signs are safe in. */
function outside(wikitext: string): string {
  if (!/[|=]/.test(wikitext)) return ''
  return wikitext.length > longestValue ? wikitext : wikitext.replace(shielded, '')
}

function protect(wikitext: string): string {
  let out = ''
  let at = 0
  for (const match of wikitext.matchAll(shielded)) {
    out += wikitext.slice(at, match.index).replaceAll('|', '{{!}}') + match[0]
    at = match.index + match[0].length
  }
  return out + wikitext.slice(at).replaceAll('|', '{{!}}')
}
