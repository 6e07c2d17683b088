/**
 * Sizes of generated tests: few rounds in `npm test`, more in `npm run test:full`, all in `WIKI_PROOF=1 npm run test:full`. The
 * last two run only tests with the tag `rounds` or `long`, in files that name it, so each test with rounds needs the tag.
 */

/** True if every round and case runs: hours of work. */
export const isProof = process.env.WIKI_PROOF !== undefined

/** True in `npm run test:full`, and if every round runs. */
export const isFull = isProof || process.env.WIKI_TEST === 'full'

/**
 * Returns the number for this size of run: `short` in `npm test`, `full` in `npm run test:full`, `all` if `WIKI_PROOF` is set.
 */
export function rounds(short: number, full: number, all = full): number {
  return isProof ? all : isFull ? full : short
}

/** Returns one in `part` of the cases, from the `at`-th on, in `npm test`; one in `full` in `npm run test:full`; else all of them. */
export function oneIn<Case>(part: number, cases: readonly Case[], at = 0, full = 1): readonly Case[] {
  const step = rounds(part, full, 1)
  return cases.filter((_, place) => (at + place) % step === 0)
}

/** Returns the seeds or cases that a test tries: the first `short` of them in `npm test`, `full` in `npm run test:full`; else all. */
export function firstOf<Case>(cases: readonly Case[], short: number, full = cases.length): readonly Case[] {
  return cases.slice(0, rounds(short, full, cases.length))
}
