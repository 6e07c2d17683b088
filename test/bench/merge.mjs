/**
 * Merges two-sided edits of prose. Reports how many that conflict by lines merge by words, and that no word is lost or doubled.
 *
 *     node test/bench/merge.mjs [repository]
 *
 * First come 2,000 generated pairs of edits with a fixed seed, a third each: different sentences of one line, adjacent lines,
 * two additions at the end. Then, if a repository is given (a clone of a wiki with merges), every page that both sides of a
 * merge changed: whether the merge succeeds, and whether its text is the one that people committed.
 */
import { execFileSync } from 'node:child_process'
import { bundleDiff } from '../conformance/bundle-diff.mjs'

const { mergeTexts } = await bundleDiff()

let seed = 20_261_121
function random(below) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

let fresh = 0
const word = side => `${side}${(fresh++).toString(36)}`
const sentence = side => `${Array.from({ length: 4 + random(9) }, () => word(side)).join(' ')}.`
const paragraph = () => Array.from({ length: 3 + random(4) }, () => sentence('base')).join(' ')
const page = () => Array.from({ length: 4 + random(8) }, (_, at) => (at % 2 === 1 ? '' : paragraph()))

/** Changes, adds or removes a word of a sentence, except its last word, so the full stop stays. */
function editSentence(text, side) {
  const words = text.split(' ')
  const at = random(words.length - 1)
  const kind = random(3)
  words.splice(at, kind === 1 ? 0 : 1, ...(kind === 2 ? [] : [word(side)]))
  return words.join(' ')
}

function replaceAt(list, at, item) {
  return list.with(at, item)
}

const kinds = {
  'different sentences of one line'() {
    const lines = page()
    const at = random(Math.ceil(lines.length / 2)) * 2
    const sentences = lines[at].split(/(?<=\.) /)
    const first = random(sentences.length - 1)
    const second = first + 1 + random(sentences.length - first - 1)
    const edited = (index, side) =>
      replaceAt(lines, at, replaceAt(sentences, index, editSentence(sentences[index], side)).join(' '))
    return [lines, edited(first, 'mine'), edited(second, 'theirs')]
  },
  'lines that touch'() {
    const lines = Array.from({ length: 6 }, () => `* ${sentence('base')}`)
    const at = random(5)
    const edited = (index, side) => replaceAt(lines, index, `* ${editSentence(lines[index].slice(2), side)}`)
    return [lines, edited(at, 'mine'), edited(at + 1, 'theirs')]
  },
  'both append'() {
    const lines = random(2) === 0 ? page() : Array.from({ length: 4 }, () => `* ${sentence('base')}`)
    const isList = lines[0].startsWith('*')
    const appended = side => [...lines, ...(isList ? [`* ${sentence(side)}`] : ['', sentence(side)])]
    return [lines, appended('mine'), appended('theirs')]
  },
}

const wordsOf = text => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Words that occur too often or are missing after both sides' changes are applied once. */
function wrongWords(base, mine, theirs, merged) {
  const count = (text, sign, counts) => {
    for (const each of wordsOf(text)) counts.set(each, (counts.get(each) ?? 0) + sign)
    return counts
  }
  const counts = count(base, -1, count(theirs, 1, count(mine, 1, new Map())))
  return [...count(merged, -1, counts).values()].filter(difference => difference !== 0).length
}

const percent = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)

console.log('generated'.padEnd(36), 'collide by lines   merged by words   wrong words')
const total = { collide: 0, merged: 0, wrong: 0 }
for (const [kind, make] of Object.entries(kinds)) {
  const sum = { collide: 0, merged: 0, wrong: 0 }
  for (let round = 0; round < 2000 / 3; round++) {
    const [base, mine, theirs] = make().map(lines => `${lines.join('\n')}\n`)
    if (mergeTexts(base, mine, theirs, { by: 'lines' }).merged) continue
    sum.collide++
    const result = mergeTexts(base, mine, theirs)
    if (!result.merged) continue
    sum.merged++
    sum.wrong += wrongWords(base, mine, theirs, result.text)
  }
  for (const key of Object.keys(total)) total[key] += sum[key]
  print(kind, sum)
}
print('all', total)

function print(name, { collide, merged, wrong }) {
  const cells = [collide, `${merged} (${percent(merged, collide)})`, wrong]
  console.log(name.padEnd(36), cells.map(cell => String(cell).padStart(16)).join('  '))
}

const repository = process.argv[2]
if (repository !== undefined) replayMerges(repository)

function replayMerges(directory) {
  const git = (...words) =>
    execFileSync('git', ['-C', directory, ...words], {
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const counts = { pages: 0, lines: 0, words: 0, settled: 0 }
  for (const row of git('log', '--merges', '--format=%H %P').trim().split('\n')) {
    const [merge, mine, theirs, ...more] = row.split(' ')
    if (more.length > 0 || theirs === undefined) continue
    const base = tryGit(() => git('merge-base', mine, theirs).trim())
    if (base === null) continue
    const changed = side => new Set(git('diff', '--name-only', '--no-renames', base, side).split('\n').filter(isPage))
    const theirPages = changed(theirs)
    for (const path of changed(mine)) {
      if (!theirPages.has(path)) continue
      const texts = [base, mine, theirs, merge].map(commit => tryGit(() => git('show', `${commit}:${path}`)))
      if (texts.includes(null) || texts[1] === texts[2]) continue
      tally(texts, counts)
    }
  }
  console.log(
    `\nreal merges: ${counts.pages} pages changed by both sides; merged by lines ${counts.lines}, by words ${counts.words};`,
  )
  console.log(`of those ${counts.settled} are the text people settled on`)
}

function tally([base, mine, theirs, settled], counts) {
  counts.pages++
  if (mergeTexts(base, mine, theirs, { by: 'lines' }).merged) counts.lines++
  const result = mergeTexts(base, mine, theirs)
  if (!result.merged) return
  counts.words++
  if (result.text.trimEnd() === settled.trimEnd()) counts.settled++
}

function isPage(path) {
  return /\.(?:mediawiki|wiki|md)$/.test(path)
}

function tryGit(ask) {
  try {
    return ask()
  } catch {
    return null
  }
}
