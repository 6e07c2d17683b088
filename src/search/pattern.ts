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
export function patternCounter(sought: Sought): (text: string) => { count: number; start: number; end: number } {
  const [pattern, ignoreCase] =
    'text' in sought ? [RE2JS.quote(sought.text), true] : [sought.pattern, sought.ignoreCase]
  const compiled = 'text' in sought ? compileAny(pattern, ignoreCase) : compile(pattern, ignoreCase)
  return text => {
    const matcher = compiled.matcher(text)
    let [count, start, end] = [0, 0, 0]
    while (matcher.find()) {
      if (matcher.end() === matcher.start()) continue
      if (count++ === 0) [start, end] = [matcher.start(), matcher.end()]
    }
    return { count, start, end }
  }
}

function compileAny(value: string, ignoreCase: boolean): RE2JS {
  return RE2JS.compile(value, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
}

function compile(value: string, ignoreCase: boolean): RE2JS {
  if (value.length > longestPattern) refuse(value, `it is longer than ${longestPattern} characters`)
  try {
    return RE2JS.compile(value, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return refuse(value, error.message)
  }
}

function refuse(value: string, reason: string): never {
  throw new WikiError('wiki-bad-pattern', { params: [value, reason] })
}
