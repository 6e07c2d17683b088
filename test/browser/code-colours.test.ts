// @module-tag long
/** Colours of code, alerts and other constructs have enough contrast in both appearances. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { codeSamples, matrixFiles } from '../web/_feature-matrix.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { served } from './_pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(!hasBrowser)(`colours of constructs (${whereBrowser})`, () => {
  let context: BrowserContext
  let site: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    context = await startBrowser()
    const { wiki } = await newWiki({})
    const code = codeSamples.map(
      ([lang, text]) => `<syntaxhighlight lang="${lang}" line highlight="1">\n${text}\n</syntaxhighlight>`,
    )
    await commitFiles(wiki, { ...matrixFiles, 'Code.wiki': code.join('\n') })
    await wiki.store.refresh()
    site = await served(wiki)
  })
  afterAll(async () => {
    await context?.close()
    await site?.close()
  })

  test.each(['Wikitext', 'Markdown', 'Data.json', 'MediaWiki:Common.css', 'Code'])('%s', async title => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        const page = await context.newPage()
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`${site.origin}/wiki/${title}`)
        await page.evaluate(axe)
        const { violations } = (await page.evaluate(
          "axe.run('[data-ui-text]', { runOnly: ['color-contrast', 'link-name'] })",
        )) as AxeResults
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
        expect([colorScheme, width, found]).toEqual([colorScheme, width, []])
        const shots = process.env.WIKI_SHOTS
        if (shots)
          await page.screenshot({
            path: `${shots}/${title.replace(/\W/g, '_')}-${colorScheme}-${width}.png`,
            fullPage: true,
          })
        await page.close()
      }
  })
})
