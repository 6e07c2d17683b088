/**
 * Breaks things under a wiki: npm run build && node test/proof/faults.mjs [--seed 1] [--only <words>] [--verbose]
 *
 * Each fault is put into a copy of one wiki while a server runs there, and again before a new server starts. The server that
 * runs, the command line and the new server are asked for everything; then both servers are asked for an edit. An answer is right, or, where
 * the fault allows it, a clear error: one with a key. Anything else is wrong: another answer, a fault without a key, a
 * bug told by the command line, a server that is gone. Exit status 1 where anything is wrong.
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
    verbose: { type: 'boolean', default: false },
  },
})
const random = scene.randomNumbers(Number(values.seed))
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
const tally = {}
for (const fault of faults) if (fault.name.includes(values.only)) await judge(fault)
scene.conclude(flaws)

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

/** Asks everything twice, so that all that is kept is there; keeps the answers to compare with. */
async function settle(directory) {
  const server = await scene.serve(directory)
  for (let round = 0; round < 2; round++) {
    for (const question of questions) reference.set(question, await answerOf(server, question))
    await scene.sleep(300)
  }
  await scene.stop(server)
  for (const [question, { status }] of reference) if (status !== 200) throw new Error(`${question}: ${status}`)
}

/** An answer, without what differs from one server to another. */
async function answerOf(server, question) {
  const { origin } = new URL(server.url)
  const asked = question.startsWith('..') ? { ...server, url: origin } : server
  const { status, text, bytes, json } = await scene.ask(asked, question.replace(/^\.\./, ''))
  const isText = !question.startsWith('..')
  return { status, json, text, content: isText ? text.replaceAll(origin, '') : scene.hashOf(bytes ?? '') }
}

async function judge(fault) {
  const reason = await fault.skip?.()
  if (reason) return console.log(`  skip  ${fault.name}: ${reason}`)
  const began = performance.now()
  for (const key of ['right', 'error', 'wrong']) tally[key] = 0
  const directory = join(scene.workplace, 'copy')
  await fault.begin?.(directory)
  cpSync(base, directory, { recursive: true, verbatimSymlinks: true })
  const running = await scene.serve(directory, ...(fault.options ?? []))
  for (const question of questions) await answerOf(running, question)
  await fault.damage(directory, { random })
  await askAll(running, fault, 'the running server')
  await askCommands(directory, fault)
  await edit(running, fault, 'the running server', directory)
  await leave(running, fault)
  if (!fault.once) {
    rmSync(directory, { recursive: true, force: true })
    cpSync(base, directory, { recursive: true, verbatimSymlinks: true })
    await fault.damage(directory, { random })
    await askNew(fault, directory)
  }
  await fault.end?.(directory)
  rmSync(directory, { recursive: true, force: true })
  const { right, error, wrong } = tally
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${wrong === 0 ? '    ok' : ' WRONG'}  ${fault.name}: ${right} right, ${error} told as errors (${seconds} s)`,
  )
}

async function askNew(fault, directory) {
  const fresh = await scene.serve(directory, ...(fault.options ?? [])).catch(error => {
    tell(fault, 'a new server', String(error), /"key"|wiki: /.test(String(error)) && fault.errors ? 'error' : 'wrong')
    return null
  })
  if (fresh === null) return
  await askAll(fresh, fault, 'a new server')
  await edit(fresh, fault, 'a new server', directory)
  await leave(fresh, fault)
}

async function leave(server, fault) {
  if (server.child.exitCode !== null) tell(fault, 'the server', 'it is gone', 'wrong')
  const { stderr } = await scene.stop(server)
  if (values.verbose)
    console.log(
      stderr
        .split('\n')
        .filter(line => line.includes('"event":"error"'))
        .join('\n'),
    )
}

async function askAll(server, fault, who) {
  for (const question of questions) {
    const answer = await answerOf(server, question)
    const known = reference.get(question)
    const isRight = answer.status === known.status && (answer.content === known.content || mayDiffer(fault, question))
    const kind = isRight ? 'right' : isClear(answer) && fault.errors ? 'error' : 'wrong'
    tell(fault, `${who}, ${question}`, `${answer.status} ${answer.text.slice(0, 200)}`, kind)
  }
}

function mayDiffer({ changes, differs }, question) {
  return changes === true || differs?.includes(question) === true
}

/** An error that says what it is. */
function isClear({ status, json }) {
  return status >= 400 && json?.errorKey !== undefined
}

async function askCommands(directory, fault) {
  for (const args of commandLines) {
    const { status, stdout, stderr } = await scene.wiki(directory, args)
    const isRight = status === 0 && (stdout === reference.get(args.join(' ')) || mayDiffer(fault, args.join(' ')))
    const isError = status === 2 && fault.errors && stderr !== ''
    tell(
      fault,
      args.join(' '),
      `${status} ${stderr}${stdout.slice(0, 100)}`,
      isRight ? 'right' : isError ? 'error' : 'wrong',
    )
  }
}

/** Edits a page; what is said to be saved has to be there. */
async function edit(server, fault, who, directory) {
  const source = `Written ${Math.floor(random() * 1e9)}.`
  const body = { title: `Written by ${who}`, source, comment: 'edit' }
  const answer = await scene.ask(server, '/page', { method: 'POST', body })
  if (answer.status === 201) {
    const read = await scene.ask(server, scene.pagePath(body.title))
    tell(fault, `${who}, its edit`, `${read.status} ${read.text}`, read.json?.source === source ? 'right' : 'wrong')
    const complaints = fault.errors ? '' : scene.fsck(directory)
    if (complaints !== '') tell(fault, `${who}, git fsck`, complaints, 'wrong')
    return
  }
  const kind = isClear(answer) && (fault.errors || fault.refusesEdits) ? 'error' : 'wrong'
  tell(fault, `${who}, an edit`, `${answer.status} ${answer.text}`, kind)
}

function tell(fault, what, said, kind) {
  tally[kind]++
  if (kind === 'wrong') flaws.push(`${fault.name}: ${what}: ${said}`)
  if (values.verbose && kind !== 'right') console.log(`        ${kind}: ${what}: ${said}`)
}
