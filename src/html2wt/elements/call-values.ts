/** Values of parameters: whether they need a name, and the characters in them that would end them. */

import { isAllowedTag } from '../../wikitext/sanitize/allowed.ts'

/**
 * Returns true if a value needs a name, because it contains an equals sign that the call would read as a separator. The
 * equals signs of headings do not count if the value had no name before.
 */
export function needsName(wikitext: string, hasFormat: boolean): boolean {
  if (!wikitext.includes('=')) return false
  return openTexts(wikitext, nesting(wikitext).ranges).some(text =>
    (hasFormat ? text.replace(headingLine, '') : text).includes('='),
  )
}

/** The equals signs of a heading on its own line do not separate a name. */
const headingLine = /\n=[^\n]*=[ \t]*(?=\n)/g

/** Escapes everything that would end a value: pipes, and braces and brackets without a partner. */
export function escaped(wikitext: string): string {
  if (!/[|{}[\]]/.test(wikitext)) return wikitext
  const { ranges, strays } = nesting(wikitext)
  if (strays.length > 0 && ranges.length === 0) return `<nowiki>${wikitext}</nowiki>`
  return shield(wikitext, ranges, strays)
}

/** Escapes a brace at the end of the last parameter, which would merge with the closing braces of the call. */
export function withoutOpenEnd(wikitext: string): string {
  if (!wikitext.endsWith('}')) return wikitext
  const { ranges, strays } = nesting(wikitext)
  const isClosed = [ranges, strays].some(list => list.at(-1)?.end === wikitext.length)
  return isClosed ? wikitext : `${wikitext.slice(0, -1)}<nowiki>}</nowiki>`
}

interface Range {
  readonly start: number
  readonly end: number
}

interface Nesting {
  /** Ranges of brackets, tags and comments with their contents, in order and not nested. */
  readonly ranges: readonly Range[]
  /** Brackets without a partner. */
  readonly strays: readonly Range[]
}

interface Opening {
  readonly sign: '{{' | '[[' | '-{'
  readonly start: number
  /** Number of braces that are still open. */
  count: number
}

const sign = /\{{2,}|\}{2,}|\[\[|\]\]|-\{(?!\{)|\}-|<!--|<([a-z][a-z0-9-]*)(?=[\s/>])/gi

/** Pairs brackets and braces as a preprocessor does: only the innermost open one can be closed. */
function nesting(wikitext: string): Nesting {
  const found: { ranges: Range[]; strays: Range[] } = { ranges: [], strays: [] }
  const open: Opening[] = []
  const closing = lookAhead(wikitext)
  const signs = new RegExp(sign)
  for (let match = signs.exec(wikitext); match !== null; match = signs.exec(wikitext)) {
    const [text, tag] = match
    const start = match.index
    if (text.startsWith('<')) {
      const end = tag === undefined ? closing.comment(start) : closing.tag(start, tag.toLowerCase())
      if (end === -1) continue
      found.ranges.push({ start, end })
      signs.lastIndex = end
    } else if (/^[[{-]/.test(text)) open.push({ sign: openingSign(text), start, count: text.length })
    else close(open, { start, end: start + text.length }, text, found)
  }
  for (const { sign: opened, start, count } of open)
    if (opened !== '-{') found.strays.push({ start, end: start + (opened === '[[' ? 2 : count) })
  return { ranges: outermost(found.ranges), strays: found.strays.sort((one, other) => one.start - other.start) }
}

function openingSign(text: string): Opening['sign'] {
  return text === '[[' ? '[[' : text === '-{' ? '-{' : '{{'
}

const openingOf: Readonly<Record<string, Opening['sign']>> = { ']]': '[[', '}-': '-{' }

function close(
  open: Opening[],
  { start, end }: Range,
  text: string,
  found: { readonly ranges: Range[]; readonly strays: Range[] },
): void {
  const wanted = openingOf[text] ?? '{{'
  let at = start
  for (let top = open.at(-1); top?.sign === wanted && end - at >= 2; top = open.at(-1)) {
    const taken = wanted === '{{' ? Math.min(top.count, end - at) : 2
    at += taken
    top.count -= taken
    found.ranges.push({ start: top.start + top.count, end: at })
    if (wanted !== '{{' || top.count < 2) open.pop()
  }
  if (end - at >= 2 && wanted !== '-{') found.strays.push({ start: at, end })
}

/** Finds ends of comments and extension tags; -1 if there is none. A failed search is remembered and never repeated. */
function lookAhead(wikitext: string): {
  readonly comment: (start: number) => number
  readonly tag: (start: number, name: string) => number
} {
  const lower = wikitext.toLowerCase()
  const absent = new Set<string>()
  const after = (text: string, start: number): number => {
    const at = absent.has(text) ? -1 : lower.indexOf(text, start)
    if (at === -1) absent.add(text)
    return at === -1 ? -1 : at + text.length
  }
  return {
    comment: start => after('-->', start),
    tag: (start, name) => {
      // The wiki's extensions are unknown here, so any tag that is not HTML may be one.
      const opened = isAllowedTag(name) ? -1 : after('>', start)
      if (opened === -1 || lower[opened - 2] === '/') return opened
      const closed = after(`</${name}`, opened)
      return closed === -1 ? -1 : after('>', closed)
    },
  }
}

function outermost(ranges: Range[]): Range[] {
  const found: Range[] = []
  for (const range of ranges.sort((one, other) => one.start - other.start || other.end - one.end))
    if (range.start >= (found.at(-1)?.end ?? 0)) found.push(range)
  return found
}

function openTexts(wikitext: string, ranges: readonly Range[]): string[] {
  const starts = [0, ...ranges.map(({ end }) => end)]
  return starts.map((start, index) => wikitext.slice(start, ranges[index]?.start ?? wikitext.length))
}

function shield(wikitext: string, ranges: readonly Range[], strays: readonly Range[]): string {
  let out = ''
  let at = 0
  const pieces = [
    ...ranges.map(range => ({ ...range, isKept: true })),
    ...strays.map(range => ({ ...range, isKept: false })),
  ]
  for (const { start, end, isKept } of pieces.sort((one, other) => one.start - other.start)) {
    if (start < at) continue
    const text = wikitext.slice(start, end)
    out += wikitext.slice(at, start).replaceAll('|', '{{!}}') + (isKept ? text : `<nowiki>${text}</nowiki>`)
    at = end
  }
  return out + wikitext.slice(at).replaceAll('|', '{{!}}')
}
