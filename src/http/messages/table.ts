/** Type of the tables of sentences. */

import type { ErrorKey } from '../../core/errors.ts'

/** Keys of sentences: those of errors, and of a method that a path does not have. */
export type MessageKey = ErrorKey | 'rest-wrong-method'

export type MessageTable = Readonly<Partial<Record<MessageKey, string>>>
