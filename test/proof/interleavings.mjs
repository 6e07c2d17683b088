/**
 * Runs generated git commands beside the wiki.
 *
 *     npm run build && node test/proof/interleavings.mjs [--interleavings 100] [--seed 1] [--lanes 2]
 *       [--only '<command>,<command>'] [--actions 12] [--slow 0]
 *
 * Each interleaving makes a small wiki with a remote and a clone, starts a server, and runs at the same time, with pauses from
 * its seed: writers over REST, a writer on the command line, a person who runs git commands in the work tree
 * (`native-commands.mjs`), another who collects garbage or works in a linked work tree, and sometimes `kill -9` of the server
 * or of a command. Every acknowledged edit adds a unique word. At the end each word is in the branch's text, or was reverted by
 * name, or `wiki verify` reports it and `wiki restore` restores it, or it was saved while HEAD was on another branch or on none,
 * and a branch or tag has it; git's index has no changes that nobody staged; objects are sound; nothing outside the repository
 * has changed.
 *
 * `--slow` is the longest pause in milliseconds of each call that renames, links or removes a file of the work tree (`slow.cjs`).
 *
 * KEEP=1 keeps the repositories in which something was wrong, each with a log of its actions in `<folder>/done`.
 * WIKI_PRODUCT=<folder> runs another build: one without `wiki verify` reports nothing, so its losses are counted.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { allCommits, attempt, judgeMissing, missingOf, strangersInIndex, textOn } from './judge.mjs'
import { commands, discarding, removeGitLock, settle } from './native-commands.mjs'
import * as scene from './scene.mjs'

const { values } = parseArgs({
  options: {
    interleavings: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '2' },
    actions: { type: 'string', default: '12' },
    only: { type: 'string' },
    seconds: { type: 'string', default: 'Infinity' },
    pages: { type: 'string', default: '5' },
    slow: { type: 'string', default: '0' },
  },
})
const began = performance.now()
/** The disk of the writers. */
const disk =
  values.slow === '0'
    ? {}
    : { before: ['--require', fileURLToPath(new URL('slow.cjs', import.meta.url))], env: { SLOW: values.slow } }
const names = values.only?.split(',') ?? Object.keys(commands)
const unknown = names.filter(name => commands[name] === undefined)
if (unknown.length > 0) throw new Error(`no command is called ${unknown.join(', ')}`)
const titles = ['Tides', 'Boats', 'Ropes', 'Knots', 'Winds']
/** Pages that the person edits and stages. The index must not have changes by the person in other pages. */
const personal = titles.slice(0, 2)
/** True for the path of a page that the person never stages. */
const isOfOthers = path => titles.slice(2).some(title => path === `${title}.wiki`)
/** Commands write to the branch that HEAD names; `main` is examined last. */
const branches = ['side', 'main']
/** After these the index differs from HEAD on purpose. */
const stagingCommands = [
  'reset --soft',
  'reset --mixed',
  'update-ref',
  'stash',
  'merge without commit',
  'kill a commit',
  'kill a switch',
  'commit-tree',
]
const totals = {
  interleavings: 0,
  acknowledged: 0,
  refused: 0,
  unanswered: 0,
  reported: 0,
  restored: 0,
  collided: 0,
  reverted: 0,
  elsewhere: 0,
  nativeMissing: 0,
}
const run = {}
const flaws = []

// Copied for each interleaving: making them takes a second of CPU.
const made = makeRepositories()
const first = Number(values.seed)
const last = first + Number(values.interleavings) - 1
let next = first
await Promise.all(Array.from({ length: Number(values.lanes) }, lane))
for (const [name, times] of Object.entries(run).sort()) console.log(`  ${name}: ${times}`)
console.log(
  Object.entries(totals)
    .map(([name, count]) => `${name} ${count}`)
    .join(', '),
)
if (totals.acknowledged === 0) flaws.push('no edit was acknowledged, so nothing was tried')
scene.conclude('interleavings', flaws, began, `${first}..${next - 1}`)

async function lane() {
  while (next <= last && performance.now() - began < Number(values.seconds) * 1000) {
    const seed = next++
    const found = await interleave(seed).catch(error => [
      `it could not be judged: ${error.stderr ?? ''} ${error.stack}`,
    ])
    totals.interleavings++
    for (const flaw of found) {
      flaws.push(`seed ${seed}: ${flaw}`)
      console.log(`  seed ${seed}: ${flaw}`)
    }
  }
}

/** Runs one interleaving; returns the problems afterwards. */
async function interleave(seed) {
  const stage = await makeStage(seed)
  let found = ['it was not judged']
  try {
    stage.server = await scene.serve(stage.directory, disk)
    const count = Number(values.actions)
    await Promise.all([
      repeat(count, () => writeByRest(stage)),
      repeat(count, () => writeByRest(stage)),
      repeat(2, () => writeByCommand(stage)),
      repeat(count, () => giveCommand(stage)),
      repeat(Math.ceil(count / 4), () => maintain(stage)),
    ])
    found = await judge(stage)
    return found
  } finally {
    if (stage.server !== undefined) await scene.stop(stage.server)
    if (process.env.KEEP === undefined || found.length === 0) rmSync(stage.top, { recursive: true, force: true })
    else writeFileSync(join(stage.top, 'done'), [...stage.done, ...found, ''].join('\n'))
  }
}

async function repeat(times, act) {
  for (let at = 0; at < times; at++) await act()
}

/** Makes a wiki with the branches `main` and `side`, its remote, a clone, and a file outside; returns the folder of all. */
async function makeRepositories() {
  const top = join(scene.workplace, 'made')
  mkdirSync(top)
  const directory = await scene.newWikiOfPages('made/wiki', [...titles, 'Own', 'K', 'L'])
  scene.git(directory, 'branch', 'side')
  const many = Number(values.pages) - titles.length
  for (let at = 0; at < many; at++) writeFileSync(join(directory, `Many ${at}.wiki`), `${at}\n`)
  if (many > 0) scene.commitAll(directory, 'many')
  scene.git(directory, 'switch', '--quiet', 'side')
  writeFileSync(join(directory, 'Side.wiki'), 'side\n')
  scene.commitAll(directory, 'side')
  scene.git(directory, 'switch', '--quiet', 'main')
  // Relative addresses stay right in a copy.
  scene.git(top, 'clone', '--quiet', '--bare', directory, 'remote.git')
  scene.git(directory, 'remote', 'add', 'origin', '../remote.git')
  scene.git(directory, 'fetch', '--quiet')
  scene.git(top, 'clone', '--quiet', '-b', 'main', 'remote.git', 'clone')
  scene.git(join(top, 'clone'), 'remote', 'set-url', 'origin', '../remote.git')
  mkdirSync(join(top, 'outside'))
  writeFileSync(join(top, 'outside', 'victim'), 'untouched\n')
  return top
}

async function makeStage(seed) {
  const random = scene.randomNumbers(seed)
  const top = join(scene.workplace, `i${seed}`)
  cpSync(await made, top, { recursive: true, preserveTimestamps: true })
  const [directory, clone] = [join(top, 'wiki'), join(top, 'clone')]
  // The index names the files of the copied folder.
  for (const folder of [directory, clone]) scene.git(folder, 'update-index', '-q', '--refresh')
  let words = 0
  const pick = list => list[Math.floor(random() * list.length)]
  const started = (folder, args) => scene.start('git', ['-c', 'core.editor=true', ...args], { directory: folder })
  const done = []
  const statusOf = async (args, command) => {
    const { status, stderr } = await command.done
    if (status !== 0) done.push(`  git ${args.join(' ')}: ${stderr.trimEnd()}`)
    return status
  }
  return {
    seed,
    top,
    directory,
    clone,
    linked: join(top, 'linked'),
    own: 'Own.wiki',
    random,
    pick,
    page: () => `${pick(personal)}.wiki`,
    word: () => `w${seed}x${++words}`,
    pause: most => scene.sleep(random() * most),
    git: (...args) => statusOf(args, started(directory, args)),
    gitIn: async (folder, ...args) => (existsSync(folder) ? statusOf(args, started(folder, args)) : 1),
    killGit: async (...args) => {
      const { child, done } = started(directory, args)
      setTimeout(() => child.kill('SIGKILL'), random() * 20)
      await done
      // Git leaves its lock behind; a user who notices it removes it.
      removeGitLock(join(directory, '.git', 'index.lock'))
      return 1
    },
    /** A commit on top of the branch with an older tree, as a stale index would make it; '' if git refuses. */
    tree: () =>
      attempt(() =>
        scene.git(directory, 'commit-tree', 'refs/heads/main~1^{tree}', '-p', 'refs/heads/main', '-m', 'older tree'),
      ),
    wiki: async (...args) => (await scene.wiki(directory, args, disk)).status,
    /** Words that the editor saved. */
    typed: [],
    /** An acknowledged edit: its word, and the page's file. */
    saved: [],
    given: new Set(),
    /** A log of all actions with their times, for `KEEP`. */
    done,
    server: undefined,
    /** Resolves when a killed server runs again. */
    serving: undefined,
  }
}

async function writeByRest(stage) {
  await stage.pause(60)
  // While a killed server starts again, attempts would fail at once and test nothing.
  await stage.serving
  const { server } = stage
  const title = stage.pick(titles)
  const page = await scene.ask(server, scene.pagePath(title))
  if (page.status !== 200) return
  const word = stage.word()
  const body = { source: withWord(stage, page.json.source, word), comment: word, latest: { id: page.json.latest.id } }
  await stage.pause(20)
  const { status } = await scene.ask(server, scene.pagePath(title), { method: 'PUT', body })
  count(stage, word, title, status === 200 ? 'saved' : status === 0 ? 'unknown' : 'refused')
}

/** Inserts a word after a paragraph. */
function withWord(stage, source, word) {
  const parts = source.split('\n\n')
  parts.splice(1 + Math.floor(stage.random() * (parts.length - 1)), 0, word)
  return parts.join('\n\n')
}

async function writeByCommand(stage) {
  await stage.pause(400)
  const title = stage.pick(titles)
  const { stdout, status } = await scene.wiki(stage.directory, ['page', 'get', title, '--json'])
  if (status !== 0) return
  const { source, latest } = JSON.parse(stdout)
  const word = stage.word()
  const input = withWord(stage, source, word)
  const args = ['page', 'edit', title, '-f', '-', '-m', word, '--base', `${latest.id}`]
  const { child, done } = scene.startWiki(stage.directory, args, { ...disk, input })
  if (stage.random() < 0.2) setTimeout(() => child.kill('SIGKILL'), stage.random() * 300)
  const ended = await done
  count(stage, word, title, ended.status === 0 ? 'saved' : typeof ended.status === 'number' ? 'refused' : 'unknown')
}

function count(stage, word, title, outcome) {
  note(stage, `${word} to ${title}: ${outcome}`)
  totals[{ saved: 'acknowledged', refused: 'refused', unknown: 'unanswered' }[outcome]]++
  if (outcome === 'saved') stage.saved.push({ word, path: `${title}.wiki` })
}

function note({ done }, what) {
  done.push(`${new Date().toISOString()} ${what}`)
}

async function giveCommand(stage) {
  await stage.pause(60)
  const name = stage.pick(names)
  run[name] = (run[name] ?? 0) + 1
  stage.given.add(name)
  note(stage, name)
  const status = await commands[name](stage)
  note(stage, `${name}: ${status}`)
}

/** Things that others do to the repository at the same time: collect garbage, work in a linked work tree, kill the server. */
async function maintain(stage) {
  await stage.pause(400)
  const chosen = [
    'gc --prune=now',
    'repack -a -d',
    'pack-refs',
    'worktree add',
    'worktree remove',
    'commit in a linked work tree',
  ]
  const allowed = chosen.filter(name => names.includes(name))
  if (allowed.length > 0 && stage.random() < 0.8) {
    const name = stage.pick(allowed)
    run[name] = (run[name] ?? 0) + 1
    note(stage, name)
    await commands[name](stage)
  } else if (values.only === undefined) {
    note(stage, 'kill the server')
    stage.server.child.kill('SIGKILL')
    await stage.server.done
    stage.serving = serveAgain(stage)
    stage.server = await stage.serving
    run['kill the server'] = (run['kill the server'] ?? 0) + 1
  }
}

/** There is no branch to serve while it is renamed. */
async function serveAgain({ directory }) {
  for (let attempt = 1; ; attempt++)
    try {
      return await scene.serve(directory, disk)
    } catch (error) {
      if (attempt === 20 || !/There is no branch/.test(String(error))) throw error
      await scene.sleep(250)
    }
}

async function judge(stage) {
  const { directory, saved, given } = stage
  const found = []
  const gone = judgeObjects(directory)
  if (gone !== null) return gone
  const wasAsked = stagingCommands.some(name => given.has(name))
  if (!wasAsked) found.push(...(await strangersInIndex(directory, isOfOthers)))
  if (!discarding.some(name => given.has(name))) found.push(...lostSaves(stage))
  await settle(stage)
  const lost = judgeObjects(directory)
  if (lost !== null) return [...found, ...lost]
  // Another branch may have the old name of a renamed one by now, so that git does not rename it back.
  const missing = missingOf(directory, saved, [...branches, 'trunk'])
  if (missing.length > 0) found.push(...(await countMissing(stage, missing)))
  found.push(...unconverted(directory))
  if (readFileSync(join(stage.top, 'outside', 'victim'), 'utf8') !== 'untouched\n')
    found.push('a file outside was changed')
  return found
}

async function countMissing(stage, missing) {
  const { flaws: found, ...counts } = await judgeMissing(stage, missing, branches)
  for (const [name, count] of Object.entries(counts)) totals[name] += count
  return found
}

/**
 * Checks that objects are sound; null if they are. A missing one counts as native git's own loss if no commit of the wiki brought
 * it: a `git commit` beside `git gc --prune=now` may lose what it has just written. Other git commands may fail then.
 */
function judgeObjects(directory) {
  const complaints = scene.fsck(directory)
  if (complaints === '') return null
  const isMissing = /^missing |^broken link |^\s+to |invalid (?:sha1 pointer|reflog entry)/
  const named = /^missing \w+ ([0-9a-f]{40})|invalid (?:sha1 pointer|reflog entry) ([0-9a-f]{40})/gm
  const missing = [...complaints.matchAll(named)].map(([, object, pointer]) => object ?? pointer)
  const isAllMissing = complaints.split('\n').every(line => line === '' || isMissing.test(line))
  const ours = missing.flatMap(hash => commitsThatBrought(directory, hash).filter(({ isOurs }) => isOurs))
  if (!isAllMissing || missing.length === 0 || ours.length > 0)
    return [`git fsck: ${complaints} (brought by ${ours.map(({ commit }) => commit).join(' ')})`]
  totals.nativeMissing += missing.length
  console.log(`  native git lost: ${complaints}`)
  return []
}

/**
 * The object itself, if it is a commit, and commits whose tree has it and no parent's tree has it; and whether the wiki has
 * recorded them. Pages are at the top.
 */
function commitsThatBrought(directory, hash) {
  const record = join(directory, '.git', 'wiki', '.acknowledged')
  const names = existsSync(record) ? readdirSync(record) : null
  const noted = names?.map(name => readFileSync(join(record, name), 'utf8')).join('\n')
  const has = commit => {
    const tree = attempt(() => scene.git(directory, 'rev-parse', `${commit}^{tree}`))
    return tree === hash || attempt(() => scene.git(directory, 'ls-tree', commit)).includes(hash)
  }
  const parentsOf = commit =>
    attempt(() => scene.git(directory, 'rev-parse', `${commit}^@`))
      .split('\n')
      .filter(Boolean)
  return [hash, ...allCommits(directory).filter(commit => has(commit) && !parentsOf(commit).some(has))].map(commit => ({
    commit,
    // A build without a record may have made any of them.
    isOurs: noted?.includes(commit) ?? true,
  }))
}

/** The text that an editor saved is in a file or was committed. */
function lostSaves({ directory, typed }) {
  const names = readdirSync(directory).filter(name => name.includes('.wiki'))
  const texts = names.map(name => readFileSync(join(directory, name), 'utf8')).join('\n')
  const isCommitted = word => scene.git(directory, 'log', '--all', '--reflog', '--format=%h', `-S${word}`) !== ''
  const lost = typed.filter(word => !texts.includes(word) && !isCommitted(word))
  return lost.map(word => `${word}, which an editor saved, is gone`)
}

/** Git's attributes determine how texts are recorded: without carriage returns, and not as plain text under a filter. */
function unconverted(directory) {
  const pages = titles.filter(title => textOn(directory, 'main', `${title}.wiki`).includes('\r'))
  const plain = scene.git(directory, 'log', '--all', '--format=%h', '-Splain', '--', 'Secret.wiki')
  return [
    ...pages.map(title => `${title} was recorded with carriage returns`),
    ...(plain === '' ? [] : [`Secret was recorded without its filter: ${plain.replaceAll('\n', ' ')}`]),
  ]
}
