/**
 * Attacks in a real browser: no script runs, no request leaves, wherever a text is shown. `npm test` opens a part of the
 * attacks at each surface; `WIKI_PROOF=1` opens every attack at every surface (test/proof/browser.mjs).
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Finding, hasBrowser, type Shot, type Watcher, watch, whereBrowser } from './_chromium.ts'
import {
  type AttackedWiki,
  attackedPages,
  attackedWiki,
  fileShots,
  lineShots,
  type Planned,
  pageShots,
  pageSurfaces,
} from './_surfaces.ts'

const surfaces = Object.keys(pageSurfaces)
const isLong = process.env.WIKI_PROOF !== undefined
const patience = isLong ? 1_800_000 : 120_000

test('there are at least 500 attacks that differ', () => {
  expect(new Set(attackedPages.map(({ text }) => text)).size).toBeGreaterThanOrEqual(500)
})

describe.skipIf(!hasBrowser)(`a browser (${whereBrowser})`, () => {
  let attacked: AttackedWiki
  let watcher: Watcher
  let documents = 0

  beforeAll(async () => {
    attacked = await attackedWiki()
    watcher = await watch(attacked.origin)
  }, 120_000)

  afterAll(async () => {
    await watcher?.close()
    await attacked?.close()
    if (isLong) console.log(`${documents} documents of ${attackedPages.length} attacks in pages were opened`)
  })

  test(
    'notices what happens',
    async () => {
      const html = (body: string): Shot => ({
        name: body,
        open: { status: 200, headers: { 'content-type': 'text/html' }, body },
      })
      const bodies: Readonly<Record<string, string[]>> = {
        '<p>nothing</p>': [],
        '<img src="/files/Tide.svg" onload="xss()">': ['a script ran'],
        '<img src="http://evil.example/x.png">': ['a request: http://evil.example/x.png'],
        '<p>x<script>xss()</script>': ['a script ran'],
        '<a href="javascript:void 0">x</a>': ['a link: javascript:'],
        '<b onclick="xss()">x</b>': ['a script ran'],
        '<img name="cookie">': ['covered: document.cookie'],
        '<meta http-equiv="refresh" content="0;url=http://evil.example/">': ['a request: http://evil.example/'],
        '<iframe src="about:blank"></iframe>': ['a frame: about:blank'],
      }
      const found = await watcher.open(Object.keys(bodies).map(html))
      const expected = Object.entries(bodies).map(([name, events]) => ({ name, events }))
      expect(found).toEqual(expected.filter(({ events }) => events.length > 0))
    },
    patience,
  )

  /** Makes documents and opens them: all of them, or of the short list every so manieth. */
  async function harmOf(planned: readonly Planned[], step: number, first = 0): Promise<readonly Finding[]> {
    const shots: Shot[] = []
    for (const [at, { name, make }] of planned.entries()) {
      if (isLong || at % step === first % step) shots.push({ name, open: await make() })
    }
    documents += shots.length
    return watcher.open(shots)
  }

  test.each(surfaces.map((surface, number) => [surface, number] as const))(
    'runs and fetches nothing: %s',
    async (surface, number) => {
      // Without the policy only what we write protects: there more of the attacks are opened.
      const step = number === 0 ? 3 : 3 * surfaces.length
      expect(await harmOf(pageShots(attacked, surface), step, number)).toEqual([])
    },
    patience,
  )

  test('runs and fetches nothing: files', async () => expect(await harmOf(fileShots(), 5)).toEqual([]), patience)

  test(
    'runs and fetches nothing: names, summaries, search terms and errors',
    async () => expect(await harmOf(lineShots(attacked), 7)).toEqual([]),
    patience,
  )
})
