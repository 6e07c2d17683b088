/** Shared by the experiments: the product as a process, git, random numbers, and the invariants of a repository. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The product under test: this one, or another build of it. */
const program = join(process.env.WIKI_PRODUCT ?? root, 'bin/wiki.cjs')
const living = new Set()

/** A folder that is deleted, and whose processes end, when the experiment ends. KEEP=1 keeps it. */
export const workplace = mkdtempSync(join(tmpdir(), 'wiki-proof-'))
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
  if (process.env.KEEP === undefined) rmSync(workplace, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** Git reads only the repository's configuration. */
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Native',
  GIT_AUTHOR_EMAIL: 'native@example.org',
  GIT_COMMITTER_NAME: 'Native',
  GIT_COMMITTER_EMAIL: 'native@example.org',
}

/** A generator of numbers in [0, 1) from a seed (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Runs git in a repository of any owner; returns its output. */
export function git(directory, ...args) {
  const options = { cwd: directory, env: environment, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' }
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], options).replace(/\n$/, '')
}

/** Milliseconds after which a program counts as hanging. */
const longest = 120_000

/** Starts a program; `done` resolves to its status, its output and its duration in milliseconds. */
export function start(command, args, { input = null, directory = workplace, env = {}, limit = longest } = {}) {
  const began = performance.now()
  const child = spawn(command, args, { cwd: directory, env: { ...environment, ...env } })
  living.add(child)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', text => {
      printed[name] += text
    })
  }
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  const timer = limit === null ? undefined : setTimeout(() => child.kill('SIGKILL'), limit)
  const done = new Promise(resolve => {
    const end = (code, signal) => {
      clearTimeout(timer)
      living.delete(child)
      resolve({ status: code ?? signal, ...printed, milliseconds: performance.now() - began })
    }
    child.once('close', end)
    // Its children may keep its output open.
    child.once('exit', (code, signal) => setTimeout(end, 2000, code, signal).unref())
  })
  return { child, printed, done }
}

/** Starts the command line in a wiki. `before` are arguments of node; `wrap` is a command that starts node. */
export function startWiki(directory, args, { wrap = [], before = [], ...options } = {}) {
  const [command, ...words] = [...wrap, process.execPath, ...before, program, '-C', directory, ...args]
  return start(command, words, options)
}

/** Runs the command line in a wiki. */
export function wiki(directory, args, options) {
  return startWiki(directory, args, options).done
}

/** Makes a wiki of one page. */
export async function newWiki(name, ...options) {
  const directory = join(workplace, name)
  await makeWikiIn(directory, ...options)
  return directory
}

/** Makes a wiki of one page in a folder, which is created. */
export async function makeWikiIn(directory, ...options) {
  mkdirSync(directory)
  const made = await wiki(directory, ['init', directory, '--user', 'Proof <proof@example.org>', ...options])
  if (made.status !== 0) throw new Error(made.stderr)
  git(directory, 'config', 'user.name', 'Proof')
  git(directory, 'config', 'user.email', 'proof@example.org')
}

/** Makes a wiki with a text on each page, and a short history. Git packs nothing by itself. */
export async function newWikiOfPages(name, titles) {
  const directory = await newWiki(name)
  git(directory, 'config', 'gc.auto', '0')
  const lines = Array.from({ length: 12 }, (_, at) => `Paragraph ${at}, which nobody changes.\n\n`).join('')
  for (const title of titles) writeFileSync(join(directory, `${title}.wiki`), `${title}\n\n${lines}`)
  commitAll(directory, 'begin')
  // `reset --hard HEAD~1` removes one of these commits, not the pages: without pages nothing would be acknowledged.
  for (let at = 0; at < 4; at++) {
    appendFileSync(join(directory, 'K.wiki'), `Before ${at}\n`)
    commitAll(directory, `before ${at}`)
  }
  return directory
}

/** Commits every file of the work tree. */
export function commitAll(directory, message) {
  git(directory, 'add', '.')
  git(directory, 'commit', '--quiet', '-m', message)
}

/** Lets git pack objects in the background as soon as some hundred are loose. */
export function runHousekeepingOften(directory) {
  git(directory, 'config', 'gc.auto', '1')
}

/** Waits until git has packed, and until a running server has written the index again, if they have begun. */
export async function endOfHousekeeping(directory) {
  const isBusy = () => ['gc.pid', 'wiki/main/compaction.lock'].some(name => existsSync(join(directory, '.git', name)))
  for (let waits = 0; waits < 200 && isBusy(); waits++) await sleep(50)
}

/** Starts a server; resolves when it responds. `how`: options of `startWiki`. */
export async function serve(directory, how = {}) {
  const args = ['serve', '--port', '0', '--allow-anonymous', '--json']
  const started = startWiki(directory, args, { limit: null, ...how })
  const late = setTimeout(() => started.child.kill('SIGKILL'), longest)
  const ended = started.done.then(({ stderr }) => Promise.reject(new Error(`the server ended: ${stderr}`)))
  const address = new Promise(resolve => {
    started.child.stdout.on('data', () => {
      const url = /"url":"([^"]+)"/.exec(started.printed.stdout)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  const url = await Promise.race([address, ended]).finally(() => clearTimeout(late))
  ended.catch(() => {})
  return { ...started, url, agent: new Agent({ keepAlive: true }) }
}

/** Stops a server with SIGTERM, and with SIGKILL after ten seconds. */
export async function stop(server) {
  server.agent.destroy()
  server.child.kill('SIGTERM')
  setTimeout(() => server.child.kill('SIGKILL'), 10_000).unref()
  return server.done
}

/** Sends a request; `status` 0 means that no complete response arrived. */
export function ask(server, path, { method = 'GET', body = null, patience = 20_000 } = {}) {
  const began = performance.now()
  const headers = body === null ? {} : { 'content-type': 'application/json' }
  return new Promise(resolve => {
    const fail = error => resolve({ status: 0, text: String(error), milliseconds: performance.now() - began })
    const sent = request(`${server.url}${path}`, { method, headers, agent: server.agent }, answer => {
      const chunks = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('error', fail)
      answer.on('aborted', () => fail('aborted'))
      answer.on('end', () => {
        if (!answer.complete) return
        const bytes = Buffer.concat(chunks)
        const isJson = /json/.test(answer.headers['content-type'] ?? '')
        const text = bytes.toString('utf8')
        const read = { status: answer.statusCode, bytes, text, milliseconds: performance.now() - began }
        resolve(isJson && text !== '' ? { ...read, json: JSON.parse(text) } : read)
      })
    })
    sent.setTimeout(patience, () => sent.destroy(new Error(`no answer in ${patience} ms`)))
    sent.on('error', fail)
    sent.end(body === null ? undefined : JSON.stringify(body))
  })
}

export const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Path of a page in the API. */
export const pagePath = title => `/page/${encodeURIComponent(title.replaceAll(' ', '_'))}`

export const hashOf = bytes => createHash('sha1').update(bytes).digest('hex')

/** The store, bundled from its sources, because Node 20 reads no TypeScript. */
export async function loadStore() {
  // Beside node_modules, where packages are resolved.
  const outfile = join(root, 'dist/proof/store.mjs')
  await build({
    entryPoints: [join(root, 'src/store/store.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  })
  return import(pathToFileURL(outfile).href)
}

/** Everything in an index, as text. */
async function contentOf({ openStore }, directory) {
  const store = openStore({ directory })
  try {
    await store.refresh()
    const rows = [...store.pages(), ...store.allRevisions(), ...store.problems()]
    return [store.tip, ...rows.map(row => JSON.stringify(row))].join('\n')
  } finally {
    store.close()
  }
}

/** Returns the problems of the objects, and differences between the index and one built from nothing. */
export async function flawsOf(store, directory) {
  const flaws = []
  const complaints = fsck(directory)
  if (complaints !== '') flaws.push(`git fsck: ${complaints}`)
  const twin = twinOf(directory)
  const [stored, fresh] = [await contentOf(store, directory), await contentOf(store, twin)]
  rmSync(twin, { recursive: true, force: true })
  if (stored !== fresh) flaws.push(`the index is not what a rebuild gives: ${firstDifference(stored, fresh)}`)
  return flaws
}

/** A bare repository with the same objects and the same branch. An index cannot derive from them which ids are retired. */
function twinOf(directory) {
  const twin = mkdtempSync(join(workplace, 'twin-'))
  for (const folder of ['objects/info', 'refs/heads']) mkdirSync(join(twin, folder), { recursive: true })
  writeFileSync(join(twin, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(twin, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  writeFileSync(join(twin, 'objects/info/alternates'), `${join(directory, '.git/objects')}\n`)
  writeFileSync(join(twin, 'refs/heads/main'), `${git(directory, 'rev-parse', 'main')}\n`)
  const retired = join(directory, '.git/wiki/main/eras.json')
  mkdirSync(join(twin, 'wiki/main'), { recursive: true })
  if (existsSync(retired)) copyFileSync(retired, join(twin, 'wiki/main/eras.json'))
  return twin
}

function firstDifference(one, other) {
  const [ones, others] = [one.split('\n'), other.split('\n')]
  const at = ones.findIndex((line, index) => line !== others[index])
  return `${ones[at]} instead of ${others[at]}`
}

/**
 * Returns the complaints of `git fsck --strict`; "" if there are none. The commit graph is not checked: `git gc` leaves commits
 * in it that a later `git prune` removes.
 */
export function fsck(directory) {
  try {
    return git(directory, '-c', 'core.commitGraph=false', 'fsck', '--strict', '--no-dangling', '--no-progress')
  } catch (error) {
    return `${error.stdout}${error.stderr}` || String(error)
  }
}

/** Files of a write in progress, except those among the objects, which git itself removes. */
export function leftovers(directory) {
  const top = existsSync(join(directory, '.git')) ? join(directory, '.git') : directory
  const inside = readdirSync(top, { recursive: true }).map(String)
  const names = [...inside.filter(name => !/^(hooks|objects)\b/.test(name)), ...readdirSync(directory)]
  return names.filter(name => /lock$|journal|\.tmp$|\.new$/.test(name))
}

/** Commits of a range: hash, message, and changes as `<kind> <path> <blob>`; newest first. */
export function commitsOf(directory, range) {
  const how = ['--format=%x01%H%x00%B%x02', '--raw', '--no-abbrev', '--no-renames', '--root']
  return git(directory, 'log', ...how, range)
    .split('\x01')
    .slice(1)
    .map(record => {
      const [head, raw] = record.split('\x02')
      const [commit, message] = head.split('\0')
      return {
        commit,
        message,
        changes: raw
          .split('\n')
          .filter(line => line.startsWith(':'))
          .map(changeOf),
      }
    })
}

function changeOf(line) {
  const [, , , after, kind, path] = line.split(/[ \t]/)
  return kind === 'D' ? `D ${path}` : `${kind} ${path} ${after}`
}

/** Median and 99th percentile of some milliseconds. */
export function quantiles(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = part => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${sorted.length})`
}

/** Prints the findings, and exits with 1 if there are any. A run without a seed had no random choices. */
export function conclude(name, flaws, began, seed) {
  for (const flaw of flaws.slice(0, 40)) console.log(`  WRONG  ${flaw}`)
  const found = flaws.length === 0 ? 'nothing is wrong' : `${flaws.length} WRONG`
  const by = seed === undefined ? '' : `, seed ${seed}`
  console.log(`${name}: ${found} (${Math.round((performance.now() - began) / 1000)} s${by})`)
  process.exit(flaws.length === 0 ? 0 : 1)
}
