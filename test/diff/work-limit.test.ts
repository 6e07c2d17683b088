import { describe, expect, test } from 'vitest'
import { compareTexts } from '../../src/diff/compare-texts.ts'
import { mergeTexts, mergeWithMarkers } from '../../src/diff/merge.ts'
import { unifiedPatch } from '../../src/diff/unified.ts'
import { createWorkLimit } from '../../src/diff/work-limit.ts'
import { compare } from '../../src/operations/comparing/comparison.ts'
import { mergeEdits } from '../../src/operations/comparing/merge-edits.ts'
import { mergeFiles } from '../../src/operations/merge-files.ts'
import { firstOf, isFull } from '../_rounds.ts'

/** Lines of one of this number of letters, the same for each seed. */
function letterLines(seed: number, { lines, of = 8 }: { lines: number; of?: number }): string {
  let state = seed
  const letter = (): string => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return String.fromCharCode(97 + ((state >>> 0) % of))
  }
  return Array.from({ length: lines }, () => `${letter()}\n`).join('')
}

/** Counts the steps of a comparison or merge. */
function countSteps(run: (work: { count: (steps: number) => void }) => unknown): number {
  let steps = 0
  run({
    count: more => {
      steps += more
    },
  })
  return steps
}

const [base, mine, theirs] = [1, 2, 7].map(seed => letterLines(seed, { lines: 2000 })) as [string, string, string]
// Slow: a comparison runs up to its limit, which fewer lines do not reach.
const huge = { lines: 950_000 }

describe('the work of two texts', () => {
  test('is counted in steps, the same each time, and stops at the limit', { tags: 'long' }, () => {
    const steps = countSteps(work => compareTexts(base, mine, { work }))
    expect(countSteps(work => compareTexts(base, mine, { work }))).toBe(steps)
    expect(compareTexts(base, mine, { work: createWorkLimit(steps) })).toEqual(compareTexts(base, mine))
    const code = 'wiki-texts-too-complex'
    expect(() => compareTexts(base, mine, { work: createWorkLimit(steps - 1) })).toThrow(
      expect.objectContaining({ code }),
    )
    expect(() => mergeTexts(base, mine, theirs, { work: createWorkLimit(steps) })).toThrow(
      expect.objectContaining({ code }),
    )
  })

  test('counts the words of long lines as well', () => {
    const line = (text: string): string => `${text.replaceAll('\n', ' ')}\n`
    const steps = countSteps(work => compareTexts(line(base), line(mine), { work }))
    expect(steps).toBeGreaterThan(100_000)
  })

  test('of a merge ends at the first conflict that cannot be resolved', () => {
    // Two lines of one-letter words, of which the first is a conflict.
    const [base, mine, theirs] = [1, 2, 7].map(seed => {
      const line = `a ${letterLines(seed, { of: 3, lines: 1500 }).trim().replaceAll('\n', ' ')} b.`
      return `${line}\n\nb ${line}\n`
    }) as [string, string, string]
    const all = countSteps(work => mergeWithMarkers(base, mine, theirs, { work }))
    const some = countSteps(work => mergeTexts(base, mine, theirs, { work }))
    expect(mergeTexts(base, mine, theirs).merged).toBe(false)
    expect(some).toBeLessThan(all)
  })

  // `npm test` runs one of them, which takes 3 s of CPU.
  const refused: readonly (readonly [name: string, run: (...texts: [string, string, string]) => unknown])[] = [
    ['a patch', (from, to) => unifiedPatch(from, to, { fromPath: 'a', toPath: 'a' })],
    ['a comparison', (from, to) => compare({ id: 0, text: from }, { id: 0, text: to })],
    [
      'a merge of files',
      (...texts) => mergeFiles(...(texts.map(text => Buffer.from(text)) as [Buffer, Buffer, Buffer])),
    ],
  ]
  const hugeTexts = () => [1, 2, 7].map(seed => letterLines(seed, huge)) as [string, string, string]

  test.each(firstOf(refused, 1))(
    'of megabytes of one-letter lines is refused, by %s',
    { tags: ['rounds', 'long'] },
    (_, run) => {
      expect(() => run(...hugeTexts())).toThrow(expect.objectContaining({ code: 'wiki-texts-too-complex' }))
    },
  )

  // Slow, 3 s of CPU: `npm run test:full` runs it.
  test.runIf(isFull)('of two edits of them is a conflict without differences', { tags: 'rounds' }, () => {
    const [base, current, submitted] = hugeTexts()
    const merged = mergeEdits({ base, current, submitted, policy: 'words', model: 'wikitext' })
    expect(merged).toEqual({ local: null, remote: null })
  })
})
