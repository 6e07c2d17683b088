/** The part of a page of the namespace Category below its text. */

import type { Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'

/** Id of the namespace Category. */
const categoryNamespace = 14

/** Writes the members of a category; null for a page that is none. */
export async function categoryPart(_: WebRequest, _key: string, namespace: number): Promise<Markup | null> {
  if (namespace !== categoryNamespace) return null
  return null
}
