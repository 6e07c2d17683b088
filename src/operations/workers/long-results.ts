/**
 * Sends the long texts and lists of a result in slices, each a message, because a process reads a message of megabytes, or of a
 * hundred thousand objects, in one go.
 */

import { isLongJson, listSlices } from './json-pieces.ts'
import { isLong, slicesOf } from './long-text.ts'

/** A part of a long text, or items of a long list. */
export type ResultSlice = string | readonly unknown[]

/** A long text or list of a result: the members that lead to it, and the number of its slices. */
export interface LongPlace {
  readonly path: readonly string[]
  readonly slices: number
}

/** A result whose long texts and lists are empty, and these in slices. */
export interface SlicedResult<Result> {
  readonly result: Result
  /** Those inside a list come before the list. */
  readonly places: readonly LongPlace[]
  readonly slices: readonly ResultSlice[]
}

/** Levels of lists and objects in which long texts and lists are found. */
const maxLevels = 4

/** Takes the long texts and lists out of a result. */
export function sliced<Result>(result: Result): SlicedResult<Result> {
  const places: LongPlace[] = []
  const slices: ResultSlice[] = []
  const shortened = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string') return isLong(value) ? take(slicesOf(value), path, '') : value
    if (path.length === maxLevels || !isPlain(value)) return value
    const short = withShortMembers(value, path)
    return Array.isArray(short) && isLongJson(short) ? take(listSlices(short), path, []) : short
  }
  const withShortMembers = (value: object, path: readonly string[]): object => {
    const members = Object.entries(value)
    const short = members.map(([name, member]) => [name, shortened(member, [...path, name])] as const)
    if (short.every(([, member], at) => member === members[at]![1])) return value
    return Array.isArray(value) ? short.map(([, member]) => member) : Object.fromEntries(short)
  }
  const take = <Empty>(parts: Iterable<ResultSlice>, path: readonly string[], empty: Empty): Empty => {
    const own = [...parts]
    slices.push(...own)
    places.push({ path, slices: own.length })
    return empty
  }
  return { result: shortened(result, []) as Result, places, slices }
}

/** Puts the long texts and lists back, in place. */
export function joined<Result>({ result, places, slices }: SlicedResult<Result>): Result {
  const root = { result } as Record<string, unknown>
  let end = slices.length
  for (const { path, slices: count } of places.toReversed()) {
    const [name, ...holders] = ['result', ...path].reverse() as [string, ...string[]]
    const holder = holders.reduceRight((value, member) => value[member] as typeof root, root)
    const own = slices.slice(end - count, end)
    holder[name] = typeof own[0] === 'string' ? own.join('') : own.flat()
    end -= count
  }
  return root.result as Result
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
