/**
 * Cuts the power, on paper: records what the built product and its git do to the disk, and checks the states in which a cut may
 * leave it.
 *
 *     npm run build && node test/proof/cuts.mjs [--only <words>,<words>] [--models journal,folders] [--states 200] [--seed 1]
 *                                               [--samples 4] [--lanes 4] [--verbose]
 *
 * `--only` chooses scenarios by words, `--exactly` one by its name. `--states`: how many of each scenario and model are checked
 * (`all`: every one); `--samples`: random choices at each cut.
 * `WIKI_PRODUCT=<folder>` tests another build. Exit status 1 if anything is wrong.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { models } from '../crash/disk.mjs'
import { judge } from '../crash/judge.mjs'
import { logBeside, record } from '../crash/record.mjs'
import { scenarios } from '../crash/scenarios.mjs'
import { statesOf } from '../crash/states.mjs'
import { whyNoTrace } from '../crash/trace.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    exactly: { type: 'string' },
    models: { type: 'string', default: models.join() },
    states: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    samples: { type: 'string', default: '4' },
    lanes: { type: 'string', default: '4' },
    verbose: { type: 'boolean', default: false },
  },
})
const began = performance.now()
const reason = whyNoTrace()
if (reason !== null) {
  console.log(`cuts: 1 skipped: ${reason}`)
  process.exit(0)
}
const memory = process.env.TMPDIR === undefined && existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const workplace = mkdtempSync(join(memory, 'wiki-cuts-'))
process.on('exit', () => remove(workplace))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

let wrong = 0
const sum = { operations: 0, cuts: 0, states: 0, checked: 0 }
for (const [name, scenario] of Object.entries(scenarios)) {
  const isChosen = values.only.split(',').some(words => name.includes(words))
  if (values.exactly === undefined ? !isChosen : values.exactly !== name) continue
  const folder = join(workplace, name.replaceAll(' ', '-'))
  mkdirSync(folder)
  const directory = join(folder, 'wiki')
  const recorded = await record(scenario, directory, logBeside(directory))
  sum.operations += recorded.recording.operations.length
  const inModels = values.models.split(',').filter(one => scenario.models?.includes(one) ?? true)
  for (const model of inModels) await judgeModel(name, recorded, model, folder)
  remove(folder)
}
const found = wrong === 0 ? 'nothing is wrong' : `${wrong} states WRONG`
const seconds = Math.round((performance.now() - began) / 1000)
const numbers = `${sum.operations} operations, ${sum.cuts} cuts, ${sum.states} states, ${sum.checked} checked`
console.log(`cuts: ${found}; ${numbers} (${seconds} s, seed ${values.seed})`)
process.exit(wrong === 0 ? 0 : 1)

async function judgeModel(name, recorded, model, folder) {
  const start = performance.now()
  const options = { seed: Number(values.seed), samples: Number(values.samples) }
  const { states, cuts, made } = statesOf(recorded.recording, model, options)
  const chosen = values.states === 'all' ? states : states.slice(0, Number(values.states))
  const faults = new Map()
  let bad = 0
  const waiting = [...chosen.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await judgeState(...next)
  }
  const judgeState = async (at, state) => {
    const directory = join(folder, `${model}-${at}`)
    mkdirSync(directory)
    const told = await judge(state, recorded, directory)
    if (told.length > 0) bad++
    for (const fault of new Set(told.map(kindOf))) note(faults, fault, { ...state, told })
    if (process.env.KEEP === undefined) for (const one of [directory, `${directory}-git`]) remove(one)
  }
  await Promise.all(Array.from({ length: Number(values.lanes) }, work))
  wrong += bad
  sum.cuts += cuts
  sum.states += states.length
  sum.checked += chosen.length
  const spent = ((performance.now() - start) / 1000).toFixed(1)
  const mark = bad === 0 ? '    ok' : ' WRONG'
  console.log(
    `${mark}  ${name}, ${model}: ${cuts} cuts, ${made} made, ${states.length} states, ${chosen.length} checked, ${bad} bad (${spent} s)`,
  )
  for (const [fault, { count, first }] of [...faults].sort(([, a], [, b]) => b.count - a.count)) {
    console.log(
      `        ${count} × ${fault}\n              first: ${first.said}, acknowledged ${first.cut.acknowledged + 1}`,
    )
    if (values.verbose) for (const line of first.told) console.log(`              ${line}`)
  }
}

/** Git may still be packing there. */
function remove(folder) {
  for (let left = 50; left > 0; left--)
    try {
      return rmSync(folder, { recursive: true, force: true })
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    }
}

function note(faults, fault, state) {
  const known = faults.get(fault) ?? { count: 0, first: state }
  known.count++
  faults.set(fault, known)
}

/** Faults that differ only in names are one. */
function kindOf(fault) {
  return fault
    .replace(/[0-9a-f]{40}/g, '<hash>')
    .replace(/[0-9a-f]{2}\/[0-9a-f]{38}/g, '<object>')
    .replace(/\/\S*\/(?:journal|folders)-\d+/g, '<wiki>')
    .replace(/wiki-\d+/g, 'wiki-<pid>')
    .replace(/\.wiki-[0-9a-f]{32}/g, '.wiki-<name>')
    .replace(/\d+/g, '<n>')
}
