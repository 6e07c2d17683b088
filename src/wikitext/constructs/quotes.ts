/** Apostrophes of each line become italics and bold. */

import { noAttributes, type OpenToken, type QuoteToken, type Token } from '../tokenize/token.ts'

/** A run of apostrophes: the formatting that it switches, and the apostrophes that remain text. */
interface Run {
  /** Index in the line. */
  readonly index: number
  readonly token: QuoteToken
  /** 2 italic, 3 bold, 5 both. */
  switches: 2 | 3 | 5
  /** Number of apostrophes before them that are text. */
  spare: number
}

/**
 * Turns apostrophes into tags, line by line; formatting that is open at the end of a line is closed there.
 *
 * Source: MediaWiki Parser::doQuotes, help page on formatting.
 */
export function resolveQuotes(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(token => token.kind === 'quote')) return tokens
  const out: Token[] = []
  let start = 0
  for (let index = 0; index <= tokens.length; index++) {
    if (index < tokens.length && !endsLine(tokens[index]!)) continue
    resolveLine(tokens, { start, end: index }, out)
    if (index < tokens.length) out.push(tokens[index]!)
    start = index + 1
  }
  return out
}

/** Cells and captions end what is open as line ends do. */
function endsLine(token: Token): boolean {
  if (token.kind === 'newline') return true
  if ((token.kind !== 'open' && token.kind !== 'close') || token.syntax === 'html') return false
  return token.name === 'td' || token.name === 'th'
}

function resolveLine(tokens: readonly Token[], { start, end }: Span, out: Token[]): void {
  const runs: Run[] = []
  for (let index = start; index < end; index++) {
    const token = tokens[index]!
    if (token.kind === 'quote') runs.push(runOf(token, index - start))
  }
  if (runs.length === 0) {
    for (let index = start; index < end; index++) out.push(tokens[index]!)
    return
  }
  const line = tokens.slice(start, end)
  if (isOdd(runs, 3) && isOdd(runs, 2)) shortenOne(runs, line)
  emitLine(line, runs, out)
}

function runOf(token: QuoteToken, index: number): Run {
  const { length } = token
  if (length === 4) return { index, token, switches: 3, spare: 1 }
  if (length > 5) return { index, token, switches: 5, spare: length - 5 }
  return { index, token, switches: length as 2 | 3 | 5, spare: 0 }
}

function isOdd(runs: readonly Run[], kind: 2 | 3): boolean {
  return runs.filter(({ switches }) => switches === kind || switches === 5).length % 2 === 1
}

/**
 * If both bold and italic are odd in number, one bold mark becomes an apostrophe and an italic mark: preferably one
 * after a single letter, else one after a word.
 */
function shortenOne(runs: readonly Run[], line: readonly Token[]): void {
  const bold = runs.filter(({ switches }) => switches === 3)
  const places = bold.map(run => placeOf(run, line))
  const chosen = [0, 1, 2].map(place => places.indexOf(place)).find(index => index !== -1)
  const run = chosen === undefined ? undefined : bold[chosen]
  if (run === undefined) return
  run.switches = 2
  run.spare++
}

/** 0 after a word of one letter, 1 after a longer word, 2 after a space. */
function placeOf({ index, spare }: Run, line: readonly Token[]): number {
  const before = line[index - 1]
  // A spare apostrophe belongs to the text before it.
  const text = (before?.kind === 'text' ? before.text : '') + "'".repeat(spare)
  const last = text.at(-1) ?? ''
  if (last === ' ') return 2
  return text.at(-2) === ' ' ? 0 : 1
}

type Name = 'i' | 'b'

function emitLine(line: readonly Token[], runs: readonly Run[], out: Token[]): void {
  const open: Name[] = []
  let at = 0
  for (const [number, run] of runs.entries()) {
    for (; at < run.index; at++) out.push(line[at]!)
    at++
    emitRun(run, open, { runs, number }, out)
  }
  for (; at < line.length; at++) out.push(line[at]!)
  while (open.length > 0) closeLast(open.pop()!, out)
}

/** Closes an element. One that was only reopened for the rest of the line and stayed empty is dropped instead. */
function closeLast(name: Name, out: Token[]): void {
  const last = out.at(-1)
  if (last?.kind === 'open' && last.name === name && last.start === -1 && last.isResumed) out.pop()
  else out.push(closeTag(name, -1, -1))
}

interface Place {
  readonly runs: readonly Run[]
  readonly number: number
}

function emitRun({ token, switches, spare }: Run, open: Name[], place: Place, out: Token[]): void {
  const { start, end } = token
  const has = start !== -1
  const from = has ? start + spare : -1
  if (spare > 0) out.push({ kind: 'text', text: "'".repeat(spare), start, end: has ? from : -1 })
  if (switches === 2) toggle('i', open, { start: from, end }, out)
  else if (switches === 3) toggle('b', open, { start: from, end }, out)
  else toggleBoth(open, { from, end, ...place }, out)
}

interface Span {
  readonly start: number
  readonly end: number
}

function toggle(name: Name, open: Name[], { start, end }: Span, out: Token[]): void {
  if (!open.includes(name)) {
    open.push(name)
    out.push(openTag(name, start, end))
    return
  }
  const other = open.pop()!
  if (other === name) {
    out.push(closeTag(name, start, end))
    return
  }
  open.pop()
  out.push(closeTag(other, -1, -1), closeTag(name, start, end), { ...openTag(other, -1, -1), isResumed: true })
  open.push(other)
}

function toggleBoth(
  open: Name[],
  { from, end, runs, number }: Place & { from: number; end: number },
  out: Token[],
): void {
  const has = from !== -1
  if (open.length === 0) {
    const next = nextSwitch(runs, number)
    const first: Name = next === 3 || next === 5 ? 'i' : 'b'
    const width = first === 'b' ? 3 : 2
    const middle = has ? from + width : -1
    toggle(first, open, { start: from, end: middle }, out)
    toggle(first === 'b' ? 'i' : 'b', open, { start: middle, end }, out)
    return
  }
  const inner = open.at(-1)!
  const middle = has ? from + (inner === 'b' ? 3 : 2) : -1
  toggle(inner, open, { start: from, end: middle }, out)
  toggle(inner === 'b' ? 'i' : 'b', open, { start: middle, end }, out)
}

/**
 * Returns the mark that the next run switches, 0 after the last run: of two elements opened by five apostrophes it
 * closes the inner one.
 */
function nextSwitch(runs: readonly Run[], number: number): number {
  return runs[number + 1]?.switches ?? 0
}

function openTag(name: Name, start: number, end: number): OpenToken {
  return { kind: 'open', name, attributes: noAttributes, syntax: 'wiki', data: {}, start, end }
}

function closeTag(name: Name, start: number, end: number): Token {
  return { kind: 'close', name, syntax: 'wiki', start, end }
}
