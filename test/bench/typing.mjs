/**
 * Measures how long a key takes to be shown in the editor of a large page: `node test/bench/typing.mjs [kilobytes]`. It serves a wiki from
 * dist, opens the editor in Chromium (CHROMIUM_PATH), types 300 letters at the end of the text, and prints the time from the
 * event to the next frame, in milliseconds.
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const kilobytes = Number(process.argv[2] ?? 200)
const program = fileURLToPath(new URL('../../bin/wiki.cjs', import.meta.url))

const paragraph =
  "== Tide ==\nThe '''water''' of [[Harbour|the harbour]] {{Stub|a=b}} rises<ref>Almanac</ref> twice a day.\n\n"
const source = paragraph.repeat(Math.ceil((kilobytes * 1024) / paragraph.length))

const directory = mkdtempSync(join(tmpdir(), 'wiki-typing-'))
const run = (input, ...args) =>
  execFileSync(process.execPath, [program, '-C', directory, ...args], { input, stdio: 'pipe' })
run('', 'init', '--user', 'Bench <bench@localhost>')
run(source, 'page', 'create', 'Tides', '-f', '-', '-m', 'Begin')
const server = spawn(process.execPath, [program, '-C', directory, 'serve', '--port', '0', '--allow-anonymous'])
const origin = await new Promise(resolve => {
  const read = chunk => /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.forEach(resolve)
  server.stdout.on('data', read)
  server.stderr.on('data', read)
})
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
const page = await browser.newPage()
await page.goto(`${origin}/wiki/Tides?action=edit`)
await page.locator('.cm-content').click()
await page.keyboard.press('Control+End')
await page.evaluate(`
  globalThis.times = []
  document.addEventListener('keydown', () => {
    const began = performance.now()
    requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - began)))
  }, true)`)
for (let key = 0; key < 300; key++) {
  await page.keyboard.press('abcdefgh '[key % 9])
  await page.waitForTimeout(key % 10 === 0 ? 150 : 30)
}
await page.waitForTimeout(500)
const times = (await page.evaluate('times')).sort((one, other) => one - other)
const at = share => Math.round(times[Math.floor(share * (times.length - 1))] * 10) / 10
console.log(JSON.stringify({ kilobytes, keys: times.length, p50: at(0.5), p95: at(0.95), max: at(1) }))
await browser.close()
server.kill()
rmSync(directory, { recursive: true, force: true })
