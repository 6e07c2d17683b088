/**
 * Replays the last merges of a repository as pull requests.
 *
 *     node gate.mjs <bundle or repository> [merges]
 *
 * For each merge the problems that `wiki check` reports must be those of a whole check of the merge minus those of a whole
 * check of its first parent, so that nothing old is reported and nothing new is missed. Runs on the built library; exits with 1
 * if they differ, or if there is no merge or no problem to compare.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkChange, openWiki } from '../../dist/lib/index.js'
import { countProblems, gateDifferences } from './compare.mjs'

const [source, count = '40'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'gitwiki-gate-'))
const git = (...parameters) => execFileSync('git', ['-C', folder, ...parameters], { encoding: 'utf8' }).trim()
const whole = new Map()
let [differing, reported, quiet, problemCount] = [0, 0, 0, 0]

execFileSync('git', ['clone', '-q', source, folder])
const wiki = await openWiki({ directory: folder })
try {
  const merges = git('log', '--first-parent', '--merges', `-${count}`, '--format=%H').split('\n').filter(Boolean)
  for (const merge of merges) await replay(merge)
  console.log(
    `${merges.length} merges: ${reported} bring ${problemCount} problems, ${quiet} bring none; ${differing} differ from two whole checks`,
  )
} finally {
  await wiki.close()
  rmSync(folder, { recursive: true, force: true })
}
const compared = [...whole.values()].reduce((sum, problems) => sum + problems.length, 0)
if (compared === 0) console.log('FAILED: nothing to compare')
process.exitCode = differing === 0 && compared > 0 ? 0 : 1

async function replay(merge) {
  const base = git('rev-parse', `${merge}^1`)
  const { problems } = await checkChange(wiki, { from: base, to: merge, sinceParting: false })
  const wrong = gateDifferences(problems, { before: await wholeCheck(base), after: await wholeCheck(merge) })
  problemCount += problems.length
  if (problems.length === 0) quiet++
  else reported++
  if (wrong.length > 0) differing++
  const kinds = [...countProblems(problems, ({ kind }) => kind)].map(([kind, n]) => `${n} ${kind}`).join(', ')
  console.log(`${merge.slice(0, 10)} ${git('log', '-1', '--format=%s', merge)}: ${kinds || 'nothing new'}`)
  for (const [key, due = 0, got = 0] of wrong) console.log(`  differs: ${key} gate ${got}, whole ${due}`)
}

async function wholeCheck(commit) {
  if (!whole.has(commit)) {
    const { problems } = await checkChange(wiki, { from: null, to: commit, sinceParting: false })
    whole.set(commit, problems)
  }
  return whole.get(commit)
}
