/** Merges a case in the ways that must agree, and judges each. */

import { flaws, judge, normal, type Verdict } from './judge.ts'
import type { Case } from './page.ts'

/** Merges three texts; null if it refuses. */
export type Merge = (base: string, mine: string, theirs: string) => string | null

export interface Judgement {
  /** The worse of both orders of the sides, and its text: null if it was refused. */
  readonly verdict: Verdict
  readonly merged: string | null
  /** Properties that do not hold, with the text that shows it. */
  readonly broken: readonly (readonly [property: string, text: string | null])[]
}

export function judgeCase(one: Case, merge: Merge): Judgement {
  const { base, mine, theirs } = one
  const merged = merge(base, mine, theirs)
  const swapped = merge(base, theirs, mine)
  const found = judge(one, swapped)
  const isSwappedWrong = flaws.some(flaw => flaw === found)
  const verdict = isSwappedWrong ? found : judge(one, merged)
  const broken: [string, string | null][] = []
  const expect = (property: string, text: string | null, wanted: string | null) => {
    if ((text === null ? null : normal(text)) !== (wanted === null ? null : normal(wanted)))
      broken.push([property, text])
  }
  if (sortedWords(merged) !== sortedWords(swapped)) broken.push(['symmetric', swapped])
  expect('one side only', merge(base, mine, base), mine)
  expect('the other side only', merge(base, base, theirs), theirs)
  expect('the same edit twice', merge(base, mine, mine), mine)
  if (merged !== null) {
    expect('sent again', merge(base, mine, merged), merged)
    expect('theirs sent again', merge(base, theirs, merged), merged)
  }
  return { verdict, merged: isSwappedWrong ? swapped : merged, broken }
}

function sortedWords(text: string | null): string | null {
  return text === null ? null : text.split(/\s+/).sort().join(' ')
}
