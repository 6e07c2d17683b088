/**
 * Parsers of parameters, shared by the command line and REST, so that a bad value is the same error in both.
 *
 * Source: MediaWiki includes/libs/ParamValidator (keys, failure codes and data).
 */

import { WikiError } from '../../core/errors.ts'
import { dateExamples } from './dates.ts'

/** Text of a parameter; undefined if absent. */
export type ParamText = string | undefined

interface IntegerBounds {
  readonly min: number
  readonly max: number
}

const limitBounds: IntegerBounds = { min: 1, max: 100 }
const defaultLimit = 50

const largestInteger = 2n ** 63n - 1n

/** Returns a required parameter, which must not be empty. Errors: missingparam. */
export function requiredParam(name: string, text: ParamText): string {
  if (text !== undefined && text !== '') return text
  throw new WikiError('missingparam', { params: [name], data: failure(name, text ?? null, 'missingparam') })
}

/**
 * Parses an optional sign and decimal digits that fit into 64 bits: `5`, `+5`, `007`, `-1`. Integers above 2^53 are
 * rounded; no id is that large. Errors: badinteger.
 */
export function integerParam(name: string, text: string): number {
  const digits = /^([+-]?)0*([0-9]{1,19})$/.exec(text)
  if (digits !== null) {
    const magnitude = BigInt(digits[2]!)
    if (magnitude <= largestInteger) return digits[1] === '-' ? 0 - Number(magnitude) : Number(magnitude)
  }
  throw new WikiError('badinteger', { params: [name, text], data: failure(name, text, 'badinteger') })
}

/** Parses an optional integer. Errors: badinteger. */
export function optionalInteger(name: string, text: ParamText): number | undefined {
  return text === undefined ? undefined : integerParam(name, text)
}

/** Parses an integer within two inclusive bounds. Errors: badinteger, outofrange. */
export function boundedInteger(name: string, text: string, { min, max }: IntegerBounds): number {
  const value = integerParam(name, text)
  if (value >= min && value <= max) return value
  const range = { min, curmax: max, max, highmax: max }
  throw new WikiError('outofrange', {
    params: [name, text, min, max],
    data: { ...failure(name, text, 'outofrange', range), ...range },
  })
}

/** Parses the `limit` of a search: 1 to 100, 50 if omitted. Errors: badinteger, outofrange. */
export function limitParam(text: ParamText): number {
  return text === undefined ? defaultLimit : boundedInteger('limit', text, limitBounds)
}

/** Parses comma-separated namespace ids; undefined if absent. Errors: badinteger. */
export function namespacesParam(text: ParamText): number[] | undefined {
  return text?.split(',').map(id => integerParam('namespace', id.trim()))
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map(word => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0', ''].map(word => [word, false] as const),
])

/** Parses an optional boolean: `yes` and `no`, and their synonyms. Errors: badbool. */
export function optionalBoolean(name: string, text: ParamText): boolean | undefined {
  if (text === undefined) return undefined
  const value = booleans.get(text.toLowerCase())
  if (value !== undefined) return value
  throw new WikiError('badbool', { params: [name, text], data: failure(name, text, 'badbool') })
}

/** Parses an optional numeric time; `read` returns milliseconds since 1970. Errors: badvalue. */
export function optionalMoment(
  name: string,
  text: ParamText,
  read: (text: string) => number | null,
): number | undefined {
  if (text === undefined) return undefined
  const moment = read(text)
  if (moment !== null) return moment
  throw new WikiError('badvalue', {
    params: [name, text],
    hint: `It must be a date such as: ${dateExamples}`,
    data: failure(name, text, 'badvalue', []),
  })
}

/** Returns the member of `allowed` that equals the text exactly. Errors: badvalue. */
export function enumParam<Value extends string>(name: string, text: string, allowed: readonly Value[]): Value {
  const value = allowed.find(candidate => candidate === text)
  if (value !== undefined) return value
  throw new WikiError('badvalue', {
    params: [name, text],
    hint: `It must be one of: ${allowed.join(', ')}`,
    data: failure(name, text, 'badvalue', []),
  })
}

/** Members of the error body that identify the failed parameter and the failure. */
export function failure(name: string, value: string | null, failureCode: string, failureData: unknown = null) {
  return { error: 'parameter-validation-failed', name, value, failureCode, failureData }
}
