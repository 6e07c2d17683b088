/**
 * Measures the pages for browsers.
 *
 *     node test/bench/web.mjs
 *
 * It serves a wiki of generated pages from dist and measures, in turn: a cached page at the server, p50 and p99 beside
 * `node:http` with the same bytes; the largest contentful paint and the layout shift of a page of 50 KB, with the processor at
 * a quarter of its speed and a line of 1.6 Mbit/s and 150 ms; typing into the editor on a page of 200 KB, from the key to the
 * second frame after it. Other work on the machine affects all of them: read the ratios, and the printed load.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserPath } from '../../scripts/browser-path.mjs'
import { startWiki } from './servers.mjs'

const rounds = 2000
const keys = 150

const line = "The [[tide]] comes and goes; see the [https://example.org/table table] of ''today''.<ref>A note</ref>"
/** A page of about this number of bytes, with sections. */
function textOf(bytes) {
  const section = at => `== Section ${at} ==\n${`${line}\n\n`.repeat(9)}`
  const count = Math.ceil(bytes / section(1).length)
  return `${Array.from({ length: count }, (_, at) => section(at)).join('')}<references/>\n`
}

async function main() {
  const directory = mkdtempSync(join(tmpdir(), 'wiki-bench-web-'))
  const { createPage, initWiki, openWiki } = await import(new URL('../../dist/lib/index.js', import.meta.url).href)
  const author = { name: 'Ada Example', address: 'ada@example.org' }
  await initWiki({ directory, author })
  const wiki = await openWiki({ directory })
  for (const [title, size] of [
    ['Middle', 50_000],
    ['Large', 200_000],
  ])
    await createPage(wiki, { title, source: textOf(size), comment: null, author })
  await wiki.close()
  const { port, stop } = await startWiki(directory, { options: ['--allow-anonymous'] })
  const origin = `http://127.0.0.1:${port}`
  console.log(`load ${loadavg()[0].toFixed(1)}`)
  await measureServer(`${origin}/wiki/Middle`)
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  await measurePaint(browser, `${origin}/wiki/Middle`)
  await measureTyping(browser, `${origin}/wiki/Large?action=edit`)
  await browser.close()
  await stop()
  rmSync(directory, { recursive: true, force: true })
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds and bytes of one request. */
function ask(address) {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    get(address, { agent, headers: { accept: 'text/html', 'accept-encoding': 'gzip' } }, answer => {
      const parts = []
      answer.on('data', part => parts.push(part))
      answer.on('end', () => resolve({ time: performance.now() - start, body: Buffer.concat(parts) }))
    }).on('error', reject)
  })
}

/** A separate process, like ours; it sends fixed bytes. */
const bareServer = `
  const parts = []
  process.stdin.on('data', part => parts.push(part)).on('end', () => {
    const body = Buffer.concat(parts)
    const server = require('node:http').createServer((_, answer) => answer.end(body))
    server.listen(0, '127.0.0.1', () => process.stdout.write('http://127.0.0.1:' + server.address().port + '/'))
  })`

async function measureServer(address) {
  const { time: first, body } = await ask(address)
  const beside = spawn(process.execPath, ['-e', bareServer], { stdio: ['pipe', 'pipe', 'inherit'] })
  beside.stdin.end(body)
  const bare = String((await once(beside.stdout, 'data'))[0])
  const times = { ours: [], node: [] }
  for (let round = 0; round < rounds; round++) {
    times.ours.push((await ask(address)).time)
    times.node.push((await ask(bare)).time)
  }
  beside.kill()
  agent.destroy()
  console.log(`kept page, ${Math.round(body.length / 1024)} KB of gzip: first ${first.toFixed(0)} ms`)
  for (const [name, list] of Object.entries(times)) console.log(`  ${name}: ${quantiles(list)}`)
}

async function measurePaint(browser, address) {
  const seen = []
  for (let round = 0; round < 5; round++) {
    const context = await browser.newContext({ viewport: { width: 375, height: 760 } })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await session.send('Network.enable')
    const speed = { downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (0.75 * 1024 * 1024) / 8 }
    await session.send('Network.emulateNetworkConditions', { offline: false, latency: 150, ...speed })
    await page.addInitScript(() => {
      globalThis.shift = 0
      new PerformanceObserver(list => (globalThis.paint = list.getEntries().at(-1).startTime)).observe({
        ...{ type: 'largest-contentful-paint', buffered: true },
      })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) globalThis.shift += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    seen.push(await page.evaluate('({ paint, shift })'))
    await context.close()
  }
  const paints = seen.map(({ paint }) => paint).sort((one, other) => one - other)
  console.log(
    `largest paint at 4x: median ${paints[2].toFixed(0)} ms, worst ${paints[4].toFixed(0)} ms; shift ${Math.max(...seen.map(({ shift }) => shift)).toFixed(3)}`,
  )
}

async function measureTyping(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(address)
  await page.locator('.cm-content').click()
  await page.evaluate(() => {
    globalThis.delays = []
    addEventListener(
      'keydown',
      () => {
        const start = performance.now()
        requestAnimationFrame(() => requestAnimationFrame(() => globalThis.delays.push(performance.now() - start)))
      },
      true,
    )
  })
  for (let key = 0; key < keys; key++) await page.keyboard.press(key % 7 === 6 ? 'Space' : 'a')
  await page.waitForTimeout(500)
  console.log(`typing on 200 KB: ${quantiles(await page.evaluate('delays'))}`)
  await page.close()
}

function quantiles(list) {
  const sorted = list.toSorted((one, other) => one - other)
  const at = part => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`
}

await main()
