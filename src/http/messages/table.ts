/** Type of the tables of messages. */

import type { ErrorKey } from '../../core/errors.ts'

/** Messages for errors in a field of a body, by code; `$1` is the field. */
export const fieldFaults = {
  'field-missingparam': 'the field "$1" is missing',
  'field-needstring': '"$1" must be a string',
  'field-badvalue': '"$1" has an invalid value',
  'field-badbool': '"$1" must be true or false',
  'field-badinteger': '"$1" must be a whole number greater than 0',
  'field-notarray': '"$1" must be an object',
  'field-schema-validation-failed': '"$1" is invalid: $2',
} as const

export type FieldFault = keyof typeof fieldFaults

/** Keys of messages: errors, an unsupported method, and errors of fields. */
export type MessageKey = ErrorKey | FieldFault | 'rest-wrong-method'

export type MessageTable = Readonly<Partial<Record<MessageKey, string>>>
