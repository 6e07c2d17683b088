/** Parses the text between `-{` and `}-`: flags, and rules with the text of each variant. */

import { decodeEntity } from '../sanitize/entities.ts'
import type { Scan } from './scan.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** `variant:text`, or `from=>variant:text`. */
export interface VariantRule {
  /** Null if the rule applies in both directions. */
  readonly from: Span | null
  readonly language: string
  readonly text: Span
}

export interface VariantParts {
  /** Single letters and signs. */
  readonly flags: ReadonlySet<string>
  /** Names of variants among the flags. */
  readonly names: readonly string[]
  /** Offset of the text after the flags. */
  readonly textStart: number
  /** Empty if the text has no rules. */
  readonly rules: readonly VariantRule[]
}

const flag = /^(?:[-+A-Z]|([a-z][-a-zA-Z]+)|[^\s{}|;<]*)$/
const languageName = /^[a-z][-a-zA-Z]+$/

/** Parses the content of `-{` and `}-`. */
export function parseVariant(scan: Scan, start: number, end: number): VariantParts {
  const pipe = findSign(scan, '|', start, end)
  const found = pipe === -1 ? undefined : readFlags(scan.text.slice(start, pipe))
  const textStart = found === undefined ? start : pipe + 1
  const { flags, names } = found ?? { flags: new Set<string>(), names: [] }
  return { flags, names, textStart, rules: readRules(scan, textStart, end) }
}

function readFlags(text: string): { flags: Set<string>; names: string[] } | undefined {
  const flags = new Set<string>()
  const names: string[] = []
  for (const word of text.split(';').map(part => part.trim())) {
    const found = flag.exec(word)
    if (found === null) return undefined
    if (found[1] !== undefined) names.push(found[1])
    else if (word.length === 1) flags.add(word === '+' ? 'A' : word)
  }
  return { flags, names }
}

/** There are rules if the first part is one; the first part that is none ends them. */
function readRules(scan: Scan, start: number, end: number): VariantRule[] {
  const rules: VariantRule[] = []
  for (let at = start; at < end; ) {
    const semicolon = findSign(scan, ';', at, end)
    const stop = semicolon === -1 ? end : semicolon
    const rule = readRule(scan, at, stop)
    if (rule === undefined) return rules
    rules.push(rule)
    at = stop + 1
  }
  return rules
}

function readRule(scan: Scan, start: number, end: number): VariantRule | undefined {
  const arrow = findSign(scan, '=>', start, end)
  const from = arrow === -1 ? null : trimmed(scan, start, arrow)
  const nameStart = arrow === -1 ? start : arrow + 2
  const colon = findSign(scan, ':', nameStart, end)
  if (colon === -1) return undefined
  const name = trimmed(scan, nameStart, colon)
  const node = scan.nodeAt.get(name.start)
  const isQuoted = node?.kind === 'extension' && node.name === 'nowiki' && node.end === name.end && node.body !== null
  const language = isQuoted ? scan.text.slice(node.body!.start, node.body!.end) : scan.text.slice(name.start, name.end)
  if (!isQuoted && !languageName.test(language)) return undefined
  return { from, language, text: { start: skipSpace(scan, colon + 1, end), end } }
}

function trimmed(scan: Scan, start: number, end: number): Span {
  const from = skipSpace(scan, start, end)
  let to = end
  while (to > from && /\s/.test(scan.text[to - 1]!)) to--
  return { start: from, end: to }
}

function skipSpace({ text }: Scan, from: number, end: number): number {
  let at = from
  while (at < end && /\s/.test(text[at]!)) at++
  return at
}

const longestReference = 40

/** Finds a sign outside of templates, tags, links, references and other variants; -1 if there is none. */
function findSign(scan: Scan, sign: string, start: number, end: number): number {
  const { text, nodeAt, brackets } = scan
  let at = start
  while (at < end) {
    const inner = nodeAt.get(at)?.end ?? brackets.get(at)
    if (inner !== undefined) at = inner
    else if (text.startsWith(sign, at)) return at
    else at = text[at] === '<' || text[at] === '&' ? afterMarkup(text, at, end) : at + 1
  }
  return -1
}

/** Offset after a tag or a character reference; the next offset if there is neither. */
function afterMarkup(text: string, at: number, end: number): number {
  const close = text[at] === '<' ? '>' : ';'
  const found = text.slice(at, Math.min(end, at + (close === '>' ? 1000 : longestReference))).indexOf(close)
  if (found === -1) return at + 1
  if (close === ';' && decodeEntity(text.slice(at, at + found + 1)) === null) return at + 1
  return close === '>' && !/[a-z/]/i.test(text[at + 1] ?? '') ? at + 1 : at + found + 1
}
