/** String functions of ParserFunctions: `#len`, `#pos`, `#sub` ... Source: MediaWiki Extension:StringFunctions, its help page. */

import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { errorText } from '../expansion/limits.ts'
import { withoutMarkers } from '../expansion/markers.ts'

/** Maximum length of a text argument. Source: MediaWiki $wgPFStringLengthLimit. */
const maxString = 1000

/** An argument without tags, as code points; undefined if it is too long. */
function characters(call: FunctionCall, index: number): string[] | undefined {
  const text = withoutMarkers(call.text(index))
  const all = text.length > 2 * maxString ? undefined : [...text]
  return all === undefined || all.length > maxString ? undefined : all
}

/** Runs a function over arguments, and returns an error if one is too long. */
function bounded(
  count: number,
  run: (call: FunctionCall, ...texts: string[][]) => string,
): (call: FunctionCall) => string {
  return call => {
    const texts = Array.from({ length: count }, (_, index) => characters(call, index))
    const complete = texts.filter(text => text !== undefined)
    if (complete.length < count) return errorText(`Error: String exceeds ${maxString} character limit.`)
    return run(call, ...complete)
  }
}

function wholeNumber(call: FunctionCall, index: number): number {
  return Number.parseInt(call.text(index), 10) || 0
}

function find(call: FunctionCall, text: string[], wanted: string[]): string {
  const needle = wanted.length === 0 ? [' '] : wanted
  const from = wholeNumber(call, 2)
  if (from > text.length || from < -text.length) return ''
  const start = from < 0 ? text.length + from : from
  const at = text.slice(start).join('').indexOf(needle.join(''))
  return at === -1 ? '' : String(start + [...text.slice(start).join('').slice(0, at)].length)
}

function findLast(_: FunctionCall, text: string[], wanted: string[]): string {
  const all = text.join('')
  const at = all.lastIndexOf(wanted.length === 0 ? ' ' : wanted.join(''))
  return at === -1 ? '-1' : String([...all.slice(0, at)].length)
}

function sub(call: FunctionCall, text: string[]): string {
  const start = wholeNumber(call, 1)
  const length = wholeNumber(call, 2)
  const from = start < 0 ? Math.max(0, text.length + start) : start
  if (length === 0) return text.slice(from).join('')
  return text.slice(from, length > 0 ? from + length : text.length + length).join('')
}

function count(_: FunctionCall, text: string[], wanted: string[]): string {
  return String(text.join('').split(wanted.length === 0 ? ' ' : wanted.join('')).length - 1)
}

function replace(_: FunctionCall, text: string[], wanted: string[], replacement: string[]): string {
  const needle = wanted.length === 0 ? ' ' : wanted.join('')
  const pieces = text.join('').split(needle)
  const length = text.length + (pieces.length - 1) * replacement.length
  if (length > maxString * 10) return errorText(`Error: String exceeds ${maxString} character limit.`)
  return pieces.join(replacement.join(''))
}

function explode(call: FunctionCall, text: string[], delimiter: string[]): string {
  const sign = delimiter.length === 0 ? ' ' : delimiter.join('')
  const position = wholeNumber(call, 2)
  const limit = wholeNumber(call, 3)
  const all = text.join('').split(sign)
  const pieces = limit > 0 && all.length > limit ? [...all.slice(0, limit - 1), all.slice(limit - 1).join(sign)] : all
  return pieces.at(position) ?? ''
}

function urldecode(_: FunctionCall, text: string[]): string {
  const bytes = Buffer.from(
    text
      .join('')
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replaceAll('+', ' ')
      .replace(/[^\u0000-\u007f]+/g, encodeURIComponent)
      .replace(/%([0-9A-Fa-f]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
  return bytes.toString('utf8')
}

/** Functions whose names begin with `#`. */
export const stringTable: FunctionTable = {
  len: bounded(1, (_, text) => String(text.length)),
  pos: bounded(2, find),
  rpos: bounded(2, findLast),
  sub: bounded(1, sub),
  count: bounded(2, count),
  replace: bounded(3, replace),
  explode: bounded(2, explode),
  urldecode: bounded(1, urldecode),
}
