/** Automatic fixes of wikitext problems that leave all displayed words unchanged. */

import type { FoundProblem } from './found-problem.ts'

/** A range of the text, and its replacement. */
export interface TextFix {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Obsolete HTML tags, with tags that look the same. */
const successors: Readonly<Record<string, string>> = { tt: 'code', strike: 's' }

type Fixer = (source: string, found: FoundProblem) => string | null

const fixers: Readonly<Record<string, Fixer>> = {
  'obsolete-tag': renamedTag,
  'self-closed-tag': source => {
    const [, name, attributes = ''] = /^<([a-z][a-z0-9]{0,20})((?:\s[^<>]{0,1000})?)\/>$/i.exec(source) ?? []
    return name === undefined ? null : `<${name}${attributes.trimEnd()}></${name}>`
  },
  'multi-colon-escape': source => {
    const [, colons, rest] = /^\[\[(:{2,9})([\s\S]*)$/.exec(source) ?? []
    return colons === undefined ? null : `[[:${rest}`
  },
  'missing-end-tag': closedTag,
}

/** Returns the fix of a problem; null if it needs a person. A template is fixed on its own page. */
export function fixOf(text: string, found: FoundProblem): TextFix | null {
  const { kind, start, end, lint } = found
  if (lint === undefined || lint.templateInfo !== null || !Object.hasOwn(fixers, kind)) return null
  const source = text.slice(start, end)
  const fixed = fixers[kind]!(source, found)
  return fixed === null || fixed === source ? null : { start, end, text: fixed }
}

/** `<tt>x</tt>`: replaces both tags, unless the text between them contains a similar tag. */
function renamedTag(source: string): string | null {
  const [, name = '', attributes, inside = '', last = ''] =
    /^<(tt|strike)((?:\s[^<>]{0,1000})?)>([\s\S]*)<\/(tt|strike)\s{0,100}>$/i.exec(source) ?? []
  const successor = successors[name.toLowerCase()]
  if (successor === undefined || name.toLowerCase() !== last.toLowerCase()) return null
  if (new RegExp(`</?${name}[\\s>]`, 'i').test(inside)) return null
  return `<${successor}${attributes}>${inside}</${successor}>`
}

/** Closes a tag at the end of its line; likewise bold and italic. */
function closedTag(source: string): string | null {
  if (source.includes('\n')) return null
  const [, tag] = /^<(b|i|u|s|small|big|sub|sup|code|span|del|ins|em|strong)(?:\s[^<>]{0,1000})?>/i.exec(source) ?? []
  return tag === undefined || source.toLowerCase().includes(`</${tag.toLowerCase()}`) ? null : `${source}</${tag}>`
}
