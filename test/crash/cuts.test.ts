/** The power is cut, on paper and on real disks: `test/proof/cuts.mjs` and `test/proof/disks.mjs`, shortened. */

import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { ensurePackageBuilt } from '../_built.ts'
import { firstOf, isProof, rounds } from '../_rounds.ts'
import { hasGit } from '../_setup.ts'
import { scenarios } from './scenarios.mjs'

const proof = resolve(import.meta.dirname, '../proof')

// The checks of a state use the library, as it is built.
beforeAll(ensurePackageBuilt)

/** Runs a script, which says why it cannot run where it cannot. */
function run(context: TestContext, script: string, ...options: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(proof, script), ...options], {
    encoding: 'utf8',
  })
  const reason = / skipped: (.*)$/m.exec(stdout)?.[1]
  context.skip(reason !== undefined, reason)
  expect(`${stdout}${stderr}`).toContain('nothing is wrong')
  expect(status).toBe(0)
}

// Native git makes the repositories and checks them.
describe.skipIf(!hasGit)('after a cut of the power everything acknowledged is there, and nothing needs a hand:', () => {
  // Slow: each state is a repository, which several git processes read. It has found locks without owners, empty files, and edits
  // whose former commits were gone.
  const names = Object.keys(scenarios)
  test.for(firstOf(names, 1))('%s', { tags: 'rounds', timeout: 600_000 }, (name, context) => {
    // Locks of git are left where another process has a file of that name open, so the states do not run side by side.
    const models = isProof ? 'journal,folders' : 'journal'
    const states = String(rounds(6, 16, 400))
    run(context, 'cuts.mjs', '--exactly', name, '--states', states, '--models', models, '--lanes', '1')
  })

  test('real file systems', { tags: 'long', timeout: 600_000 }, context => {
    run(context, 'disks.mjs', '--cuts', String(rounds(10, 10, 200)))
  })
})
