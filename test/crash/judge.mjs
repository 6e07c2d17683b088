/** Checks a state of a disk: what git and the product make of it when the machine is on again. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGit as git, product, runWiki } from './product.mjs'

const author = { name: 'After', address: 'after@example.org' }

/**
 * Returns the faults of a state, as sentences. The order of the checks is that of a person who switches the machine on: git reads,
 * the wiki reads and writes, then a commit of everything; and, in a copy, a commit of everything before the wiki is used.
 */
export async function judge({ tree, cut }, { scenario, commits, versions }, directory) {
  const faults = []
  const after = {
    directory,
    scenario,
    /** The last commit that was acknowledged. */
    expected: commits[cut.acknowledged + 1] ?? null,
    first: commits[0],
    isDone: cut.acknowledged === scenario.steps.length - 1,
    facts: scenario.steps.slice(0, cut.acknowledged + 1).flatMap(({ fact }) => fact ?? []),
    tell: fault => faults.push(fault),
  }
  if (scenario.steps.some(({ shell }, at) => shell !== undefined && at > cut.acknowledged)) return []
  checkFiles(tree, versions, after)
  tree.write(directory)
  if (after.expected === null) {
    // Before the first commit there may be no repository yet: the command is given again.
    const { status, stderr } = await runWiki(directory, scenario.steps[0].args)
    if (status !== 0) return [...faults, `wiki ${scenario.steps[0].args[0]}, again: ${status} ${firstLine(stderr)}`]
  }
  await readByGit(after)
  if (!isBare(directory)) await commitFirst(after)
  await finishOperation(after)
  const tip = await useWiki(after)
  for (const lock of locksIn(directory)) after.tell(`the lock ${lock} is left`)
  if (tip !== null) await commitAll(after, tip)
  return faults
}

/** No file of the work tree is empty or torn. */
function checkFiles(tree, versions, { scenario, tell }) {
  for (const { path, id, node } of tree.paths()) {
    if (node.data === undefined || !versions.has(path) || scenario.foreign?.includes(path)) continue
    const bytes = tree.bytes(id)
    if (versions.get(path).has(blobHash(bytes))) continue
    tell(`the file ${path} is ${bytes.length === 0 ? 'empty' : 'torn'}`)
  }
}

function blobHash(bytes) {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

async function readByGit({ directory, expected, tell }) {
  const run = async (...args) => {
    const { status, stdout, stderr } = await git(directory, ...args)
    if (status !== 0) tell(`git ${args[0]}: ${status} ${firstLine(stderr || stdout)}`)
  }
  await run('fsck', '--strict', '--no-dangling', '--no-progress')
  if (!isBare(directory)) await run('status', '--porcelain')
  await run('log', '--format=%H', 'refs/heads/main')
  if (expected !== null) await run('merge-base', '--is-ancestor', expected, 'refs/heads/main')
}

const isBare = directory => !existsSync(join(directory, '.git'))
const firstLine = text => text.trim().split('\n')[0]
const lines = text => text.split('\n').filter(line => line !== '')

/** A merge that was being ended is ended by the same command. */
async function finishOperation({ directory, scenario, tell }) {
  if (!existsSync(join(directory, '.git/MERGE_HEAD'))) return
  const { args, input } = scenario.steps[0]
  const { status, stderr } = await runWiki(directory, args, input)
  if (status !== 0) tell(`wiki ${args[0]}, again: ${status} ${firstLine(stderr)}`)
}

/** Verifies, reads and writes; returns the branch's commit after that, null if something failed. */
async function useWiki(after) {
  const { directory, tell } = after
  const library = await product.library()
  const attempt = async (what, work) => {
    try {
      return await work()
    } catch (error) {
      tell(`wiki ${what}: ${error.key ?? ''} ${firstLine(String(error.message))}`)
      return null
    }
  }
  const wiki = await attempt('open', () => library.openWiki({ directory }))
  if (wiki === null) return null
  await checkVerified(after, await attempt('verify', () => library.verifyWiki(wiki)))
  const { pages = [] } = (await attempt('page list', () => library.listPages(wiki, {}))) ?? {}
  for (const { title } of pages) await attempt('page get', () => library.readPage(wiki, { title }))
  const page = { title: 'After the cut', source: 'written after the cut\n', comment: 'after', author }
  const saved = await attempt('page edit', () => library.createPage(wiki, page))
  if (after.scenario.also) await attempt('another write', () => after.scenario.also(library, wiki))
  for (const fact of after.facts) {
    const wrong = await attempt('a fact', () => fact(library, wiki))
    if (wrong !== null) tell(wrong)
  }
  await attempt('close', () => wiki.close())
  return saved === null ? null : tipOf(directory)
}

async function tipOf(directory) {
  return (await git(directory, 'rev-parse', '--verify', 'refs/heads/main')).stdout.trim()
}

async function checkVerified(after, verified) {
  const { directory, scenario, expected, first, tell } = after
  if (verified === null) return
  for (const { kind, title, commit } of verified.lost)
    if (await isAcknowledged(directory, commit, expected)) tell(`wiki verify: ${title} is ${kind}`)
  for (const title of verified.unread) tell(`wiki verify: ${title} cannot be read`)
  if (scenario.named === undefined || after.isDone) return
  const isNamed = verified.lost.some(({ title }) => title === scenario.named)
  if (!isNamed && (await tipOf(directory)) === first) tell(`wiki verify: ${scenario.named} is lost, and not named`)
}

/** A commit that was being written may be named too: whether its edit was acknowledged nobody can know after the cut. */
async function isAcknowledged(directory, commit, expected) {
  if (expected === null) return false
  return (await git(directory, 'merge-base', '--is-ancestor', commit, expected)).status !== 1
}

/** A person commits everything: nothing of the branch's pages changes by it, and no lock is in the way. */
async function commitAll({ directory, scenario, tell }, tip) {
  const kept = scenario.kept ?? {}
  for (const [path, text] of Object.entries(kept)) await checkKept(directory, { path, text, tip }, tell)
  if (!isBare(directory)) {
    const refusal = await commitEverything(directory)
    if (refusal !== null) return tell(refusal)
    for (const line of await changesSince(directory, tip))
      if (!Object.hasOwn(kept, line.slice(2))) tell(`git add -A; git commit: ${line}`)
  }
  const { status, stderr, stdout } = await git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')
  if (status !== 0) tell(`git fsck after a commit: ${firstLine(stderr || stdout)}`)
}

/** Somebody's text in a file is still there, or committed. */
async function checkKept(directory, { path, text, tip }, tell) {
  const file = join(directory, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  if ((await git(directory, 'show', `${tip}:${path}`)).stdout !== text) tell(`what was written into ${path} is gone`)
}

async function commitEverything(directory) {
  const added = await git(directory, 'add', '-A')
  if (added.status !== 0) return `git add: ${firstLine(added.stderr)}`
  const done = await git(directory, 'commit', '-q', '--allow-empty', '-m', 'everything')
  return done.status === 0 ? null : `git commit: ${firstLine(done.stderr || done.stdout)}`
}

async function changesSince(directory, tip) {
  const { stdout } = await git(directory, 'diff', '--name-status', '--no-renames', tip, 'HEAD')
  return lines(stdout).map(line => line.replace('\t', ' '))
}

/**
 * The person commits everything before the wiki is used. A lock may be in the way, which the wiki removes later. Git cannot know
 * that a file is older than the branch: an edit that such a commit takes back is named by `wiki verify`.
 */
async function commitFirst({ directory, scenario, expected, tell }) {
  if (expected === null || existsSync(join(directory, '.git/MERGE_HEAD'))) return
  const copy = `${directory}-git`
  cpSync(directory, copy, { recursive: true, verbatimSymlinks: true })
  if ((await commitEverything(copy)) !== null) return
  const changes = (await changesSince(copy, expected)).filter(
    line => !Object.hasOwn(scenario.kept ?? {}, line.slice(2)),
  )
  const taken = []
  for (const line of changes) if (await isOlder(copy, line.slice(2), expected)) taken.push(line)
  if (taken.length === 0) return
  const library = await product.library()
  try {
    const wiki = await library.openWiki({ directory: copy })
    const { lost } = await library.verifyWiki(wiki)
    await wiki.close()
    for (const line of taken)
      if (!lost.some(({ path }) => path === line.slice(2))) tell(`git add -A; git commit first: ${line}, and not named`)
  } catch (error) {
    tell(`git add -A; git commit first: wiki verify: ${firstLine(String(error.message))}`)
  }
}

/** Returns true if a path has what it had before its last acknowledged change. */
async function isOlder(directory, path, expected) {
  const blobOf = async commit =>
    (await git(directory, 'rev-parse', '-q', '--verify', `${commit}:${path}`)).stdout.trim()
  const now = await blobOf('HEAD')
  const { stdout } = await git(directory, 'log', '--format=%H', expected, '--', path)
  for (const commit of lines(stdout)) {
    if ((await blobOf(`${commit}~1`)) === now) return true
  }
  return false
}

function locksIn(directory) {
  const top = isBare(directory) ? directory : join(directory, '.git')
  return readdirSync(top, { recursive: true })
    .map(String)
    .filter(name => !/^(?:hooks|objects)\b/.test(name) && /(?:\.lock|\/lock)$/.test(name))
}
