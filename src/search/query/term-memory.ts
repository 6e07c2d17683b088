/** Cache of the terms that were read, valid as long as the index does not change. */

import { createLruCache } from '../../core/lru-cache.ts'
import type { Language } from '../words/language.ts'
import type { FoundTerm } from './terms.ts'

/** Bytes of cached postings. */
const usualBytes = 32 * 2 ** 20

/** Bytes of a term beside its postings. */
const termBytes = 256

/** Terms by name, most recently used last. */
export interface TermMemory {
  /**
   * Returns a term, also the fact that it occurs nowhere; reads it if it is not cached. Stems depend on a language, words do
   * not.
   */
  readonly get: (name: string, language: Language | null, read: () => FoundTerm | undefined) => FoundTerm | undefined
  readonly clear: () => void
}

interface CachedTerm {
  readonly term: FoundTerm | undefined
  readonly language: Language | null
  readonly bytes: number
}

/**
 * Creates a cache of the given size in bytes. A term that takes half of it would evict all others, and is not stored.
 */
export function termMemory(most = usualBytes): TermMemory {
  const cache = createLruCache<CachedTerm>({ total: most, each: most / 2, sizeOf: ({ bytes }) => bytes })
  return {
    get: (name, language, read) => {
      const cached = cache.get(name)
      if (cached !== undefined && cached.language === language) return cached.term
      const entry = entryOf(read(), language)
      cache.set(name, entry)
      return entry.term
    },
    clear: cache.clear,
  }
}

function entryOf(term: FoundTerm | undefined, language: Language | null): CachedTerm {
  const lists = term?.postings ?? []
  const bytes = lists.reduce((sum, list) => sum + (list?.documents.byteLength ?? 0) + (list?.counts.byteLength ?? 0), 0)
  return { term, language, bytes: bytes + termBytes }
}
