/**
 * Makes the pictures of README and docs/pictures.md in docs/images.
 *
 *     node scripts/screenshots.mjs [bips=<repository or bundle>] [z88dk=<repository or bundle>]
 *
 * It serves copies of the sample wiki and of the repositories from dist and opens them in Chromium (browser-path.mjs). Pictures
 * of a repository that is not given stay unchanged.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { buildFixture } from '../fixtures/replay.mjs'
import { startWiki } from '../test/bench/servers.mjs'
import { browserPath } from './browser-path.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const images = join(top, 'docs/images')

const desk = { viewport: { width: 1180, height: 760 } }
const phone = { viewport: { width: 375, height: 760 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }

/** Pictures: name, wiki, address, state of the browser, and the actions before it is taken. */
const pictures = [
  { name: 'read', wiki: 'sample', path: '/wiki/Tides', browser: desk },
  {
    ...{ name: 'edit', wiki: 'sample', path: '/wiki/Tides?action=edit' },
    ...{ browser: { viewport: { width: 1400, height: 820 } }, act: openPreview },
  },
  { name: 'compare', wiki: 'sample', path: '/wiki/Tides?diff=prev', browser: { ...desk, colorScheme: 'dark' } },
  { name: 'phone', wiki: 'sample', path: '/wiki/Harbour', browser: { ...phone, colorScheme: 'dark' } },
  { name: 'history', wiki: 'sample', path: '/wiki/Tides?action=history', browser: desk },
  { name: 'preview', wiki: 'sample', path: '/wiki/Tides', browser: desk, act: previewLink },
  { name: 'bips', wiki: 'bips', path: '/wiki/README', browser: { ...desk, colorScheme: 'dark' }, act: scrollToTable },
  { name: 'bips-statistics', wiki: 'bips', path: '/wiki/Special:Statistics', browser: desk },
  { name: 'bips-search', wiki: 'bips', path: '/wiki/Special:Search?search=taproot', browser: phone },
  { name: 'z88dk', wiki: 'z88dk', path: '/wiki/Home', browser: desk },
  {
    name: 'z88dk-links',
    wiki: 'z88dk',
    path: '/wiki/Platform?action=links',
    browser: { ...desk, colorScheme: 'dark' },
  },
  { name: 'z88dk-phone', wiki: 'z88dk', path: '/wiki/Installation', browser: phone },
]

async function scrollToTable(page) {
  await page.evaluate("scrollTo(0, document.querySelector('.scroll').offsetTop - 120)")
}

async function previewLink(page) {
  await page.locator('.content p a[href^="/wiki/"]:not(.new)').first().hover()
  await page.locator('#ui--preview').waitFor()
}

async function openPreview(page) {
  await page.locator('.cm-content').waitFor()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.locator('.live-preview .content').waitFor()
  await page.evaluate('scrollTo(0, 0)')
}

async function main() {
  const directory = mkdtempSync(join(tmpdir(), 'wiki-pictures-'))
  const wikis = { sample: join(directory, 'sample') }
  const operations = await import(new URL('../dist/lib/index.js', import.meta.url).href)
  const { wiki } = await buildFixture('sample', { operations, directory: wikis.sample })
  await wiki.close()
  for (const argument of process.argv.slice(2)) {
    const [name, source] = argument.split('=', 2)
    wikis[name] = join(directory, name)
    execFileSync('git', ['clone', '--quiet', '--', source, wikis[name]])
  }
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  mkdirSync(images, { recursive: true })
  for (const [name, folder] of Object.entries(wikis)) {
    const { port, stop } = await startWiki(folder, { options: ['--allow-anonymous'] })
    const origin = `http://127.0.0.1:${port}`
    for (const picture of pictures) if (picture.wiki === name) await take(browser, origin, picture)
    await stop()
  }
  await browser.close()
  rmSync(directory, { recursive: true, force: true })
}

async function take(browser, origin, { name, path, browser: options, act }) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.goto(origin + path, { waitUntil: 'networkidle', timeout: 120_000 })
  await act?.(page)
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, colours: 64, compressionLevel: 9 })
    .toBuffer()
  writeFileSync(join(images, `${name}.png`), picture)
  console.log(`docs/images/${name}.png: ${Math.round(picture.length / 1024)} KB`)
  await context.close()
}

await main()
