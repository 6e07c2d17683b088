/**
 * Sends hostile requests and opens hostile repositories.
 *
 *     node test/proof/hostile.mjs [--requests 10000] [--seed 1]
 *
 * Raw requests that can be read in two ways, repositories that no git client makes, names of every kind, programs that a
 * repository names, the input of git and of the logs; then the given number of requests from a generator with this seed. Exit
 * status 1 if one of them succeeds.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const tests = [
  ...['test/rest/raw.test.ts', 'test/rest/hostile.test.ts', 'test/rest/connections.test.ts', 'test/secrets.test.ts'],
  ...['test/hostile-repositories.test.ts', 'test/store/foreign.test.ts', 'test/store/paths.test.ts'],
]
const runs = [
  ['npx', 'vitest', 'run', ...tests],
  ['npm', 'run', '--silent', 'fuzz:rest', '--', '--requests', values.requests, '--seed', values.seed],
]
const cwd = fileURLToPath(new URL('../..', import.meta.url))
const statuses = runs.map(([command, ...words]) => spawnSync(command, words, { cwd, stdio: 'inherit' }).status)
const isRight = statuses.every(status => status === 0)
console.log(`hostile: ${isRight ? 'nothing is wrong' : 'WRONG'} (seed ${values.seed})`)
process.exit(isRight ? 0 : 1)
