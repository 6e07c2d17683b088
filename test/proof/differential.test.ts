/**
 * Indexes, caches, tags and dates beside the repository are as a rebuild makes them. Random histories change a wiki by git, by
 * commits that no git makes, and by the product. After every few steps the same questions are asked of the running server, of a process
 * that opens the wiki again, and of a copy without the derived files; and no conditional request may get 304 for another body. The full
 * run also asks the built server.
 *
 *     WIKI_PROOF=1 npx vitest run test/proof/differential.test.ts
 *     DIFFERENTIAL_SEED=7 DIFFERENTIAL_SEEDS=1 DIFFERENTIAL_STEPS=30 [DIFFERENTIAL_WITHOUT=1,4] npx vitest run …
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isProof, rounds } from '../_rounds.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'
import { runHistory, shrink } from './_differential.ts'

const first = Number(process.env.DIFFERENTIAL_SEED ?? 1)
const seeds = Number(process.env.DIFFERENTIAL_SEEDS ?? rounds(1, 4, 100))
const steps = Number(process.env.DIFFERENTIAL_STEPS ?? rounds(8, 16, 30))
const without = new Set((process.env.DIFFERENTIAL_WITHOUT ?? '').split(',').filter(Boolean).map(Number))

async function folder(): Promise<string> {
  const directory = join(await temporaryDirectory(), 'wiki')
  mkdirSync(directory)
  return directory
}

// Slow: git, three openings of the wiki and hundreds of questions at each check. Found each of the faults of `kept-search.test.ts`.
describe.skipIf(!hasGit)('what is kept is what a rebuild gives', () => {
  const counts = { steps: 0, answers: 0, conditions: 0 }
  test.each(Array.from({ length: seeds }, (_, at) => first + at))(
    'of seed %i',
    { tags: 'rounds', timeout: 3_600_000 },
    async seed => {
      const options = { seed, steps, without, isServed: isProof && seed % 5 === 0, counts }
      const { differences, log } = await runHistory(await folder(), options)
      const [found] = differences
      if (found !== undefined && process.env.DIFFERENTIAL_SHRINK !== undefined) {
        const shrunk = await shrink(folder, options, found)
        console.log(`without ${[...shrunk.without].join()}\n${shrunk.log.join('\n')}`)
      }
      const report = differences.map(({ kind, step, target, text }) => `${kind} at step ${step}: ${target}\n   ${text}`)
      expect(report.join('\n'), log.join('\n')).toBe('')
    },
  )

  test('and many questions were asked', () => {
    console.log(`${counts.steps} steps, ${counts.answers} answers, ${counts.conditions} conditional requests`)
    expect(counts.answers).toBeGreaterThan(0)
  })
})
