/**
 * Runs many writers on one repository.
 *
 *     npm run build && node test/proof/together.mjs [--seconds 300] [--rest 16] [--cli 4] [--seed 1]
 *
 * Two servers with `--rest` writers and three readers, `--cli` writers on the command line, a native `git commit` loop in the
 * work tree, a clone that is edited and pulled from, and `git gc`. Every edit adds a unique line somewhere in a page that all
 * write to. At the end each acknowledged line is in the final text once, no refused line is, objects are sound, the index
 * equals a rebuilt one, git's index and the files equal the branch, and no reader saw a text that no revision has, or two texts
 * of one revision. Exit status 1 if anything is wrong.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    rest: { type: 'string', default: '16' },
    cli: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
})
const began = performance.now()
const random = scene.randomNumbers(Number(values.seed))
const pick = list => list[Math.floor(random() * list.length)]
const titles = ['Tides', 'Boats', 'Ropes', 'Knots', 'Winds']
const store = await scene.loadStore()
const directory = await scene.newWiki('wiki')
scene.runHousekeepingOften(directory)
const flaws = []
/** Lines and their reported outcome: acknowledged, refused (a conflict, a lock), or none. */
const lines = { saved: new Map(), refused: new Map(), unknown: new Map() }
/** Error keys that mean that nothing was written, because another edit was, or because the base revision got another id. */
const conflicts = ['edit-conflict', 'rest-update-cannot-create-page', 'rest-nonexistent-revision']
const refusals = ['wiki-locked', 'wiki-repository-busy']

/** The permitted number of occurrences of a line in the final text, by the outcome of its edit. */
const allowed = { saved: times => times === 1, refused: times => times === 0, unknown: times => times <= 1 }

const counts = {}
/** Files of refused native commits: they may be staged, untracked, or removed by `git read-tree`. */
const uncommitted = new Set()
const times = { read: [], html: [], 'REST write': [], 'CLI write': [], 'git commit': [], 'git pull': [] }
/**
 * Progress of the commands that a person runs in the work tree, one after the other: if several run at once, git itself loses
 * staged changes.
 */
let turn = Promise.resolve()
/** Hash of the text that was seen for a revision, by id. */
const seen = new Map()

for (const title of titles) {
  const lines = Array.from({ length: 30 }, (_, at) => `Line ${at} of ${title}, which nobody changes.`)
  const input = `First of ${title}\n${lines.join('\n')}\nLast of ${title}\n`
  await scene.wiki(directory, ['page', 'create', title, '-f', '-', '-m', 'begin'], { input })
}
const servers = [await scene.serve(directory), await scene.serve(directory)]
const end = performance.now() + Number(values.seconds) * 1000
const isOver = () => performance.now() > end
await Promise.all([
  ...range(values.rest).map(at => writeByRest(servers[at % 2], `rest${at}`)),
  ...range(values.cli).map(at => writeByCommand(`cli${at}`)),
  ...range(3).map(at => readOn(servers[at % 2])),
  commitOn(),
  pullOn(),
  collectOn(),
])
await judge()
scene.conclude('together', flaws, began, values.seed)

function range(count) {
  return Array.from({ length: Number(count) }, (_, at) => at)
}

function count(what) {
  counts[what] = (counts[what] ?? 0) + 1
}

/** Inserts a line somewhere after the first line of a text. */
function withLine(text, line) {
  const lines = text.split('\n')
  lines.splice(1 + Math.floor(random() * (lines.length - 1)), 0, line)
  return lines.join('\n')
}

async function writeByRest(server, name) {
  for (let at = 0; !isOver(); at++) {
    const title = pick(titles)
    const { json, status } = await scene.ask(server, scene.pagePath(title))
    if (status !== 200) {
      flaws.push(`${name}: reading ${title} answers ${status}`)
      continue
    }
    const line = `Line by ${name}, its number ${at}, ends here.`
    const body = { source: withLine(json.source, line), comment: line, latest: { id: json.latest.id } }
    const answer = await scene.ask(server, scene.pagePath(title), { method: 'PUT', body, patience: 90_000 })
    times['REST write'].push(answer.milliseconds)
    note('REST', outcomeOf(answer), { line, title, said: `${answer.status} ${answer.text}` })
  }
}

function outcomeOf({ status, json }) {
  if (status === 200) return 'saved'
  if (conflicts.includes(json?.errorKey)) return 'conflict'
  return refusals.includes(json?.errorKey) ? 'refused' : 'unknown'
}

/** Counts the outcome of a write. Any other response is wrong. */
function note(frontEnd, outcome, { line, title, said }) {
  if (outcome === 'unknown') flaws.push(`${frontEnd}: ${said}`)
  lines[outcome === 'conflict' ? 'refused' : outcome].set(line, title)
  count(`${frontEnd} ${outcome}`)
}

async function writeByCommand(name) {
  for (let at = 0; !isOver(); at++) {
    const title = pick(titles)
    const read = await scene.wiki(directory, ['page', 'get', title, '--json'])
    if (read.status !== 0) {
      flaws.push(`${name}: ${read.stderr}`)
      continue
    }
    const { source, latest } = JSON.parse(read.stdout)
    const line = `Line by ${name}, its number ${at}, ends here.`
    const args = ['page', 'edit', title, '-f', '-', '--base', String(latest.id), '-m', line, '--json']
    const { status, stdout, stderr, milliseconds } = await scene.wiki(directory, args, {
      input: withLine(source, line),
    })
    times['CLI write'].push(milliseconds)
    const answer = { status: status === 0 ? 200 : status, json: errorIn(stderr) }
    note('CLI', outcomeOf(answer), { line, title, said: `${status} ${stdout}${stderr}` })
  }
}

/** The error that a command with `--json` printed, among its other output. */
function errorIn(text) {
  const line = text.split('\n').find(line => line.startsWith('{"errorKey"'))
  return line === undefined ? undefined : JSON.parse(line)
}

async function readOn(server) {
  while (!isOver()) {
    const title = pick(titles)
    const { status, json, text, milliseconds } = await scene.ask(server, scene.pagePath(title))
    times.read.push(milliseconds)
    if (status === 200) checkText(title, json.latest.id, json.source)
    else flaws.push(`reading ${title} answers ${status}: ${text}`)
    const html = await scene.ask(server, `${scene.pagePath(title)}/html`)
    times.html.push(html.milliseconds)
    const isWhole = html.text.includes(`First of ${title}`) && html.text.includes(`Last of ${title}`)
    if (html.status !== 200 || !isWhole) flaws.push(`the HTML of ${title} is torn: ${html.status}`)
  }
}

function checkText(title, id, text) {
  const isWhole = text.startsWith(`First of ${title}\n`) && text.trimEnd().endsWith(`Last of ${title}`)
  const hash = scene.hashOf(text)
  if (!isWhole) flaws.push(`a torn text of ${title}, revision ${id}`)
  if ((seen.get(id) ?? hash) !== hash) flaws.push(`two texts of revision ${id}`)
  seen.set(id, hash)
}

/** Does something in the work tree when it is its turn. */
function inTurn(work) {
  const done = turn.then(work)
  turn = done.catch(() => {})
  return done
}

/** Runs git beside all others; false if it failed because of a lock. */
async function native(folder, ...args) {
  const { status, stderr } = await scene.start('git', args, { directory: folder }).done
  if (status !== 0)
    count(
      `git ${args[0]}: ${stderr
        .trim()
        .split('\n')[0]
        .replace(/'[^']*'|[0-9a-f]{40}/g, '...')}`,
    )
  return status === 0
}

/** Commits pages in the work tree. */
async function commitOn() {
  for (let at = 0; !isOver(); at++) {
    const line = `Line by native, its number ${at}, ends here.`
    const began = performance.now()
    const isDone = await inTurn(() => commit(line, `Native_${at}.wiki`))
    times['git commit'].push(performance.now() - began)
    count(isDone ? 'native saved' : 'native refused')
    if (isDone) lines.saved.set(line, `Native ${at}`)
    else uncommitted.add(`Native_${at}.wiki`)
    await scene.sleep(100)
  }
}

async function commit(line, file) {
  writeFileSync(join(directory, file), `${line}\n`)
  for (let attempt = 0; attempt < 10; attempt++) if (await native(directory, 'add', file)) break
  return native(directory, 'commit', '--quiet', '-m', line, '--', file)
}

/** Edits pages in a clone, and pulls from there into the work tree that all others write to. */
async function pullOn() {
  const clone = join(scene.workplace, 'clone')
  scene.git(scene.workplace, 'clone', '--quiet', directory, clone)
  const waiting = []
  for (let at = 0; !isOver(); at++) {
    const line = `Line by clone, its number ${at}, ends here.`
    writeFileSync(join(clone, `Cloned_${at}.wiki`), `${line}\n`)
    waiting.push([line, `Cloned ${at}`])
    await native(clone, 'add', '.')
    await native(clone, 'commit', '--quiet', '-m', line)
    const began = performance.now()
    const isPulled = await inTurn(() => pull(clone))
    times['git pull'].push(performance.now() - began)
    count(isPulled ? 'pull done' : 'pull refused')
    if (isPulled) for (const [known, title] of waiting.splice(0)) lines.saved.set(known, title)
    await native(clone, 'pull', '--quiet', '--no-rebase', '--no-edit')
    await scene.sleep(300)
  }
}

/**
 * The two halves of `git pull`, which on its own takes a branch that moved for one that its fetch moved. A fetch that fails
 * leaves `FETCH_HEAD` empty, and a merge of nothing succeeds. If nobody has written since the clone pulled, the branch is
 * fast-forwarded to the clone's merge, whose first parents are the clone's: a rewritten history (docs/architecture.md).
 */
async function pull(clone) {
  if (!(await native(directory, 'fetch', '--quiet', clone, 'HEAD'))) return false
  const before = scene.git(directory, 'rev-parse', 'HEAD')
  if (await native(directory, 'merge', '--quiet', '--no-edit', 'FETCH_HEAD')) {
    if (scene.git(directory, 'rev-parse', 'HEAD^1') !== before) count('branch put forward, or moved since')
    return true
  }
  await giveUp()
  return false
}

/**
 * Abandons a merge that git could not complete because the branch moved, or that restored the index and the files as they were
 * when it began. It does not use `git merge --abort`, which is a `git reset`: that moves the branch back to where it was when
 * the command began, even if others have committed since. `git read-tree` reads its commit before it locks the index, so it
 * runs again if the branch moved in between.
 */
async function giveUp() {
  if (existsSync(join(directory, '.git/MERGE_HEAD'))) await native(directory, 'merge', '--quit')
  for (let attempt = 0; attempt < 1000; attempt++) {
    const before = scene.git(directory, 'rev-parse', 'HEAD')
    const isDone = await native(directory, 'read-tree', '--reset', '-u', 'HEAD')
    if (isDone && scene.git(directory, 'rev-parse', 'HEAD') === before) return
    await scene.sleep(20)
  }
  flaws.push('a merge could not be given up')
}

async function collectOn() {
  while (!isOver()) {
    await scene.sleep(1500)
    const isDone = await native(directory, 'gc', '--quiet')
    count(isDone ? 'gc done' : 'gc refused')
  }
}

async function judge() {
  for (const server of servers) if (server.child.exitCode !== null) flaws.push('a server has ended')
  for (const server of servers) {
    await checkLines(server)
    const ended = await scene.stop(server)
    for (const line of ended.stderr.split('\n'))
      if (line.includes('"event":"error"')) flaws.push(`the server says ${line}`)
    if (ended.status !== 0) flaws.push(`a server ends with ${ended.status}: ${ended.stderr.slice(-500)}`)
  }
  flaws.push(...(await scene.flawsOf(store, directory)))
  await checkWorkTree()
  countPutBack()
  for (const [what, number] of Object.entries(counts)) console.log(`${String(number).padStart(6)}  ${what}`)
  for (const [what, list] of Object.entries(times)) console.log(`${what}: ${scene.quantiles(list)}`)
  const { saved, refused, unknown } = lines
  console.log(
    `${saved.size} lines acknowledged, ${refused.size} refused, ${unknown.size} without an answer; ${seen.size} revisions read`,
  )
}

/** Checks that nothing is staged and that no file differs from the index, except those that the native loop could not commit. */
async function checkWorkTree() {
  const { stdout } = await scene.wiki(directory, ['status', '--json'])
  for (const _ of JSON.parse(stdout).repaired) count('entries reverted by git, and repaired by wiki status')
  for (const row of scene.git(directory, 'status', '--porcelain', '--no-renames').split('\n'))
    if (row !== '' && !(/^(A |\?\?) /.test(row) && uncommitted.has(row.slice(3)))) flaws.push(`git status says ${row}`)
}

/** The number of times that a git command reset the branch to its start although others had committed since. */
function countPutBack() {
  const moves = scene.git(directory, 'reflog', '--format=%H %gs').split('\n')
  moves.forEach((move, at) => {
    const before = moves[at + 1]
    if (move.endsWith('updating HEAD') && before !== undefined && before.slice(0, 40) !== move.slice(0, 40))
      count('branch put back by git')
  })
}

async function checkLines(server) {
  const texts = new Map()
  const timesOf = async (line, title) => {
    if (!texts.has(title)) texts.set(title, await countLines(server, title))
    return texts.get(title).get(line) ?? 0
  }
  for (const [said, known] of Object.entries(lines)) {
    for (const [line, title] of known) {
      const times = await timesOf(line, title)
      if (!allowed[said](times)) flaws.push(`"${line}", ${said}, is ${times} times in ${title}`)
    }
  }
}

async function countLines(server, title) {
  const { json } = await scene.ask(server, scene.pagePath(title))
  const times = new Map()
  for (const line of (json?.source ?? '').split('\n')) times.set(line, (times.get(line) ?? 0) + 1)
  return times
}
