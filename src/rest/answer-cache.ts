/**
 * Answers lately given. What is read depends on nothing but the wiki's state and the request's address, so an answer holds
 * until the branch moves.
 */

import { isStream } from './answer.ts'
import type { Outcome } from './dispatch.ts'

/** UTF-16 units of bodies that are kept, and of one body. */
const totalLimit = 16 * 1024 * 1024
const bodyLimit = 256 * 1024

export class AnswerCache {
  readonly #outcomes = new Map<string, Outcome>()
  #state = ''
  #size = 0

  /** The answer to a request in this state, if it was given before. */
  find(state: string, address: string): Outcome | undefined {
    if (state !== this.#state) this.#clear(state)
    return this.#outcomes.get(address)
  }

  /** Keeps an answer; when there are too many, all go: those that are asked for often come back at once. */
  keep(state: string, address: string, outcome: Outcome): void {
    const { body } = outcome.answer
    const size = body.length + address.length
    if (state !== this.#state || size > bodyLimit || isStream(body)) return
    if (this.#size + size > totalLimit) this.#clear(state)
    const before = this.#outcomes.get(address)?.answer.body.length
    this.#outcomes.set(address, outcome)
    this.#size += before === undefined ? size : body.length - before
  }

  #clear(state: string): void {
    this.#outcomes.clear()
    this.#state = state
    this.#size = 0
  }
}
