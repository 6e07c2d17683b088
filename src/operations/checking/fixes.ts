/** Mechanical mendings of problems of wikitext: those that leave every shown word as it is. */

import type { FoundProblem } from './found-problem.ts'

/** A range of the text, and its replacement. */
export interface TextFix {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Tags that HTML has given up, to tags that show the same. */
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

/** Returns the mending of a problem; null where it takes a person. A template is mended on its own page. */
export function fixOf(text: string, found: FoundProblem): TextFix | null {
  const { kind, start, end, lint } = found
  if (lint === undefined || lint.templateInfo !== null || !Object.hasOwn(fixers, kind)) return null
  const source = text.slice(start, end)
  const mended = fixers[kind]!(source, found)
  return mended === null || mended === source ? null : { start, end, text: mended }
}

/** `<tt>x</tt>`: both tags, and nothing between them that looks like another of them. */
function renamedTag(source: string): string | null {
  const [, name = '', attributes, inside = '', last = ''] =
    /^<(tt|strike)((?:\s[^<>]{0,1000})?)>([\s\S]*)<\/(tt|strike)\s{0,100}>$/i.exec(source) ?? []
  const successor = successors[name.toLowerCase()]
  if (successor === undefined || name.toLowerCase() !== last.toLowerCase()) return null
  if (new RegExp(`</?${name}[\\s>]`, 'i').test(inside)) return null
  return `<${successor}${attributes}>${inside}</${successor}>`
}

/** A tag of one line that ends where the line does; bold and italic apostrophes likewise. */
function closedTag(source: string): string | null {
  if (source.includes('\n')) return null
  const [, tag] = /^<(b|i|u|s|small|big|sub|sup|code|span|del|ins|em|strong)(?:\s[^<>]{0,1000})?>/i.exec(source) ?? []
  return tag === undefined || source.toLowerCase().includes(`</${tag.toLowerCase()}`) ? null : `${source}</${tag}>`
}
