/** Sentences, values in them, bold and links, foot notes. */

import { adding, isUnique, moving, oneOf, placeAt, removal, setting, some, type Way } from './changes.ts'
import type { Kind } from './kinds.ts'
import { type Change, type Edits, edited, find, live, type Mark, type Part, part } from './page.ts'
import type { Source } from './words.ts'

export function newSentence(source: Source): Part {
  const values = {
    form: String(source.below(forms.length)),
    quality: source.word('quality'),
    thing: source.word('thing'),
    not: 'no',
    action: source.word('action'),
    place: source.word('place'),
    count: source.digits(1),
    day: source.word('day'),
  }
  return part(source.id(), 'sentence', values)
}

/** Sentences with the same values in other words; those of one form are alike. */
const forms: readonly ((values: Readonly<Record<string, string>>, verb: string) => string)[] = [
  ({ quality, thing, place, count, day }, verb) =>
    `The ${quality} ${thing} ${verb} near the ${place} for about ${count} hours, and nobody knows since which ${day}.`,
  ({ quality, thing, place, count, day }, verb) =>
    `Every ${day}, as people say, it ${verb} with ${count} others beside a ${quality} ${thing} of the ${place}.`,
  ({ quality, thing, place, count, day }, verb) =>
    `Behind the ${place} (built by ${count} brothers) there ${verb} what was once some ${quality} kind of ${thing}; it was sold in ${day}!`,
  ({ quality, thing, place, count, day }, verb) =>
    `A ${thing} from the ${place} costs ${count} coins, e.g. on ${day}, but who ${verb} will find only its ${quality} half.`,
]

export function sentenceOf({ kind, values }: Part): string {
  if (kind !== 'sentence') return values.text ?? ''
  const verb = values.not === 'yes' ? `never ${values.action}` : values.action!
  return forms[Number(values.form)]!(values, verb)
}

/** Edits inside sentences, and of sentences in their paragraph. */
export const sentenceWays: readonly Way[] = [
  [2, setting('sentence', 'quality', (source, now) => source.otherWord('quality', now))],
  [2, setting('sentence', 'place', (source, now) => source.otherWord('place', now))],
  [2, setting('sentence', 'day', (source, now) => source.otherWord('day', now))],
  [1, setting('sentence', 'count', (source, now) => String((Number(now) % 9) + source.from(1, 9)))],
  [1, setting('sentence', 'not', (_, now) => (now === 'yes' ? 'no' : 'yes'))],
  [3, adding(newSentence, 'paragraph')],
  [2, removal('sentence')],
  [1, moving('sentence')],
]

/** A negation beside another change of its sentence, and a number beside one of the words around it. */
function turnsMeaning({ base, mine, theirs }: Edits): boolean {
  const finalValue = (changes: readonly Change[], id: string, name: string) =>
    find(edited(base, changes), id)?.found.values[name]
  const sets = (changes: readonly Change[], others: readonly Change[]) =>
    changes.flatMap(change =>
      change.do === 'set' && finalValue(changes, change.id, change.name) !== finalValue(others, change.id, change.name)
        ? [change]
        : [],
    )
  return sets(mine, theirs).some(one =>
    sets(theirs, mine).some(other => {
      const names = [one.name, other.name]
      return one.id === other.id && one.name !== other.name && names.includes('not')
    }),
  )
}

function writeParagraphs(page: Part): string {
  const texts = live(page).map(paragraph => live(paragraph).map(sentenceOf).join(' '))
  return `${texts.filter(text => text !== '').join('\n\n')}\n`
}

function newParagraph(source: Source): Part {
  return part(
    source.id(),
    'paragraph',
    {},
    Array.from({ length: source.from(1, 4) }, () => newSentence(source)),
  )
}

const sentences: Kind = {
  make: source =>
    part(
      'page',
      'page',
      {},
      Array.from({ length: source.from(1, 4) }, () => newParagraph(source)),
    ),
  edit: oneOf([...sentenceWays, [1, adding(newParagraph)], [1, removal('paragraph')]]),
  rules: {
    wikitext: { asks: turnsMeaning, write: writeParagraphs },
    markdown: { asks: turnsMeaning, write: writeParagraphs },
  },
}

/** Makers of values, each of several numbers or words, and the signs between them. */
const shapes: Readonly<
  Record<string, readonly [parts: (source: Source) => string[], write: (parts: readonly string[]) => string]>
> = {
  decimal: [
    source => [source.digits(1), source.digits(2), source.pick(['m', 'km', 'ft'])],
    ([a, b, unit]) => `${a}.${b} ${unit}`,
  ],
  amount: [
    source => [source.digits(1), source.digits(3), source.pick(['EUR', 'USD'])],
    ([a, b, unit]) => `${a},${b} ${unit}`,
  ],
  date: [source => [`20${source.digits(2)}`, `0${source.digits(1)}`, `1${source.digits(1)}`], parts => parts.join('-')],
  day: [
    source => [source.digits(1), source.pick(['May', 'June', 'July']), `20${source.digits(2)}`],
    parts => parts.join(' '),
  ],
  time: [source => [`1${source.digits(1)}`, `2${source.digits(1)}`], parts => parts.join(':')],
  url: [
    source => [
      source.pick(['tides', 'boats']),
      source.pick(['org', 'net']),
      source.pick(['a', 'b', 'list']),
      source.digits(1),
    ],
    ([host, top, path, query]) => `https://${host}.${top}/${path}?q=${query}`,
  ],
  version: [source => [source.digits(1), source.digits(1), source.digits(2)], parts => `v${parts.join('.')}`],
  address: [
    source => [source.digits(2), source.digits(2), source.digits(1), source.digits(2)],
    parts => parts.join('.'),
  ],
  code: [
    source => [source.pick(['AB', 'CD', 'EF']), source.digits(3), source.pick(['X', 'Y', 'Z'])],
    parts => parts.join('-'),
  ],
  phone: [source => [source.digits(2), source.digits(3), source.digits(4)], parts => `+${parts.join(' ')}`],
  mail: [
    source => [source.pick(['eve', 'bob', 'ann']), source.pick(['tides', 'boats']), source.pick(['org', 'net'])],
    ([a, b, c]) => `${a}@${b}.${c}`,
  ],
  range: [
    source => [source.digits(1), source.digits(2), source.pick(['km', 'miles'])],
    ([a, b, unit]) => `${a}–${b} ${unit}`,
  ],
  formula: [
    source => [source.digits(1), source.digits(1), source.digits(1)],
    ([a, b, c]) => `<math>a^${a} + b^${b} = ${c}</math>`,
  ],
  span: [
    source => [source.pick(['red', 'blue']), source.digits(2)],
    ([color, width]) => `<span style="color: ${color}; width: ${width}px">wide</span>`,
  ],
  file: [
    source => [source.pick(['a', 'b']), source.pick(['tides', 'boats']), source.pick(['txt', 'csv'])],
    ([a, b, c]) => `\`/srv/${a}/${b}.${c}\``,
  ],
  link: [source => [source.word('thing'), source.word('place')], ([a, b]) => `[[${a} of the ${b}]]`],
  coordinates: [
    source => [source.digits(2), source.digits(2), source.digits(2), source.digits(2)],
    ([a, b, c, d]) => `${a}°${b}′ N, ${c}°${d}′ E`,
  ],
}

function newValue(source: Source): Part {
  const shape = source.pick(Object.keys(shapes))
  return part(source.id(), 'value', {
    shape,
    parts: shapes[shape]![0](source).join('\t'),
    word: source.word('quality'),
  })
}

function writeValues(page: Part): string {
  const items = live(page).map(({ values: { shape, parts, word } }, at) => {
    const value = shapes[shape!]![1](parts!.split('\t'))
    return page.values.form === 'prose'
      ? `For the ${word} one of them, number ${at + 1} of the list, all the people here write ${value} in their books.`
      : `* ${word}: ${value}`
  })
  return `${items.join(page.values.form === 'prose' ? ' ' : '\n')}\n`
}

/** Changes one of the parts of a value. */
function changePart(source: Source, now: string, one: Part): string {
  const parts = now.split('\t')
  const at = source.below(parts.length)
  for (let tries = 0; tries < 20; tries++) {
    const other = shapes[one.values.shape!]![0](source)[at]!
    if (other !== parts[at]) return parts.with(at, other).join('\t')
  }
  return now
}

const values: Kind = {
  make: source =>
    part(
      'page',
      'page',
      { form: source.pick(['prose', 'list']) },
      Array.from({ length: source.from(1, 3) }, () => newValue(source)),
    ),
  edit: oneOf([
    [5, setting('value', 'parts', changePart)],
    [1, setting('value', 'word', (source, now) => source.otherWord('quality', now))],
  ]),
  rules: { wikitext: { write: writeValues }, markdown: { write: writeValues } },
}

const signs: Readonly<Record<string, Readonly<Record<string, readonly [open: string, close: string]>>>> = {
  wikitext: { bold: ["'''", "'''"], italic: ["''", "''"], strike: ['<s>', '</s>'], link: ['[[', ']]'] },
  markdown: { bold: ['**', '**'], italic: ['_', '_'], strike: ['~~', '~~'], link: ['[[', ']]'] },
}

function newWord(source: Source): Part {
  const kinds = ['thing', 'quality', 'action', 'role', 'day'] as const
  return part(source.id(), 'word', { text: source.word(source.pick(kinds)) })
}

/** The span of a mark among the words that are left: undefined if none is. */
function spanOf(sentence: Part, { from, to }: Mark): readonly [start: number, end: number] | undefined {
  const at = (id: string) => sentence.parts.findIndex(one => one.id === id)
  const held = sentence.parts.slice(at(from), at(to) + 1).filter(one => !one.isGone)
  const words = live(sentence)
  return held.length === 0 ? undefined : [words.indexOf(held[0]!), words.indexOf(held.at(-1)!)]
}

function writeMarked(syntax: 'wikitext' | 'markdown'): (page: Part) => string {
  return page =>
    `${live(page)
      .map(sentence => markedText(sentence, syntax))
      .join('\n\n')}\n`
}

function markedText(sentence: Part, syntax: 'wikitext' | 'markdown'): string {
  const words = live(sentence).map(word => word.values.text!)
  const spans = sentence.marks.flatMap(mark => {
    const span = spanOf(sentence, mark)
    return span === undefined ? [] : [{ sign: signs[syntax]![mark.sign]!, start: span[0], end: span[1] }]
  })
  // The shorter ones first, so that the longer ones stand around them.
  for (const { sign, start, end } of spans.sort((one, other) => one.end - one.start - (other.end - other.start))) {
    words[start] = sign[0] + words[start]
    words[end] = words[end] + sign[1]
  }
  return `${words.join(' ')}.`
}

function marking(source: Source, page: Part): Change | null {
  const sentence = some(source, page, 'sentence')!
  const words = live(sentence)
  const start = source.below(words.length)
  const end = Math.min(words.length - 1, start + source.below(5))
  const mark = { sign: source.pick(Object.keys(signs.wikitext!)), from: words[start]!.id, to: words[end]!.id }
  return sentence.marks.some(other => meet(sentence, mark, other)) ? null : { do: 'mark', id: sentence.id, mark }
}

function meet(sentence: Part, one: Mark, other: Mark): boolean {
  const [first, second] = [spanOf(sentence, one), spanOf(sentence, other)]
  return first !== undefined && second !== undefined && first[0] <= second[1] && second[0] <= first[1]
}

/** Marks that cross, or one kind of mark within itself, or two around the same words. */
function crosses(page: Part): boolean {
  return live(page).some(sentence =>
    sentence.marks.some((one, at) =>
      sentence.marks.slice(at + 1).some(other => {
        if (!meet(sentence, one, other)) return false
        const [[a, b], [c, d]] = [spanOf(sentence, one)!, spanOf(sentence, other)!]
        const isWithin = (a < c && d < b) || (c < a && b < d)
        return one.sign === other.sign || !isWithin
      }),
    ),
  )
}

/** A mark whose words are all gone. */
function marksNothing(page: Part): boolean {
  return live(page).some(sentence => sentence.marks.some(mark => spanOf(sentence, mark) === undefined))
}

const marksRules = (syntax: 'wikitext' | 'markdown') => ({
  isSound: (page: Part, { base, mine, theirs }: Edits) =>
    !crosses(page) && (!marksNothing(page) || [mine, theirs].some(side => marksNothing(edited(base, side)))),
  ordered: ['word'],
  write: writeMarked(syntax),
})

const marks: Kind = {
  make: source => {
    const sentence = () =>
      part(
        source.id(),
        'sentence',
        {},
        Array.from({ length: source.from(7, 16) }, () => newWord(source)),
      )
    return part('page', 'page', {}, Array.from({ length: source.from(1, 2) }, sentence))
  },
  edit: oneOf([
    [5, marking],
    [2, setting('word', 'text', (source, now) => source.otherWord('thing', now))],
    [1, adding(newWord, 'sentence')],
    [1, removal('word')],
  ]),
  rules: { wikitext: marksRules('wikitext'), markdown: marksRules('markdown') },
}

/** Adds a note: its reference in a sentence, and its text at the end. Keys are the next number, as people and tools count. */
function noting(source: Source, page: Part): readonly Change[] {
  const [body, list] = live(page) as [Part, Part]
  const sentence = some(source, body, 'sentence')
  if (sentence === undefined) return []
  const next = live(list).length + 1
  const key = source.is(0.6) ? `${next}` : `${source.word('person').replace(' ', '')}${source.digits(1)}`
  if (live(list).some(note => note.values.key === key)) return []
  const note = part(source.id(), 'note', {
    key,
    text: source.fresh(() => `${source.word('person')}, ${source.word('thing')}s, page ${source.digits(2)}.`),
  })
  return [
    { do: 'insert', part: part(source.id(), 'reference', { key }), ...placeAt(sentence, live(sentence).length) },
    { do: 'insert', part: note, ...anyEnd(list) },
  ]
}

const anyEnd = (list: Part) => placeAt(list, live(list).length)

function referencesOf(sentence: Part): string[] {
  return live(sentence).map(reference => reference.values.key!)
}

const notes: Kind = {
  make: source => {
    const body = part(
      'body',
      'body',
      {},
      Array.from({ length: source.from(1, 3) }, () => newParagraph(source)),
    )
    return part('page', 'page', {}, [body, part('list', 'list')])
  },
  edit: oneOf([
    [3, oneOf(sentenceWays)],
    [
      2,
      setting('note', 'text', source =>
        source.fresh(() => `${source.word('person')}, ${source.word('thing')}s, page ${source.digits(2)}.`),
      ),
    ],
  ]),
  also: noting,
  before: noting,
  rules: {
    markdown: {
      isSound: page => isUnique(page, 'note', 'key'),
      asks: turnsMeaning,
      write: page => {
        const [body, list] = live(page) as [Part, Part]
        const paragraphs = live(body).map(paragraph =>
          live(paragraph)
            .map(
              sentence =>
                `${sentenceOf(sentence)}${referencesOf(sentence)
                  .map(key => `[^${key}]`)
                  .join('')}`,
            )
            .join(' '),
        )
        const defined = live(list).map(({ values: { key, text } }) => `[^${key}]: ${text}`)
        return `${[...paragraphs.filter(text => text !== ''), ...(defined.length > 0 ? [defined.join('\n')] : [])].join('\n\n')}\n`
      },
    },
    wikitext: {
      // A note stands where it is used, and goes with its sentence.
      isSound: page => isUnique(page, 'reference', 'key'),
      asks: turnsMeaning,
      write: page => {
        const [body, list] = live(page) as [Part, Part]
        const noteOf = (key: string) => live(list).find(note => note.values.key === key)?.values.text ?? 'gone'
        const paragraphs = live(body).map(paragraph =>
          live(paragraph)
            .map(
              sentence =>
                `${sentenceOf(sentence)}${referencesOf(sentence)
                  .map(key => `<ref name="${key}">${noteOf(key)}</ref>`)
                  .join('')}`,
            )
            .join(' '),
        )
        return `${paragraphs.filter(text => text !== '').join('\n\n')}\n\n<references />\n`
      },
    },
  },
}

export const prose: Readonly<Record<string, Kind>> = { sentences, values, marks, notes }
