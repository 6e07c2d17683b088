/**
 * Two servers in two containers that share a repository, a host name and their process numbers.
 *
 *     npm run build && node test/proof/namespaces.mjs [--seconds 300] [--writers 8] [--seed 1]
 *
 * Each server is process 1 of its own PID namespace, in a UTS namespace with the same host name (`unshare`, which needs root). Each edit of
 * the writers adds a line to a page that all of them write to. Meanwhile a server with its whole namespace is killed and started again, or
 * stopped for some seconds. After each round, and one edit from this namespace, every acknowledged line is in its page once and no refused
 * one is, no lock is left, git finds nothing changed and nothing staged, and its index equals HEAD. Exit status 1 if anything is wrong.
 * `WIKI_PRODUCT=<folder>` tests another build.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    writers: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
  },
})
/** As two containers with the same `hostname:`. The namespace ends with its first process, and that with `unshare`. */
const container = [
  ...['unshare', '--pid', '--fork', '--mount-proc', '--uts', '--kill-child=SIGKILL'],
  ...['sh', '-c', 'hostname shared; exec "$@"', 'sh'],
]
if (spawnSync(container[0], [...container.slice(1), 'true']).status !== 0) {
  console.log('skipped: this user may not make namespaces (unshare --pid --uts)')
  process.exit(0)
}

const roundSeconds = 15
const began = performance.now()
const random = scene.randomNumbers(Number(values.seed))
const pick = list => list[Math.floor(random() * list.length)]
const between = (least, most) => least + random() * (most - least)
const titles = ['Tides', 'Boats', 'Ropes']
const store = await scene.loadStore()
const directory = await scene.newWiki('wiki')
scene.git(directory, 'config', 'gc.auto', '0')
const flaws = []
const counts = {}
const times = { 'write, acknowledged': [], 'first write after a kill': [] }
/** Lines by the outcome of their edit, with their titles. */
const lines = { saved: new Map(), refused: new Map(), unknown: new Map() }
const allowed = { saved: times => times === 1, refused: times => times === 0, unknown: times => times <= 1 }
const conflicts = ['edit-conflict', 'rest-update-cannot-create-page', 'rest-nonexistent-revision']
const refusals = ['wiki-locked', 'wiki-repository-busy']

for (const title of titles) {
  const input = `First of ${title}\n${Array.from({ length: 30 }, (_, at) => `Line ${at} of ${title}.\n`).join('')}Last of ${title}\n`
  await scene.wiki(directory, ['page', 'create', title, '-f', '-', '-m', 'begin'], { input })
}
const servers = [await serve(), await serve()]
let isRound = false
const end = performance.now() + Number(values.seconds) * 1000
for (let round = 1; performance.now() < end && flaws.length === 0; round++) {
  isRound = true
  const writers = Array.from({ length: Number(values.writers) }, (_, at) => writeOn(at % 2, `${round}.${at}`))
  const seconds = Math.min(roundSeconds, (end - performance.now()) / 1000 + 1)
  await disturb(performance.now() + seconds * 1000)
  isRound = false
  await Promise.all(writers)
  await judge(round)
}
for (const server of servers) kill(server)
for (const flaw of await scene.flawsOf(store, directory))
  if (flaw.startsWith('git fsck: broken link') && isConnected())
    count('objects without what they name, which a killed write left')
  else flaws.push(flaw)
for (const [what, number] of Object.entries(counts)) console.log(`${String(number).padStart(6)}  ${what}`)
for (const [what, list] of Object.entries(times)) console.log(`${what}: ${scene.quantiles(list)}`)
const { saved, refused, unknown } = lines
console.log(`${saved.size} lines acknowledged, ${refused.size} refused, ${unknown.size} without an answer`)
scene.conclude('namespaces', flaws, began, values.seed)

/** Everything that a ref leads to is there. A write that was killed while it named its objects leaves some that nothing names. */
function isConnected() {
  const { status, stdout, stderr } = spawnSync('git', ['-C', directory, 'rev-list', '--objects', '--all', '--quiet'])
  if (status !== 0) console.log(`${stdout}${stderr}`)
  return status === 0
}

function count(what) {
  counts[what] = (counts[what] ?? 0) + 1
}

async function serve() {
  const server = await scene.serve(directory, { wrap: container })
  return { ...server, isNew: true }
}

function kill(server) {
  server.agent.destroy()
  server.child.kill('SIGKILL')
}

/** The process of a server, by its number here. */
function processOf({ child: { pid } }) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

/** Kills or stops a server at random moments. */
async function disturb(until) {
  while (performance.now() < until) {
    await scene.sleep(between(500, 4000))
    const at = Math.floor(random() * 2)
    if (random() < 0.3) await pause(servers[at], between(500, 5000))
    else {
      kill(servers[at])
      await servers[at].done
      count('containers killed')
      await scene.sleep(between(0, 1000))
      servers[at] = await serve()
    }
  }
}

async function pause(server, milliseconds) {
  const pid = processOf(server)
  process.kill(pid, 'SIGSTOP')
  count('containers stopped for a while')
  await scene.sleep(milliseconds)
  process.kill(pid, 'SIGCONT')
}

/** Inserts a line somewhere after the first line of a text. */
function withLine(text, line) {
  const lines = text.split('\n')
  lines.splice(1 + Math.floor(random() * (lines.length - 1)), 0, line)
  return lines.join('\n')
}

async function writeOn(at, name) {
  for (let number = 0; isRound; number++) {
    const server = servers[at]
    const title = pick(titles)
    const { json, status } = await scene.ask(server, scene.pagePath(title), { patience: 90_000 })
    if (status !== 200) {
      if (status !== 0) flaws.push(`${name}: reading ${title} answers ${status}`)
      await scene.sleep(100)
      continue
    }
    const line = `Line by ${name}, its number ${number}, ends here.`
    const body = { source: withLine(json.source, line), comment: line, latest: { id: json.latest.id } }
    const answer = await scene.ask(server, scene.pagePath(title), { method: 'PUT', body, patience: 90_000 })
    note(answer, { line, title })
    if (answer.status !== 200) continue
    times[server.isNew ? 'first write after a kill' : 'write, acknowledged'].push(answer.milliseconds)
    server.isNew = false
  }
}

/** Without an answer the server was killed; any other one than these is wrong. */
function note({ status, json, text }, { line, title }) {
  const isRefused = conflicts.includes(json?.errorKey) || refusals.includes(json?.errorKey)
  const outcome = status === 200 ? 'saved' : isRefused ? 'refused' : 'unknown'
  if (outcome === 'unknown' && status !== 0) flaws.push(`a write answers ${status}: ${text}`)
  if (refusals.includes(json?.errorKey)) count(`writes refused: ${json.errorKey}`)
  lines[outcome].set(line, title)
}

/** The servers hold some for moments, for example while they take an edit into the search index. */
async function locksLeft() {
  let left = scene.leftovers(directory)
  for (let looks = 0; looks < 100 && left.length > 0; looks++) {
    await scene.sleep(100)
    const now = scene.leftovers(directory)
    left = left.filter(name => now.includes(name))
  }
  return left
}

async function judge(round) {
  const line = `Line of round ${round}, ends here.`
  const { stdout } = await scene.wiki(directory, ['page', 'get', 'Tides'])
  const input = withLine(stdout, line)
  const { status, stderr } = await scene.wiki(directory, ['page', 'edit', 'Tides', '-f', '-', '-m', line], { input })
  if (status === 0) lines.saved.set(line, 'Tides')
  else flaws.push(`round ${round}: the edit from outside: ${status} ${stderr}`)
  for (const lock of await locksLeft()) flaws.push(`round ${round}: ${lock} is left`)
  const texts = new Map(titles.map(title => [title, scene.git(directory, 'show', `main:${title}.wiki`).split('\n')]))
  for (const [outcome, known] of Object.entries(lines))
    for (const [line, title] of known) {
      const times = texts.get(title).filter(one => one === line).length
      if (!allowed[outcome](times)) flaws.push(`round ${round}: "${line}", ${outcome}, is ${times} times in ${title}`)
    }
  const index = scene.git(directory, 'diff', '--cached', '--stat', 'HEAD')
  if (index !== '') flaws.push(`round ${round}: git's index differs from HEAD: ${index}`)
  const changed = scene.git(directory, 'status', '--porcelain')
  if (changed !== '') flaws.push(`round ${round}: git status says ${changed}`)
  count('rounds')
}
