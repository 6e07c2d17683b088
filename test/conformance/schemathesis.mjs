/**
 * Sends requests that schemathesis makes from the OpenAPI document: valid ones must succeed or be refused as described, invalid ones must
 * be refused.
 *
 *     node test/conformance/schemathesis.mjs [--update]
 *
 * Exit status 1 if a check fails that schemathesis.json does not accept. The document is taken without `default`, which would allow any
 * status. Seeded, so that each run sends the same requests. Needs Python 3.10; the tools are fetched once.
 */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withSample } from './judges/sample.mjs'
import { pythonPrograms } from './judges/tools.mjs'
import { judgeFindings } from './ratchet.mjs'

const programs = pythonPrograms()

/** `positive_data_acceptance` would take a missing page for a refusal of its title. */
const options = [
  ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', '30', '--seed', '1'],
  ...['--max-redirects', '0', '--exclude-checks', 'positive_data_acceptance', '--continue-on-failure'],
  ...['--warnings', 'off', '--report', 'ndjson'],
]

/** Statuses of refused requests: those of schemathesis, and 411, 412 and 413, which RFC 9110 demands for a missing length, a condition and a long body. */
const refusals = [
  '400',
  '401',
  '403',
  '404',
  '405',
  '406',
  '409',
  '411',
  '412',
  '413',
  '415',
  '422',
  '428',
  '429',
  '5xx',
]

await withSample(async ({ url, token, folder }) => {
  const document = await (await fetch(`${url}/openapi.json`)).json()
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) delete operation.responses?.default
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(
    join(folder, 'schemathesis.toml'),
    `[checks.negative_data_rejection]\nexpected-statuses = ${JSON.stringify(refusals)}\n`,
  )
  const reports = join(folder, 'reports')
  const { stdout, stderr } = spawnSync(
    join(programs, 'st'),
    ['run', 'openapi.json', '--url', url, '-H', `Authorization: Bearer ${token}`, '--report-dir', reports, ...options],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  const judged = Number(/(\d+) generated/.exec(stdout)?.[1] ?? 0)
  if (judged === 0) throw new Error(`schemathesis sent nothing: ${stdout.slice(-2000)}${stderr.slice(-2000)}`)
  judgeFindings('schemathesis.json', failuresIn(reports), judged)
  // They name the commands that repeat the requests.
  if (process.exitCode) console.log(/=+ FAILURES[\s\S]*?(?=\n=+ )/.exec(stdout)?.[0].slice(0, 20_000))
})

/** Failed checks by operation, title and place. */
function failuresIn(folder) {
  const [file] = readdirSync(folder).filter(name => name.endsWith('.ndjson'))
  const found = new Set()
  const collect = value => {
    if (typeof value !== 'object' || value === null) return
    const { operation, title, message = '' } = value.failure ?? {}
    if (title !== undefined) found.add(`${operation}: ${title}: ${message.split('\n').at(-1)}`)
    for (const member of Object.values(value)) collect(member)
  }
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) if (line) collect(JSON.parse(line))
  return [...found]
}
