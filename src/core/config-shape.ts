/** Shapes of JSON values: what a settings file may hold, how it is read, and how one value of it is set from text. */

import { WikiError } from './errors.ts'

/** Location of a value in a file, for messages. */
export interface Place {
  readonly file: string
  readonly keys: readonly string[]
}

/** Schema of one value. */
export interface Shape {
  /** Ends the sentence "... must be". */
  readonly expected: string
  /** Checks a value and completes it with what it leaves out. Throws `wiki-bad-config`. */
  readonly read: (value: unknown, at: Place) => unknown
  /** Makes a value, unchecked as yet, of what a person typed. */
  readonly parse: (typed: string) => unknown
  /** Present where the value has members. */
  readonly members?: Members
}

interface Members {
  /** Ends the sentence "... must be" for a key that no member has. */
  readonly expectedKey: string
  readonly shapeOf: (key: string) => Shape | undefined
  readonly isHolder: (value: unknown) => value is Holder
  readonly empty: () => Holder
}

type Holder = Record<string, unknown>

/** A member of an object. Without an initial value it must be there, unless it is optional. */
export interface Field {
  readonly shape: Shape
  readonly initial?: unknown
  readonly optional?: true
}

/** A whole number. */
export const integer: Shape = leaf('an integer', Number.isSafeInteger, typed =>
  /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed,
)
/** A whole number within bounds, both included. */
export function within(least: number, most: number): Shape {
  return leaf(
    `an integer from ${least} to ${most}`,
    value => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    integer.parse,
  )
}

/** True or false. */
export const boolean: Shape = leaf(
  'true or false',
  value => typeof value === 'boolean',
  typed => (/^(?:true|false)$/.test(typed) ? typed === 'true' : typed),
)

/** A string that matches a pattern. */
export function text(expected: string, pattern: RegExp): Shape {
  return leaf(
    expected,
    value => typeof value === 'string' && pattern.test(value),
    typed => typed,
  )
}

/** One of a few strings. */
export function choice(...values: readonly string[]): Shape {
  return leaf(
    values.join(' or '),
    value => values.includes(value as string),
    typed => typed,
  )
}

/** A list of any length. It is typed as JSON, or its items with commas between them. */
export function list(item: Shape): Shape {
  const members: Members = {
    expectedKey: 'the number of an entry, from 0',
    shapeOf: key => (/^\d{1,6}$/.test(key) ? item : undefined),
    isHolder: (value): value is Holder => Array.isArray(value),
    empty: () => [] as unknown as Holder,
  }
  return {
    expected: 'a list',
    members,
    read(value, at) {
      if (!Array.isArray(value)) refuse(at, 'a list')
      return value.map((entry, index) => item.read(entry, inside(at, String(index))))
    },
    parse(typed) {
      if (typed.trimStart().startsWith('[')) return parseJson(typed)
      return typed.trim() === '' ? [] : typed.split(',').map(part => item.parse(part.trim()))
    },
  }
}

/** An object with keys of a pattern. It is typed as JSON. */
export function map(key: RegExp, expectedKey: string, item: Shape): Shape {
  const shapeOf = (name: string) => (key.test(name) ? item : undefined)
  return {
    expected: 'an object',
    members: { expectedKey, shapeOf, isHolder: isObject, empty: () => ({}) },
    parse: parseJson,
    read(value, at) {
      if (!isObject(value)) refuse(at, 'an object')
      // Without a prototype: the keys are anybody's, and `constructor` is a legal one.
      const result: Holder = Object.create(null)
      for (const [name, entry] of Object.entries(value)) {
        const place = inside(at, name)
        if (shapeOf(name) === undefined) refuse(place, expectedKey)
        result[name] = item.read(entry, place)
      }
      return result
    },
  }
}

/** An object with these fields and no others. It is typed as JSON. */
export function object(fields: Readonly<Record<string, Field>>): Shape {
  const expectedKey = `one of the keys ${Object.keys(fields).join(', ')}`
  const shapeOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name]?.shape : undefined)
  return {
    expected: 'an object',
    members: { expectedKey, shapeOf, isHolder: isObject, empty: () => ({}) },
    parse: parseJson,
    read(value, at) {
      if (!isObject(value)) refuse(at, 'an object')
      const stranger = Object.keys(value).find(name => shapeOf(name) === undefined)
      if (stranger !== undefined) refuse(inside(at, stranger), expectedKey)
      const present = Object.entries(fields).filter(([name, { optional }]) => Object.hasOwn(value, name) || !optional)
      return Object.fromEntries(
        present.map(([name, { shape, initial }]) => [
          name,
          shape.read(Object.hasOwn(value, name) ? value[name] : initial, inside(at, name)),
        ]),
      )
    },
  }
}

/** Reads the member at a path; undefined if it is missing. Throws for a path that the shape does not have. */
export function memberAt(shape: Shape, value: unknown, at: Place): unknown {
  let here: unknown = value
  for (const { key } of stepsTo(shape, at)) {
    here = isHolder(here) && Object.hasOwn(here, key) ? here[key] : undefined
  }
  return here
}

/** Sets the member at a path from typed text, and creates missing parents. The result is not checked. */
export function setMember(shape: Shape, value: unknown, at: Place, typed: string): void {
  let holder = value
  for (const { key, inner, outer, isLast } of stepsTo(shape, at)) {
    if (!outer.members.isHolder(holder)) refuse(outer.at, outer.expected)
    if (Array.isArray(holder) && Number(key) > holder.length) refuse(at, 'the number of an entry or the next one')
    if (isLast) holder[key] = inner.parse(typed)
    else if (!Object.hasOwn(holder, key)) holder[key] = inner.members?.empty()
    holder = holder[key]
  }
}

/** Throws `wiki-bad-config` about a path. */
export function refuse({ file, keys }: Place, expected: string): never {
  const path = keys.join('.').slice(0, 100)
  // A key can be anything: what is not plain is shown as JSON has it.
  const shown = /^[\w.-]+$/.test(path) ? path : JSON.stringify(path)
  throw new WikiError('wiki-bad-config', { params: [file, keys.length === 0 ? 'the file' : shown, expected] })
}

interface Step {
  readonly key: string
  readonly inner: Shape
  readonly outer: { readonly members: Members; readonly expected: string; readonly at: Place }
  readonly isLast: boolean
}

function* stepsTo(shape: Shape, { file, keys }: Place): Iterable<Step> {
  let outer = shape
  for (const [index, key] of keys.entries()) {
    const place = { file, keys: keys.slice(0, index + 1) }
    const { members, expected } = outer
    if (members === undefined) refuse(place, 'left out')
    const inner = members.shapeOf(key)
    if (inner === undefined) refuse(place, members.expectedKey)
    const at = { file, keys: keys.slice(0, index) }
    yield { key, inner, outer: { members, expected, at }, isLast: index === keys.length - 1 }
    outer = inner
  }
}

function leaf(expected: string, accepts: (value: unknown) => boolean, parse: Shape['parse']): Shape {
  return {
    expected,
    parse,
    read(value, at) {
      if (!accepts(value)) refuse(at, expected)
      return value
    },
  }
}

function inside({ file, keys }: Place, key: string): Place {
  return { file, keys: [...keys, key] }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null
}

function isObject(value: unknown): value is Holder {
  return isHolder(value) && !Array.isArray(value)
}

/** Parses typed text as JSON. Text that is not JSON is returned as it is, for `read` to refuse. */
function parseJson(typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}
