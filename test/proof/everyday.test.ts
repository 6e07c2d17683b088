// @module-tag long
/** Everyday git beside a server: each situation of `everyday-list.mjs`, with real processes. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt } from '../_built.ts'
import { firstOf, isFull, oneIn } from '../_rounds.ts'
import { hasGit } from '../_setup.ts'
import { situations } from './everyday-list.mjs'

const script = join(import.meta.dirname, 'everyday.mjs')
const names = Object.keys(situations)
/** These situations have a flaw, and show that it is found. */
const flawed = names.filter(name => situations[name]!.flaw !== undefined)
const right = names.filter(name => !flawed.includes(name))

beforeAll(ensureBuilt)

// Slow: a server and many starts of git for each. They have found nothing yet that the tests beside them do not find.
describe.skipIf(!hasGit)('no edit is lost, and the index of git has nothing else, beside', () => {
  test.for([...(isFull ? oneIn(4, right, 0, 4) : firstOf(right, 2)), ...flawed])(
    '%s',
    { tags: ['rounds', 'long'], timeout: 300_000 },
    async (name, context) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--only', name], { encoding: 'utf8' })
      const reason = /^ {2}skip {2}.*: (.*)$/m.exec(stdout)?.[1]
      context.skip(reason !== undefined, reason)
      expect(`${stdout}${stderr}`).toContain('nothing is wrong')
      expect(status).toBe(0)
    },
  )
})
