/** Operators find what they say: compared with the truth about each page. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuery } from '../../src/search/query/query.ts'
import { SegmentedIndex } from '../../src/search/segmented-index.ts'
import { rounds } from '../_rounds.ts'
import { documentOf } from './_contract.ts'

const vocabulary = ['tide', 'rope', 'mast', 'quay', 'gull']

type Tree =
  | { readonly word: string }
  | { readonly not: Tree }
  | { readonly or: readonly Tree[] }
  | { readonly and: readonly Tree[] }

const { tree } = fc.letrec<{ tree: Tree; word: Tree }>(tie => ({
  word: fc.constantFrom(...vocabulary, '"tide rope"').map(word => ({ word })),
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('word'),
    tie('tree').map(not => ({ not })),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map(or => ({ or })),
    fc.array(tie('tree'), { minLength: 2, maxLength: 3 }).map(and => ({ and })),
  ),
}))

/** A query, each operator in one of its spellings. */
function written(tree: Tree, spelling: number): string {
  const write = (one: Tree): string => {
    if ('word' in one) return one.word
    if ('not' in one) return `${['NOT ', '-', '!'][spelling % 3]}(${write(one.not)})`
    if ('or' in one) return `(${one.or.map(write).join([' OR ', '|', ' || '][spelling % 3])})`
    return `(${one.and.map(write).join([' ', ' AND ', ' && '][spelling % 3])})`
  }
  return write(tree)
}

function holds(tree: Tree, text: string): boolean {
  if ('word' in tree) return ` ${text} `.includes(` ${tree.word.replaceAll('"', '')} `)
  if ('not' in tree) return !holds(tree.not, text)
  return 'or' in tree ? tree.or.some(one => holds(one, text)) : tree.and.every(one => holds(one, text))
}

const countWords = (tree: Tree): number =>
  'word' in tree
    ? tree.word.split(' ').length
    : 'not' in tree
      ? countWords(tree.not)
      : ('or' in tree ? tree.or : tree.and).reduce((sum, one) => sum + countWords(one), 0)

test('a query with operators finds the pages for which it is true', { tags: 'rounds' }, () => {
  const texts = fc.array(
    fc.array(fc.constantFrom(...vocabulary), { maxLength: 5 }).map(words => words.join(' ')),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(tree, texts, fc.nat(2), (asked, pages, spelling) => {
      // Further words of a query are not read.
      fc.pre(countWords(asked) <= 16)
      const index = SegmentedIndex.open(null)
      index.update(pages.map((text, at) => documentOf(at + 1, `P${at}x`, text)))
      const query = parseQuery(written(asked, spelling))
      const { hits, mode } = index.search(query, { limit: 100 })
      const expected = pages.flatMap((text, at) => (holds(asked, text) ? [at + 1] : []))
      expect(mode === 'all' ? hits.map(({ id }) => id).sort((a, b) => a - b) : [], written(asked, spelling)).toEqual(
        expected,
      )
    }),
    { numRuns: rounds(60, 600, 5_000) },
  )
})
