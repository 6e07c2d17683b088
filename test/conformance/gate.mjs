/**
 * Replays the last merges of a repository as pull requests.
 *
 *     node gate.mjs <bundle or repository> [merges]
 *
 * For each merge the problems that `wiki check` reports must be those of a whole check of the merge minus those of a whole
 * check of its first parent, so that nothing old is reported and nothing new is missed. Runs on the built library; exits with 1
 * if they differ.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkChange, openWiki } from '../../dist/lib/index.js'

const [source, count = '40'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'gitwiki-gate-'))
const git = (...parameters) => execFileSync('git', ['-C', folder, ...parameters], { encoding: 'utf8' }).trim()
const whole = new Map()
let [differing, reported, quiet, problemCount] = [0, 0, 0, 0]

execFileSync('git', ['clone', '-q', source, folder])
const wiki = await openWiki({ directory: folder })
try {
  const merges = git('log', '--first-parent', '--merges', `-${count}`, '--format=%H').split('\n')
  for (const merge of merges) await replay(merge)
  console.log(
    `${merges.length} merges: ${reported} bring ${problemCount} problems, ${quiet} bring none; ${differing} differ from two whole checks`,
  )
} finally {
  await wiki.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = differing === 0 ? 0 : 1

async function replay(merge) {
  const base = git('rev-parse', `${merge}^1`)
  const { problems } = await checkChange(wiki, { from: base, to: merge, sinceParting: false })
  // A whole check has one state, so no page loses a link in it.
  const gate = counts(problems.filter(({ kind }) => kind !== 'orphaned-page'))
  const [before, after] = [await wholeCheck(base), await wholeCheck(merge)]
  const expected = new Map([...after].map(([key, n]) => [key, n - (before.get(key) ?? 0)]).filter(([, n]) => n > 0))
  const wrong = [...new Set([...gate.keys(), ...expected.keys()])].filter(key => gate.get(key) !== expected.get(key))
  problemCount += problems.length
  if (problems.length === 0) quiet++
  else reported++
  if (wrong.length > 0) differing++
  const kinds = [...counts(problems, ({ kind }) => kind)].map(([kind, n]) => `${n} ${kind}`).join(', ')
  console.log(`${merge.slice(0, 10)} ${git('log', '-1', '--format=%s', merge)}: ${kinds || 'nothing new'}`)
  for (const key of wrong) console.log(`  differs: ${key} gate ${gate.get(key) ?? 0}, whole ${expected.get(key) ?? 0}`)
}

async function wholeCheck(commit) {
  if (!whole.has(commit)) {
    const { problems } = await checkChange(wiki, { from: null, to: commit, sinceParting: false })
    whole.set(commit, counts(problems))
  }
  return whole.get(commit)
}

function counts(problems, keyOf = ({ path, kind, text }) => `${path} ${kind} ${text.replace(/\s+/g, ' ').trim()}`) {
  const found = new Map()
  for (const problem of problems) found.set(keyOf(problem), (found.get(keyOf(problem)) ?? 0) + 1)
  return found
}
