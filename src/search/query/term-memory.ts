/** Terms that were read and are kept for other questions, as long as the index does not change. */

import { createLruCache } from '../../core/lru-cache.ts'
import type { Language } from '../words/language.ts'
import type { FoundTerm } from './terms.ts'

/** Bytes of the postings that are kept. */
const usualBytes = 32 * 2 ** 20

/** Bytes that a term takes beside its postings. */
const termBytes = 256

/** Terms by name, those that were asked for last. */
export interface TermMemory {
  /** Returns a term; reads it where it is not known, also that it is nowhere. Stems are of a language, words of none. */
  readonly recall: (name: string, language: Language | null, read: () => FoundTerm | undefined) => FoundTerm | undefined
  readonly clear: () => void
}

interface Kept {
  readonly term: FoundTerm | undefined
  readonly language: Language | null
  readonly bytes: number
}

/**
 * Creates a cache of the given size in bytes. A term that takes half of it would evict all others, and is not stored.
 */
export function termMemory(most = usualBytes): TermMemory {
  const kept = createLruCache<Kept>({ total: most, each: most / 2, sizeOf: ({ bytes }) => bytes })
  return {
    recall: (name, language, read) => {
      const known = kept.find(name)
      if (known !== undefined && known.language === language) return known.term
      const entry = entryOf(read(), language)
      kept.keep(name, entry)
      return entry.term
    },
    clear: kept.clear,
  }
}

function entryOf(term: FoundTerm | undefined, language: Language | null): Kept {
  const lists = term?.postings ?? []
  const bytes = lists.reduce((sum, list) => sum + (list?.documents.byteLength ?? 0) + (list?.counts.byteLength ?? 0), 0)
  return { term, language, bytes: bytes + termBytes }
}
