/**
 * Kills writers, and examines the repository.
 *
 *     npm run build && node test/proof/kill.mjs [--rounds 1000] [--calls all] [--kinds all] [--lanes 2] [--seed 1]
 *
 * In a round, three writers of a server and commands beside them are ended by SIGKILL at moments from the seed; so is the
 * server in about every third round. Then each kind of write alone is killed before, and in the middle of, the calls that
 * change the file system: all of them, or as many as `--calls` says. After each kill the next writer starts. Then acknowledged
 * edits are there once, refused ones are not, those without a response are there in full or not at all, git's objects are
 * sound, the index equals a rebuilt one, no lock is left, and the work tree has no changes. Git packs objects all the time.
 * Exit status 1 if anything is wrong. `--kinds`: the kinds of writes, as `CLI create,REST update`. `--lanes`: the number of
 * wikis in use at the same time.
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commands, flawsOfAction, requests } from './actions.mjs'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    calls: { type: 'string', default: 'all' },
    kinds: { type: 'string', default: 'all' },
    lanes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
})
const began = performance.now()
const store = await scene.loadStore()
const flaws = []
const counts = { kills: 0, saved: 0, refused: 0, written: 0, lost: 0 }
const lanes = Math.max(1, Number(values.lanes))
const kinds = Object.keys(commands)
/** Rounds with one wiki: git and the checks get slower as it grows. */
const roundsToWiki = 40
/** Duration of a command that is not killed, in milliseconds. */
const usual = {}

await inLanes(killInRounds)
tell(`${values.rounds} rounds`)
await killAtCalls()
tell('calls')
scene.conclude('kill', flaws, began, values.seed)

function tell(what) {
  const { kills, saved, refused, written, lost } = counts
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(
    `${what}: ${kills} processes killed; writes: ${saved} acknowledged, ${refused} refused, ${written} written though nobody was told, ${lost} not written (${seconds} s)`,
  )
}

function inLanes(work) {
  return Promise.all(range(lanes).map(lane => work(lane)))
}

function range(count) {
  return Array.from({ length: count }, (_, at) => at)
}

/** Random choices of one lane. */
function dice(name) {
  const random = scene.randomNumbers(Number.parseInt(scene.hashOf(`${values.seed} ${name}`).slice(0, 8), 16))
  const below = limit => Math.floor(random() * limit)
  return { random, below, pick: list => list[below(list.length)] }
}

// Rounds

async function killInRounds(lane) {
  const choose = dice(`lane ${lane}`)
  const place = { lane, directory: null, server: null, pages: [] }
  for (let round = lane; round < Number(values.rounds); round += lanes) {
    const name = `r${round}`
    if (Math.floor(round / lanes) % roundsToWiki === 0) await moveOn(place, name)
    place.server ??= await scene.serve(place.directory)
    const tip = scene.git(place.directory, 'rev-parse', 'HEAD')
    const actions = await killedRound(place, name, choose)
    place.pages = await judge(place.directory, { name: `round ${round}`, tip, actions, next: `after ${name}` })
    if (round % 100 === 99) tell(`${round + 1} rounds`)
  }
  await leave(place)
}

async function moveOn(place, name) {
  await leave(place)
  place.directory = await scene.newWiki(`wiki-${place.lane}-${name}`)
  scene.runHousekeepingOften(place.directory)
  place.pages = await nextWrite(place.directory, name)
}

async function leave({ server, directory }) {
  if (server !== null) await scene.stop(server)
  if (directory !== null) rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** Starts writers and kills them; returns their current actions. */
async function killedRound(place, name, { below, pick, random }) {
  const { server, directory, pages } = place
  const actions = []
  let isOver = false
  const write = async (writer, page) => {
    for (let at = 0; !isOver; at++) {
      const word = `${name}s${writer}n${at}`
      const action = at === 0 ? requests.update(server, word, page) : requests.create(server, word)
      actions.push(action)
      if ((await action.outcome) === 'unknown') return
    }
  }
  const writers = range(3).map(writer => write(writer, pages[writer]))
  const chosen = range(1 + below(2)).map(at => ({ kind: pick(kinds), at }))
  const asked = chosen.map(({ kind, at }) => ({
    ...commands[kind](directory, `${name}c${at}`, pages[3 + at].title),
    after: below((usual[kind] ?? 400) * 1.2),
    kind,
  }))
  actions.push(...asked)
  const kills = asked.map(command => killAfter(command, command.after))
  const killsServer = random() < 0.35
  if (killsServer) kills.push(killAfter(server, 20 + below(500)))
  await Promise.all(kills)
  for (const { kind, done } of asked) learn(kind, await done)
  isOver = true
  await Promise.all(writers)
  if (killsServer) await forget(place)
  return actions
}

async function killAfter({ child, done }, milliseconds) {
  await Promise.race([scene.sleep(milliseconds), done])
  if (child.exitCode === null && child.kill('SIGKILL')) counts.kills++
  await done
}

/** The longest recent duration of a kind of command determines when the next one is killed. */
function learn(kind, { status, milliseconds }) {
  if (status === 0) usual[kind] = Math.max(milliseconds, (usual[kind] ?? 0) * 0.9)
  else usual[kind] = (usual[kind] ?? 400) * 1.02
}

async function forget(place) {
  await place.server.done
  place.server.agent.destroy()
  place.server = null
}

/** Pages that the next writer writes, one for each action of the round. */
async function nextWrite(directory, name) {
  const opened = store.openStore({ directory })
  try {
    const titles = range(6).map(at => `Page ${name} ${at}`)
    const changes = titles.map(title => ({
      path: `${title.replaceAll(' ', '_')}.wiki`,
      content: Buffer.from(`Begin of ${title}.\n`),
    }))
    const author = { name: 'Next', address: 'next@example.org' }
    await opened.commit(() => ({ changes, author, comment: '', subject: `Begin ${name}` }))
    return titles.map(title => ({ title, latest: opened.findPage(title.replaceAll(' ', '_')).latest }))
  } finally {
    opened.close()
  }
}

/** Examines the repository after the next writer has started; returns the pages that it made. */
async function judge(directory, { name, tip, actions, next }) {
  const found = []
  const fail = error => found.push(`the next write fails: ${error}`)
  const pages = (await nextWrite(directory, next).catch(fail)) || []
  await scene.endOfHousekeeping(directory)
  const left = scene.leftovers(directory)
  if (left.length > 0) found.push(`left behind: ${left.join(', ')}`)
  const changed = scene.git(directory, 'status', '--porcelain')
  if (changed !== '') found.push(`the work tree has changes: ${changed}`)
  found.push(...(await scene.flawsOf(store, directory)))
  const commits = scene.commitsOf(directory, `${tip}..HEAD`)
  for (const action of actions) {
    const outcome = await action.outcome
    found.push(...flawsOfAction(action, outcome, commits))
    const isThere = commits.some(({ message }) => new RegExp(`\\b${action.word}\\b`).test(message))
    counts[outcome === 'unknown' ? (isThere ? 'written' : 'lost') : outcome]++
  }
  flaws.push(...found.map(flaw => `${name}: ${flaw}`))
  return pages
}

// Calls

async function killAtCalls() {
  const base = await scene.newWiki('base')
  scene.runHousekeepingOften(base)
  const pages = await nextWrite(base, 'given')
  const plan = []
  const every = [...kinds.map(name => `CLI ${name}`), ...Object.keys(requests).map(name => `REST ${name}`)]
  for (const kind of values.kinds === 'all' ? every : values.kinds.split(',')) {
    const calls = await callsOf(base, kind, pages[0])
    const all = calls.flatMap((name, at) => momentsOf(name).map(half => ({ kind, call: at + 1, half })))
    const { below } = dice(kind)
    const moments = values.calls === 'all' ? all : range(Number(values.calls)).map(() => all[below(all.length)])
    console.log(
      `${kind}: ${calls.length} calls that change the file system, killed at ${moments.length} of ${all.length} moments`,
    )
    plan.push(...moments)
  }
  await inLanes(async lane => {
    for (let moment = plan.shift(); moment !== undefined; moment = plan.shift()) {
      await killAt(base, pages[0], moment, lane)
      if (plan.length % 100 === 0) tell(`${plan.length} moments left`)
    }
  })
}

/** Before the call, and in the middle of a call that writes bytes. */
function momentsOf(name) {
  return /^(?:write|append|handle.writeFile)/.test(name) ? [false, true] : [false]
}

/** A write in a copy of the wiki, with its calls observed. */
async function watched(base, { kind, page, word, lane }, env) {
  const directory = join(scene.workplace, `copy-${lane}`)
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  cpSync(base, directory, { recursive: true })
  const before = ['--require', fileURLToPath(new URL('kill-at.cjs', import.meta.url))]
  const [frontEnd, name] = kind.split(/ (.*)/)
  if (frontEnd === 'CLI') {
    const action = commands[name](directory, word, page.title, { before, env })
    return { directory, action, ended: await action.done }
  }
  const from = join(scene.workplace, `from-${lane}`)
  rmSync(from, { force: true })
  const server = await scene.serve(directory, { before, env: { ...env, KILL_FROM: from } })
  writeFileSync(from, '')
  const action = requests[name](server, word, page)
  await action.outcome
  return { directory, action, ended: await scene.stop(server) }
}

/** Names of the calls by which a write changes the file system. */
async function callsOf(base, kind, page) {
  const log = join(scene.workplace, 'calls')
  rmSync(log, { force: true })
  const { action, ended } = await watched(base, { kind, page, word: 'counted', lane: 0 }, { KILL_LOG: log })
  if ((await action.outcome) !== 'saved' || !existsSync(log)) throw new Error(`${kind} fails: ${ended.stderr}`)
  return readFileSync(log, 'utf8').split('\n')
}

async function killAt(base, page, { kind, call, half }, lane) {
  const env = { KILL_AT: String(call), KILL_HALF: half ? '1' : '0' }
  const word = `killed${lane}`
  const { directory, action, ended } = await watched(base, { kind, page, word, lane }, env)
  const name = `${kind}, ${half ? 'in' : 'before'} call ${call}`
  if (ended.status === 'SIGKILL') counts.kills++
  // Concurrent work may finish later than in another run.
  else if (ended.status !== 0) flaws.push(`${name}: ${ended.stderr}`)
  const tip = scene.git(base, 'rev-parse', 'HEAD')
  await judge(directory, { name, tip, actions: [action], next: 'next' })
  if (kind === 'CLI import') await importAgain(directory, { name, tip, word })
}

/** The same import continues, and imports nothing twice. */
async function importAgain(directory, { name, tip, word }) {
  const action = commands.import(directory, word)
  await action.done
  const found = flawsOfAction(action, 'saved', scene.commitsOf(directory, `${tip}..HEAD`))
  found.push(...scene.leftovers(directory).map(file => `left behind: ${file}`))
  flaws.push(...found.map(flaw => `${name}, again: ${flaw}`))
}
