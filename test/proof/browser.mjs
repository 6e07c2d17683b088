/**
 * Opens every attack at every surface in a real Chromium, and lets a hostile origin try everything:
 * node test/proof/browser.mjs
 *
 * The attacks are tables (test/browser/attacks.ts, svg-attacks.ts), the surfaces too (_surfaces.ts): no random numbers. Exit status 1
 * where a script ran, a request left, or the other origin read or wrote anything. Needs a browser at /usr/bin/chromium, or
 * where CHROMIUM_PATH says.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
if (!existsSync(browser)) {
  console.log(`skipped: there is no browser at ${browser}; CHROMIUM_PATH names another one`)
  process.exit(0)
}
const { stdout } = spawnSync(browser, ['--version', '--no-sandbox'], { encoding: 'utf8' })
console.log(`browser: ${stdout?.trim()}`)
const { status } = spawnSync('npx', ['vitest', 'run', 'test/browser', '--reporter=verbose'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  env: { ...process.env, WIKI_PROOF: '1' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
