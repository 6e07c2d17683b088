/** Matching the source of pages: texts as they are written, or regular expressions in time linear in the text. */

import { RE2JS, RE2JSException } from 're2js'
import { WikiError } from '../core/errors.ts'
import type { QueryFilter } from './query.ts'

/** Longer patterns are refused. */
const longestPattern = 300

/**
 * Makes the test of a text that a filter asks for. Without a pattern: the text is there, in any case.
 *
 * Errors: wiki-bad-pattern. Source: RE2's syntax, which has no backreferences and no lookaround.
 */
export function sourceMatcher({ value, pattern }: QueryFilter): (text: string) => boolean {
  if (pattern === undefined) {
    const sought = value.toLowerCase()
    return text => text.toLowerCase().includes(sought)
  }
  const compiled = compile(value, pattern.ignoreCase)
  return text => compiled.matcher(text).find()
}

/** What is sought: a text in any case, or a pattern. */
export type Sought = { readonly text: string } | { readonly pattern: string; readonly ignoreCase: boolean }

/**
 * Makes what counts matches in a text and tells where the first one is; they do not overlap.
 *
 * Errors: wiki-bad-pattern.
 */
export function patternCounter(sought: Sought): (text: string) => Found {
  return 'text' in sought ? textCounter(sought.text) : matchCounter(compile(sought.pattern, sought.ignoreCase))
}

interface Found {
  readonly count: number
  /** Offsets of the first match. */
  readonly start: number
  readonly end: number
}

const nothing: Found = { count: 0, start: 0, end: 0 }

/** A text without any sign of a pattern takes the platform's expressions no more time than its length. */
function textCounter(sought: string): (text: string) => Found {
  const literal = new RegExp(sought.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  return text => {
    const [first, ...others] = text.matchAll(literal)
    if (first === undefined) return nothing
    return { count: 1 + others.length, start: first.index, end: first.index + first[0].length }
  }
}

function matchCounter(compiled: RE2JS): (text: string) => Found {
  return text => {
    const matcher = compiled.matcher(text)
    let found = nothing
    while (matcher.find()) {
      if (matcher.end() === matcher.start()) continue
      const isFirst = found.count === 0
      const [start, end] = isFirst ? [matcher.start(), matcher.end()] : [found.start, found.end]
      found = { count: found.count + 1, start, end }
    }
    return found
  }
}

function compile(value: string, ignoreCase: boolean): RE2JS {
  if (value.length > longestPattern) refuse(value, `it is longer than ${longestPattern} characters`)
  try {
    return RE2JS.compile(value, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return refuse(
      value,
      error.message.replace('error parsing regexp: ', '').replace('`(?m)', '`').replace('`(?im)', '`'),
    )
  }
}

function refuse(value: string, reason: string): never {
  throw new WikiError('wiki-bad-pattern', { params: [value, reason] })
}
