import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rounds } from '../_rounds.ts'
import { extended, holders, pages, roundtrip, textAgain, texts } from './_properties.ts'

/** Texts that once came back as markup or with a letter missing. */
const foundBefore: [string][] = [
  ...([['<span<!-- c --> '], ['{{{\n}}} '], ['<span <!-- c -->'], ['\n\n\n<!-- c -->']] as [string][]),
  ...([["'''''RFC 1234RFC 1234"], ["''''PMID 1PMID 2PMID 3"], [':Harbour'], [':harbour']] as [string][]),
]

describe('the bytes of a page', () => {
  test('are unchanged after a round trip without edits', { tags: 'rounds' }, async () => {
    await fc.assert(
      fc.asyncProperty(pages, async source => {
        expect(await roundtrip(source)).toBe(source)
      }),
      { seed: 1, numRuns: rounds(20, 60) },
    )
  })

  test('are unchanged before a new paragraph', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(pages, async source => {
        expect((await extended(source)).slice(0, source.length)).toBe(source)
      }),
      { seed: 2, numRuns: 60 },
    )
  })
})

describe('text stays text', () => {
  test.each(holders)('in %s', { tags: 'rounds' }, async (...holder) => {
    await fc.assert(
      fc.asyncProperty(texts, async text => {
        const { again, given } = await textAgain(text, holder)
        expect(again).toEqual(given)
      }),
      { seed: 7, numRuns: rounds(8, 25), examples: foundBefore },
    )
  })
})
