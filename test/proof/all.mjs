/**
 * All experiments, one after the other, and a table of what they found:
 * npm run proof [-- --rounds 1000 --calls all --seconds 300 --requests 10000 --seed 1] [--only <name>,<name>]
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    calls: { type: 'string', default: 'all' },
    seconds: { type: 'string', default: '300' },
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const { rounds, calls, seconds, requests, seed } = values
const proof = (name, ...options) => ['node', `test/proof/${name}.mjs`, ...options, '--seed', seed]
const fuzz = name => ['node', `test/fuzz/${name}.mjs`, '--seed', seed]

/** Name, command, and how many minutes it may take: three times what it takes on two quiet cores, or more. */
const experiments = [
  ['kill', proof('kill', '--rounds', rounds, '--calls', calls), 120],
  ['together', proof('together', '--seconds', seconds), 10 + Number(seconds) / 60],
  ['faults', proof('faults'), 20],
  ['work tree', ['npx', 'vitest', 'run', 'test/operations/work-tree-states.test.ts'], 15],
  ['browser', proof('browser'), 90],
  ['connections', proof('connections'), 5],
  ['hostile', proof('hostile', '--requests', requests), 30],
  ['another wiki', [...fuzz('rest'), '--requests', requests, '--wiki', 'other'], 20],
  ['round trip', fuzz('roundtrip'), 20],
  ['regexes', proof('regexes', '--all'), 60],
  ['dependencies', ['node', 'scripts/dependencies.mjs', '--check'], 2],
]
const cwd = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command, shows what it prints, and gives the last line of it. */
function run([command, ...words], minutes) {
  const child = spawn(command === 'node' ? process.execPath : command, words, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: minutes * 60_000,
  })
  let last = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    process.stdout.write(text)
    last = `${last}${text}`.slice(-2_000)
  })
  return new Promise(resolve => {
    child.once('close', (status, signal) => {
      const told = signal === null ? (last.trim().split('\n').at(-1) ?? '') : `not done in ${minutes} minutes`
      resolve({ isRight: status === 0, told })
    })
  })
}

const git = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout.trim()
console.log(
  `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${git}, seed ${seed}`,
)
const rows = []
for (const [name, command, minutes] of experiments) {
  if (values.only !== undefined && !values.only.split(',').includes(name)) continue
  console.log(`\n== ${name}: ${command.join(' ')}`)
  const began = performance.now()
  const { isRight, told } = await run(command, minutes)
  const took = Math.round((performance.now() - began) / 1000)
  rows.push({ experiment: name, result: isRight ? 'nothing is wrong' : 'WRONG', seconds: took, 'last line': told })
}
console.log('\n== summary')
console.table(rows)
process.exit(rows.every(({ result }) => result === 'nothing is wrong') ? 0 : 1)
