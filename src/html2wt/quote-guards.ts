/**
 * Guards between apostrophes in text and apostrophes of bold and italic. The last guard of a line may be unnecessary.
 */

import { resolveQuotes } from '../wikitext/constructs/quotes.ts'
import type { Token } from '../wikitext/tokenize/token.ts'

/** Marks a position where `<nowiki/>` may be needed. No page contains it. */
export const quoteGuard = '\u0000quote\u0000'

/** Marks such a position in unchanged source: it needs none unless the rest of its line has changed what its apostrophes mean. */
export const sourceGuard = '\u0000kept\u0000'

/** Writes `<nowiki/>` for guards, and omits those of a line that do not change how the page is parsed. */
export function settleQuoteGuards(wikitext: string): string {
  if (!wikitext.includes(quoteGuard) && !wikitext.includes(sourceGuard)) return wikitext
  return wikitext.split('\n').map(settledLine).join('\n')
}

function settledLine(line: string): string {
  if (!line.includes(sourceGuard)) return line.includes(quoteGuard) ? settled(line) : line
  const [guarded, bare] = [emptyNowiki, ''].map(guard => settled(line.replaceAll(sourceGuard, guard)))
  return isReadAlike(bare!, guarded!) ? bare! : guarded!
}

/** Splits a line at markup that must close in reverse order; the odd parts are the markup. */
const paired = /(\0quote\0|'''''|'''|''|\[\[|\]\]|\{\{|\}\}|<\/?\w+(?:[\s/][^<>]*)?>)/

/**
 * Omits the last guard if it is unnecessary and everything else on the line is paired. Source: Parsoid, the wikitext
 * serialiser, on needless nowiki tags before quotes.
 */
function settled(line: string): string {
  const parts = line.split(paired)
  const without = (needless: number): string =>
    parts.map((part, index) => (part !== quoteGuard ? part : index === needless ? '' : emptyNowiki)).join('')
  const guarded = without(-1)
  const shorter = without(needlessGuard(parts))
  return isReadAlike(shorter, guarded) ? shorter : guarded
}

const emptyNowiki = '<nowiki/>'

/** Apostrophes of one line count together, but cells on one line are lines of their own. */
function isReadAlike(one: string, other: string): boolean {
  const cells = (line: string): string[] => (/^[|!]/.test(line) ? line.split(/\|\||!!/) : [])
  const isSame = (line: string, at: number, lines: readonly string[][]): boolean =>
    readQuotes(line) === readQuotes(lines[1]?.[at] ?? '')
  const pair = [
    [one, ...cells(one)],
    [other, ...cells(other)],
  ]
  return pair[0]!.every((line, at) => isSame(line, at, pair))
}

/** The tags that the renderer makes of a line's apostrophes, among the text. */
function readQuotes(line: string): string {
  const tokens = line.split(/('{2,})/).map((text, index): Token => {
    const place = { start: -1, end: -1 }
    return index % 2 === 1 ? { kind: 'quote', length: text.length, ...place } : { kind: 'text', text, ...place }
  })
  const shown = resolveQuotes(tokens).map(token =>
    token.kind === 'text'
      ? token.text
      : token.kind === 'open' || token.kind === 'close'
        ? `\0${token.kind}${token.name}`
        : '',
  )
  return shown.join('').replaceAll(emptyNowiki, '')
}

const closed: Readonly<Record<string, string>> = { ']]': '[[', '}}': '{{' }

function needlessGuard(parts: readonly string[]): number {
  const open: string[] = []
  let found = -1
  let quotes = 0
  for (let index = 1; index < parts.length; index += 2) {
    const part = parts[index]!
    if (part === quoteGuard) {
      if (isNeedless(parts, index, { quotes, last: open.at(-1) })) found = index
    } else if (part.endsWith('/>') || /^<br\b/.test(part)) continue
    else if (part in closed || part.startsWith('</')) {
      if (open.pop() !== (closed[part] ?? nameOf(part))) return -1
    } else if (part.startsWith("'") && open.at(-1) === part) {
      open.pop()
      quotes--
    } else {
      open.push(part.startsWith('<') ? nameOf(part) : part)
      if (part.startsWith("'")) quotes++
    }
  }
  return open.length === 0 ? found : -1
}

function nameOf(tag: string): string {
  return /\w+/.exec(tag)![0]
}

interface OpenQuotes {
  /** Number of open bold and italic marks. */
  readonly quotes: number
  /** The innermost open mark. */
  readonly last: string | undefined
}

/** A single apostrophe right before an opening or closing mark is parsed as an apostrophe. */
function isNeedless(parts: readonly string[], index: number, { quotes, last }: OpenQuotes): boolean {
  const before = parts[index - 1]!
  if (!before.endsWith("'") || (before === "'" && (parts[index - 2] ?? '').endsWith("''"))) return false
  return quotes === 0 || (quotes === 1 && parts[index + 1] === '' && parts[index + 2] === last)
}
