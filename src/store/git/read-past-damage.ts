/** Reads many objects although git stops at a damaged one. */

import { isWikiError } from '../../core/errors.ts'

/** Maximum number of damaged objects for which reading is resumed, because each starts a process. */
export const maxResumed = 100

/** True for the error of an object that git lacks or cannot read. */
export function isUnreadable(error: unknown): boolean {
  return isWikiError(error, 'wiki-objects-missing') || isWikiError(error, 'wiki-bad-repository')
}

/** True for the error of an object that is too large to be held. */
export function isTooLarge(error: unknown): boolean {
  return isWikiError(error, 'rest-resource-limit-exceeded')
}

/**
 * Reads objects in the requested order with `many`. If it fails, `alone` reads the first object that is still missing, or returns null for a
 * damaged one, and `many` continues with the next.
 */
export async function* readPastDamage<Item>(
  hashes: Iterable<string>,
  many: (hashes: Iterable<string>) => AsyncIterable<readonly (Item | null)[]>,
  alone: (hash: string) => Promise<Item | null>,
): AsyncIterable<readonly (Item | null)[]> {
  const source = hashes[Symbol.iterator]()
  let unanswered: string[] = []
  for (let failures = 0; ; failures++) {
    const round = requests(unanswered, source)
    try {
      for await (const items of many(round.hashes)) {
        round.answer(items.length)
        yield items
      }
      return
    } catch (error) {
      const [next, ...rest] = round.end()
      if (next === undefined || failures === maxResumed || !isUnreadable(error)) throw error
      unanswered = rest
      yield [await alone(next)]
    }
  }
}

/** Answers after which their requests are removed together. */
const answersAtOnce = 4096

/** Yields hashes to request again, then new ones. `end` returns those that were requested and not answered. */
function requests(again: readonly string[], source: Iterator<string>) {
  const waiting = [...again]
  let [answered, isOver] = [0, false]
  const hashes = function* () {
    yield* again
    // The writer of an ended process may ask once more.
    while (!isOver) {
      const { done, value } = source.next()
      if (done) return
      waiting.push(value)
      yield value
    }
  }
  const answer = (count: number): void => {
    answered += count
    if (answered < answersAtOnce) return
    waiting.splice(0, answered)
    answered = 0
  }
  const end = (): string[] => {
    isOver = true
    return waiting.slice(answered)
  }
  return { hashes: hashes(), answer, end }
}
