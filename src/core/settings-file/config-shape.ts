/** Schemas of JSON values: allowed values of a settings file, reading them, and setting one from text. */

import { WikiError } from '../errors.ts'

/** Position of a value in a file, for error messages. */
export interface Place {
  readonly file: string
  readonly keys: readonly string[]
}

/** Schema of one value. */
export interface Shape {
  /** Ends the sentence "... must be". */
  readonly expected: string
  /** Validates a value and adds defaults for what is missing. Throws `wiki-bad-config`. */
  readonly read: (value: unknown, at: Place) => unknown
  /** Converts typed text to a value, without validation. */
  readonly parse: (typed: string) => unknown
  /** Present if the value has members. */
  readonly members?: Members
}

interface Members {
  /** Ends the sentence "... must be" for a key that no member has. */
  readonly expectedKey: string
  readonly shapeOf: (key: string) => Shape | undefined
  readonly isContainer: (value: unknown) => value is Container
  readonly empty: () => Container
}

type Container = Record<string, unknown>

/** A member of an object. Without a default it is required, unless it is optional. */
export interface Field {
  readonly shape: Shape
  readonly initial?: unknown
  readonly optional?: true
}

/** A whole number. */
export const integer: Shape = leaf('an integer', Number.isSafeInteger, typed =>
  /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed,
)
/** A whole number within inclusive bounds. */
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

/** A list of any length, typed as JSON or with commas between its items. */
export function list(item: Shape): Shape {
  const members: Members = {
    expectedKey: 'the number of an entry, from 0',
    shapeOf: key => (/^\d{1,6}$/.test(key) ? item : undefined),
    isContainer: (value): value is Container => Array.isArray(value),
    empty: () => [] as unknown as Container,
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

/** An object whose keys match a pattern, typed as JSON. */
export function map(key: RegExp, expectedKey: string, item: Shape): Shape {
  const shapeOf = (name: string) => (key.test(name) ? item : undefined)
  return {
    expected: 'an object',
    members: { expectedKey, shapeOf, isContainer: isObject, empty: () => ({}) },
    parse: parseJson,
    read(value, at) {
      if (!isObject(value)) refuse(at, 'an object')
      // Has no prototype, because users choose the keys, and `constructor` is a legal one.
      const result: Container = Object.create(null)
      for (const [name, entry] of Object.entries(value)) {
        const place = inside(at, name)
        if (shapeOf(name) === undefined) refuse(place, expectedKey)
        result[name] = item.read(entry, place)
      }
      return result
    },
  }
}

/** An object with exactly these fields, typed as JSON. */
export function object(fields: Readonly<Record<string, Field>>): Shape {
  const expectedKey = `one of the keys ${Object.keys(fields).join(', ')}`
  const shapeOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name]?.shape : undefined)
  return {
    expected: 'an object',
    members: { expectedKey, shapeOf, isContainer: isObject, empty: () => ({}) },
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

/** Reads the member at a path; undefined if it is missing. Throws for a path that the schema does not define. */
export function memberAt(shape: Shape, value: unknown, at: Place): unknown {
  let here: unknown = value
  for (const { key } of stepsTo(shape, at)) {
    here = isContainer(here) && Object.hasOwn(here, key) ? here[key] : undefined
  }
  return here
}

/** Sets the member at a path from typed text, and creates missing parents. The result is not checked. */
export function setMember(shape: Shape, value: unknown, at: Place, typed: string): void {
  let holder = value
  for (const { key, inner, outer, isLast } of stepsTo(shape, at)) {
    if (!outer.members.isContainer(holder)) refuse(outer.at, outer.expected)
    if (Array.isArray(holder) && Number(key) > holder.length) refuse(at, 'the number of an entry or the next one')
    if (isLast) holder[key] = inner.parse(typed)
    else if (!Object.hasOwn(holder, key)) holder[key] = inner.members?.empty()
    holder = holder[key]
  }
}

/** Throws `wiki-bad-config` about a path. */
export function refuse({ file, keys }: Place, expected: string): never {
  const path = keys.join('.').slice(0, 100)
  // Keys may contain any characters, so unusual ones are displayed as JSON.
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

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function isObject(value: unknown): value is Container {
  return isContainer(value) && !Array.isArray(value)
}

/** Parses typed text as JSON. Invalid JSON is returned as text, which `read` then refuses. */
function parseJson(typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}
