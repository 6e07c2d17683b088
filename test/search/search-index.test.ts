import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerpt } from '../../src/search/excerpt.ts'
import { hasPhrases, parseQuery } from '../../src/search/query.ts'
import { type SearchDocument, SearchIndex } from '../../src/search/search-index.ts'

const pages: readonly (readonly [id: number, title: string, text: string, namespace?: number])[] = [
  [1, 'Main Page', "'''Welcome''' to the {{SITENAME}} of brillig things.\n[[Slithy|toves]] a=b"],
  [2, 'Wabe', 'brillig and the slithy toves\nbrillig again'],
  [3, 'Brillig', 'About the word.'],
  [4, 'Xylograph café', 'Café naïve résumé xylo. 日本語テキスト 東京 word.'],
  [5, 'Straße', 'Eine Strasse in ΣΙΣΥΦΟΣ.'],
  [6, 'Talk:Wabe', 'brillig talk', 1],
  [7, 'ภาษาไทย', 'น้ำท่วม 위키백과는 자유'],
  [8, 'RT emoji 😀', 'Content'],
  [9, 'Plain', 'naive cafes and xylographs'],
]

const documentOf = ([id, title, text, namespace = 0]: (typeof pages)[number]): SearchDocument => {
  return { id, revision: id * 10, title, text, namespace }
}

function indexOf(documents: Iterable<SearchDocument>): SearchIndex {
  const index = SearchIndex.create()
  for (const document of documents) index.put(document)
  return index
}

const index = indexOf(pages.map(documentOf))
const idsOf = (query: string) => index.search(query, { limit: 100 }).map(hit => hit.id)

describe('a search', () => {
  const cases: readonly (readonly [what: string, query: string, ids: readonly number[]])[] = [
    ['finds a word in title and text, the title first', 'brillig', [3, 2, 6, 1]],
    ['ignores case', 'BRILLIG toves', [2, 1]],
    ['wants all words', 'brillig again', [2]],
    ['wants all words, in title or text', 'wabe toves', [2]],
    ['wants the words of a phrase', '"toves slithy" again', [2]],
    ['finds what symbols separate', 'a=b', [1]],
    ['finds templates by name', '{{sitename}}', [1]],
    ['finds beginnings with an asterisk', 'xylo*', [4, 9]],
    ['finds whole words where both are asked for', 'xylo xylo*', [4]],
    ['finds whole words without one', 'xylo', [4]],
    ['finds the beginning of a last word where the word is nowhere', 'resum', [4]],
    ['finds no beginning of a word before the last', 'resum word', [4]],
    ['finds words with accents by letters without', 'cafe', [4]],
    ['finds words with accents by themselves', 'résumé', [4]],
    ['finds decomposed letters', 'cafe\u0301', [4]],
    ['finds words without accents where there are none with', 'cafés', [9]],
    ['finds what is written ß', 'STRASSE', [5]],
    ['finds what is written ss', 'straße', [5]],
    ['finds a final sigma', 'σισυφος', [5]],
    ['finds signs', '東京', [4]],
    ['finds a single sign', '語', [4]],
    ['finds the last sign of a run', '京', [4]],
    ['finds signs beside words', '日本 xylo', [4]],
    ['finds no signs in another order', '京東', []],
    ['finds Thai within a run', 'ไทย', [7]],
    ['finds a Korean word without its particle', '위키백과', [7]],
    ['finds emoji', '😀', [8]],
    ['finds a word with one wrong letter', 'brilig', [3, 2, 6, 1]],
    ['finds a word with two wrong letters where it is long', 'xylogrpah', [4]],
    ['finds the beginning of a word that is typed twice', 'resum resum', [4]],
    ['finds no short word with a wrong letter', 'teh', []],
    ['finds no quoted word with a wrong letter', '"brilig"', []],
    ['finds nothing for what is nowhere', 'qqqnohits', []],
    ['finds nothing for nothing', '', []],
    ['finds nothing for blanks', '  \n', []],
    ['finds nothing for symbols', '"*" == -- ((', []],
  ]
  test.each(cases)('%s', (_, query, ids) => {
    expect(idsOf(query)).toEqual(ids)
  })

  test('finds nothing and does not fail for 10 kB of garbage', () => {
    const garbage = Array.from({ length: 10_000 }, (_, at) => String.fromCharCode((at * 7919) % 65_536)).join('')
    for (const query of [garbage, 'x'.repeat(10_000), 'q! '.repeat(3_333), '"'.repeat(10_000), '東'.repeat(10_000)]) {
      expect(idsOf(query)).toEqual([])
    }
  })

  test('returns as many hits as are wanted, the best', () => {
    for (const limit of [0, 1, 2, 100]) {
      expect(index.search('brillig', { limit }).map(hit => hit.id)).toEqual([3, 2, 6, 1].slice(0, limit))
    }
  })

  test('keeps to namespaces', () => {
    expect(index.search('brillig', { limit: 100, namespaces: [1] }).map(hit => hit.id)).toEqual([6])
    expect(index.search('brillig', { limit: 2, namespaces: [0, 2] }).map(hit => hit.id)).toEqual([3, 2])
    expect(index.search('brillig', { limit: 100, namespaces: [] })).toEqual([])
  })

  test('keeps to what the caller accepts, and forgives more where that is nothing', () => {
    expect(index.search('brillig', { limit: 1, accept: id => id < 3 }).map(hit => hit.id)).toEqual([2])
    expect(index.search('xylograph', { limit: 9, accept: id => id !== 4 }).map(hit => hit.id)).toEqual([9])
  })

  test('puts pages of equal score in order of their ids', () => {
    const twins = [30, 4, 111, 5].map(id => documentOf([id, 'Twin', 'the same text']))
    expect(
      indexOf(twins)
        .search('same', { limit: 9 })
        .map(hit => hit.id),
    ).toEqual([4, 5, 30, 111])
  })

  test('counts a word in a title more than one that the text repeats', () => {
    const four = ['Foo', 'Foo', 'Bar', 'Bar'].map((title, at) => [at, title, at < 2 ? 'x y z' : 'foo foo foo'] as const)
    const hits = indexOf(four.map(documentOf)).search('foo', { limit: 9 })
    expect(hits.map(hit => hit.id)).toEqual([0, 1, 2, 3])
  })

  test('says which words matched and what to mark', () => {
    const [hit] = index.search('brilig tobes', { limit: 1 })
    expect([...hit!.terms].sort()).toEqual(['brillig', 'toves'])
    expect(excerpt('the Brillig toves', hit!.query)).toContain('>Brillig<')
    expect(index.search('東京', { limit: 1 })[0]!.terms).toEqual(['東京'])
  })
})

describe('an index', () => {
  test('knows the revisions of its pages', () => {
    expect([...index.ids()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect([index.has(2), index.has(99)]).toEqual([20, undefined])
  })

  test('replaces and forgets pages', () => {
    const changing = indexOf(pages.map(documentOf))
    const found = (query: string) => changing.search(query, { limit: 9 }).map(hit => hit.id)
    changing.put({ id: 2, revision: 21, title: 'Borogove', text: 'mimsy', namespace: 4 })
    changing.delete(3)
    changing.delete(3)
    expect([found('brillig'), found('mimsy'), found('wabe')]).toEqual([[6, 1], [2], [6]])
    expect([changing.has(2), changing.has(3)]).toEqual([21, undefined])
    expect(changing.search('mimsy', { limit: 9, namespaces: [4] })).toHaveLength(1)
  })

  test('gives the same results when it is saved and loaded', () => {
    const loaded = SearchIndex.load(index.toJSON())!
    for (const query of ['brillig', 'xylo*', '東京', 'cafe', 'brilig', '"slithy toves"']) {
      expect(loaded.search(query, { limit: 9 })).toEqual(index.search(query, { limit: 9 }))
    }
    expect([...loaded.ids()].map(id => loaded.has(id))).toEqual([...index.ids()].map(id => index.has(id)))
    expect(loaded.toJSON()).toHaveLength(index.toJSON().length)
  })

  test('gives the same scores when it is saved and loaded, though it adds them up in another order', () => {
    const signs = indexOf([documentOf([1, '😀', 'foo😀😀ไทย']), documentOf([2, '', 'é café'])])
    const found = (of: SearchIndex) => of.search('😀', { limit: 9 })
    expect(found(SearchIndex.load(signs.toJSON())!)[0]?.score).toBe(found(signs)[0]?.score)
  })

  test('can be changed after it was loaded', () => {
    const loaded = SearchIndex.load(index.toJSON())!
    loaded.put(documentOf([3, 'Mome rath', 'outgrabe']))
    expect(loaded.search('brillig', { limit: 9 }).map(hit => hit.id)).toEqual([2, 6, 1])
    expect(loaded.search('outgrabe', { limit: 9 }).map(hit => hit.id)).toEqual([3])
  })

  const json = index.toJSON()
  const saved = JSON.parse(json) as { pages: unknown[]; index: Record<string, unknown> }
  const damaged: readonly (readonly [what: string, json: string])[] = [
    ['empty', ''],
    ['cut short', json.slice(0, -100)],
    ['not an index', '{}'],
    ['null', 'null'],
    ['of another version', json.replace('"version":1', '"version":0')],
    ['without its pages', JSON.stringify({ ...saved, pages: [] })],
    ['without a page', JSON.stringify({ ...saved, pages: saved.pages.slice(1) })],
    ['without its lengths', JSON.stringify({ ...saved, index: { ...saved.index, fieldLength: {} } })],
    ['without its averages', JSON.stringify({ ...saved, index: { ...saved.index, averageFieldLength: undefined } })],
    ['with other fields', JSON.stringify({ ...saved, index: { ...saved.index, fieldIds: { text: 0, title: 1 } } })],
    ['without its words', JSON.stringify({ ...saved, index: { ...saved.index, index: null } })],
  ]
  test.each(damaged)('that is %s is not loaded', (_, text) => {
    expect(SearchIndex.load(text)).toBeNull()
  })

  test('stays right over thousands of replacements', () => {
    const busy = indexOf(pages.map(documentOf))
    for (let round = 0; round < 2_000; round++)
      busy.put(documentOf([round % 5, `Title ${round}`, `word${round} brillig`]))
    expect(busy.search('brillig', { limit: 9 })).toHaveLength(6)
    expect(busy.search('"word1994"', { limit: 9 })).toHaveLength(0)
    expect(busy.search('"word1999"', { limit: 9 })).toHaveLength(1)
  })
})

const pieces = [
  'foo',
  'Food',
  'bär',
  'bar',
  'ß',
  'SS',
  '東',
  '京',
  '東京都',
  'ไทย',
  '위키',
  'é',
  'cafe\u0301',
  '😀',
  'x1',
  '=',
  "'",
  '\n',
  ' ',
  ' ',
  ' ',
]
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map(parts => parts.join(''))
const queries = fc
  .array(fc.constantFrom(...pieces, 'fo*', 'foo*', '"', 'Foox'), { maxLength: 5 })
  .map(parts => parts.join(''))
const documents = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  revision: fc.integer({ min: 1, max: 99 }),
  title: texts,
  text: texts,
  namespace: fc.integer({ min: 0, max: 2 }),
})

/** A page to put, or the id of one to delete. */
type Change = SearchDocument | number

function changedBy(changes: readonly Change[]): SearchIndex {
  const changed = SearchIndex.create()
  for (const change of changes) {
    if (typeof change === 'number') changed.delete(change)
    else changed.put(change)
  }
  return changed
}

function latestOf(changes: readonly Change[]): Iterable<SearchDocument> {
  const latest = new Map<number, SearchDocument>()
  for (const change of changes) {
    if (typeof change === 'number') latest.delete(change)
    else latest.set(change.id, change)
  }
  return latest.values()
}

describe('whatever is put and asked', () => {
  test('an index that was changed step by step is, once saved, the same as a fresh one', () => {
    const steps = fc.array(fc.oneof(documents, fc.integer({ min: 1, max: 6 })), { maxLength: 15 })
    fc.assert(
      fc.property(steps, fc.array(queries, { minLength: 1, maxLength: 6 }), (changes, asked) => {
        const fresh = indexOf(latestOf(changes))
        const found = (of: SearchIndex) => asked.map(query => of.search(query, { limit: 9 }))
        const ids = (of: SearchIndex) => found(of).map(hits => hits.map(hit => hit.id).sort())
        expect(ids(changedBy(changes))).toEqual(ids(fresh))
        const ranked = (of: SearchIndex) => found(of).map(hits => hits.map(({ id, score }) => ({ id, score })))
        expect(ranked(SearchIndex.load(changedBy(changes).toJSON())!)).toEqual(ranked(fresh))
      }),
    )
  })

  test('an excerpt marks something exactly in the pages whose text the index found', () => {
    fc.assert(
      fc.property(texts, queries, (text, asked) => {
        const query = parseQuery(asked)
        fc.pre(!hasPhrases(query))
        const [hit] = indexOf([{ id: 1, revision: 1, title: '', text, namespace: 0 }]).search(query, { limit: 1 })
        if (hit) for (const part of hit.query.parts) expect(excerpt(text, { parts: [part] })).not.toBe('')
        else expect(query.parts.length > 0 && query.parts.every(part => excerpt(text, { parts: [part] }))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('a search never fails', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 80 })
    fc.assert(
      fc.property(anything, anything, (text, query) => {
        const strange = indexOf([{ id: 1, revision: 1, title: query, text, namespace: 0 }])
        expect(strange.search(query, { limit: 5 }).length).toBe(parseQuery(query).parts.length > 0 ? 1 : 0)
      }),
      { numRuns: 300 },
    )
  })
})
