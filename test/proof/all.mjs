/**
 * All experiments, one after the other, and a summary:
 * npm run proof [-- --rounds 1000 --calls all --seconds 300 --seed 1]
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    calls: { type: 'string', default: 'all' },
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
})
const { rounds, calls, seconds, seed } = values
const experiments = [
  ['kill', '--rounds', rounds, '--calls', calls],
  ['together', '--seconds', seconds],
  ['faults'],
  ['browser'],
  ['connections'],
  ['hostile'],
  ['regexes', '--all'],
]

const git = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout.trim()
console.log(
  `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${git}, seed ${seed}\n`,
)
const results = experiments.map(([name, ...options]) => {
  const began = performance.now()
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  console.log(`== ${name} ${options.join(' ')}`)
  const { status } = spawnSync(process.execPath, [script, ...options, '--seed', seed], { stdio: 'inherit' })
  return { name, isRight: status === 0, took: Math.round((performance.now() - began) / 1000) }
})
console.log('\n== summary')
for (const { name, isRight, took } of results)
  console.log(`${name}: ${isRight ? 'nothing is wrong' : 'WRONG'}, ${took} s`)
process.exit(results.every(({ isRight }) => isRight) ? 0 : 1)
