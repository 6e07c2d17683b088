/**
 * Compares the history of every page of a real git wiki with `git log`.
 *
 *     node bips.mjs [--update | --other] <bundle or repository>
 *
 * Each commit that is in only one of the two lists must have one of the reasons (bips-compare.mjs). `bips.json` has the commits of each
 * reason; `--update` rewrites it, `--other` does without it (ratchet.mjs). Runs on the built library.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../dist/lib/store/store.js'
import { reasonOf } from './bips-compare.mjs'
import { Cases, judgeCases, readCommandLine } from './ratchet.mjs'

const { sources, update, other } = readCommandLine('<bundle or repository>')
const folder = mkdtempSync(join(tmpdir(), 'gitwiki-bips-'))
const git = (...parameters) =>
  execFileSync('git', ['-C', folder, ...parameters], { encoding: 'utf8', maxBuffer: 1 << 30 })

try {
  execFileSync('git', ['clone', '-q', sources[0], folder])
  const store = openStore({ directory: folder })
  await store.refresh()
  const cases = compareHistories(store, readCommits())
  store.close()
  judgeCases('bips.json', cases, { update, other })
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
  const cases = new Cases()
  for (const { path } of store.files()) cases.add('files', path, true)
  for (const at of Array(store.revisionCount).keys()) cases.add('revisions', at, true)
  for (const page of store.pages()) {
    const { path } = page
    cases.add('pages', path, true)
    const list = [...store.revisionsOf(page)].map(revision => revision.commit)
    const [ours, first] = [new Set(list), list.at(-1)]
    const theirs = listed.get(path) ?? new Set()
    for (const hash of new Set([...ours, ...theirs])) {
      const reason = reasonOf(hash, { ours, theirs, first, path }, commits)
      cases.add(reason ?? 'unexplained', `${path} ${hash}`, reason !== undefined)
    }
  }
  return cases
}
