/**
 * Cache of responses. A read depends on nothing but the wiki's state and the request's URL, so a response is valid until the
 * branch moves.
 */

import { createLruCache, type LruCache } from '../core/lru-cache.ts'
import type { Wiki } from '../operations/wiki.ts'
import { type Answer, isStream } from './answer.ts'
import type { Validators } from './conditional.ts'

/** Bytes that one body may take of any cache, and the part of a large cache. */
const bodyBytes = 256 * 1024
const largestPart = 1 / 4
/** Approximate bytes of a response's headers. */
const headerBytes = 600

/** Result of a request, before the client's own conditions are applied. */
export interface Outcome {
  readonly answer: Answer
  /** Null if conditions do not count. */
  readonly validators: Validators | null
  /** Time when it expires although nothing was edited: milliseconds of `performance.now()`, 0 for one that is never given again. */
  readonly until: number
}

/** Member of a request's context: true if the answer came from the cache, false if it was made and looked for there. */
export const cachedMark = 'isCachedAnswer'

export class AnswerCache {
  readonly #outcomes: LruCache<Outcome>
  #state = ''

  /** Creates a cache bounded by the bytes of its bodies and addresses. */
  constructor(total: number) {
    this.#outcomes = createLruCache({
      total,
      each: Math.max(bodyBytes, total * largestPart),
      sizeOf: ({ answer }) => answer.body.length + headerBytes,
    })
  }

  /** The cached response to a request in this state, if there is one. */
  find(state: string, address: string): Outcome | undefined {
    if (state === this.#state) return this.#outcomes.find(address)
    this.#outcomes.clear()
    this.#state = state
    return undefined
  }

  /** Caches a response, unless the state has changed since the lookup. */
  keep(state: string, address: string, outcome: Outcome): void {
    if (state === this.#state && !isStream(outcome.answer.body)) this.#outcomes.keep(address, outcome)
  }
}

/**
 * Returns a key for the state that responses depend on: the tip, and the ids, which deepening a shallow clone
 * reassigns.
 */
export function stateOf({ tip, lastRevisionId }: Wiki['store']): string {
  return `${tip} ${lastRevisionId}`
}
