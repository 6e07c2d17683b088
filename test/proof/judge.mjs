/** Examines acknowledged edits, and git's index. An edit is its unique word and the path of its page. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as scene from './scene.mjs'

/** Returns the edits whose word is in the page on none of the branches. */
export function missingOf(directory, saved, branches) {
  const texts = new Map()
  const textOf = path => {
    if (!texts.has(path)) texts.set(path, branches.map(branch => textOn(directory, branch, path)).join('\n'))
    return texts.get(path)
  }
  return saved.filter(({ word, path }) => !new RegExp(`\\b${word}\\b`).test(textOf(path)))
}

/** The text of a file on a branch; "" if there is none. */
export function textOn(directory, branch, path) {
  return attempt(() => scene.git(directory, 'show', `${branch}:${path}`))
}

/** Returns the result of `read`; "" if git fails. */
export function attempt(read) {
  try {
    return read()
  } catch {
    return ''
  }
}

/**
 * Checks that each missing word is reported, or that its commit was reverted by name, and that reported edits can be restored.
 * Returns the flaws, and the numbers of edits that were reported, restored, `collided` with newer ones, and reverted, and of
 * those that were saved beside the branches and that a tag or another branch has.
 */
export async function judgeMissing({ directory, done }, missing, branches) {
  const reports = new Set()
  let status = 0
  for (const branch of branches) {
    if (branches.length > 1) await scene.start('git', ['switch', '--force', branch], { directory }).done
    const verified = await scene.wiki(directory, ['verify', '--json'])
    const restored = await scene.wiki(directory, ['restore', '--yes'])
    for (const [name, ended] of Object.entries({ verify: verified, restore: restored }))
      done.push(`${new Date().toISOString()} ${name} of ${branch}: ${ended.status} ${ended.stdout}${ended.stderr}`)
    for (const commit of lostIn(verified.stdout)) reports.add(commit)
    if (restored.status !== 0) status = restored.status
  }
  const flaws = []
  const reported = []
  let reverted = 0
  let elsewhere = 0
  const messages = await messagesOf(directory)
  for (const edit of missing) {
    // Commits that added the word, including amended ones; our comments contain it.
    const commits = [...messages].flatMap(([commit, lines]) => (lines.includes(edit.word) ? [commit] : []))
    if (commits.some(commit => reports.has(commit))) reported.push(edit)
    else if (commits.some(commit => isReverted(directory, commit, branches))) reverted++
    else if (commits.some(commit => isElsewhere(directory, commit, branches))) elsewhere++
    else flaws.push(`${edit.word} of ${edit.path} is lost, and not reported (${commits.join(' ')})`)
  }
  const left = missingOf(directory, reported, branches)
  if (status !== 3) for (const { word } of left) flaws.push(`${word} was not restored (${status})`)
  return {
    flaws,
    reported: reported.length,
    restored: reported.length - left.length,
    collided: status === 3 ? left.length : 0,
    reverted,
    elsewhere,
  }
}

/** The commits that `wiki verify --json` lists as lost; [] for a build without it. */
function lostIn(text) {
  return text.startsWith('{') ? JSON.parse(text).lost.map(({ commit }) => commit) : []
}

/**
 * The lines of every commit. All objects are examined, because a reflog may lead to commits that native git has pruned since.
 * One process reads all of them: one for each commit and word took minutes.
 */
async function messagesOf(directory) {
  const commits = allCommits(directory)
  const { done } = scene.start('git', ['cat-file', '--batch'], {
    directory,
    input: commits.map(hash => `${hash}\n`).join(''),
  })
  const { stdout } = await done
  const parts = stdout.split(/^([0-9a-f]{40}) commit \d+$/m).slice(1)
  return new Map(commits.map((hash, at) => [hash, parts[2 * at] === hash ? parts[2 * at + 1].split('\n') : []]))
}

/** Every commit among the objects. */
export function allCommits(directory) {
  const listed = scene.git(directory, 'cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)')
  return listed.split('\n').flatMap(line => (line.startsWith('commit ') ? [line.slice(7)] : []))
}

function isReverted(directory, commit, branches) {
  const how = ['--format=%H', `--grep=This reverts commit ${commit}`]
  return scene.git(directory, 'log', ...branches, ...how) !== ''
}

/**
 * True for a commit that was made on another branch or on no branch, and that a branch or tag still has. One that a branch of the
 * experiment has in its history was made there, whatever the record says, and so was every commit of a build without a record.
 */
function isElsewhere(directory, commit, branches) {
  const record = join(directory, '.git', 'wiki', '.acknowledged')
  if (!existsSync(record)) return false
  const isRecorded = name => existsSync(join(record, name)) && readFileSync(join(record, name), 'utf8').includes(commit)
  const refs = scene
    .git(directory, 'for-each-ref', '--format=%(refname)', '--contains', commit, ...keptRefs)
    .split('\n')
  const isOfBranch = name => refs.includes(`refs/heads/${name}`) || isRecorded(name)
  return refs[0] !== '' && !branches.some(isOfBranch)
}

const keptRefs = ['refs/heads', 'refs/remotes', 'refs/tags']

/** Paths for which `isOurs` holds that differ between the index and HEAD. A server gets a moment to correct them. */
export async function strangersInIndex(directory, isOurs) {
  let strangers = []
  for (let looks = 0; looks < 40; looks++) {
    const isOnMain = scene.git(directory, 'rev-parse', '--abbrev-ref', 'HEAD') === 'main'
    const isBusy = ['rebase-merge', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'].some(name =>
      existsSync(join(directory, '.git', name)),
    )
    if (!isOnMain || isBusy) return []
    attempt(() => scene.git(directory, 'update-index', '-q', '--refresh'))
    const differing = scene.git(directory, 'diff', '--cached', '--name-only', 'HEAD').split('\n')
    strangers = differing.filter(path => path !== '' && isOurs(path))
    if (strangers.length === 0) return []
    await scene.sleep(50)
  }
  const differences = scene.git(directory, 'diff', '--cached', '--raw', 'HEAD')
  return [`the index has what nobody staged: ${strangers.join(', ')}\n${differences}`]
}
