/**
 * Merges generated edits of pages whose parts have an identity (tasks, rows, topics, notes …), and judges each result by what both
 * writers meant.
 *
 *     node test/proof/merges.mjs [--kind tasks,table] [--cases 10000] [--seed 1] [--git 300] [--examples 2] [--show <seed>] [--undo]
 *
 * A row of the table for each kind: cases that were merged rightly, those that were refused although an answer exists and with
 * no answer that both would sign, and wrong ones by their flaw; beside it `git merge-file` for the first `--git` cases. Below it
 * are examples, each with its seed, which `--show` prints whole. Properties: the sides exchanged differ in order only; one side alone
 * gives that side; the same edit of both is taken once; an edit that is sent again changes nothing, or is refused. With `--undo` an edit
 * is undone after a later one. Exit status 1 for a wrong merge.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadOracle } from '../diff/oracle/load.mjs'

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: '300' },
    examples: { type: 'string', default: '2' },
    show: { type: 'string' },
    undo: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'gitwiki-merges-'))
const { flaws, generate, generateUndo, judge, judgeCase, kinds, mergeTexts } = await loadOracle(folder)
const make = values.undo ? generateUndo : generate
const names = values.kind?.split(',') ?? Object.keys(kinds)
const rows = []
const stories = []
for (const name of names) {
  if (values.show === undefined) rows.push(runKind(name))
  else tell(name, Number(values.show))
}
if (rows.length > 0) console.table(Object.fromEntries(rows))
for (const story of stories) console.log(story)
const wrong = rows.reduce((sum, [, row]) => sum + row.wrong, 0)
console.log(wrong === 0 ? 'nothing is wrong' : `${wrong} wrong`)
process.exitCode = wrong === 0 ? 0 : 1
rmSync(folder, { recursive: true })

/** The product's merge; null if it refuses. */
function merge(base, mine, theirs) {
  const merged = mergeTexts(base, mine, theirs)
  return merged.merged ? merged.text : null
}

function gitMerge(base, mine, theirs) {
  const files = ['mine', 'base', 'theirs'].map(name => join(folder, name))
  for (const [at, text] of [mine, base, theirs].entries()) writeFileSync(files[at], text)
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...files], { encoding: 'utf8' })
  return status === 0 ? stdout : null
}

function runKind(name) {
  const row = { right: 0, refused: 0, 'no answer': 0, wrong: 0, 'not as it should': 0 }
  const byGit = { right: 0, refused: 0, wrong: 0, 'we merge of it': 0, 'it merges, not we': 0 }
  const shown = new Map()
  const show = (what, seed, one, merged) => {
    const count = shown.get(what) ?? 0
    shown.set(what, count + 1)
    if (count < Number(values.examples)) stories.push(storyOf(`${name} ${seed}: ${what}`, one, merged))
  }
  for (let at = 0; at < Number(values.cases); at++) {
    const seed = Number(values.seed) + at
    const one = make(name, seed)
    const { verdict, merged, broken } = judgeCase(one, merge)
    if (verdict === 'right') row.right++
    else if (verdict === 'refused') row[one.right.size > 0 ? 'refused' : 'no answer']++
    else {
      row.wrong++
      row[verdict] = (row[verdict] ?? 0) + 1
      show(verdict, seed, one, merged)
    }
    if (broken.length > 0) row['not as it should']++
    for (const [property, text] of broken) {
      row[property] = (row[property] ?? 0) + 1
      if (property.endsWith('again') === false || text !== null) show(property, seed, one, text)
    }
    if (at < Number(values.git)) compareGit(one, merged, verdict, byGit)
  }
  return [name, { ...row, ...Object.fromEntries(Object.entries(byGit).map(([key, count]) => [`git: ${key}`, count])) }]
}

function compareGit(one, merged, verdict, byGit) {
  const text = gitMerge(one.base, one.mine, one.theirs)
  const found = judge(one, text)
  byGit[flaws.includes(found) ? 'wrong' : found]++
  if (found === 'refused' && verdict === 'right') byGit['we merge of it']++
  if (found === 'right' && merged === null) byGit['it merges, not we']++
}

function storyOf(title, { base, mine, theirs, right }, merged) {
  const parts = { base, mine, theirs, merged: merged ?? '(refused)\n', right: [...right][0] ?? '(to be refused)\n' }
  const texts = Object.entries(parts).map(([part, text]) => `  ${part}:\n${text.replace(/^/gm, '    | ')}`)
  return `\n${title}\n${texts.join('\n')}`
}

function tell(name, seed) {
  const one = make(name, seed)
  const { verdict, merged, broken } = judgeCase(one, merge)
  console.log(storyOf(`${name} ${seed}: ${verdict} (${one.right.size} right)`, one, merged))
  for (const text of [...one.right].slice(1)) console.log(`  or:\n${text.replace(/^/gm, '    | ')}`)
  for (const [property, text] of broken)
    console.log(`  not: ${property}\n${(text ?? '(refused)\n').replace(/^/gm, '    | ')}`)
}
