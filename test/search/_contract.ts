/** Results that every index must return, whatever its engine. */

import { describe, expect, test } from 'vitest'
import { readPageText } from '../../src/search/analysis.ts'
import { parseQuery } from '../../src/search/query/query.ts'
import type { SearchDocument, SearchIndex } from '../../src/search/search-index.ts'
import { titleTerm } from '../../src/search/segment/document.ts'
import { loadLanguage } from '../../src/search/words/language.ts'
import { decodeEntities } from '../../src/wikitext/index.ts'

/** An index that can be changed. */
export interface ChangeableIndex extends SearchIndex {
  readonly update: (documents: readonly SearchDocument[], removed?: Iterable<number>) => void
}

/** Makes the document of a page of wikitext; links are those of the main namespace. */
export function documentOf(
  id: number,
  title: string,
  text: string,
  more: Partial<SearchDocument> = {},
): SearchDocument {
  const { title: ownTitle, links, templates, ...read } = readPageText(text, 'wikitext', { decode: decodeEntities })
  const names = links.map(({ target }) => titleTerm(target))
  return {
    id,
    revision: id * 10,
    namespace: 0,
    title,
    redirects: [],
    target: null,
    silent: false,
    ownTitle,
    ...read,
    links: names,
    linkNames: [],
    aliases: [],
    tags: [],
    pictures: [],
    templateKeys: [],
    categories: names.filter(name => name.startsWith('category:')),
    templates: templates.map(name => titleTerm(`Template:${name}`)),
    ...more,
  }
}

const pages: readonly SearchDocument[] = [
  documentOf(
    1,
    'Main Page',
    "'''Welcome''' to the {{SITENAME}} of brillig things.\n[[Slithy|toves]] a=b https://example.org/jabberwock",
  ),
  documentOf(2, 'Wabe', 'brillig and the slithy toves\nbrillig again [[Category:Nonsense]]'),
  documentOf(3, 'Brillig', 'About the word. [[Wabe]]'),
  documentOf(4, 'Xylograph café', 'Café naïve résumé xylo. 日本語テキスト 東京 word.', { redirects: ['Woodcut'] }),
  documentOf(5, 'Straße', 'Eine Strasse in ΣΙΣΥΦΟΣ. {{Infobox|name=value}}'),
  documentOf(6, 'Talk:Wabe', 'brillig talk', { namespace: 1 }),
  documentOf(7, 'ภาษาไทย', 'น้ำท่วม 위키백과는 자유'),
  documentOf(8, 'RT emoji 😀', 'Content'),
  documentOf(9, 'Plain', 'naive cafes and xylographs [[Wabe]]'),
  documentOf(10, 'Bip-0032', 'Uses OP_CHECKSIG and wiki.json.'),
]

/** Describes an index; `make` gives an empty one. */
export function describeIndex(name: string, make: () => ChangeableIndex): void {
  const indexed = (documents: readonly SearchDocument[]): ChangeableIndex => {
    const index = make()
    index.update(documents)
    return index
  }

  describe(`${name}: a search`, () => {
    const index = indexed(pages)
    const idsOf = (query: string) => index.search(query, { limit: 100 }).hits.map(hit => hit.id)
    const cases: readonly (readonly [what: string, query: string, ids: readonly number[]])[] = [
      ['finds a word in title and text, the title first', 'brillig', [3, 2, 6, 1]],
      ['ignores case', 'BRILLIG toves', [2, 1]],
      ['wants all words', 'brillig again', [2]],
      ['wants all words, in title or text', 'wabe toves', [2]],
      ['wants the words of a phrase one behind the other', '"slithy toves" again', [2]],
      ['finds no words of a phrase in another order', '"toves slithy"', []],
      ['finds a phrase of signs', '"日本語テキ"', [4]],
      ['finds a phrase over symbols', '"op checksig and wiki"', [10]],
      ['finds a phrase whose last word is begun', '"about the wor*"', [3]],
      ['finds a phrase with its accents or without', '"cafe naive"', [4]],
      ['leaves out what has a phrase', 'brillig -"slithy toves"', [3, 6, 1]],
      ['leaves in what has the words of a phrase in another order', 'brillig -"toves slithy"', [3, 2, 6, 1]],
      ['finds what symbols separate', 'a=b', [1]],
      ['finds no names of templates', 'sitename', []],
      ['finds no names of parameters', 'name', []],
      ['finds values of parameters', 'value', [5]],
      ['finds no targets of links whose text is another', 'nonsense', []],
      ['finds no web addresses', 'jabberwock', []],
      ['finds beginnings with an asterisk', 'xylo*', [4, 9]],
      ['finds whole words without one', 'xylo', [4]],
      ['finds the beginning of a last word where the word is nowhere', 'resum', [4]],
      ['finds no beginning of a word before the last, but similar ones', 'resum word', [4]],
      ['finds words with accents by letters without', 'cafe', [4]],
      ['finds words with accents by themselves', 'résumé', [4]],
      ['finds words without accents by letters with', 'näive', [9, 4]],
      ['finds a quoted word with its accents only', '"naïve"', [4]],
      ['finds decomposed letters', 'cafe\u0301', [4]],
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
      ['finds identifiers whole', 'OP_CHECKSIG', [10]],
      ['finds identifiers by a part', 'checksig', [10]],
      ['finds identifiers written otherwise', 'bip32', [10]],
      ['finds identifiers by their parts', 'bip 0032', [10]],
      ['finds a page by the title of a redirect', 'woodcut', [4]],
      ['finds by title of a redirect and text together', 'woodcut xylo', [4]],
      ['leaves out what is excluded', 'brillig -slithy', [3, 6, 1]],
      ['finds the others where only something is excluded', '-brillig', [4, 5, 7, 8, 9, 10]],
      ['finds in titles only', 'intitle:brillig', [3]],
      ['finds in the titles of redirects', 'intitle:woodcut', [4]],
      ['finds by one wrong letter where there is no such word', 'slothy', [2]],
      ['finds by letters that changed places', 'sltihy', [2]],
      ['finds by two wrong letters in a long word', 'xylagrap', [4]],
      ['finds by no wrong letter in a short word', 'tova', []],
      ['finds by no wrong digit', '00321', []],
      ['finds any of the words where no page has all', 'woodcut again', [2, 4]],
      ['finds nothing for nothing', ' "" ', []],
    ]
    test.each(cases)('%s', (_, query, ids) => {
      expect(idsOf(query)).toEqual(ids)
    })

    const filtered: readonly (readonly [what: string, query: string, filter: object, ids: readonly number[]])[] = [
      ['category', 'brillig', { kind: 'category', value: 'category:nonsense' }, [2]],
      ['link', '', { kind: 'link', value: 'wabe' }, [3, 9]],
      ['template', '', { kind: 'template', value: 'template:infobox' }, [5]],
      ['beginning of the title', 'brillig', { kind: 'prefix', value: '0:br' }, [3]],
      [
        'category that it must not have',
        'brillig',
        { kind: 'category', value: 'category:nonsense', negated: true },
        [3, 6, 1],
      ],
    ]
    test.each(filtered)('requests a %s', (_, words, filter, ids) => {
      const filters = [{ negated: false, ...filter } as ReturnType<typeof parseQuery>['filters'][number]]
      const { hits } = index.search({ ...parseQuery(words), filters, text: '' }, { limit: 10 })
      expect(hits.map(({ id }) => id)).toEqual(ids)
    })

    const spoken: readonly (readonly [what: string, query: string, ids: readonly number[]])[] = [
      ['finds other forms of a word, the title first', 'xylographs', [4, 9]],
      ['finds quoted words as they are', '"xylographs"', [9]],
      ['finds beginnings as they are', 'xylographs*', [9]],
      ['leaves out but the form that is excluded', 'xylograph -xylographs', [4]],
      ['finds other forms in titles', 'intitle:xylographs', [4]],
      ['does without words that are in every text', 'where are the toves', [2, 1]],
      ['wants such words where there are no others', 'and the', [2]],
    ]
    test.each(spoken)('in English %s', async (_, query, ids) => {
      const english = await loadLanguage('en')
      const { hits } = index.search(parseQuery(query, english), { limit: 100 })
      expect(hits.map(({ id }) => id)).toEqual(ids)
    })

    test('ranks the typed form before other equally good forms', async () => {
      const ropes = indexed([documentOf(1, 'One', 'x\nrope'), documentOf(2, 'Two', 'x\nropes')])
      const english = await loadLanguage('en')
      const found = ['rope', 'ropes'].map(word => ropes.search(parseQuery(word, english), { limit: 9 }).hits)
      expect(found.map(hits => hits.map(({ id }) => id))).toEqual([
        [1, 2],
        [2, 1],
      ])
    })

    test('a word that many pages have is not rare if few headings have it', () => {
      const tides = Array.from({ length: 20 }, (_, at) => documentOf(at + 3, `Log ${at}`, 'x\nthe tide rose'))
      const index = indexed([
        documentOf(1, 'One', 'x\nknots, more knots and the tide'),
        documentOf(2, 'Two', 'x\n== Tide ==\nknots here, a tide there'),
        ...tides,
      ])
      expect(index.search('tide knots', { limit: 1 }).hits.map(({ id }) => id)).toEqual([1])
    })

    test('reports the forms that it found', async () => {
      const { query } = index.search(parseQuery('xylographs', await loadLanguage('en')), { limit: 9 })
      expect(query.parts.map(({ words, forms }) => [words, forms])).toEqual([[['xylographs'], ['xylograph']]])
    })

    test('takes pages that have any of the words on request', () => {
      const idsOfAny = index.search('brillig again', { limit: 9, any: true })
      expect([idsOfAny.mode, idsOfAny.hits[0]?.id, idsOfAny.hits.length]).toEqual(['any', 2, 4])
    })

    test('reports how it found a page', () => {
      const modeOf = (query: string) => index.search(query, { limit: 10 }).mode
      expect(['brillig', 'resum', 'slothy', 'woodcut again'].map(modeOf)).toEqual(['all', 'begun', 'similar', 'any'])
    })

    test('reports redirects and suggested words', () => {
      expect(index.search('woodcut', { limit: 1 }).hits[0]?.redirect).toBe('Woodcut')
      expect(index.search('xylo', { limit: 1 }).hits[0]?.redirect).toBeNull()
      expect([...index.search('slothy', { limit: 1 }).corrections]).toEqual([['slothy', 'slithy']])
    })

    test('finds nothing and does not fail for 10 kB of garbage', () => {
      const garbage = Array.from({ length: 10_000 }, (_, at) => String.fromCharCode((at * 7919) % 65_536)).join('')
      for (const query of [garbage, 'x'.repeat(10_000), 'q! '.repeat(3_333), '"'.repeat(10_000), '東'.repeat(10_000)]) {
        expect(idsOf(query)).toEqual([])
      }
    })

    test('obeys namespaces and the limit', () => {
      expect(index.search('brillig', { limit: 9, namespaces: [1] }).hits.map(({ id }) => id)).toEqual([6])
      expect(index.search('brillig', { limit: 2 }).hits).toHaveLength(2)
    })

    test('ranks the title itself first, then titles with that prefix', () => {
      const more = [
        documentOf(1, 'Fire', 'x'),
        documentOf(2, 'All of the fire', 'fire fire fire fire'),
        documentOf(3, 'Fire station', 'x'),
      ]
      const { hits } = indexed(more).search('fire', { limit: 9, namespaces: [0] })
      expect(hits.map(({ id }) => id)).toEqual([1, 3, 2])
    })

    test("treats a page's own names as its titles", () => {
      const more = [
        documentOf(1, 'Rfc-0007', 'x and many other words', { ownTitle: 'Fire' }),
        documentOf(2, 'Rfc-0008', 'fire fire fire'),
        documentOf(3, 'Rfc-0009', 'x', { ownTitle: 'A fire station' }),
      ]
      const index = indexed(more)
      const [first, ...others] = index.search('fire', { limit: 9, namespaces: [0] }).hits
      expect([first?.id, first?.redirect, others.length]).toEqual([1, null, 2])
      expect(index.search('intitle:station', { limit: 9 }).hits.map(({ id }) => id)).toEqual([3])
    })

    test.each(['rfc7', 'RFC 7', 'rfc-7', 'Rfc 0007', 'rfc-0007'])('finds the title of a number written %s', query => {
      const more = [documentOf(1, 'Other', 'rfc7 rfc-7 rfc 7 rfc-0007 0007'), documentOf(2, 'Rfc-0007', 'x')]
      expect(indexed(more).search(query, { limit: 9, namespaces: [0] }).hits[0]?.id).toBe(2)
    })

    test('ranks a linked page before slightly better ones without links', () => {
      const links = Array.from({ length: 30 }, (_, at) => documentOf(10 + at, `Link ${at}`, '[[Two]] rope'))
      const more = [documentOf(1, 'One', 'fire mast'), documentOf(2, 'Two', 'fire mast rope'), ...links]
      const { hits } = indexed(more).search('fire', { limit: 9 })
      expect(hits.map(({ id }) => id)).toEqual([2, 1])
    })

    test('ranks the page with more incoming links first among equals', () => {
      const more = [documentOf(1, 'One', 'fire'), documentOf(2, 'Two', 'fire'), documentOf(3, 'Six', '[[Two]]')]
      expect(
        indexed(more)
          .search('fire', { limit: 9 })
          .hits.map(({ id }) => id),
      ).toEqual([2, 1])
    })
  })

  describe(`${name}: titles`, () => {
    const index = indexed(pages)
    const cases: readonly (readonly [typed: string, ids: readonly number[]])[] = [
      ['xylo', [4]],
      ['XYLO', [4]],
      ['xylograph CAFE', [4]],
      ['wood', [4]],
      ['w', [2, 4]],
      ['page', [1]],
      ['brilig', [3]],
      ['wbae', []],
      ['birllig', [3]],
      ['zzzzz', []],
      ['bip', [10]],
      ['', []],
    ]
    test.each(cases)('%j', (typed, ids) => {
      expect(index.titles({ typed, namespaces: [0], limit: 10 }).map(({ id }) => id)).toEqual(ids)
    })
  })

  describe(`${name}: changes`, () => {
    test('replace what was indexed', () => {
      const index = indexed([documentOf(1, 'A', 'alpha'), documentOf(2, 'B', 'beta')])
      index.update([documentOf(1, 'A', 'gamma')], [2])
      const idsOf = (query: string) => index.search(query, { limit: 9 }).hits.map(({ id }) => id)
      expect([idsOf('alpha'), idsOf('beta'), idsOf('gamma')]).toEqual([[], [], [1]])
      expect([index.count, [...index.ids()]]).toEqual([1, [1]])
      expect([index.state(2), index.stored(2)]).toEqual([undefined, undefined])
      expect([index.state(1)?.revision, index.stored(1)?.title]).toEqual([10, 'A'])
    })

    test('change the number of links', () => {
      const index = indexed([documentOf(1, 'A', '[[C]]'), documentOf(2, 'B', '[[C]] [[C]]'), documentOf(3, 'C', 'x')])
      expect(index.incoming('C')).toBe(2)
      index.update([documentOf(1, 'A', 'none')])
      expect(index.incoming('C')).toBe(1)
    })
  })
}
