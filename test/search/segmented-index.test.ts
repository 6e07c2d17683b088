import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import MiniSearch from 'minisearch'
import { afterAll, describe, expect, test } from 'vitest'
import { prepareQuery } from '../../src/search/query/candidates.ts'
import { listMatches } from '../../src/search/query/match.ts'
import { parseQuery, type Query, type QueryPart } from '../../src/search/query/query.ts'
import { bm25, boosts, engineOptions, engineQuery } from '../../src/search/query/query-engine.ts'
import { transpositions } from '../../src/search/query/similar-terms.ts'
import type { SearchDocument } from '../../src/search/search-index.ts'
import { fieldTexts } from '../../src/search/segment/document.ts'
import { fields } from '../../src/search/segment/postings.ts'
import { SegmentedIndex } from '../../src/search/segmented-index.ts'
import { languageOf } from '../../src/search/words/language.ts'
import { termPrefixes } from '../../src/search/words/term-prefixes.ts'
import { rounds } from '../_rounds.ts'
import { describeIndex, documentOf } from './_contract.ts'
import { listKeys } from './_keys.ts'

const folders: string[] = []

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gitwiki-search-'))
  folders.push(folder)
  return folder
}

describeIndex('an index in memory', () => SegmentedIndex.open(null))

const english = languageOf(word => word.replace(/(?:s|al)$/, ''), ['the'])

/** All documents in one MiniSearch, with the same words and weights, and the stems that ours computes in a query. */
function wholeIndex(documents: Iterable<SearchDocument>): MiniSearch {
  const whole = new MiniSearch({ ...engineOptions, tokenize: text => listKeys([text]) })
  const adder = whole as unknown as { addTerm: (field: number, document: number, term: string) => void }
  for (const [at, document] of [...documents].entries()) {
    const texts = fieldTexts(document).map(list => list.join('\n'))
    whole.add({ id: document.id, ...Object.fromEntries(fields.map((name, field) => [name, texts[field]])) })
    for (const [field, text] of texts.entries()) {
      const stems = listKeys([text]).flatMap(key => english.stem(key) ?? [])
      for (const stem of stems) adder.addTerm(field, at, termPrefixes.stem + stem)
    }
  }
  return withPageCounts(whole)
}

/** The rarity of a word counts the pages that have it in any field, not those that have it in one. */
function withPageCounts(whole: MiniSearch): MiniSearch {
  const { _index: index } = whole as unknown as { _index: Map<string, Map<number, Map<number, number>>> }
  for (const [, pagesOfFields] of index) {
    const { size } = new Set([...pagesOfFields.values()].flatMap(pages => [...pages.keys()]))
    for (const pages of pagesOfFields.values()) Object.defineProperty(pages, 'size', { value: size })
  }
  return whole
}

/** True if the texts of a document, each on its own, contain the phrases of a query, and no excluded one. */
function holdsPhrases({ parts, excluded }: Query, document: SearchDocument): boolean {
  const texts = fieldTexts(document)
  const isHeld = (part: QueryPart): boolean =>
    (part.inTitle ? texts.slice(0, 2) : texts).flat().some(text => !listMatches(text, [part]).next().done)
  const isQuoted = ({ kind }: QueryPart): boolean => kind === 'phrase'
  return parts.filter(isQuoted).every(isHeld) && !excluded.filter(isQuoted).some(isHeld)
}

function askWhole(whole: MiniSearch, text: string): { id: number; score: number }[] {
  const query = parseQuery(text, english)
  const { any, similar } = { any: false, similar: new Set<QueryPart>() }
  const found = whole.search(engineQuery({ query, any, similar }), { boost: boosts, bm25, tokenize: text => [text] })
  return found
    .map(({ id, score, queryTerms }) => ({ id: id as number, score: score / queryTerms.length }))
    .sort(byScore)
}

/** Sums in another order differ in their last digits. */
function expectEqualScores(own: readonly number[], whole: readonly number[]): void {
  expect(own.length).toBe(whole.length)
  for (const [at, score] of own.entries()) expect(Math.abs(score / whole[at]! - 1)).toBeLessThan(1e-7)
}

const byScore = (a: { id: number; score: number }, b: { id: number; score: number }) => b.score - a.score || a.id - b.id

const vocabulary = [
  'tide',
  'tides',
  'tidal',
  'harbour',
  'harbor',
  'rope',
  'ropes',
  'mast',
  'bip-0032',
  '東京',
  '京都',
  'café',
]
const words = fc.array(fc.constantFrom(...vocabulary), { maxLength: 12 }).map(list => list.join(' '))
const page = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  title: words,
  text: words,
  heading: words,
  redirect: words,
})
const changes = fc.array(fc.oneof({ weight: 4, arbitrary: page }, fc.integer({ min: 1, max: 12 })), { maxLength: 40 })
const query = fc
  .array(fc.constantFrom(...vocabulary, 'tid*', 'har*', '"rope mast"', 'intitle:tide'), { minLength: 1, maxLength: 3 })
  .map(list => list.join(' '))

describe('an index of segments', () => {
  test('gives the results of one engine that has all documents', { tags: ['rounds', 'long'] }, async () => {
    await fc.assert(
      fc.asyncProperty(changes, query, fc.integer({ min: 1, max: 6 }), async (steps, text, size) => {
        const index = SegmentedIndex.open(null)
        const documents = new Map<number, SearchDocument>()
        for (let at = 0; at < steps.length; at += size) {
          const puts = new Map<number, SearchDocument>()
          for (const step of steps.slice(at, at + size)) {
            const id = typeof step === 'number' ? step : step.id
            puts.delete(id)
            documents.delete(id)
            if (typeof step === 'number') index.update([], [id])
            else
              puts.set(
                id,
                documentOf(id, step.title, `${step.text}\n== ${step.heading} ==\n`, { redirects: [step.redirect] }),
              )
          }
          for (const [id, document] of puts) documents.set(id, document)
          index.update([...puts.values()])
          await index.merge()
        }
        const { hits, mode } = index.search(parseQuery(text, english), { limit: 100 })
        const own = (mode === 'all' ? hits : []).toSorted((a, b) => a.id - b.id)
        const whole = askWhole(wholeIndex(documents.values()), text)
          .filter(({ id }) => holdsPhrases(parseQuery(text), documents.get(id)!))
          .sort((a, b) => a.id - b.id)
        expect(own.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
        expectEqualScores(
          own.map(({ score }) => score),
          whole.map(({ score }) => score),
        )
      }),
      { numRuns: rounds(40, 150) },
    )
  })

  test('finds the phrases that a scan of its documents finds, however its segments were built', {
    tags: ['rounds', 'long'],
  }, async () => {
    const few = fc.constantFrom('rope', 'mast', 'tide', 'tidal', 'café', 'cafe', '東京', '京', 'bip-0032')
    const marked = fc.constantFrom(
      '[[rope|mast]]',
      "''tide''",
      '<!-- mast -->',
      '\n== rope mast ==\n',
      '\n== tide ==\n',
      '\n',
    )
    const list = fc.array(fc.oneof({ weight: 3, arbitrary: few }, marked), { maxLength: 14 })
    const name = fc.array(few, { minLength: 1, maxLength: 3 }).map(words => words.join(' '))
    const page = fc.record({ id: fc.integer({ min: 1, max: 9 }), title: name, redirects: fc.array(name), list })
    const asked = fc.array(few, { minLength: 2, maxLength: 4 }).map(words => words.join(' '))
    const asPhrase = fc.constantFrom<(words: string) => string>(
      words => `"${words}"`,
      words => `intitle:"${words}"`,
      words => `"${words.slice(0, -1)}*"`,
      words => `tide -"${words}"`,
      words => `tide -intitle:"${words}"`,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { maxLength: 30 }),
        asked.chain(words => asPhrase.map(write => write(words))),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('none', 'some', 'all'),
        async (pages, text, size, merges) => {
          const index = SegmentedIndex.open(null)
          const documents = new Map<number, SearchDocument>()
          for (let at = 0; at < pages.length; at += size) {
            const changed = pages
              .slice(at, at + size)
              .map(({ id, title, redirects, list }) => documentOf(id, title, list.join(' '), { redirects }))
            for (const document of changed) documents.set(document.id, document)
            index.update(changed)
            if (merges === 'some') await index.merge()
          }
          if (merges === 'all') await index.merge({ all: true })
          const query = parseQuery(text)
          const { hits, mode } = index.search(query, { limit: 100 })
          const found = (mode === 'all' ? hits : []).map(({ id }) => id).sort((a, b) => a - b)
          const hasTide = (document: SearchDocument) => listKeys(fieldTexts(document).flat()).includes('tide')
          const right = [...documents.values()].filter(
            document => (query.excluded.length === 0 || hasTide(document)) && holdsPhrases(query, document),
          )
          expect(found).toEqual(right.map(({ id }) => id).sort((a, b) => a - b))
        },
      ),
      { numRuns: rounds(80, 300) },
    )
  })

  const held: readonly (readonly [what: string, query: string, texts: readonly string[], isHeld: boolean])[] = [
    ['is found where its words follow each other', '"slithy toves"', ['', 'the Slithy, toves'], true],
    ['is found across lines', '"slithy toves"', ['', 'slithy\n\ntoves'], true],
    ['is found across markup', '"slithy toves"', ['', "the '''slithy''' [[toves]]"], true],
    ['is found in the displayed text of a link', '"slithy toves"', ['', '[[Brillig|slithy]] toves'], true],
    ['is not found in the source of a link', '"slithy toves"', ['', '[[slithy|toves]]'], false],
    ['is found in a title', '"slithy toves"', ['Slithy toves', ''], true],
    ['is found in a heading', '"slithy toves"', ['', 'x\n== Slithy toves ==\nx'], true],
    ['is not found across two headings', '"slithy toves"', ['', 'x\n== Slithy ==\nx\n== Toves ==\nx'], false],
    ['is not found in another order', '"slithy toves"', ['', 'toves slithy'], false],
    ['is not found with a word between', '"slithy toves"', ['', 'slithy old toves'], false],
    ['is not found across the title and the text', '"slithy toves"', ['slithy', 'toves'], false],
    ['is found with a prefix as its last word', '"slithy tov*"', ['', 'slithy toves'], true],
    ['is found without its accents', '"cafe noir"', ['', 'Café noir'], true],
    ['of one word twice is found where it occurs twice', '"slithy slithy"', ['', 'slithy slithy'], true],
    ['of one word twice is not found where it occurs once', '"slithy slithy"', ['', 'slithy'], false],
    ['of Chinese characters is found', '"東京大学"', ['', '東京大学'], true],
    ['of Chinese characters is not found where only its pairs occur', '"東京都"', ['', '東京 京都'], false],
    ['must be found beside the others', '"a b" "c d"', ['', 'a b c'], false],
    ['is not found if it is excluded', 'x -"slithy toves"', ['', 'x the slithy toves'], false],
    ['is found in the title if the query requires it', 'intitle:"slithy toves"', ['Slithy toves', ''], true],
    ['is not found in the text then', 'intitle:"slithy toves"', ['', 'slithy toves'], false],
  ]
  test.each(held)('reports that a phrase %s', (_, query, texts, isHeld) => {
    const index = SegmentedIndex.open(null)
    index.update([documentOf(1, texts[0]!, texts[1]!)])
    const { hits, mode } = index.search(query, { limit: 1 })
    expect(mode === 'all' && hits.length > 0).toBe(isHeld)
  })

  test('ranks the best of many candidates as one engine does', { tags: 'long' }, () => {
    const documents = Array.from({ length: 3_000 }, (_, at) => {
      const text = `tide ${'rope '.repeat(at % 7)}${'mast '.repeat(at % 11)}${'filler '.repeat(at % 50)}w${at}`
      return documentOf(at + 1, at % 13 === 0 ? 'Tide book' : `Page ${at}`, text)
    })
    const index = SegmentedIndex.open(null)
    for (let at = 0; at < documents.length; at += 700) index.update(documents.slice(at, at + 700))
    const whole = wholeIndex(documents)
    for (const text of ['tide', 'tide rope', 'tide mast rope', 'tid* rope', 'page']) {
      const { hits } = index.search(parseQuery(text, english), { limit: 50 })
      const expected = askWhole(whole, text).slice(0, 50)
      expectEqualScores(
        hits.map(({ score }) => score),
        expected.map(({ score }) => score),
      )
    }
  })

  test('finds similar words as a scan of all words does', { tags: 'long' }, () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 40 }), letters, (known, word) => {
        const asked = `${word}abcab`.slice(0, 7)
        const index = SegmentedIndex.open(null)
        index.update([documentOf(1, 'X', known.join(' '))])
        const whole = new MiniSearch({ fields: ['text'], tokenize: text => text.split(' ') })
        whole.add({ id: 1, text: ['x', ...known].join(' ') })
        const within = Object.keys(whole.search(asked, { fuzzy: 1 })[0]?.match ?? {})
        const expected = [
          ...new Set([...within, ...transpositions(asked).filter(other => known.includes(other))]),
        ].sort()
        const { query } = index.search(asked, { limit: 1 })
        const found = known.includes(asked) ? expected : query.parts.map(part => part.words[0]!).sort()
        const isBegun = known.some(other => other.startsWith(asked))
        expect(expected.length === 0 || isBegun ? expected : found).toEqual(expected)
      }),
    )
  })

  test('reads its stored data, also after merges', async () => {
    const folder = await newFolder()
    const index = SegmentedIndex.open(folder)
    for (let id = 1; id <= 30; id++) {
      index.update([documentOf(id, `Page ${id}`, `alpha w${id}`)], id % 5 === 0 ? [id - 1] : [])
      index.save(`note ${id}`)
      while (await index.merge()) index.save(`note ${id}`)
    }
    const other = SegmentedIndex.open(folder)
    expect(other.note).toBe('note 30')
    const ask = (asked: SegmentedIndex) => asked.search('alpha', { limit: 100 }).hits
    expect(ask(other)).toEqual(ask(index))
    expect(ask(other)).toHaveLength(24)
    expect((await readdir(folder)).length).toBeLessThan(12)
    expect(index.isOutdated).toBe(false)
    other.update([documentOf(31, 'Page 31', 'alpha')])
    other.save('note 31')
    expect(index.isOutdated).toBe(true)
    index.reload()
    expect(ask(index)).toHaveLength(25)
    for (const opened of [index, other]) opened.close()
  })
})

test('a query expands to a bounded number of terms', { tags: 'long' }, () => {
  const index = SegmentedIndex.open(null)
  index.update([documentOf(1, 'X', Array.from({ length: 5_000 }, (_, at) => `abc${at}`).join(' '))])
  expect(index.search('abc*', { limit: 1 }).hits).toHaveLength(1)
  expect(prepareQuery([], parseQuery('abc*')).terms.size).toBe(0)
})
