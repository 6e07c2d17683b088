/** Converts namespace names to ids. */

import { findNamespace } from '../../core/title.ts'
import type { Wiki } from '../../operations/wiki.ts'

/**
 * Replaces the names in a comma-separated list with ids. Unknown words stay, so that the parser of ids refuses them.
 */
export async function namespaceIds({ store }: Wiki, text: string | undefined): Promise<string | undefined> {
  if (text === undefined || /^[\d\s,]*$/.test(text)) return text
  await store.refresh()
  return text
    .split(',')
    .map(word => findNamespace(word, store.titles) ?? word)
    .join(',')
}
