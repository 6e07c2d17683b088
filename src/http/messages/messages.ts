/**
 * Error messages in languages other than English, whose messages are in `errorTable`. Each language has a file here and
 * a row in the table. Missing messages are shown in English.
 */

import { type ErrorKey, fillText, type WikiError } from '../../core/errors.ts'
import { arabic } from './ar.ts'
import { german } from './de.ts'
import { type FieldFault, fieldFaults, type MessageKey, type MessageTable } from './table.ts'

/** Tables by lower-case language code. */
export const messageTables: Readonly<Record<string, MessageTable>> = { ar: arabic, de: german }

/** Returns a message in a language or its base language (`de` for `de-at`); `english` if neither has it. */
export function messageIn(
  language: string,
  key: MessageKey,
  { params, english }: { readonly params: readonly (string | number)[]; readonly english: string },
): string {
  const code = language.toLowerCase()
  const tables = [code, code.split('-', 1)[0]!].map(name =>
    Object.hasOwn(messageTables, name) ? messageTables[name] : undefined,
  )
  const text = tables.find(table => table?.[key] !== undefined)?.[key]
  return text === undefined ? english : fillText(text, params)
}

/** Returns the message of an error in a language. The fault of a field is a message of its own. */
export function errorMessageIn(language: string, error: WikiError): string {
  const { code, data } = error
  const params = error.params.map(param => (typeof param === 'string' ? withoutPlaces(error, param) : param))
  const message = withoutPlaces(error, error.message)
  const fault = code === 'rest-body-validation-error' ? faultIn(data) : null
  const localParams =
    fault === null ? params : [messageIn(language, fault.key, { params: fault.params, english: `${params[0]}` })]
  return messageIn(language, code, { params: localParams, english: message })
}

/** Folders of an absolute path, up to its last part. */
const folders = /(?<![\p{L}\p{N}._-])\/(?:[^\s/'"]+\/)+/gu

/** Errors about the server's machine, besides those of status 500: they name locks, the repository, or what a program says. */
const aboutMachine: ReadonlySet<string> = new Set<ErrorKey>([
  'wiki-not-found',
  'wiki-unsafe-repository',
  'wiki-locked',
  'wiki-hook-refused',
  'wiki-conversion-failed',
  'wiki-bad-token-path',
])

/**
 * Leaves the folders of the server out of an error about its machine: paths of the repository, of keys, of programs. Other errors
 * speak of titles, which may look like paths.
 */
export function withoutPlaces({ status, code }: WikiError, text: string): string {
  return status === 500 || aboutMachine.has(code) ? text.replace(folders, '') : text
}

/** Returns the English message for the fault of a field; undefined for an unknown code. */
export function fieldFault(failureCode: string, params: readonly string[]): string | undefined {
  const key = `field-${failureCode}`
  return isFieldFault(key) ? fillText(fieldFaults[key], params) : undefined
}

function faultIn({
  failureCode,
  name,
  failureData,
}: WikiError['data']): { key: FieldFault; params: readonly string[] } | null {
  const key = `field-${failureCode}`
  if (!isFieldFault(key)) return null
  const fault = (failureData as { 'schema-validation-error'?: { message?: unknown } } | null)?.[
    'schema-validation-error'
  ]
  return { key, params: [String(name), ...(fault === undefined ? [] : [String(fault.message)])] }
}

function isFieldFault(key: string): key is FieldFault {
  return Object.hasOwn(fieldFaults, key)
}
