/**
 * Answers lately given. What is read depends on nothing but the branch's tip and the request's address, so an answer holds
 * until the branch moves.
 */

import type { Outcome } from './dispatch.ts'

/** UTF-16 units of bodies that are kept, and of one body. */
const totalLimit = 16 * 1024 * 1024
const bodyLimit = 256 * 1024

export class AnswerCache {
  readonly #outcomes = new Map<string, Outcome>()
  #tip: string | null = null
  #size = 0

  /** The answer to a request at this tip, if it was given before. */
  find(tip: string | null, address: string): Outcome | undefined {
    if (tip !== this.#tip) this.#clear(tip)
    return this.#outcomes.get(address)
  }

  /** Keeps an answer; when there are too many, all go: those that are asked for often come back at once. */
  keep(tip: string | null, address: string, outcome: Outcome): void {
    const size = outcome.answer.body.length + address.length
    if (tip !== this.#tip || size > bodyLimit) return
    if (this.#size + size > totalLimit) this.#clear(tip)
    this.#outcomes.set(address, outcome)
    this.#size += size
  }

  #clear(tip: string | null): void {
    this.#outcomes.clear()
    this.#tip = tip
    this.#size = 0
  }
}
