/** Fixes for lint problems that have only one solution. */

import type { LintRange } from '../../../wikitext/lint/types.ts'

/** A problem as the lint reports it. */
export interface Problem {
  readonly type: string
  readonly dsr: LintRange | null
  readonly params?: { readonly name?: string; readonly items?: readonly string[] }
  readonly templateInfo?: unknown
}

/** A replacement in the text, in UTF-16 units. */
export interface Fix {
  readonly from: number
  readonly to: number
  readonly insert: string
}

interface Place {
  readonly start: number
  readonly end: number
  /** Widths of the opening and of the closing markup; 0 if unknown. */
  readonly open: number
  readonly close: number
}

type Fixer = (text: string, place: Place, params: NonNullable<Problem['params']>) => Fix | null

/** Tags that HTML has dropped, and their replacements. Source: HTML, 16.2 Non-conforming features. */
const modernTags: Readonly<Record<string, readonly [open: string, close: string]>> = {
  center: ['<div style="text-align: center">', '</div>'],
  strike: ['<s>', '</s>'],
  tt: ['<code>', '</code>'],
}

const quotes: Readonly<Record<string, string>> = { b: "'''", i: "''" }

/** Fixes by kind of problem. Each fix removes the problem from the text. */
const fixers: Readonly<Record<string, Fixer>> = {
  'missing-end-tag': closeTag,
  'missing-end-tag-in-heading': closeTag,
  'unclosed-quotes-in-heading': closeTag,
  'obsolete-tag': (text, { start, end, open, close }, { name = '' }) => {
    const tags = Object.hasOwn(modernTags, name) ? modernTags[name] : undefined
    const isPlain = text.slice(start, start + open).toLowerCase() === `<${name}>`
    if (tags === undefined || !isPlain || close === 0) return null
    return { from: start, to: end, insert: tags[0] + text.slice(start + open, end - close) + tags[1] }
  },
  'stripped-tag': (text, { start, end }) =>
    /^<\/[a-z]+\s*>$/i.test(text.slice(start, end)) ? { from: start, to: end, insert: '' } : null,
  'self-closed-tag': (text, { start, end }, { name = '' }) => {
    const tag = text.slice(start, end)
    return tag.endsWith('/>') ? { from: start, to: end, insert: `${tag.slice(0, -2).trimEnd()}></${name}>` } : null
  },
  'bogus-image-options': (text, { start, end }, { items = [] }) => {
    const link = text.slice(start, end)
    const without = items.reduce((left, item) => withoutPart(left, item), link)
    return without === link ? null : { from: start, to: end, insert: without }
  },
  'multi-colon-escape': (text, { start, end }) => {
    const insert = text.slice(start, end).replace(/^\[\[::+/, '[[:')
    return insert === text.slice(start, end) ? null : { from: start, to: end, insert }
  },
}

/** Returns the fix of a problem; null if the user has to decide. */
export function fixOf(text: string, { type, dsr, params = {}, templateInfo }: Problem): Fix | null {
  // The text of a template is in another page.
  if (dsr === null || (templateInfo !== null && templateInfo !== undefined)) return null
  const [start, end, open, close] = dsr
  const fixer = Object.hasOwn(fixers, type) ? fixers[type] : undefined
  return fixer?.(text, { start, end, open: open ?? 0, close: close ?? 0 }, params) ?? null
}

/** Closes a tag, or bold and italic, at the end of its line. */
function closeTag(
  text: string,
  { start, end, open }: Place,
  { name = '' }: NonNullable<Problem['params']>,
): Fix | null {
  const opening = text.slice(start, start + open)
  const sign = quotes[name]
  const close = opening.startsWith('<') ? `</${name}>` : sign !== undefined && opening.startsWith(sign) ? sign : null
  if (close === null) return null
  const lineEnd = text.indexOf('\n', start)
  const stop = Math.min(end, lineEnd < 0 ? text.length : lineEnd)
  // The closing marks of a heading must stay last.
  const heading = /(?<![=\s])\s{0,100}={1,6}\s{0,100}$/.exec(text.slice(start, stop))
  const at =
    heading === null || !/^=/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1)) ? stop : start + heading.index
  return { from: at, to: at, insert: close }
}

function withoutPart(link: string, part: string): string {
  const at = link.lastIndexOf(`|${part}`)
  const after = link[at + part.length + 1]
  return at >= 0 && (after === '|' || after === ']') ? link.slice(0, at) + link.slice(at + part.length + 1) : link
}
