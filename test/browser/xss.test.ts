/**
 * Attacks in a real browser: no script runs, no request leaves, wherever a text is shown. `npm test` opens a part of the
 * attacks at each surface, `npm run test:full` some more; `WIKI_PROOF=1` opens every attack at every surface (test/proof/browser.mjs).
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isProof, rounds } from '../_rounds.ts'
import { type Finding, hasBrowser, type Planned, type Watcher, watch, whereBrowser } from './_chromium.ts'
import {
  type AttackedWiki,
  addFiles,
  addLines,
  addNames,
  askedShots,
  attackedPages,
  attackedWiki,
  fileShots,
  lineShots,
  nameShots,
  pageShots,
  pageSurfaces,
} from './_surfaces.ts'
import { lineAttacks, moreLines, moreNames, nameAttacks } from './attacks.ts'

const surfaces = Object.keys(pageSurfaces)
/** For loaded machines: a repeated test finds the pages that it has already written. */
const patience = isProof ? 1_800_000 : 600_000

test('there are at least 500 different attacks', () => {
  expect(new Set(attackedPages.map(({ text }) => text)).size).toBeGreaterThanOrEqual(500)
})

describe.skipIf(!hasBrowser)(`a browser (${whereBrowser})`, () => {
  let attacked: AttackedWiki
  let watcher: Watcher
  let documents = 0

  beforeAll(async () => {
    attacked = await attackedWiki()
    watcher = await watch(attacked.origin, Number(process.env.WIKI_PROOF_TABS ?? 2))
  })

  afterAll(async () => {
    await watcher?.close()
    await attacked?.close()
    if (isProof) console.log(`${documents} documents of ${attackedPages.length} attacks in pages were opened`)
  })

  test('detects scripts and requests', { tags: 'long' }, async () => {
    const html = (body: string): Planned => ({
      name: body,
      make: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body }),
    })
    const bodies: Readonly<Record<string, string[]>> = {
      '<p>nothing</p>': [],
      '<img src="/files/Tide.svg" onload="xss()">': ['a script ran'],
      '<img src="http://evil.example/x.png">': ['a request: http://evil.example/x.png'],
      '<p>x<script>xss()</script>': ['a script ran'],
      '<p>x<script>alert(1)</script>': ['a script ran'],
      '<iframe srcdoc="<script>parent.prompt()</script>"></iframe>': ['a script ran', 'a frame: about:srcdoc'],
      '<a href="javascript:void 0">x</a>': ['a link: javascript:'],
      '<b onclick="xss()">x</b>': ['a script ran'],
      '<img name="cookie">': ['covered: document.cookie'],
      '<meta http-equiv="refresh" content="0;url=http://evil.example/">': ['a request: http://evil.example/'],
      '<iframe src="about:blank"></iframe>': ['a frame: about:blank'],
    }
    const found = await watcher.open(Object.keys(bodies).map(html))
    const expected = Object.entries(bodies).map(([name, events]) => ({ name, events }))
    expect(found).toEqual(expected.filter(({ events }) => events.length > 0))
  })

  /** Opens documents: all of them, or every n-th of the short list. */
  async function harmOf(surface: string, planned: readonly Planned[], step: number, first = 0): Promise<Finding[]> {
    const chosen = isProof ? planned : planned.filter((_, at) => at % step === first % step)
    const found = await watcher.open(chosen)
    documents += chosen.length
    if (isProof) console.log(`${chosen.length} documents, ${found.length} did something: ${surface}`)
    for (const { name, events } of isProof ? found : []) console.log(`  ${events.join(', ')}: ${name}`)
    return found
  }

  test.each(surfaces.map((surface, number) => [surface, number] as const))(
    'runs and fetches nothing: %s',
    { tags: ['rounds', 'long'], timeout: patience },
    async (surface, number) => {
      // Without the policy only the HTML protects, so more of the attacks are opened there.
      const every = rounds(48, 9, 3)
      const step = number === 0 ? every : every * surfaces.length
      expect(await harmOf(surface, pageShots(attacked, surface), step, number)).toEqual([])
    },
  )

  const names = isProof ? [...nameAttacks, ...moreNames] : nameAttacks
  const lines = isProof ? [...lineAttacks, ...moreLines] : lineAttacks

  test('runs and fetches nothing: files and their names', { tags: ['rounds', 'long'], timeout: patience }, async () => {
    const found = await harmOf('files', fileShots(await addFiles(attacked, names)), rounds(60, 15, 5))
    // A drawing may contain a frame, which must stay empty.
    const isEmptyFrame = (event: string): boolean => /^a frame: (?:chrome-error:.*)?$/.test(event)
    expect(found.filter(({ events }) => !events.every(isEmptyFrame))).toEqual([])
  })

  test('runs and fetches nothing: names of pages', { tags: ['rounds', 'long'], timeout: patience }, async () =>
    expect(await harmOf('names', nameShots(attacked, await addNames(attacked, names)), rounds(84, 21, 7))).toEqual([]),
  )

  test('runs and fetches nothing: edit summaries and names of people', {
    tags: ['rounds', 'long'],
    timeout: patience,
  }, async () => {
    await addLines(attacked, lines)
    expect(await harmOf('lines', lineShots(attacked, lines), rounds(84, 21, 7))).toEqual([])
  })

  test('runs and fetches nothing: search terms and errors', { tags: 'rounds', timeout: patience }, async () =>
    expect(await harmOf('asked', askedShots(lines), rounds(84, 21, 7))).toEqual([]),
  )
})
