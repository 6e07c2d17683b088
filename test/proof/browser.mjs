/**
 * Opens every attack at every surface in a real Chromium, and lets a hostile origin try everything.
 *
 *     node test/proof/browser.mjs [--only <part of a test's name>] [--tabs 4] [--vectors <file>]
 *
 * Attacks and surfaces are tables (test/browser/attacks.ts, svg-attacks.ts, _surfaces.ts), without random numbers. For each
 * surface it prints the numbers of documents that were opened and of documents in which something ran. `--only` runs a part,
 * such as one surface, so that the whole can be run in pieces. `--vectors` replaces our attacks by a published list with one
 * attack per line: as wikitext, Markdown, HTML, drawings, names, summaries, search terms. Exit status 1 if a script ran, a
 * request left, or the other origin read or wrote anything. Needs Chromium (scripts/browser-path.mjs).
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { browserPath } from '../../scripts/browser-path.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    tabs: { type: 'string', default: '4' },
    vectors: { type: 'string' },
    seed: { type: 'string' },
  },
})
if (!existsSync(browserPath)) {
  console.log(`skipped: there is no browser at ${browserPath}; CHROMIUM_PATH names another one`)
  process.exit(0)
}
const { stdout } = spawnSync(browserPath, ['--version', '--no-sandbox'], { encoding: 'utf8' })
console.log(`browser: ${stdout?.trim()}`)
const chosen = values.only === '' ? [] : ['-t', values.only.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')]
const { status } = spawnSync('npx', ['vitest', 'run', 'test/browser', '--reporter=verbose', ...chosen], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  env: {
    ...process.env,
    WIKI_PROOF: '1',
    WIKI_PROOF_TABS: values.tabs,
    ...(values.vectors !== undefined && { WIKI_PROOF_VECTORS: resolve(values.vectors) }),
  },
  stdio: 'inherit',
})
process.exit(status ?? 1)
