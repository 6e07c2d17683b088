/** Namespaces as people name them → their ids. */

import { findNamespace } from '../../core/title.ts'
import type { Wiki } from '../../operations/wiki.ts'

/** Puts the ids of namespaces in place of their names, between commas; what is neither stays, for the parser of ids to refuse. */
export async function namespaceIds({ store }: Wiki, text: string | undefined): Promise<string | undefined> {
  if (text === undefined || /^[\d\s,]*$/.test(text)) return text
  await store.refresh()
  return text
    .split(',')
    .map(word => findNamespace(word, store.titles) ?? word)
    .join(',')
}
