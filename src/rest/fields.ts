/**
 * Rules for the fields of bodies, and the errors of fields that break them. Source: MediaWiki 1.43 includes/Rest/Validator.
 */

import { isWikiError, WikiError } from '../core/errors.ts'
import { nearest } from '../core/nearest-name.ts'
import { fieldFault } from '../http/messages/messages.ts'
import { type Body, isObject, phpText } from '../http/read-body.ts'
import { optionalBoolean } from '../operations/resources/params.ts'

/**
 * Type of a field: `text` is a string, `text or null` may be null, `optional text` may also be absent. A `side` is a text, or the
 * name of one. In transforms, whose bodies may be forms, a `bundle` is a text, or an object with the text in `body`; numbers and
 * booleans are texts, and a `switch` may be a word. An `ignored` field has a meaning for Parsoid only.
 */
export type FieldRule =
  | 'text'
  | 'text or null'
  | 'optional text'
  | 'optional revision'
  | 'optional flag'
  | 'id'
  | 'optional id'
  | 'side'
  | 'optional bundle'
  | 'optional switch'
  | 'optional number'
  | 'optional object'
  | 'ignored'

export type FieldRules = Readonly<Record<string, FieldRule>>

/** Validates one field, and throws its error. */
type FieldCheck = (name: string, value: unknown) => void

const fieldChecks: Readonly<Record<FieldRule, FieldCheck>> = {
  text: checkPresentText,
  'text or null': (name, value) => value === null || checkPresentText(name, value),
  'optional text': (name, value) => value === undefined || value === null || checkText(name, value),
  'optional flag': (name, value) => value === undefined || checkFlag(name, value),
  id: (name, value) => {
    if (value === undefined || value === null) throw badField(name, 'missingparam', null)
    checkId(name, value)
  },
  'optional id': (name, value) => value === undefined || value === null || checkId(name, value),
  'optional revision': (name, value) => value === undefined || value === null || checkRevision(name, value),
  side: checkSide,
  'optional bundle': (name, value) => {
    const text = isObject(value) && Object.hasOwn(value, 'body') ? value.body : (value ?? '')
    if (typeof text === 'object') throw badField(name, 'badvalue', text === null ? null : shown(text))
  },
  'optional switch': checkSwitch,
  'optional number': (name, value) => {
    if (!/^\d{0,15}$/.test(phpText(value ?? ''))) throw badField(name, 'badinteger', briefValue(value))
  },
  'optional object': (name, value) => {
    if (value !== undefined && value !== null && !isObject(value)) throw badField(name, 'notarray', briefValue(value))
  },
  ignored: () => {},
}

/**
 * Checks the fields of a body. An unknown name is an error: a misspelt field would change what the request does. `inside` names the
 * field that has these as members.
 */
export function checkFields(body: Body, rules: FieldRules, inside = ''): void {
  const unknown = Array.isArray(body) ? [] : Object.keys(body).filter(name => !Object.hasOwn(rules, name))
  const names = unknown.slice(0, 10).map(name => ({ name: brief(name), meant: nearest(name, Object.keys(rules)) }))
  // A misspelt name says more than that the field is missing.
  if (names.some(({ meant }) => meant !== undefined)) throw extraneousFields(names, inside)
  for (const [name, rule] of Object.entries(rules)) {
    fieldChecks[rule](`${inside}${name}`, Object.hasOwn(body, name) ? body[name] : undefined)
  }
  if (names.length > 0) throw extraneousFields(names, inside)
  // PHP has one kind of array, so that MediaWiki reports the fields that a list lacks. Here no field is required.
  if (Array.isArray(body)) throw new WikiError('rest-json-body-parse-error', { params: ['it is a list'] })
}

function checkPresentText(name: string, value: unknown): void {
  if (value === undefined || value === null) throw badField(name, 'missingparam', null)
  checkText(name, value)
}

function checkText(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) throw badField(name, 'badvalue', shown(value))
  if (typeof value !== 'string') throw badField(name, 'needstring', phpText(value))
}

function checkFlag(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw badField(name, 'badbool', typeof value === 'object' ? null : value)
}

function checkId(name: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw badField(name, 'badinteger', typeof value === 'object' ? null : value)
}

/** The revision object from a page, or its id alone. */
const revisionMembers = {
  id: { isRequired: true, accepts: Number.isSafeInteger, type: 'an integer' },
  timestamp: { isRequired: false, accepts: (value: unknown) => typeof value === 'string', type: 'a string' },
} as const

function checkRevision(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw badField(name, 'notarray', briefValue(value))
  const fail = (fault: SchemaFault): never => {
    const failureData = { 'schema-validation-error': { ...fault, context: 1 } }
    throw badField(name, 'schema-validation-failed', JSON.stringify(shown(value)), failureData)
  }
  const members = new Map<string, unknown>(Object.entries(value))
  for (const [property, { isRequired, accepts, type }] of Object.entries(revisionMembers)) {
    const pointer = `/${property}`
    const isMissing = !members.has(property)
    if (isMissing && isRequired) fail({ property, pointer, message: `${property} is required`, constraint: 'required' })
    if (!isMissing && !accepts(members.get(property))) {
      fail({ property, pointer, message: `${property} must be ${type}`, constraint: 'type' })
    }
    members.delete(property)
  }
  if (members.size > 0) {
    fail({ property: '', pointer: '', message: 'only id and timestamp are known', constraint: 'additionalProp' })
  }
}

interface SchemaFault {
  readonly property: string
  readonly pointer: string
  readonly message: string
  readonly constraint: string
}

/** Shortens a value to one level, because a client's value may be nested too deeply to be written as JSON. */
function shown(value: object): unknown {
  const flat = (member: unknown): unknown =>
    typeof member === 'object' ? null : typeof member === 'string' ? brief(member) : member
  const members = Object.entries(value).slice(0, 20)
  if (Array.isArray(value)) return members.map(([, member]) => flat(member))
  return Object.fromEntries(members.map(([name, member]) => [brief(name), flat(member)]))
}

/** A value as an error repeats it. */
function briefValue(value: unknown): unknown {
  return typeof value === 'object' ? null : brief(phpText(value))
}

/** Maximum characters of a client's text that an error repeats. */
function brief(text: string): string {
  return text.slice(0, 100)
}

/** Returns the error for a value that the field cannot have. */
export function badValue(name: string, value: unknown): WikiError {
  return badField(name, 'badvalue', briefValue(value))
}

/** Returns the error for a field. */
export function badField(name: string, failureCode: string, value: unknown, failureData: unknown = null): WikiError {
  const data = { error: 'parameter-validation-failed', name, value, failureCode, failureData }
  const fault = (failureData as { 'schema-validation-error'?: SchemaFault } | null)?.['schema-validation-error']
  const message = fieldFault(failureCode, [name, ...(fault === undefined ? [] : [fault.message])])
  return new WikiError('rest-body-validation-error', { params: [message ?? `${name}: ${failureCode}`], data })
}

function extraneousFields(
  unknown: readonly { readonly name: string; readonly meant: string | undefined }[],
  inside: string,
): WikiError {
  const names = unknown.map(({ name }) => `${inside}${name}`)
  const labels = unknown.map(({ name, meant }) => `${inside}${withGuess(name, meant)}`)
  const name = names.join(', ')
  const data = {
    error: 'parameter-validation-failed',
    failureCode: 'extraneous-body-fields',
    name,
    failureData: names,
  }
  return new WikiError('rest-extraneous-body-fields', { params: [labels.join(', ')], data })
}

/** Adds the name that was probably meant. */
export function withGuess(name: string, meant: string | undefined): string {
  return meant === undefined ? name : `${name} (did you mean ${meant}?)`
}

/** Members of a side, exactly one of which is required. */
const sideChecks = {
  id: Number.isSafeInteger,
  title: (value: unknown) => typeof value === 'string',
  text: (value: unknown) => typeof value === 'string',
} as const

function checkSide(name: string, side: unknown): void {
  if (side === undefined || side === null) throw badField(name, 'missingparam', null)
  if (!isObject(side)) throw badField(name, 'notarray', briefValue(side))
  const [member, ...others] = Object.entries(side)
  const check = member && Object.hasOwn(sideChecks, member[0]) && sideChecks[member[0] as keyof typeof sideChecks]
  if (member === undefined || !check || !check(member[1]) || others.length > 0)
    throw badField(name, 'badvalue', shown(side))
}

function checkSwitch(name: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === 'boolean') return
  try {
    optionalBoolean(name, typeof value === 'object' ? '-' : String(value))
  } catch (error) {
    throw isWikiError(error) ? badField(name, 'badbool', briefValue(value)) : error
  }
}
