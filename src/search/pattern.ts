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
