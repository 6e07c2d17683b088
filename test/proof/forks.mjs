/**
 * Merges forks of real histories, and says how often the product refuses beside `git merge-file`.
 *
 *     node test/proof/forks.mjs [--forks 3000] [--seed 1] [--texts <folder>] [--samples <file> --each 200] [<repository or bundle> …]
 *
 * Forks of a page with the revisions a, b, c … are of five kinds. *Next*: from a, one side is b, the other is what c changed of b, put
 * on a by git: the right merge is c. *Next by words*: the same where git refuses that, but not if each word is a line. *Halves*: a few
 * neighbouring changes from a to b are dealt out to the two sides: the right merge has all of them. *Undone*: from b, one side is c, the
 * other a. *Merged*: the merges of people, in commits with two parents. With `--texts`, each file of a folder gets edits of its lines and
 * sentences from a seed; their right merges are known. The edits of a fork are apart if a line end, or three words, stand between all
 * that the two sides changed.
 *
 * `--samples` writes forks of each outcome, to be read by a person: the words around all that was changed, and what became of them. A
 * fork of which the right text is known, and is the merge, needs no reader and is left out.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { diffArrays } from 'diff'
import { loadOracle } from '../diff/oracle/load.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    forks: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    texts: { type: 'string' },
    samples: { type: 'string' },
    each: { type: 'string', default: '200' },
  },
})
/** Longer pages are left out: git is asked several times for each fork. */
const longest = 100_000
/** Longer changes are cut in the middle: a person reads hundreds. */
const mostShown = 400
/** Unchanged words shown around changes, and between changes that are shown together. */
const context = 12
const together = 40
const folder = mkdtempSync(join(tmpdir(), 'gitwiki-forks-'))
const { generateOf, judge, kindOf, mergeTexts } = await loadOracle(folder)
const rows = {}
const samples = new Map()
let seed = Number(values.seed)
for (const repository of positionals) run(repository)
if (values.texts !== undefined) runTexts(values.texts)
console.table(rows)
if (values.samples !== undefined) writeSamples()
rmSync(folder, { recursive: true })

function random(below) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

function run(repository) {
  const directory = repository.endsWith('.bundle') ? join(folder, `${positionals.indexOf(repository)}.git`) : repository
  if (directory !== repository) execFileSync('git', ['clone', '-q', '--bare', repository, directory])
  const git = (...words) =>
    execFileSync('git', ['-C', directory, ...words], {
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const text = blob => {
    const found = git('cat-file', 'blob', blob)
    return found.length > longest || found.includes('\0') ? null : found
  }
  const name = repository.split('/').at(-1).replace('.bundle', '')
  const runs = shuffled(runsOf(git)).slice(0, Number(values.forks))
  for (const { path, blobs } of runs) {
    const [a, b, c] = blobs.map(text)
    if ([a, b, c].includes(null)) continue
    const byLines = a === c ? null : gitMerge(b, a, c)
    const theirs = byLines ?? (a === c ? null : gitMergeWords(b, a, c))
    const next = byLines === null ? 'next by words' : 'next'
    if (theirs !== null && theirs !== a)
      tally(`${name}: ${next}`, path, { base: a, mine: b, theirs, right: new Set([c]) })
    const halves = halvesOf(a, b)
    if (halves !== null) tally(`${name}: halves`, path, { base: a, ...halves })
    if (a !== c) tally(`${name}: undone`, path, { base: b, mine: c, theirs: a, right: null })
  }
  for (const { path, texts } of mergesOf(git)) {
    const [base, mine, theirs, settled] = texts
    tally(`${name}: merged`, path, { base, mine, theirs, right: null, settled })
  }
}

/** Three revisions of a page that follow each other. */
function runsOf(git) {
  const runs = []
  const last = new Map()
  for (const line of git(
    'log',
    '--no-merges',
    '--reverse',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '--format=',
    '--topo-order',
  ).split('\n')) {
    const match = /^:\d+ \d+ (\w+) (\w+) M\t(.*)$/.exec(line)
    if (match === null || !isPage(match[3])) continue
    const [, from, to, path] = match
    const before = last.get(path)
    if (before?.to === from) runs.push({ path, blobs: [before.from, from, to] })
    last.set(path, { from, to })
  }
  return runs
}

function* mergesOf(git) {
  const ask = (...words) => {
    try {
      return git(...words)
    } catch {
      return null
    }
  }
  for (const row of git('log', '--merges', '--format=%H %P').trim().split('\n')) {
    const [merge, mine, theirs, ...more] = row.split(' ')
    const base = more.length > 0 || theirs === undefined ? null : ask('merge-base', mine, theirs)?.trim()
    if (base === null || base === undefined) continue
    const changed = side => new Set(git('diff', '--name-only', '--no-renames', base, side).split('\n').filter(isPage))
    const theirPages = changed(theirs)
    for (const path of changed(mine)) {
      if (!theirPages.has(path)) continue
      const texts = [base, mine, theirs, merge].map(commit => ask('show', `${commit}:${path}`))
      if (!texts.includes(null) && texts[1] !== texts[2] && texts[0].length < longest) yield { path, texts }
    }
  }
}

function isPage(path) {
  return /\.(?:mediawiki|wiki|md)$/.test(path)
}

function shuffled(list) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = random(at + 1)
    ;[list[at], list[other]] = [list[other], list[at]]
  }
  return list
}

function runTexts(texts) {
  const files = readdirSync(texts)
  const kinds = files.map(file => kindOf(readFileSync(join(texts, file), 'utf8')))
  for (let at = 0; at < Number(values.forks); at++)
    tally('texts', files[at % files.length], generateOf(kinds[at % files.length], Number(values.seed) + at))
}

function gitMerge(base, mine, theirs) {
  const files = ['mine', 'base', 'theirs'].map(name => join(folder, name))
  for (const [at, text] of [mine, base, theirs].entries()) writeFileSync(files[at], text)
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...files], { encoding: 'utf8' })
  return status === 0 ? stdout : null
}

/** Merges texts by git as if each word were a line. */
function gitMergeWords(base, mine, theirs) {
  const merged = gitMerge(
    ...[base, mine, theirs].map(text =>
      tokens(text)
        .map(word => `${JSON.stringify(word)}\n`)
        .join(''),
    ),
  )
  if (merged === null) return null
  return merged
    .split('\n')
    .slice(0, -1)
    .map(word => JSON.parse(word))
    .join('')
}

/** Deals out the changes between two texts to two writers; null for one change alone. */
function halvesOf(from, to) {
  const [old, now] = [tokens(from), tokens(to)]
  const changes = []
  let [at, nowAt] = [0, 0]
  for (const { added, removed, count } of diffArrays(old, now)) {
    if (added || removed) {
      const last = changes.at(-1)
      const isNear = last !== undefined && !arePartedBy(old.slice(last.end, at))
      const change = isNear ? last : { start: at, end: at, nowStart: nowAt, nowEnd: nowAt }
      if (!isNear) changes.push(change)
      change.end = removed ? at + count : at
      change.nowEnd = added ? nowAt + count : nowAt
    }
    if (!added) at += count
    if (!removed) nowAt += count
  }
  const first = random(Math.max(1, changes.length - 1))
  const few = changes
    .slice(first, first + 2 + random(3))
    .map((change, at) => ({ ...change, isMine: random(2) === at % 2 }))
  if (!few.some(({ isMine }) => isMine) || few.every(({ isMine }) => isMine)) return null
  const write = isChosen => {
    let [text, end] = ['', 0]
    for (const change of few.filter(isChosen)) {
      text += old.slice(end, change.start).join('') + now.slice(change.nowStart, change.nowEnd).join('')
      end = change.end
    }
    return text + old.slice(end).join('')
  }
  return {
    mine: write(({ isMine }) => isMine),
    theirs: write(({ isMine }) => !isMine),
    right: new Set([write(() => true)]),
  }
}

/** Returns true if a line end, or three words, stand between two changes. */
function arePartedBy(between) {
  return between.includes('\n') || between.filter(word => /[\p{L}\p{N}]/u.test(word)).length >= 3
}

function newRow() {
  return {
    forks: 0,
    'git merges': 0,
    'we merge': 0,
    'git refuses': 0,
    'of it apart': 0,
    'of it we merge': 0,
    'apart, we merge': 0,
    'git merges, not we': 0,
    'not as git': 0,
    known: 0,
    right: 0,
    wrong: 0,
  }
}

function tally(name, path, fork) {
  const { base, mine, theirs, right, settled } = fork
  const byGit = gitMerge(base, mine, theirs)
  const merged = mergeTexts(base, mine, theirs)
  const text = merged.merged ? merged.text : null
  rows[name] ??= newRow()
  const row = rows[name]
  row.forks++
  if (byGit !== null) row['git merges']++
  if (text !== null) row['we merge']++
  const isApart = areApart(base, mine, theirs)
  if (byGit === null) {
    row['git refuses']++
    if (isApart) row['of it apart']++
    if (text !== null) row['of it we merge']++
    if (text !== null && isApart) row['apart, we merge']++
  }
  if (byGit !== null && text === null) row['git merges, not we']++
  const differs = byGit !== null && text !== null && byGit.trimEnd() !== text.trimEnd()
  if (differs) row['not as git']++
  let verdict = ''
  if (right !== null) {
    row.known++
    verdict = judge(fork, text)
    if (verdict === 'right') row.right++
    else if (verdict !== 'refused') row.wrong++
  }
  const ours = text === null ? 'we refuse' : 'we merge'
  const outcome = `git ${byGit === null ? 'refuses' : 'merges'}, ${ours}${differs ? ' otherwise' : ''}${isApart ? ', apart' : ', not apart'}`
  if (verdict !== 'right') keepSample(outcome, { name, path, fork, text, byGit, verdict, settled })
}

function tokens(text) {
  return text.match(/\n|[^\S\n]+|[\p{L}\p{M}\p{N}_]+|[\s\S]/gu) ?? []
}

/** The ranges of the base's tokens that a side changed. */
function rangesOf(base, side) {
  const ranges = []
  let at = 0
  let start = null
  for (const { added, removed, count } of diffArrays(base, side)) {
    if (added || removed) start ??= at
    else if (start !== null) {
      ranges.push([start, at])
      start = null
    }
    if (!added) at += count
  }
  if (start !== null) ranges.push([start, at])
  return ranges
}

function areApart(base, mine, theirs) {
  const words = tokens(base)
  const [mineRanges, theirsRanges] = [mine, theirs].map(side => rangesOf(words, tokens(side)))
  return mineRanges.every(([start, end]) =>
    theirsRanges.every(([from, to]) => {
      const between = end <= from ? words.slice(end, from) : to <= start ? words.slice(to, start) : []
      return arePartedBy(between)
    }),
  )
}

function keepSample(outcome, sample) {
  const kept = samples.get(outcome) ?? { seen: 0, list: [] }
  samples.set(outcome, kept)
  kept.seen++
  const each = Number(values.each)
  if (kept.list.length < each) kept.list.push(sample)
  else {
    const at = random(kept.seen)
    if (at < each) kept.list[at] = sample
  }
}

/** The changes of a side, in tokens of the base. */
function changesOf(base, side) {
  const changes = []
  let [at, sideAt] = [0, 0]
  for (const { added, removed, count } of diffArrays(base, side)) {
    if (added || removed) {
      const last = changes.at(-1)
      const change = last?.end === at ? last : { start: at, end: at, text: '' }
      if (change !== last) changes.push(change)
      if (removed) change.end = at + count
      else change.text += side.slice(sideAt, sideAt + count).join('')
    }
    if (!added) at += count
    if (!removed) sideAt += count
  }
  return changes
}

/** Part of the base with changes marked in it. */
function marked(base, changes, start, end) {
  let [text, at] = ['', start]
  for (const change of changes) {
    if (change.end < start || change.start > end) continue
    const removed = base.slice(change.start, change.end).join('')
    text += base.slice(at, change.start).join('')
    text += (removed && `[-${short(removed)}-]`) + (change.text && `{+${short(change.text)}+}`)
    at = change.end
  }
  return text + base.slice(at, end).join('')
}

function short(text) {
  return text.length > mostShown ? `${text.slice(0, mostShown / 2)} …… ${text.slice(-mostShown / 2)}` : text
}

/** The changed parts of a fork, with what became of them. Those of one side that the merge has as they are have one line. */
function show({ fork: { base, mine, theirs }, text, byGit, settled }) {
  const words = tokens(base)
  const sides = { mine: changesOf(words, tokens(mine)), theirs: changesOf(words, tokens(theirs)) }
  const results = Object.entries({ merged: text, git: byGit, people: settled ?? null })
    .filter(([, result]) => result !== null)
    .map(([name, result]) => [name, changesOf(words, tokens(`${result.trimEnd()}\n`))])
  const places = []
  for (const { start, end } of [...sides.mine, ...sides.theirs].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = places.at(-1)
    if (last !== undefined && start - last.end < together) last.end = Math.max(last.end, end)
    else places.push({ start, end })
  }
  const lines = []
  for (const { start, end } of places) {
    const [from, to] = [Math.max(0, start - context), Math.min(words.length, end + context)]
    const at = changes => marked(words, changes, from, to)
    const plain = words.slice(from, to).join('')
    const [one, other] = [at(sides.mine), at(sides.theirs)]
    if (one !== plain) lines.push(`mine:   ${one}`)
    if (other !== plain) lines.push(`theirs: ${other}`)
    const only = other === plain ? one : one === plain ? other : null
    for (const [name, changes] of results) if (at(changes) !== only) lines.push(`${name}: ${at(changes)}`)
  }
  return lines.join('\n')
}

function writeSamples() {
  const parts = []
  for (const [outcome, { seen, list }] of samples) {
    parts.push(`\n######## ${outcome}: ${seen}\n`)
    for (const [at, sample] of list.entries())
      parts.push(`\n=== ${at + 1} ${outcome}: ${sample.name} ${sample.path} ${sample.verdict}`, show(sample))
  }
  writeFileSync(values.samples, parts.join('\n'))
}
