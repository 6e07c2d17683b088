/**
 * Sentences of errors in other languages than English, which `errorTable` has whole. A language has a file here and a row in the table;
 * a sentence that it lacks is said in English.
 */

import { fillText, type WikiError } from '../../core/errors.ts'
import { arabic } from './ar.ts'
import { german } from './de.ts'
import type { MessageKey, MessageTable } from './table.ts'

/** Tables by the code of their language, in lower case. */
export const messageTables: Readonly<Record<string, MessageTable>> = { ar: arabic, de: german }

/** Returns a sentence in a language, or in the one that it is a kind of (`de` for `de-at`); `english` where there is none. */
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

/** Returns the sentence of an error in a language. */
export function errorMessageIn(language: string, { code, params, message }: WikiError): string {
  return messageIn(language, code, { params, english: message })
}
