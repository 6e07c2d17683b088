/**
 * Answers recently given. What is read depends on nothing but the wiki's state and the request's address, so an answer holds
 * until the branch moves.
 */

import { createLruCache, type LruCache } from '../core/lru-cache.ts'
import type { Wiki } from '../operations/wiki.ts'
import { type Answer, isStream } from './answer.ts'
import type { Validators } from './conditional.ts'

/** Bytes of one body that is kept. */
const bodyBytes = 256 * 1024
/** Bytes that an answer's headers take, about. */
const headerBytes = 600

/** Result of a request, before the client's own conditions are applied. */
export interface Outcome {
  readonly answer: Answer
  /** Null if conditions do not count. */
  readonly validators: Validators | null
  /** When it must be made again, though nothing was edited: milliseconds since 1970. */
  readonly until: number
}

export class AnswerCache {
  readonly #outcomes: LruCache<Outcome>
  #state = ''

  /** Creates a cache bounded by the bytes of its bodies and addresses. */
  constructor(total: number) {
    this.#outcomes = createLruCache({
      total,
      each: bodyBytes,
      sizeOf: ({ answer }) => answer.body.length + headerBytes,
    })
  }

  /** The answer to a request in this state, if it was given before. */
  find(state: string, address: string): Outcome | undefined {
    if (state === this.#state) return this.#outcomes.find(address)
    this.#outcomes.clear()
    this.#state = state
    return undefined
  }

  /** Keeps an answer, unless the state has changed since it was looked for. */
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
