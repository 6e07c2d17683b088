/** Caches responses. A read depends only on the wiki's state and the request's URL, so a response is valid until the state changes. */

import { createLruCache, type LruCache } from '../core/lru-cache.ts'
import { bytesWithEncodings } from './compress.ts'
import type { Validators } from './conditional.ts'
import { isStream, type PlainResponse } from './response.ts'

/** Maximum bytes of one body in a small cache, and its fraction of a large one. */
const bodyBytes = 256 * 1024
const largestPart = 1 / 4
/** Approximate bytes of a response's headers. */
const headerBytes = 600

function bytesOf(body: PlainResponse['body']): number {
  return isStream(body) ? 0 : bytesWithEncodings(body)
}

/** A cached response, before the client's own conditions are applied. */
export interface Outcome {
  /** Without validators. */
  readonly response: PlainResponse
  readonly validators: Validators
  /** Expiry independent of edits, in milliseconds of `performance.now()`. */
  readonly until: number
}

/** The state of a wiki, as the store has it. */
export interface WikiState {
  /** Identifies it. */
  readonly state: string
  readonly tip: string | null
  readonly lineage: string
  readonly configText: string
  /** Returns true if the wiki has only grown since an earlier state. */
  readonly follows: (earlier: Pick<WikiState, 'tip' | 'lineage'>) => boolean
}

/** Times of a state, milliseconds since 1970. They never go back. */
export interface Dates {
  /** Since when the server has known the state. */
  readonly began: number
  /** When the server last saw more than edits: other settings, ids or commits; 0 for never. */
  readonly changed: number
}

export class ResponseCache {
  readonly #outcomes: LruCache<Outcome>
  readonly #addresses = new WeakMap<Uint8Array, string>()
  #state: Omit<WikiState, 'follows'> | null = null
  #dates: Dates = { began: 0, changed: 0 }

  /** Creates a cache that is bounded by the bytes of its bodies, their compressed forms, and URLs. */
  constructor(total: number) {
    this.#outcomes = createLruCache({
      total,
      each: Math.max(bodyBytes, total * largestPart),
      sizeOf: ({ response }) => bytesOf(response.body) + headerBytes,
    })
  }

  /** Those of the state of the last lookup. */
  get dates(): Dates {
    return this.#dates
  }

  /** Returns the cached response to a request in this state, if there is one. */
  get(state: WikiState, address: string): Outcome | undefined {
    const earlier = this.#state
    if (state.state === earlier?.state) return this.#outcomes.get(address)
    const isEdited = earlier === null || (state.follows(earlier) && state.configText === earlier.configText)
    const began = Math.max(this.#dates.began, Date.now())
    this.#outcomes.clear()
    this.#state = { state: state.state, tip: state.tip, lineage: state.lineage, configText: state.configText }
    this.#dates = { began, changed: isEdited ? this.#dates.changed : began }
    return undefined
  }

  /** Caches a response for a client, unless the state has changed since the lookup. */
  set(state: string, address: string, outcome: Outcome, client = ''): void {
    const { body } = outcome.response
    if (state !== this.#state?.state || isStream(body)) return
    this.#outcomes.set(address, outcome, { client })
    if (typeof body !== 'string') this.#addresses.set(body, address)
  }

  /** Counts the bytes of a body again: it has another compressed form, made for a client. */
  recount(body: Uint8Array, client = ''): void {
    const address = this.#addresses.get(body)
    const outcome = address === undefined ? undefined : this.#outcomes.get(address)
    if (outcome?.response.body === body) this.#outcomes.set(address as string, outcome, { client })
  }
}
