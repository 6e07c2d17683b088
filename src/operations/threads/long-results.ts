/**
 * Sends the long texts of a result in slices, each a message, because a process reads a message of megabytes in one go.
 */

import { isLong, slicesOf } from './long-text.ts'

/** A long text of a result: the members that lead to it, and the number of its slices. */
export interface TextPlace {
  readonly path: readonly string[]
  readonly slices: number
}

/** A result whose long texts are empty, and these texts in slices. */
export interface SlicedResult<Result> {
  readonly result: Result
  readonly places: readonly TextPlace[]
  readonly slices: readonly string[]
}

/** Levels of lists and objects in which long texts are found. */
const maxLevels = 4

/** Takes the long texts out of a result. */
export function withoutLongTexts<Result>(result: Result): SlicedResult<Result> {
  const places: TextPlace[] = []
  const slices: string[] = []
  const shortened = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return isLong(value) ? take(value, path) : value
    if (path.length === maxLevels || !isPlain(value)) return value
    const members = Object.entries(value)
    const short = members.map(([name, member]) => [name, shortened(member, [...path, name])] as const)
    if (short.every(([, member], at) => member === members[at]![1])) return value
    return Array.isArray(value) ? short.map(([, member]) => member) : Object.fromEntries(short)
  }
  const take = (text: string, path: readonly string[]): string => {
    const own = [...slicesOf(text)]
    slices.push(...own)
    places.push({ path, slices: own.length })
    return ''
  }
  return { result: shortened(result, []) as Result, places, slices }
}

/** Puts the long texts back, in place. */
export function withLongTexts<Result>({ result, places, slices }: SlicedResult<Result>): Result {
  const root = { result } as Record<string, unknown>
  let at = 0
  for (const { path, slices: count } of places) {
    const [name, ...holders] = ['result', ...path].reverse() as [string, ...string[]]
    const holder = holders.reduceRight((value, member) => value[member] as typeof root, root)
    holder[name] = slices.slice(at, at + count).join('')
    at += count
  }
  return root.result as Result
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
