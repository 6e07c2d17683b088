/**
 * Causes faults in a wiki that is in use.
 *
 *     npm run build && node test/proof/faults.mjs [--seed 1] [--only <words>,<words>] [--lanes 2] [--verbose]
 *
 * Each fault is put into a copy of one wiki while a server runs there, and again before a new server starts. The running
 * server, the command line and the new server get every request; then both servers get an edit. A response is right, or, if the
 * fault allows it, a clear error with a key. Anything else is wrong: another response, an error without a key, a bug reported
 * by the command line, a server that has ended. Exit status 1 if anything is wrong.
 */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { faults } from './fault-list.mjs'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
    verbose: { type: 'boolean', default: false },
  },
})
const began = performance.now()
const flaws = []
const base = await scene.newWiki('base')
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><rect width="300" height="200" fill="red"/></svg>\n'
const pages = [
  ['Template:Box', 'A box of {{{1}}}.'],
  ['Tides', 'The tide is {{Box|water}} and [[Boats]].\n\n[[File:Buoy.svg|thumb|A buoy]]'],
  ['Tides', 'The tide is {{Box|water}} and [[Boats]] again.\n\n[[File:Buoy.svg|thumb|A buoy]]'],
  ['Boats', 'A boat swims on the tide.'],
  ['Old tides', '#REDIRECT [[Tides]]'],
]
await prepare()
const questions = await questionsOf()
const reference = new Map()
await settle(base)
const commandLines = [
  ['page', 'get', 'Tides'],
  ['history', 'Tides', '--json', '--base-url', 'http://example.org'],
  ['search', 'tide', '--json'],
  ['page', 'get', 'Tides', '--html'],
]
for (const args of commandLines) reference.set(args.join(' '), (await scene.wiki(base, args)).stdout)
const isChosen = ({ name }) => values.only.split(',').some(words => name.includes(words))
const waiting = faults.filter(isChosen).map((fault, at) => ({ fault, at }))
await Promise.all(
  Array.from({ length: Number(values.lanes) }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await judge(next.fault, next.at)
  }),
)
scene.conclude('faults', flaws, began, values.seed)

async function prepare() {
  await scene.wiki(base, ['file', 'add', '-', '--title', 'Buoy.svg', '-m', 'file'], { input: picture })
  for (const [title, input] of pages) await scene.wiki(base, ['page', 'edit', title, '-f', '-', '-m', title], { input })
}

async function questionsOf() {
  const server = await scene.serve(base)
  const { json } = await scene.ask(server, '/page/Tides/history')
  const file = await scene.ask(server, '/file/File:Buoy.svg')
  await scene.stop(server)
  const [newer, older] = json.revisions.map(({ id }) => id)
  const thumbnail = new URL(file.json.thumbnail.url).pathname
  return [
    '/page/Tides',
    '/page/Boats',
    '/page/Tides/html',
    '/page/Tides/history',
    '/page/Tides/history/counts/edits',
    `/revision/${older}`,
    `/revision/${older}/compare/${newer}`,
    '/search/page?q=tide',
    '/search/title?q=ti',
    '/file/File:Buoy.svg',
    `..${thumbnail}`,
  ]
}

/** Sends all requests twice, to fill all caches, and stores the responses for comparison. */
async function settle(directory) {
  const server = await scene.serve(directory)
  for (let round = 0; round < 2; round++) {
    for (const question of questions) reference.set(question, await answerOf(server, question))
    await scene.sleep(300)
  }
  await scene.stop(server)
  for (const [question, { status }] of reference) if (status !== 200) throw new Error(`${question}: ${status}`)
}

/** A response without the parts that differ between servers. */
async function answerOf(server, question) {
  const { origin } = new URL(server.url)
  const asked = question.startsWith('..') ? { ...server, url: origin } : server
  const { status, text, bytes, json } = await scene.ask(asked, question.replace(/^\.\./, ''))
  const isText = !question.startsWith('..')
  return { status, json, text, content: isText ? text.replaceAll(origin, '') : scene.hashOf(bytes ?? '') }
}

/** An active fault: its folder, how its processes are started, its random numbers, and the counts of its responses. */
function caseOf(fault, at) {
  const directory = join(scene.workplace, `copy-${at}`)
  const how = typeof fault.how === 'function' ? fault.how(directory) : fault.how
  const random = scene.randomNumbers(Number(values.seed) * 1000 + at)
  return { fault, directory, how, random, tally: { right: 0, error: 0, wrong: 0 } }
}

async function judge(fault, at) {
  const reason = await fault.skip?.()
  if (reason) return console.log(`  skip  ${fault.name}: ${reason}`)
  const start = performance.now()
  const under = caseOf(fault, at)
  await copyBase(under)
  const running = await scene.serve(under.directory, under.how)
  for (const question of questions) await answerOf(running, question)
  await damage(under, () => answerOf(running, questions[0]))
  await askAll(running, under, 'the running server')
  await askCommands(under)
  await edit(running, under, 'the running server')
  await leave(running, under)
  if (!fault.once) {
    await remove(under)
    await copyBase(under)
    await damage(under, () => scene.wiki(under.directory, ['history', 'Tides']))
  }
  await askNew(under)
  await remove(under)
  const { right, error, wrong } = under.tally
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const mark = wrong === 0 ? '    ok' : ' WRONG'
  console.log(`${mark}  ${fault.name}: ${right} right, ${error} told as errors (${seconds} s)`)
}

async function copyBase({ fault, directory }) {
  if (fault.copy) return fault.copy(base, directory)
  cpSync(base, directory, { recursive: true, verbatimSymlinks: true })
}

async function remove({ fault, directory }) {
  await fault.end?.(directory)
  rmSync(directory, { recursive: true, force: true })
}

async function damage({ fault, directory, random }, ask) {
  await fault.damage(directory, { random, ask })
}

async function askNew(under) {
  const { fault, directory, how } = under
  const fresh = await scene.serve(directory, how).catch(error => {
    tell(under, 'a new server', String(error), /"key"|wiki: /.test(String(error)) && fault.errors ? 'error' : 'wrong')
    return null
  })
  if (fresh === null) return
  await askAll(fresh, under, 'a new server')
  await edit(fresh, under, 'a new server')
  await leave(fresh, under)
}

async function leave(server, under) {
  if (server.child.exitCode !== null) tell(under, 'the server', 'it is gone', 'wrong')
  const { stderr } = await scene.stop(server)
  if (values.verbose)
    console.log(
      stderr
        .split('\n')
        .filter(line => line.includes('"event":"error"'))
        .join('\n'),
    )
}

async function askAll(server, under, who) {
  const { fault } = under
  for (const question of questions) {
    const answer = await answerOf(server, question)
    const known = reference.get(question)
    const isRight = answer.status === known.status && (answer.content === known.content || fault.changes)
    const kind = isRight ? 'right' : isClear(answer) && fault.errors ? 'error' : 'wrong'
    tell(under, `${who}, ${question}`, `${answer.status} ${answer.text.slice(0, 200)}`, kind)
  }
}

/** An error with a key. */
function isClear({ status, json }) {
  return status >= 400 && json?.errorKey !== undefined
}

async function askCommands(under) {
  const { fault, directory, how } = under
  for (const args of commandLines) {
    const { status, stdout, stderr } = await scene.wiki(directory, args, how)
    const isRight = status === 0 && (stdout === reference.get(args.join(' ')) || fault.changes)
    const isError = status === 2 && fault.errors && stderr !== ''
    tell(
      under,
      args.join(' '),
      `${status} ${stderr}${stdout.slice(0, 100)}`,
      isRight ? 'right' : isError ? 'error' : 'wrong',
    )
  }
}

/** Edits a page; a reported save must exist. */
async function edit(server, under, who) {
  const { fault, directory, random } = under
  const source = `Written ${Math.floor(random() * 1e9)}.`
  const body = { title: `Written by ${who}`, source, comment: 'edit' }
  const answer = await scene.ask(server, '/page', { method: 'POST', body })
  if (answer.status === 201) {
    const read = await scene.ask(server, scene.pagePath(body.title))
    tell(under, `${who}, its edit`, `${read.status} ${read.text}`, read.json?.source === source ? 'right' : 'wrong')
    const complaints = fault.errors ? '' : scene.fsck(directory)
    if (complaints !== '') tell(under, `${who}, git fsck`, complaints, 'wrong')
    return
  }
  const kind = isClear(answer) && (fault.errors || fault.refusesEdits) ? 'error' : 'wrong'
  tell(under, `${who}, an edit`, `${answer.status} ${answer.text}`, kind)
}

function tell({ fault, tally }, what, said, kind) {
  tally[kind]++
  if (kind === 'wrong') flaws.push(`${fault.name}: ${what}: ${said}`)
  if (values.verbose && kind !== 'right') console.log(`        ${kind}: ${what}: ${said}`)
}
