/** No test depends on time or load, so none looks at a clock or waits for it. `CONTRIBUTING.md` says what it does instead. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Timers, clocks, pauses of a shell that are shorter than the limit of a test, and second runs. Fake ones are named in quotes. */
const clocks =
  /(?<!')\bset(?:Timeout|Interval)\b(?![':])|\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|(?<!')\bhrtime\b|\bcpuUsage\b|\bwaitForTimeout\b|\bvi\.waitFor|\bAbortSignal\.timeout|\bAtomics\.wait|\bsleep \d{1,2}\b|\bretry: [\d{]/

/** The place of a fake clock may be relative to now. */
const fakes = /useFakeTimers\(|setSystemTime\(/

/** The files that use a clock, and why no result depends on it. */
const table: Readonly<Record<string, string>> = {
  '_start-small.ts': 'a pause between two looks at a process that starts, and the limit of a hang',
  '_times.ts': 'ages of files and records, a minute or more from any limit',
  '_wait.ts': 'a pause between two looks, and the limit that ends a test that hangs',
  'browser/_chromium.ts': 'pages get some time to do harm: a shorter one finds less, and fails nothing',
  'browser/cross-site.test.ts': 'an attempt to read gets some time: a shorter one finds less, and fails nothing',
  'browser/writing.test.ts': 'pages that are slow or busy for a while: a form does the same beside faster ones',
  'operations/work-base.test.ts': 'a commit gets some time to be wrong: a shorter one finds less, and fails nothing',
  'rest/serve.test.ts': 'a wait for connections, with the limit of a hang',
  'rest/served-limits.test.ts': 'a client that sends a byte each second, until the server ends it',
}

const files = (readdirSync('test', { recursive: true, encoding: 'utf8' }) as string[])
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => path.endsWith('.ts'))

test('the table names the files that use a clock, and no other', () => {
  const lines = (path: string) => readFileSync(join('test', path), 'utf8').split('\n')
  const users = files.filter(path => lines(path).some(line => clocks.test(line) && !fakes.test(line)))
  expect(users.sort()).toEqual(Object.keys(table))
})

test.each(['vitest.config.ts', 'package.json', '.ci/run'])('%s runs no test a second time', path => {
  expect(readFileSync(path, 'utf8')).not.toMatch(/\bretry\b|--retry|\brerun/)
})
