/**
 * Kills writers, and looks what is left: npm run build && node test/proof/kill.mjs [--rounds 50] [--calls 6] [--seed 1]
 *
 * A round: a server with writers at it and commands beside it, all ended by SIGKILL at moments that the seed decides. Then
 * each kind of command by itself is ended before, or in the middle of, a call that changes the file system: `--calls` says of
 * how many calls, `all` takes every one. After each kill the next writer starts, and: what was acknowledged is there once, what was
 * not is there whole or not at all, git's objects are sound, the index is what a rebuild gives, no lock is left, and the work
 * tree has no changes. Exit status 1 where anything is wrong.
 */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commands, flawsOfAction, requests } from './actions.mjs'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    calls: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
})
const rounds = Number(values.rounds)
const random = scene.randomNumbers(Number(values.seed))
const below = limit => Math.floor(random() * limit)
const pick = list => list[below(list.length)]
const store = await scene.loadStore()
const flaws = []
const counts = { acknowledged: 0, written: 0, lost: 0 }
const began = performance.now()

await killInRounds()
await killAtCalls()
const { acknowledged, written, lost } = counts
console.log(`${acknowledged} writes acknowledged, ${written} written and not acknowledged, ${lost} neither`)
console.log(`${Math.round((performance.now() - began) / 1000)} s, seed ${values.seed}`)
scene.conclude(flaws)

async function killInRounds() {
  const directory = await scene.newWiki('rounds')
  for (let round = 0; round < rounds; round++) {
    const tip = scene.git(directory, 'rev-parse', 'HEAD')
    const actions = await killedRound(directory, `r${round}`)
    const name = `round ${round}`
    await judge(directory, { name, tip, actions })
  }
  console.log(`${rounds} rounds of servers and commands`)
}

/** Pages for the actions of a round: each has its own. */
async function preparePages(server, prefix, count) {
  const pages = []
  for (let at = 0; at < count; at++) {
    const body = { title: `Page ${prefix} ${at}`, source: `Begin ${at}.`, comment: 'begin' }
    const { json } = await scene.ask(server, '/page', { method: 'POST', body })
    pages.push({ title: body.title, latest: json.latest.id })
  }
  return pages
}

/** Starts writers, and kills them; gives what they were at. */
async function killedRound(directory, prefix) {
  const server = await scene.serve(directory)
  const pages = await preparePages(server, prefix, 6)
  const actions = []
  let isOver = false
  const write = async (writer, page) => {
    let latest = page
    for (let at = 0; !isOver; at++) {
      const kind = latest === null ? 'create' : 'update'
      const action = requests[kind](server, `${prefix}s${writer}n${at}`, latest)
      latest = null
      actions.push(action)
      if (!(await action.acknowledged)) return
    }
  }
  const writers = [0, 1, 2].map(writer => write(writer, pages[writer]))
  const asked = [0, 1].map(at =>
    commands[pick(Object.keys(commands))](directory, `${prefix}c${at}`, pages[3 + at].title),
  )
  actions.push(...asked)
  await Promise.all([
    ...asked.map(({ child }) => scene.sleep(below(700)).then(() => child.kill('SIGKILL'))),
    scene.sleep(100 + below(1500)).then(() => server.child.kill('SIGKILL')),
  ])
  isOver = true
  await Promise.all([server.done, ...writers, ...asked.map(({ done }) => done)])
  server.agent.destroy()
  return actions
}

/** Looks at what is left, after the next writer has started. */
async function judge(directory, { name, tip, actions }) {
  const next = await scene.wiki(directory, ['page', 'create', `After ${name}`, '-f', '-', '-m', 'next'], {
    input: 'next',
  })
  const found = [...(await scene.flawsOf(store, directory))]
  if (next.status !== 0) found.push(`the next write fails: ${next.stderr}`)
  await scene.wiki(directory, ['search', 'next'])
  // The next import takes over what one left, with its lock.
  const left = scene.leftovers(directory).filter(file => !file.endsWith('/import.lock'))
  if (left.length > 0) found.push(`left behind: ${left.join(', ')}`)
  const changed = scene.git(directory, 'status', '--porcelain')
  if (changed !== '') found.push(`the work tree has changes: ${changed}`)
  const commits = scene.commitsOf(directory, `${tip}..HEAD`)
  for (const action of actions) {
    const isAcknowledged = await action.acknowledged
    found.push(...flawsOfAction(directory, action, isAcknowledged, commits))
    const isThere = commits.some(({ message }) => new RegExp(`\\b${action.word}\\b`).test(message))
    counts[isAcknowledged ? 'acknowledged' : isThere ? 'written' : 'lost']++
  }
  flaws.push(...found.map(flaw => `${name}: ${flaw}`))
}

async function killAtCalls() {
  const base = await scene.newWiki('base')
  await scene.wiki(base, ['page', 'create', 'Given', '-f', '-'], { input: 'Given text.' })
  for (const kind of Object.keys(commands)) {
    const total = await callsOf(base, kind)
    const chosen = values.calls === 'all' ? range(total) : range(Number(values.calls)).map(() => below(total))
    for (const call of new Set(chosen)) await killAtCall(base, kind, { call: call + 1, half: random() < 0.5 })
    console.log(`${kind}: killed at ${new Set(chosen).size} of ${total} calls`)
  }
}

function range(count) {
  return Array.from({ length: count }, (_, at) => at)
}

/** A command in a copy of the wiki, with the watch on its calls. */
async function watched(base, kind, word, env) {
  const directory = join(scene.workplace, 'copy')
  rmSync(directory, { recursive: true, force: true })
  cpSync(base, directory, { recursive: true })
  const before = ['--require', fileURLToPath(new URL('kill-at.cjs', import.meta.url))]
  const action = commands[kind](directory, word, 'Given', { before, env })
  return { directory, action, ended: await action.done }
}

/** How often a command changes the file system. */
async function callsOf(base, kind) {
  const log = join(scene.workplace, 'calls')
  const { ended } = await watched(base, kind, 'counted', { KILL_LOG: log })
  if (ended.status !== 0 || !existsSync(log)) throw new Error(`${kind} fails: ${ended.stderr}`)
  return Number(readFileSync(log, 'utf8'))
}

async function killAtCall(base, kind, { call, half }) {
  const env = { KILL_AT: String(call), KILL_HALF: half ? '1' : '0' }
  const { directory, action, ended } = await watched(base, kind, 'killed', env)
  const name = `${kind}, ${half ? 'in' : 'before'} call ${call}`
  // What takes its time beside the write may come later than in another run.
  if (ended.status !== 'SIGKILL' && ended.status !== 0) flaws.push(`${name}: ${ended.stderr}`)
  const tip = scene.git(base, 'rev-parse', 'HEAD')
  await judge(directory, { name, tip, actions: [action] })
  if (kind === 'import') await importAgain(directory, name, tip)
}

/** The same import again goes on, and imports nothing twice. */
async function importAgain(directory, name, tip) {
  const action = commands.import(directory, 'killed')
  await action.done
  const found = flawsOfAction(directory, action, true, scene.commitsOf(directory, `${tip}..HEAD`))
  found.push(...scene.leftovers(directory).map(file => `left behind: ${file}`))
  flaws.push(...found.map(flaw => `${name}, again: ${flaw}`))
}
