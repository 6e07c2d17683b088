/** Checks a state of a disk: what git and the product make of it when the machine is on again. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runGit as git, product } from './product.mjs'

const author = { name: 'After', address: 'after@example.org' }

/**
 * Returns the faults of a state, as sentences. The order of the checks is that of a person who switches the machine on: git reads,
 * the wiki reads and writes, then a commit of everything.
 */
export async function judge({ tree, cut }, { commits, versions }, directory) {
  const faults = []
  const tell = fault => faults.push(fault)
  checkFiles(tree, versions, tell)
  tree.write(directory)
  const expected = commits[cut.acknowledged + 1]
  await readByGit(directory, expected, tell)
  const tip = await useWiki(directory, expected, tell)
  for (const lock of locksIn(directory)) tell(`the lock ${lock} is left`)
  if (tip !== null) await commitAll(directory, tip, tell)
  return faults
}

/** No file of the work tree is empty or torn. */
function checkFiles(tree, versions, tell) {
  for (const { path, id, node } of tree.paths()) {
    if (node.data === undefined || !versions.has(path)) continue
    const bytes = tree.bytes(id)
    if (versions.get(path).has(blobHash(bytes))) continue
    tell(`the file ${path} is ${bytes.length === 0 ? 'empty' : 'torn'}`)
  }
}

function blobHash(bytes) {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

async function readByGit(directory, expected, tell) {
  const run = async (...args) => {
    const { status, stdout, stderr } = await git(directory, ...args)
    if (status !== 0) tell(`git ${args[0]}: ${status} ${firstLine(stderr || stdout)}`)
  }
  await run('fsck', '--strict', '--no-dangling', '--no-progress')
  if (isBare(directory) === false) await run('status', '--porcelain')
  await run('log', '--format=%H', 'refs/heads/main')
  if (expected !== undefined) await run('merge-base', '--is-ancestor', expected, 'refs/heads/main')
}

const isBare = directory => !existsSync(join(directory, '.git'))
const firstLine = text => text.trim().split('\n')[0]

/** Verifies, reads and writes; returns the branch's commit after that, null if something failed. */
async function useWiki(directory, expected, tell) {
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
  const verified = await attempt('verify', () => library.verifyWiki(wiki))
  for (const { kind, title, commit } of verified?.lost ?? [])
    if (await isAcknowledged(directory, commit, expected)) tell(`wiki verify: ${title} is ${kind}`)
  for (const title of verified?.unread ?? []) tell(`wiki verify: ${title} cannot be read`)
  const { pages = [] } = (await attempt('page list', () => library.listPages(wiki, {}))) ?? {}
  for (const { title } of pages) await attempt(`page get`, () => library.readPage(wiki, { title }))
  const page = { title: 'After the cut', source: 'written after the cut\n', comment: 'after', author }
  const saved = await attempt('page edit', () => library.createPage(wiki, page))
  await attempt('close', () => wiki.close())
  const tip = (await git(directory, 'rev-parse', '--verify', 'refs/heads/main')).stdout.trim()
  return saved === null ? null : tip
}

/** A commit that was being written may be named too: whether its edit was acknowledged nobody can know after the cut. */
async function isAcknowledged(directory, commit, expected) {
  return (await git(directory, 'merge-base', '--is-ancestor', commit, expected)).status !== 1
}

/** A person commits everything: nothing of the branch's pages changes by it, and no lock is in the way. */
async function commitAll(directory, tip, tell) {
  if (!isBare(directory)) {
    const added = await git(directory, 'add', '-A')
    if (added.status !== 0) return tell(`git add: ${firstLine(added.stderr)}`)
    const done = await git(directory, 'commit', '-q', '--allow-empty', '-m', 'everything')
    if (done.status !== 0) return tell(`git commit: ${firstLine(done.stderr || done.stdout)}`)
    for (const line of lines((await git(directory, 'diff', '--name-status', '--no-renames', tip, 'HEAD')).stdout))
      tell(`git add -A; git commit: ${line.replace('\t', ' ')}`)
  }
  const { status, stderr, stdout } = await git(directory, 'fsck', '--strict', '--no-dangling', '--no-progress')
  if (status !== 0) tell(`git fsck after a commit: ${firstLine(stderr || stdout)}`)
}

const lines = text => text.split('\n').filter(line => line !== '')

function locksIn(directory) {
  const top = isBare(directory) ? directory : join(directory, '.git')
  return readdirSync(top, { recursive: true })
    .map(String)
    .filter(name => !/^(?:hooks|objects)\b/.test(name) && /(?:\.lock|\/lock|gc\.pid)$/.test(name))
}
