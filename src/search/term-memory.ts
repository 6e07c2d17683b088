/** Terms that were read and are kept for other questions, as long as the index does not change. */

import type { Language } from './language.ts'
import type { FoundTerm } from './terms.ts'

/** Bytes of the postings that are kept. */
const usualBytes = 32 * 2 ** 20

/** What a term takes beside its postings. */
const termBytes = 256

/** Terms by name, those that were asked for last. */
export interface TermMemory {
  /** Gives a term; reads it where it is not known, also that it is nowhere. Stems are of a language, words of none. */
  readonly recall: (name: string, language: Language | null, read: () => FoundTerm | undefined) => FoundTerm | undefined
  readonly clear: () => void
}

interface Kept {
  readonly term: FoundTerm | undefined
  readonly language: Language | null
  readonly bytes: number
}

/** Makes a memory for so many bytes. */
export function termMemory(most = usualBytes): TermMemory {
  const kept = new Map<string, Kept>()
  let bytes = 0
  const forget = (name: string): void => {
    bytes -= kept.get(name)?.bytes ?? 0
    kept.delete(name)
  }
  const keep = (name: string, entry: Kept): void => {
    // One that takes so much would drive out all others.
    if (entry.bytes > most / 2) return
    kept.set(name, entry)
    bytes += entry.bytes
    // What was asked for last stands last.
    for (const oldest of kept.keys()) {
      if (bytes <= most) break
      forget(oldest)
    }
  }
  return {
    recall: (name, language, read) => {
      const known = kept.get(name)
      const entry = known !== undefined && known.language === language ? known : entryOf(read(), language)
      forget(name)
      keep(name, entry)
      return entry.term
    },
    clear: () => {
      kept.clear()
      bytes = 0
    },
  }
}

function entryOf(term: FoundTerm | undefined, language: Language | null): Kept {
  const lists = term?.postings ?? []
  const bytes = lists.reduce((sum, list) => sum + (list?.documents.byteLength ?? 0) + (list?.counts.byteLength ?? 0), 0)
  return { term, language, bytes: bytes + termBytes }
}
