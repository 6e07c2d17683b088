/**
 * Finds the author of each word of a text across all its versions. Text that was deleted and restored keeps its
 * original version: lines and sentences are looked up among all earlier ones before words are compared. Source:
 * docs/reference/comparison.md#authorship; F. Flöck and M. Acosta, WikiWho, 2014.
 */

import { type Changes, eachSpan } from './changes.ts'
import { findChanges } from './common-subsequence.ts'
import { countNumbers, splitWords, type WordNumbers } from './words.ts'
import { createWorkspace, room } from './workspace.ts'

/** A word: its range in the line, in UTF-16 units, and the number of the version that introduced it. */
export interface WrittenWord {
  readonly start: number
  readonly end: number
  readonly version: number
}

/** A line of the last version, and its words without white space. */
export interface WrittenLine {
  readonly text: string
  readonly words: readonly WrittenWord[]
}

/** A range of words of a line, its end excluded, and their text. */
interface Sentence {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Words and sentences of a line, shared by all occurrences of the line. */
interface LineText {
  /** Start and end of each word, alternating. */
  readonly places: Int32Array
  /** Number of each word. */
  readonly ids: Int32Array
  readonly sentences: readonly Sentence[]
}

/** An occurrence of a line in this version or an earlier one. */
interface Line {
  readonly number: number
  readonly content: LineText
  /** Version that introduced each word; `unknown` until it is found. */
  readonly versions: Int32Array
  stands: boolean
  /** Number of times that it was deleted. */
  losses: number
}

/** A sentence of a deleted line. */
interface LostSentence {
  readonly line: Line
  readonly sentence: Sentence
  /**
   * `losses` of the line when the sentence was deleted. If the line has been restored since, the sentence is no longer
   * deleted.
   */
  readonly loss: number
}

/** A sentence of a new line. */
type NewSentence = Pick<LostSentence, 'line' | 'sentence'>

/** A gap where lines have changed: the deleted lines, and the positions of the new ones. */
interface Gap {
  readonly gone: readonly Line[]
  readonly start: number
  readonly end: number
}

/** Words of a gap to compare: the line, position and number of each. */
interface LooseWords {
  readonly lines: Line[]
  readonly places: number[]
  readonly ids: number[]
}

/** Returns true if a word of a line still needs comparison. */
type IsLoose = (line: Line, at: number) => boolean

const unknown = -1

/** Maximum cells of one comparison of lines or words. Beyond it, all of them count as new. See `Changes`. */
const maxCells = 2 ** 28

/** Minimum number of words of a sentence that is looked up. Shorter ones are not distinctive. */
const shortestSentence = 3

/** UTF-16 units, and lines, after which the caller may yield to the event loop. */
const stepLength = 50_000
const linesInStep = 1000

export class Authorship {
  /** Lines with words, of the last version. */
  #lines: readonly Line[] = []
  #text = ''
  #version = -1
  #size = 0
  readonly #numbers: WordNumbers = new Map()
  readonly #numberOf = new Map<string, number>()
  readonly #contents: LineText[] = []
  readonly #lostLines = new Map<number, Line[]>()
  readonly #lostSentences = new Map<string, LostSentence[]>()
  readonly #workspace = createWorkspace(0)

  /** Approximate bytes stored for all versions. */
  get size(): number {
    return this.#size
  }

  /** Adds the next version; the caller may yield to the event loop after each step. */
  *add(text: string): Generator<void> {
    this.#version++
    this.#text = text
    const numbers = yield* this.#numbersOf(text)
    const changes = this.#compare(
      Int32Array.from(this.#lines, line => line.number),
      numbers,
      this.#contents.length,
    )
    yield
    yield* this.#follow(numbers, changes)
  }

  /** Returns the numbers of lines and of words in the last version. */
  counts(): { readonly lines: number; readonly words: number } {
    let lines = 1
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) lines++
    return { lines, words: this.#lines.reduce((sum, { versions }) => sum + versions.length, 0) }
  }

  /** Returns the lines of the last version. */
  lines(): WrittenLine[] {
    let next = 0
    return this.#text.split('\n').map(text => {
      const line = this.#contentOf(text).ids.length === 0 ? undefined : this.#lines[next++]
      return { text, words: line === undefined ? [] : writtenWords(line) }
    })
  }

  /** Returns the numbers of the lines that have words. Blank lines would act as false anchors. */
  *#numbersOf(text: string): Generator<void, Int32Array> {
    const numbers: number[] = []
    let [left, at] = [stepLength, 0]
    for (const line of text.split('\n')) {
      const number = this.#numberOf.get(line) ?? this.#remember(line)
      if ((this.#contents[number] as LineText).ids.length > 0) numbers.push(number)
      left -= line.length + 1
      if (left > 0 && ++at % linesInStep !== 0) continue
      left = stepLength
      yield
    }
    return Int32Array.from(numbers)
  }

  #contentOf(line: string): LineText {
    return this.#contents[this.#numberOf.get(line) ?? this.#remember(line)] as LineText
  }

  #remember(line: string): number {
    // A substring would keep the whole text in memory.
    const text = Buffer.from(line, 'utf16le').toString('utf16le')
    const content = readLine(text, this.#numbers)
    this.#numberOf.set(text, this.#contents.length)
    this.#size += 2 * text.length + 16 * content.ids.length + 150 * content.sentences.length + 700
    return this.#contents.push(content) - 1
  }

  #compare(from: Int32Array, to: Int32Array, numbers: number): Changes {
    this.#workspace.slots = room(this.#workspace.slots, numbers)
    return findChanges(from, to, this.#workspace, { maxCells, shift: 'down' })
  }

  *#follow(numbers: Int32Array, changes: Changes): Generator<void> {
    const lines = new Array<Line>(numbers.length)
    const gaps = this.#keep(lines, changes)
    yield
    this.#bringBack(numbers, lines, gaps)
    yield
    for (const { gone } of gaps) yield* inSteps(gone, line => this.#file(line))
    const written: NewSentence[] = []
    for (const { start, end } of gaps)
      yield* inSteps(lines.slice(start, end), (line, at) => {
        if (line === undefined) lines[start + at] = this.#newLine(numbers[start + at] as number, written)
      })
    const isLoose = wordsOutside(this.#takeSentences(written))
    yield
    for (const gap of gaps) {
      this.#matchWords(lines, gap, isLoose)
      yield
    }
    this.#lines = lines
  }

  /** Moves the unchanged lines to the new version, and returns the gaps between them. */
  #keep(lines: Line[], changes: Changes): Gap[] {
    const before = this.#lines
    const gaps: Gap[] = []
    eachSpan(changes, (fromStart, fromEqual, fromEnd, toStart, toEqual) => {
      const gone = before.slice(fromStart, fromEqual)
      for (const line of gone) this.#lose(line)
      if (gone.length > 0 || toEqual > toStart) gaps.push({ gone, start: toStart, end: toEqual })
      for (let at = 0; at < fromEnd - fromEqual; at++) lines[toEqual + at] = before[fromEqual + at] as Line
    })
    return gaps
  }

  #lose(line: Line): void {
    line.stands = false
    line.losses++
    addTo(this.#lostLines, line.number, line)
  }

  /** Restores lines that existed before and are deleted, including moved ones. */
  #bringBack(numbers: Int32Array, lines: Line[], gaps: readonly Gap[]): void {
    const places = gaps.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at))
    const found = takeLast(
      this.#lostLines,
      places.map(place => numbers[place] as number),
      () => true,
    )
    for (const [at, line] of found.entries()) {
      if (line === undefined) continue
      line.stands = true
      lines[places[at] as number] = line
    }
  }

  /** Indexes the sentences of a deleted line. */
  #file(line: Line): void {
    if (line.stands) return
    for (const sentence of line.content.sentences) {
      const lost = this.#lostSentences.get(sentence.text)
      // The line lost this sentence before, and has restored it since.
      if (lost?.at(-1)?.line === line) lost.pop()
      else this.#size += 150
      addTo(this.#lostSentences, sentence.text, { line, sentence, loss: line.losses })
    }
  }

  #newLine(number: number, written: NewSentence[]): Line {
    const content = this.#contents[number] as LineText
    this.#size += 4 * content.ids.length + 200
    const versions = new Int32Array(content.ids.length).fill(unknown)
    const line = { number, content, versions, stands: true, losses: 0 }
    for (const sentence of content.sentences) written.push({ line, sentence })
    return line
  }

  /** Finds the authors of new sentences that existed before; returns their positions. */
  #takeSentences(written: readonly NewSentence[]): ReadonlySet<LostSentence> {
    const keys = written.map(({ sentence }) => sentence.text)
    const isLost = ({ line, loss }: LostSentence) => !line.stands && line.losses === loss
    const found = takeLast(this.#lostSentences, keys, isLost)
    for (const [at, lost] of found.entries()) {
      if (lost === undefined) continue
      const { line, sentence } = written[at] as NewSentence
      line.versions.set(lost.line.versions.subarray(lost.sentence.from, lost.sentence.to), sentence.from)
    }
    return new Set(found.filter(lost => lost !== undefined))
  }

  /** Compares the remaining words of a gap. Words without a match are new. */
  #matchWords(lines: readonly Line[], { gone, start, end }: Gap, isLoose: IsLoose): void {
    const to = looseWords(lines.slice(start, end), (line, at) => line.versions[at] === unknown)
    const from = looseWords(
      gone.filter(line => !line.stands),
      isLoose,
    )
    if (to.ids.length === 0) return
    const changes = this.#compare(Int32Array.from(from.ids), Int32Array.from(to.ids), countNumbers(this.#numbers))
    eachSpan(changes, (_, fromEqual, fromEnd, toStart, toEqual) => {
      for (let at = toStart; at < toEqual; at++) setVersion(to, at, this.#version)
      for (let at = 0; at < fromEnd - fromEqual; at++) setVersion(to, toEqual + at, versionOf(from, fromEqual + at))
    })
  }
}

/** Processes each item; the caller may yield to the event loop between steps. */
function* inSteps<Item>(items: readonly Item[], act: (item: Item, at: number) => void): Generator<void> {
  for (let at = 0; at < items.length; at++) {
    act(items[at] as Item, at)
    if (at % linesInStep === linesInStep - 1) yield
  }
}

function writtenWords({ content: { places }, versions }: Line): WrittenWord[] {
  return Array.from(versions, (version, at) => ({
    start: places[2 * at] as number,
    end: places[2 * at + 1] as number,
    version,
  }))
}

/** Splits a line into words, without white space, and into sentences. */
function readLine(text: string, numbers: WordNumbers): LineText {
  const words = splitWords(text, numbers, 'runs')
  const [ids, places]: [number[], number[]] = [[], []]
  for (const [at, id] of words.ids.entries()) {
    const [start, end] = [words.starts[at] as number, words.starts[at + 1] as number]
    if (isBlank(text.charCodeAt(start)) && end - start === 1) continue
    ids.push(id)
    places.push(start, end)
  }
  return { ids: Int32Array.from(ids), places: Int32Array.from(places), sentences: sentencesOf(text, places) }
}

function isBlank(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000
}

/** Characters that end a sentence before white space or the end of the text; the last ones end it anywhere. */
const ends = '.!?:;'
const wideEnds = '\u3002\uff01\uff1f'

function sentencesOf(text: string, places: readonly number[]): Sentence[] {
  const sentences: Sentence[] = []
  const count = places.length / 2
  for (let from = 0, at = 0; at < count; at++) {
    const [start, end] = [places[2 * at] as number, places[2 * at + 1] as number]
    const sign = text[start] as string
    const isEnd =
      wideEnds.includes(sign) || (ends.includes(sign) && (end === text.length || isBlank(text.charCodeAt(end))))
    if (!isEnd && at < count - 1) continue
    const to = at + 1
    if (to - from >= shortestSentence) sentences.push({ from, to, text: text.slice(places[2 * from], end) })
    from = to
  }
  return sentences
}

function looseWords(lines: readonly Line[], isLoose: IsLoose): LooseWords {
  const words: LooseWords = { lines: [], places: [], ids: [] }
  for (const line of lines)
    for (const [at, id] of line.content.ids.entries()) {
      if (!isLoose(line, at)) continue
      words.lines.push(line)
      words.places.push(at)
      words.ids.push(id)
    }
  return words
}

/** Returns a test for words that are in none of these sentences. */
function wordsOutside(sentences: ReadonlySet<LostSentence>): IsLoose {
  const inside = new Map<Line, Uint8Array>()
  for (const { line, sentence } of sentences) {
    const flags = inside.get(line) ?? new Uint8Array(line.versions.length)
    inside.set(line, flags.fill(1, sentence.from, sentence.to))
  }
  return (line, at) => inside.get(line)?.[at] !== 1
}

function versionOf({ lines, places }: LooseWords, at: number): number {
  return (lines[at] as Line).versions[places[at] as number] as number
}

function setVersion({ lines, places }: LooseWords, at: number, version: number): void {
  ;(lines[at] as Line).versions[places[at] as number] = version
}

function addTo<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [item])
  else list.push(item)
}

/** Removes one item for each key from a map: the last ones, in order of insertion. Invalid items are dropped. */
function takeLast<Key, Item>(
  map: Map<Key, Item[]>,
  keys: readonly Key[],
  isValid: (item: Item) => boolean,
): (Item | undefined)[] {
  const wanted = new Map<Key, number[]>()
  for (const [at, key] of keys.entries()) if (map.has(key)) addTo(wanted, key, at)
  const taken = new Array<Item | undefined>(keys.length)
  for (const [key, places] of wanted) {
    const items = (map.get(key) as Item[]).filter(isValid)
    const last = items.splice(Math.max(0, items.length - places.length))
    for (const [at, item] of last.entries()) taken[places[at] as number] = item
    if (items.length === 0) map.delete(key)
    else map.set(key, items)
  }
  return taken
}
