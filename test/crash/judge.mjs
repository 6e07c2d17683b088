/** Checks a state of a disk with git and the product, as when the machine is on again. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGit as git, product, runWiki } from './product.mjs'

const author = { name: 'After', address: 'after@example.org' }

/** Returns the faults of a state of a recording, as sentences. */
export async function judge({ tree, cut, model }, { scenario, commits, versions }, directory) {
  if (scenario.steps.some(({ shell }, at) => shell !== undefined && at > cut.acknowledged)) return []
  const faults = []
  const expected = commits[cut.acknowledged + 1] ?? null
  /** The step that was cut short may have done its work. */
  const latest = commits[cut.step + 1] ?? null
  const isDone = cut.acknowledged === scenario.steps.length - 1
  const after = {
    directory,
    model,
    again: scenario.steps[0],
    kept: scenario.kept ?? {},
    foreign: scenario.foreign,
    latest,
    expected,
    lostAt: (where, commit) => (expected === null ? [] : olderPaths(where, { commit, expected, latest })),
    /** The title of an edit that `wiki verify` has to name, while the branch is at its first commit. */
    named: isDone ? undefined : scenario.named,
    first: commits[0],
    facts: [
      ...(scenario.also ? [(...wiki) => scenario.also(...wiki).then(() => null)] : []),
      ...scenario.steps.slice(0, cut.acknowledged + 1).flatMap(({ fact }) => fact ?? []),
    ],
    tell: fault => faults.push(fault),
  }
  checkFiles(tree, path => (scenario.foreign?.includes(path) ? undefined : versions.get(path)), after.tell)
  tree.write(directory)
  neverPack(directory)
  if (expected !== null || (await isMadeAgain(after))) await judgeRepository(after)
  return faults
}

/** A collection in the background would pack and remove objects while they are checked. */
function neverPack(directory) {
  const path = join(isBare(directory) ? directory : join(directory, '.git'), 'config')
  if (!existsSync(path)) return
  const text = readFileSync(path, 'utf8')
  if (text.includes('auto = 1')) writeFileSync(path, text.replace('auto = 1', 'auto = 0'))
}

/** Before its first commit there may be no repository yet: the command that makes one is given again. */
async function isMadeAgain({ directory, again, tell }) {
  const { status, stderr } = await runWiki(directory, again.args)
  if (status !== 0) tell(`wiki ${again.args[0]}, again: ${status} ${firstLine(stderr)}`)
  return status === 0
}

/**
 * Checks a repository, in the order of a person who switches the machine on: git reads, the wiki reads and writes, then a commit of
 * everything; and, in a copy, a commit of everything before the wiki is used. `lostAt` returns the paths of a commit that lack an
 * acknowledged edit.
 */
export async function judgeRepository(after) {
  const { directory, tell } = after
  await readByGit(after)
  if (!isBare(directory)) await commitFirst(after)
  await finishOperation(after)
  const tip = await useWiki(after)
  for (const lock of locksIn(directory)) tell(`the lock ${lock} is left`)
  if (tip !== null) await commitAll(after, tip)
}

/** No file of the work tree is empty or torn. */
function checkFiles(tree, versionsOf, tell) {
  for (const { path, id, node } of tree.paths()) {
    const versions = node.data === undefined ? undefined : versionsOf(path)
    if (versions === undefined) continue
    const bytes = tree.bytes(id)
    if (versions.has(blobHash(bytes))) continue
    tell(`the file ${path} is ${bytes.length === 0 ? 'empty' : 'torn'}`)
  }
}

/** The name that git gives to a content. */
export function blobHash(bytes) {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

async function readByGit({ directory, expected, lostAt, tell }) {
  const run = async (...args) => {
    const { status, stdout, stderr } = await git(directory, ...args)
    if (status !== 0) tell(`git ${args[0]}: ${status} ${firstLine(stderr || stdout)}`)
  }
  await checkObjects(directory, 'git fsck', tell)
  if (!isBare(directory)) await run('status', '--porcelain')
  await run('log', '--format=%H', 'refs/heads/main')
  if (expected !== null) await run('merge-base', '--is-ancestor', expected, 'refs/heads/main')
  for (const path of await lostAt(directory, 'refs/heads/main')) tell(`an acknowledged edit of ${path} is lost`)
}

/**
 * A reflog may name a commit that never came to the disk, as it names those that git has pruned. So may an object of a write that was cut
 * short, which nothing names: broken links count if history or index leads to them.
 */
async function checkObjects(directory, what, tell) {
  const { status, stdout, stderr } = await git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')
  const wrong = lines(stderr + stdout).filter(line => !/invalid reflog entry/.test(line))
  const isBroken = /broken link|^missing |^\s+to /
  const isNamed = async () => {
    const ways = [['rev-list', '--objects', '--all', '--quiet'], ...(isBare(directory) ? [] : [['write-tree']])]
    for (const way of ways) if ((await git(directory, ...way)).status !== 0) return true
    return false
  }
  if (status === 0 || wrong.length === 0) return
  if (wrong.every(line => isBroken.test(line)) && !(await isNamed())) return
  tell(`${what}: ${status} ${wrong[0]}`)
}

const isBare = directory => !existsSync(join(directory, '.git'))
const firstLine = text => text.trim().split('\n')[0]
const lines = text => text.split('\n').filter(line => line !== '')

/** A merge that was being ended is ended by the same command. */
async function finishOperation({ directory, again, tell }) {
  if (!existsSync(join(directory, '.git/MERGE_HEAD'))) return
  const { args, input } = again
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
  for (const fact of after.facts) {
    const wrong = await attempt('another write', () => fact(library, wiki))
    if (wrong !== null) tell(wrong)
  }
  await attempt('close', () => wiki.close())
  return saved === null ? null : tipOf(directory)
}

async function tipOf(directory) {
  return (await git(directory, 'rev-parse', '--verify', 'refs/heads/main')).stdout.trim()
}

async function checkVerified(after, verified) {
  const { directory, expected, first, named, tell } = after
  if (verified === null) return
  for (const { kind, title, commit } of verified.lost)
    if (await isAcknowledged(directory, commit, expected)) tell(`wiki verify: ${title} is ${kind}`)
  for (const title of verified.unread) tell(`wiki verify: ${title} cannot be read`)
  if (named === undefined || verified.lost.some(({ title }) => title === named)) return
  if ((await tipOf(directory)) === first) tell(`wiki verify: ${named} is lost, and not named`)
}

/** A commit that was being written may be named too: whether its edit was acknowledged nobody can know after the cut. */
async function isAcknowledged(directory, commit, expected) {
  if (expected === null) return false
  return (await git(directory, 'merge-base', '--is-ancestor', commit, expected)).status !== 1
}

/** A person commits everything: nothing of the branch's pages changes by it, and no lock is in the way. */
async function commitAll(after, tip) {
  const { directory, kept, foreign = [], tell } = after
  for (const [path, text] of Object.entries(kept)) await checkKept(directory, { path, text, tip }, tell)
  if (!isBare(directory)) {
    const refusal = await commitEverything(directory)
    if (refusal !== null) return tell(refusal)
    const paths = new Set([...Object.keys(kept), ...foreign])
    for (const line of await changesSince(directory, tip)) {
      const path = line.slice(2)
      const isKnown =
        paths.has(path) || (await isCutShort(directory, path, after)) || (await isAside(directory, path, after))
      if (!isKnown) tell(`git add -A; git commit: ${line}`)
    }
  }
  await checkObjects(directory, 'git fsck after a commit', tell)
}

/** An edit that was cut short may be in the file already and not on the branch, or on the branch and not in the file. */
async function isCutShort(directory, path, { expected, latest, lines: acknowledged }) {
  if (acknowledged !== undefined) {
    const { stdout } = await git(directory, 'show', `HEAD:${path}`)
    return acknowledged.every(one => one.path !== path || stdout.includes(one.line))
  }
  if (latest === null) return false
  const blobIn = commit => git(directory, 'rev-parse', '-q', '--verify', `${commit}:${path}`)
  const [now, ...sides] = await Promise.all(['HEAD', expected, latest].map(blobIn))
  // A page that was being made has no file yet.
  return sides.some(({ status, stdout }) => (now.status === 0 ? stdout === now.stdout : status !== 0))
}

const aside = /(?:^|\/)\.wiki-[0-9a-f]{32}\.old$/

/**
 * In the worst order the notes about a replaced file may be emptied on the disk before the file has its name again: it stays aside, with its
 * text, if the write was cut short. Source: docs/proof.md, "What does not hold".
 */
async function isAside(directory, path, { model, expected, latest }) {
  if (model !== 'folders' || latest === null || latest === expected) return false
  if (aside.test(path)) return true
  const blobOf = async where => (await git(directory, 'rev-parse', '-q', '--verify', `${where}:${path}`)).stdout.trim()
  const [now, before] = await Promise.all([blobOf('HEAD'), blobOf(expected)])
  const { stdout } = await git(directory, 'ls-tree', '-r', 'HEAD')
  return now === '' && lines(stdout).some(line => line.includes(before) && aside.test(line.split('\t')[1]))
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
async function commitFirst({ directory, kept, lostAt, tell }) {
  if (existsSync(join(directory, '.git/MERGE_HEAD'))) return
  const copy = `${directory}-git`
  // A socket is a sign of life, and of no use in a copy.
  const filter = path => !lstatSync(path).isSocket()
  cpSync(directory, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter })
  if ((await commitEverything(copy)) !== null) return
  const taken = (await lostAt(copy, 'HEAD')).filter(path => !Object.hasOwn(kept, path))
  if (taken.length === 0) return
  const library = await product.library()
  try {
    const wiki = await library.openWiki({ directory: copy })
    const { lost } = await library.verifyWiki(wiki)
    await wiki.close()
    for (const path of taken)
      if (!lost.some(one => one.path === path))
        tell(`git add -A; git commit first: ${path} is taken back, and not named`)
  } catch (error) {
    tell(`git add -A; git commit first: wiki verify: ${firstLine(String(error.message))}`)
  }
}

/** Paths that have in a commit what they had before an acknowledged change of theirs, unless the latest step did that. */
async function olderPaths(directory, { commit, expected, latest }) {
  const { status, stdout } = await git(directory, 'diff', '--name-only', '--no-renames', expected, commit)
  const older = []
  for (const path of status === 0 ? lines(stdout) : [])
    if (await isOlder(directory, { path, commit, expected, latest })) older.push(path)
  return older
}

async function isOlder(directory, { path, commit, expected, latest }) {
  const blobOf = async where => (await git(directory, 'rev-parse', '-q', '--verify', `${where}:${path}`)).stdout.trim()
  const now = await blobOf(commit)
  if (latest !== null && now === (await blobOf(latest))) return false
  const { stdout } = await git(directory, 'log', '--format=%H', expected, '--', path)
  for (const changing of lines(stdout)) if ((await blobOf(`${changing}~1`)) === now) return true
  return false
}

/** Locks that are left. Of those of `git commit <path>` each has a name of its own, and is in nobody's way. */
function locksIn(directory) {
  const top = isBare(directory) ? directory : join(directory, '.git')
  return readdirSync(top, { recursive: true })
    .map(String)
    .filter(name => !/^(?:hooks|objects|next-index-\d+)\b/.test(name) && /(?:\.lock|\/lock)$/.test(name))
}
