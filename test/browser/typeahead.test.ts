// @module-tag long
/** MediaWiki's own search field, fed by `/search/title` in a real browser. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath } from '../../scripts/browser-path.mjs'
import { createApp } from '../../src/rest/app.ts'
import { newWiki } from '../operations/_wiki.ts'

/**
 * A folder with @wikimedia/codex and vue in its node_modules. Codex is GPL: it is used from there and is not part of this
 * project.
 */
const codexFolder = process.env.CODEX_FOLDER ?? '.'
const scripts = ['vue/dist/vue.global.prod.js', '@wikimedia/codex/dist/codex.umd.cjs'].map(path =>
  join(codexFolder, 'node_modules', path),
)
const isReady = existsSync(browserPath) && scripts.every(path => existsSync(path))

/** As a skin does it: the text of the field goes to the API, and the response into the list. */
const page = `<!DOCTYPE html><div id="app"></div>
<script src="/script/0"></script><script src="/script/1"></script>
<script>
const { createApp, ref } = Vue
createApp({
  components: { CdxTypeaheadSearch: window.codex.CdxTypeaheadSearch },
  template: '<cdx-typeahead-search id="search" form-action="/w" :search-results="results" @input="input"></cdx-typeahead-search>',
  setup() {
    const results = ref([])
    async function input(text) {
      const answer = await fetch('http://wiki.example/v1/search/title?limit=10&q=' + encodeURIComponent(text))
      const { pages } = await answer.json()
      results.value = pages.map(({ id, key, title, description }) => ({
        value: id, label: title, description, url: '/wiki/' + encodeURIComponent(key),
      }))
    }
    return { results, input }
  },
}).mount('#app')
</script>`

describe.skipIf(!isReady)('the typeahead search of Codex (skipped without Chromium, or without CODEX_FOLDER)', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] })
  })

  afterAll(() => browser?.close())

  test('lists the pages whose titles begin with the text', async () => {
    const { wiki } = await newWiki({
      'Tide tables': 'x',
      'Tidal power': 'y',
      Harbour: 'z',
      Tides: '#REDIRECT [[Harbour]]',
    })
    const app = createApp(wiki, { allowedHosts: ['wiki.example'] })
    const tab = await browser.newPage()
    await tab.route('**/*', async route => {
      const url = new URL(route.request().url())
      if (url.host === 'wiki.example') {
        const answer = await app.request(url.href, { headers: { ...route.request().headers(), host: url.host } })
        const headers = Object.fromEntries(answer.headers)
        return route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) })
      }
      const script = /^\/script\/(\d)$/.exec(url.pathname)?.[1]
      if (script === undefined) return route.fulfill({ contentType: 'text/html', body: page })
      return route.fulfill({ contentType: 'text/javascript', body: readFileSync(scripts[Number(script)]!) })
    })
    await tab.goto('http://skin.example/')
    await tab.locator('input[type=search]').pressSequentially('tid')
    const labels = tab.locator('.cdx-search-result-title, .cdx-menu-item__text__label')
    await labels.first().waitFor()
    expect((await labels.allTextContents()).map(label => label.trim())).toEqual(
      expect.arrayContaining(['Tidal power', 'Tide tables']),
    )
    if (process.env.TYPEAHEAD_PICTURE !== undefined) await tab.screenshot({ path: process.env.TYPEAHEAD_PICTURE })
    await tab.close()
  })
})
