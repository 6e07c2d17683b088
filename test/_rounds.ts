/**
 * Round counts of generated tests: few in `npm test`, all in `npm run test:full`. The latter runs only tests with the
 * tag `rounds`, in files that import this module, so each test with rounds needs the tag.
 */

/** True in `npm run test:full`. */
export const isFull = process.env.WIKI_TEST === 'full'

/** Returns how many rounds a test runs: `short` in `npm test`, `full` where `WIKI_TEST` is `full`. */
export function rounds(short: number, full: number): number {
  return isFull ? full : short
}

/** Returns one in `part` of the cases, from the `at`-th on, in `npm test`; all of them where `WIKI_TEST` is `full`. */
export function oneIn<Case>(part: number, cases: readonly Case[], at = 0): readonly Case[] {
  return isFull ? cases : cases.filter((_, place) => (at + place) % part === 0)
}

/** Returns the seeds or cases that a test tries: the first `short` of them in `npm test`, all where `WIKI_TEST` is `full`. */
export function firstOf<Case>(cases: readonly Case[], short: number): readonly Case[] {
  return isFull ? cases : cases.slice(0, short)
}
