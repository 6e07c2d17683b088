import { describe, expect, test } from 'vitest'
import { Authorship } from '../../src/diff/authorship.ts'
import { rounds } from '../_rounds.ts'

function authorsOf(...versions: readonly string[]): string[] {
  const authorship = new Authorship()
  for (const text of versions) for (const _ of authorship.add(text));
  return authorship.lines().map(({ text, words }) => {
    expect(words.every(({ start }, at) => start >= (words[at - 1]?.end ?? 0))).toBe(true)
    return words.map(({ start, end, version }) => `${text.slice(start, end)}:${version}`).join(' ')
  })
}

describe('the author of a word', () => {
  test.each<[string, string[], string[]]>([
    ['is who first had it', ['a b', 'a x b'], ['a:0 x:1 b:0']],
    [
      'is found behind a new paragraph',
      ['one two\n\nthree', 'new\n\none two\n\nthree'],
      ['new:1', '', 'one:0 two:0', '', 'three:0'],
    ],
    ['stays when its line moves', ['one two\nthree four', 'three four\none two'], ['three:0 four:0', 'one:0 two:0']],
    ['stays when the page is blanked', ['a b\nc', '', 'a b\nc'], ['a:0 b:0', 'c:0']],
    ['stays when a line comes back', ['a b\nc d', 'c d', 'x y\nc d', 'a b\nc d'], ['a:0 b:0', 'c:0 d:0']],
    [
      'stays when a sentence comes back elsewhere',
      ['One two three.', 'Other.', 'New words. One two three.'],
      ['New:2 words:2 .:0 One:0 two:0 three:0 .:0'],
    ],
    ['is not that of a copy', ['a b c', 'a b c\na b c'], ['a:0 b:0 c:0', 'a:1 b:1 c:1']],
    ['of equal lines keeps their order', ['x\na\nx', 'x\na\nx\nx', 'q', 'x\na\nx\nx'], ['x:0', 'a:0', 'x:0', 'x:1']],
    [
      'is not lost with Thai on the line of its sentence',
      ['It’s an old name. ไทย', 'It’s an old name.', 'ไทย It’s an old name. ๑๒ ฿'],
      ['ไทย:2 It’s:0 an:0 old:0 name:0 .:0 ๑๒:2 ฿:2'],
    ],
    ['does not hang on blanks', ['a b', '  a   b ', 'a\tb'], ['a:0 b:0']],
  ])('%s', (_, versions, expected) => {
    expect(authorsOf(...versions)).toEqual(expected)
  })

  test('is correct in random histories in which each word occurs once', { tags: 'rounds' }, () => {
    for (let seed = 1; seed <= rounds(60, 2000); seed++) {
      const { versions, truth } = randomHistory(seed)
      const authorship = new Authorship()
      for (const text of versions) for (const _ of authorship.add(text));
      const wrong = authorship
        .lines()
        .flatMap(({ text, words }) =>
          words
            .map(({ start, end, version }) => ({ word: text.slice(start, end), version }))
            .filter(({ word, version }) => word !== '.' && truth.get(word) !== version),
        )
      expect({ seed, wrong }).toEqual({ seed, wrong: [] })
    }
  })
})

const pieces = [
  'It’s',
  'café',
  'ไทย',
  'ภาษาไทย',
  '๑๒',
  '฿5',
  'a๚b',
  '日本。',
  'x\0y',
  '👍🏽',
  'e\u0301',
  'one',
  'two',
  'a.b',
  '\ud800',
  '…',
  'Sié.',
  'end.',
  'Oh!',
  ' ',
  '\t',
  '\n',
]

describe('the authors of any text', () => {
  test('are found for each word, whatever stands beside it', { tags: 'rounds' }, () => {
    const random = randomNumbers(41)
    const below = (most: number): number => Math.floor(random() * most)
    for (let round = rounds(500, 20_000); round > 0; round--) {
      const sentences = Array.from(
        { length: 4 },
        () =>
          `${Array.from({ length: 2 + below(5) }, () => pieces[below(pieces.length)]).join(below(4) === 0 ? '' : ' ')}.`,
      )
      const page = () => Array.from({ length: below(5) }, () => sentences[below(4)]).join(below(2) === 0 ? ' ' : '\n')
      const authorship = new Authorship()
      const versions = Array.from({ length: 4 }, page)
      for (const text of versions) for (const _ of authorship.add(text));
      const found = authorship.lines().flatMap(({ words }) => words.map(({ version }) => version))
      expect(
        found.every(version => version >= 0 && version < 4),
        JSON.stringify(versions),
      ).toBe(true)
    }
  })
})

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

interface History {
  readonly versions: readonly string[]
  /** The version that first had a word. */
  readonly truth: ReadonlyMap<string, number>
}

/** A line as sentences, each as words. */
type Page = readonly (readonly (readonly string[])[])[]

/** Versions made by adding, removing, moving and changing lines, sentences and words, and by going back. */
function randomHistory(seed: number): History {
  const random = randomNumbers(seed)
  const truth = new Map<string, number>()
  const below = (most: number): number => Math.floor(random() * most)
  const pages: Page[] = [[]]
  const newWord = (): string => {
    const word = `w${truth.size}`
    truth.set(word, pages.length - 1)
    return word
  }
  const newSentence = () => Array.from({ length: 3 + below(5) }, newWord)
  const newLine = () => Array.from({ length: 1 + below(3) }, newSentence)
  const edits: readonly ((page: Page) => Page)[] = [
    page => page.toSpliced(below(page.length + 1), 0, newLine(), newLine()),
    page => page.toSpliced(below(page.length + 1), 0, newLine()),
    page => page.toSpliced(below(page.length), 1 + below(2)),
    page => changeLine(page, line => line.toSpliced(below(line.length + 1), 0, newSentence())),
    page => changeLine(page, line => (line.length > 1 ? line.toSpliced(below(line.length), 1) : line)),
    page => changeLine(page, line => line.map(words => words.toSpliced(below(words.length), below(2), newWord()))),
    page => (page.length < 2 ? page : moved(page)),
    () => pages[below(pages.length)] as Page,
    page => restored(page),
  ]
  const changeLine = (page: Page, change: (line: Page[number]) => Page[number]): Page => {
    const at = below(page.length)
    return page.map((line, place) => (place === at ? change(line) : line))
  }
  const moved = (page: Page): Page => {
    const from = below(page.length)
    const line = page[from] as Page[number]
    return page.toSpliced(from, 1).toSpliced(below(page.length), 0, line)
  }
  /** A line of an earlier version is restored at a position where none of its words are. */
  const restored = (page: Page): Page => {
    const old = pages[below(pages.length)] as Page
    const standing = new Set(page.flat(2))
    const line = old.find(candidate => !candidate.flat().some(word => standing.has(word)))
    return line === undefined ? page : page.toSpliced(below(page.length + 1), 0, line)
  }
  for (let count = 2 + below(30); count > 0; count--) {
    const edit = edits[below(edits.length)] as (page: Page) => Page
    pages.push(edit(pages.at(-1) as Page))
  }
  return { versions: pages.slice(1).map(textOf), truth: new Map([...truth].map(([word, at]) => [word, at])) }
}

function textOf(page: Page): string {
  return page.map(line => line.map(words => `${words.join(' ')}.`).join(' ')).join('\n\n')
}
