/**
 * The sentences of MediaWiki's REST API reference, each with the test that holds it, on a wiki of wikitext and on one of Markdown.
 * Those that hold for every page and need only reads are in `test/conformance/specification-checks.mjs`, which runs on any wiki; those
 * that need a situation in `_specification-rows.ts`. The numbers group the sentences: 0 all responses, 1 searches, 2 objects, 4 routes,
 * 5 authentication, 7 errors, 8 limits, 9 versions. Source: https://www.mediawiki.org/wiki/API:REST_API/Reference.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { checks, statuses } from '../conformance/specification-checks.mjs'
import { checkWiki } from '../conformance/specification-walk.mjs'
import { rowsOf } from './_specification-rows.ts'
import { numberOfSentences, restated } from './_specification-sentences.ts'
import { makeScene, models, type Scene, titlesOf } from './_specification-wiki.ts'

let scene: Scene
const walked = new Set<string>()

describe.each(models)('in a wiki of %s', model => {
  beforeAll(async () => {
    scene = await makeScene(model)
  })

  test('the sentences hold on every page', { tags: 'long' }, async () => {
    const { faults, seen } = await checkWiki(scene.raw, titlesOf(scene.wiki))
    expect(faults).toEqual([])
    for (const name of seen.keys()) walked.add(name)
  })

  test.each(rowsOf(model))('%s %s', async (_section, _sentence, request, expected) => {
    const { status, body } = await request(scene)
    const wanted = typeof expected === 'function' ? expected(scene.ids) : expected
    expect(typeof wanted === 'number' ? status : { status, body }).toEqual(wanted)
  })
})

describe('the sentences', () => {
  const rows = rowsOf('wikitext').map(([section, sentence]) => `${section} ${sentence}`)
  const read = [...Object.values(checks).flat(), ...statuses].map(([section, sentence]) => `${section} ${sentence}`)
  const held = [...rows, ...new Set(read)]

  test('are as many in each group as the reference has', () => {
    const all = [...held, ...restated.map(([section, sentence]) => `${section} ${sentence}`)]
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([])
    const counts: Record<string, number> = {}
    for (const name of all) counts[name.split(' ')[0]!] = (counts[name.split(' ')[0]!] ?? 0) + 1
    expect(counts).toEqual(numberOfSentences)
  })

  test('that repeat others name rows that hold them', () => {
    expect(restated.flatMap(([, , heldBy]) => heldBy).filter(name => !held.includes(name))).toEqual([])
  })

  test('that are read were each checked in one of the wikis', { tags: 'long' }, () => {
    expect(read.filter(name => !walked.has(name))).toEqual([])
  })
})
