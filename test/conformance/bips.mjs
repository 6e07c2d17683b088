/**
 * Compares the history of every page of a real git wiki with `git log`.
 *
 *     node bips.mjs <bundle or repository> [--update]
 *
 * Each commit that is in only one of the two lists must have one of the reasons below. Counts may not fall below `bips.json`;
 * `--update` rewrites them. Runs on the built library.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../dist/lib/store/store.js'

const ratchet = fileURLToPath(new URL('bips.json', import.meta.url))
const [source] = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'gitwiki-bips-'))
const git = (...parameters) =>
  execFileSync('git', ['-C', folder, ...parameters], { encoding: 'utf8', maxBuffer: 1 << 30 })

const kindReasons = {
  deletion: 'only git: the deletion of a file',
  mode: "only git: a change of the file's mode alone",
}

try {
  execFileSync('git', ['clone', '-q', source, folder])
  const store = openStore({ directory: folder })
  await store.refresh()
  const counts = compareHistories(store, readCommits())
  store.close()
  report(counts)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The changes of every commit relative to all its parents and, on the main line, to the first; and the commit that merged it. */
function readCommits() {
  const commits = new Map()
  for (const block of git(
    'log',
    '-c',
    '--raw',
    '--no-renames',
    '--reverse',
    '--topo-order',
    '--format=%x01%H %P',
  ).split('\u0001')) {
    const [head, ...rows] = block.split('\n').filter(line => line !== '')
    if (head === undefined) continue
    const [hash, ...parents] = head.trim().split(' ')
    const changed = new Map(rows.map(row => [row.split('\t')[1], kindOf(row.split('\t')[0].split(' '))]))
    commits.set(hash, { place: commits.size, parents, changed, merge: null, taken: changed })
  }
  for (const block of git('log', '--first-parent', '-m', '--name-only', '--no-renames', '--format=%x01%H').split(
    '\u0001',
  )) {
    const [hash, ...paths] = block.split('\n').filter(line => line !== '')
    if (hash) Object.assign(commits.get(hash), { merge: hash, taken: new Map(paths.map(path => [path, false])) })
  }
  const chain = [...commits].filter(([, commit]) => commit.merge !== null)
  for (const [hash, { parents }] of chain) {
    const waiting = parents.slice(1)
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const commit = commits.get(at)
      if (commit.merge !== null) continue
      commit.merge = hash
      waiting.push(...commit.parents)
    }
  }
  return commits
}

function kindOf([, , before, after, status]) {
  return status === 'D' ? 'deletion' : status === 'M' && before === after ? 'mode' : 'content'
}

/**
 * The commits that `git log --full-history` lists for each path: those that differ there from any of their parents. One process
 * for all paths, because each walks the whole history.
 */
function listedCommits() {
  const listed = new Map()
  for (const block of git('log', '-m', '--root', '--name-only', '--no-renames', '-z', '--format=%x01%H').split(
    '\u0001',
  )) {
    const [hash, ...paths] = block.split(/[\0\n]+/).filter(line => line !== '')
    for (const path of paths) {
      if (!listed.has(path)) listed.set(path, new Set())
      listed.get(path).add(hash)
    }
  }
  return listed
}

function compareHistories(store, commits) {
  const listed = listedCommits()
  const counts = { pages: 0, files: [...store.files()].length, revisions: store.revisionCount, agreed: 0 }
  for (const page of store.pages()) {
    counts.pages++
    const list = [...store.revisionsOf(page)].map(revision => revision.commit)
    const [ours, first] = [new Set(list), list.at(-1)]
    const theirs = listed.get(page.path) ?? new Set()
    for (const hash of new Set([...ours, ...theirs])) {
      const reason = reasonOf(hash, { ours, theirs, first, path: page.path }, commits)
      counts[reason] = (counts[reason] ?? 0) + 1
    }
  }
  return counts
}

function reasonOf(hash, { ours, theirs, first, path }, commits) {
  const commit = commits.get(hash)
  if (ours.has(hash) && theirs.has(hash)) return 'agreed'
  if (ours.has(hash)) return commit.changed.has(path) ? 'unexplained' : 'only ours: the page had another path then'
  if (!commit.changed.has(path)) return 'only git: a merge that took one side as it was'
  if (!commits.get(commit.merge).taken.has(path)) return 'only git: the merge did not take the change over'
  if (commit.place < commits.get(first).place) return 'only git: an earlier page of that path, deleted since'
  return kindReasons[commit.changed.get(path)] ?? 'unexplained'
}

function report(counts) {
  const known = process.argv.includes('--update') ? {} : JSON.parse(readFileSync(ratchet, 'utf8'))
  const failures = []
  for (const [name, count] of Object.entries(counts)) process.stdout.write(`${String(count).padStart(6)}  ${name}\n`)
  if (counts.unexplained) failures.push(`${counts.unexplained} differences from git log without a reason`)
  for (const name of ['pages', 'files', 'revisions', 'agreed']) {
    if (counts[name] < (known[name] ?? 0)) failures.push(`${name}: ${counts[name]}, was ${known[name]}`)
  }
  // A reason must not come to explain more of the same history.
  for (const [name, count] of Object.entries(counts)) {
    const isReason = name.startsWith('only') && known.revisions === counts.revisions
    if (isReason && count > (known[name] ?? 0)) failures.push(`${name}: ${count}, was ${known[name] ?? 0}`)
  }
  if (process.argv.includes('--update')) writeFileSync(ratchet, `${JSON.stringify(counts, null, 2)}\n`)
  for (const failure of failures) process.stdout.write(`FAILED: ${failure}\n`)
  process.exitCode = failures.length > 0 ? 1 : 0
}
