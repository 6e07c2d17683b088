/** Finds a section of an earlier text of a page in its latest text. */

import { type Section, sameSection } from '../diff/same-section.ts'
import { isHidden } from './access/hidden.ts'
import { revisionOfText } from './editing/base-texts.ts'
import { readRevision } from './read-revision.ts'
import type { Wiki } from './wiki.ts'

export type { Section } from '../diff/same-section.ts'

interface SectionQuery {
  /** Key of the page. */
  readonly key: string
  /** Number of the section in the earlier text. */
  readonly number: number
  /** Name of the earlier text, as `textName` returns it. */
  readonly text: string
  /** Lists the sections of a revision. */
  readonly sectionsOf: (revision: number) => Promise<readonly Section[]>
}

/** Hexadecimal digits of a text's name: the beginning of its blob's hash. */
const nameDigits = 12

/** Names the text of a revision; undefined if there is no such revision. */
export function textName({ store }: Wiki, revision: number): string | undefined {
  return store.revision(revision)?.blob.slice(0, nameDigits)
}

/**
 * Returns the number that a section of an earlier text has in the page's latest one; null if that text is unknown or hidden, or if no
 * heading identifies the section any more. Errors: those of revisions that cannot be read.
 */
export async function latestSection(
  wiki: Wiki,
  { key, number, text, sectionsOf }: SectionQuery,
): Promise<number | null> {
  const latest = wiki.store.findPage(key)?.latest
  if (latest === undefined || !isTextName(text)) return null
  if (text === textName(wiki, latest)) return number
  const old = revisionOfText(wiki.store, key, text)
  if (old === undefined || isHidden(old, 'text')) return null
  const [before, now] = await Promise.all(
    [old.id, latest].map(async id => ({
      source: (await readRevision(wiki, { id })).source,
      sections: await sectionsOf(id),
    })),
  )
  return sameSection(before!, now!, number)
}

function isTextName(text: string): boolean {
  return text.length === nameDigits && /^[0-9a-f]*$/.test(text)
}
