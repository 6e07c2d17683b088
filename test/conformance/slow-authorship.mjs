/**
 * The rules of docs/reference/comparison.md#authorship, step by step and without optimizations: lists that are searched from
 * end to end, and the whole table of a longest common subsequence.
 */

const letter = String.raw`A-Za-z0-9_\u00c0-\u2fff\ua000-\ud7ff\ue000-\uffff\u{10000}-\u{1ffff}\u{2a001}-\u{10ffff}`
const wordForm = new RegExp(`[${letter}]+|[^\\s]`, 'gu')
const blank = /^[\s\0-\x20]$/u

export class SlowAuthorship {
  #version = -1
  #lines = []
  #text = ''
  /** Removed lines, in order. */
  #lost = []

  add(text) {
    this.#version++
    this.#text = text
    const before = this.#lines
    const after = text
      .split('\n')
      .map(readLine)
      .filter(({ words }) => words.length > 0)
    const pairs = longestCommon(before, after)
    const lines = after.map(() => null)
    for (const [from, to] of pairs) lines[to] = before[from]
    const gone = before.filter(line => !lines.includes(line))
    this.#lost.push(...gone)
    this.#bringBack(after, lines)
    const sentences = this.#sentences(after, lines)
    this.#words(gaps(pairs, before.length, after.length), before, lines, sentences)
    for (const line of lines) for (const word of line.words) word.version ??= this.#version
    this.#lines = lines
  }

  /** For each line, the revision of the word at an offset. */
  versions() {
    let next = 0
    return this.#text.split('\n').map(text => {
      const { words } = readLine(text).words.length > 0 ? this.#lines[next++] : { words: [] }
      return new Map(words.map(({ start, version }) => [start, version]))
    })
  }

  #bringBack(after, lines) {
    const places = lines.flatMap((line, at) => (line === null ? [at] : []))
    for (const text of new Set(places.map(at => after[at].text))) {
      const same = places.filter(at => after[at].text === text)
      const found = this.#lost.filter(line => line.text === text).slice(-same.length)
      for (const [at, line] of found.entries()) {
        lines[same[at]] = line
        this.#lost.splice(this.#lost.indexOf(line), 1)
        line.used = []
      }
    }
  }

  /** Writes new lines; returns the words of lost sentences that have now come back. */
  #sentences(after, lines) {
    const taken = new Set()
    const wanted = []
    for (const [at, line] of lines.entries()) {
      if (line !== null) continue
      lines[at] = after[at]
      for (const sentence of after[at].sentences) wanted.push({ line: after[at], ...sentence })
    }
    const lost = this.#lost.flatMap(line => line.sentences.map(sentence => ({ line, ...sentence })))
    for (const text of new Set(wanted.map(sentence => sentence.text))) {
      const same = wanted.filter(sentence => sentence.text === text)
      const found = lost
        .filter(({ line, from, text: own }) => own === text && !line.used.includes(from))
        .slice(-same.length)
      for (const [at, { line, from, to }] of found.entries()) {
        line.used.push(from)
        for (let word = from; word < to; word++) {
          taken.add(line.words[word])
          same[at].line.words[same[at].from + word - from].version = line.words[word].version
        }
      }
    }
    return taken
  }

  #words(gaps, before, lines, taken) {
    for (const gap of gaps) {
      const gone = before.slice(gap.fromStart, gap.fromEnd).filter(line => this.#lost.includes(line))
      const from = gone.flatMap(({ words }) => words).filter(word => !taken.has(word))
      const to = lines
        .slice(gap.toStart, gap.toEnd)
        .flatMap(({ words }) => words)
        .filter(({ version }) => version === undefined)
      for (const [old, now] of longestCommon(from, to)) to[now].version = from[old].version
    }
  }
}

function readLine(text) {
  const words = [...text.matchAll(wordForm)]
    .filter(([word]) => !blank.test(word))
    .map(({ 0: word, index }) => ({ text: word, start: index, version: undefined }))
  return { text, words, sentences: sentencesOf(text, words), used: [] }
}

function sentencesOf(text, words) {
  const sentences = []
  let from = 0
  for (const [at, word] of words.entries()) {
    const end = word.start + word.text.length
    const isEnd =
      /^[。！？]$/.test(word.text) || (/^[.!?:;]$/.test(word.text) && /^(\s|$)/.test(text.slice(end, end + 1)))
    if (!isEnd && at < words.length - 1) continue
    if (at + 1 - from >= 3) sentences.push({ from, to: at + 1, text: text.slice(words[from].start, end) })
    from = at + 1
  }
  return sentences
}

/** Ranges between pairs. */
function gaps(pairs, fromLength, toLength) {
  const found = []
  let [from, to] = [0, 0]
  for (const [nextFrom, nextTo] of [...pairs, [fromLength, toLength]]) {
    if (nextFrom > from || nextTo > to) found.push({ fromStart: from, fromEnd: nextFrom, toStart: to, toEnd: nextTo })
    ;[from, to] = [nextFrom + 1, nextTo + 1]
  }
  return found
}

/** Pairs of positions of a longest common subsequence: of several, one whose changes come late. */
function longestCommon(fromItems, toItems) {
  const numbers = new Map()
  const numberOf = ({ text }) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size)
    return numbers.get(text)
  }
  const [from, to] = [Int32Array.from(fromItems, numberOf), Int32Array.from(toItems, numberOf)]
  let start = 0
  while (start < from.length && start < to.length && from[start] === to[start]) start++
  let [fromEnd, toEnd] = [from.length, to.length]
  while (fromEnd > start && toEnd > start && from[fromEnd - 1] === to[toEnd - 1])
    [fromEnd, toEnd] = [fromEnd - 1, toEnd - 1]
  const [height, width] = [fromEnd - start, toEnd - start]
  const table = new Uint16Array((height + 1) * (width + 1))
  for (let a = height - 1; a >= 0; a--)
    for (let b = width - 1; b >= 0; b--)
      table[a * (width + 1) + b] =
        from[start + a] === to[start + b]
          ? table[(a + 1) * (width + 1) + b + 1] + 1
          : Math.max(table[(a + 1) * (width + 1) + b], table[a * (width + 1) + b + 1])
  const pairs = Array.from({ length: start }, (_, at) => [at, at])
  for (let a = 0, b = 0; a < height && b < width; ) {
    if (from[start + a] === to[start + b]) pairs.push([start + a++, start + b++])
    else if (table[(a + 1) * (width + 1) + b] >= table[a * (width + 1) + b + 1]) a++
    else b++
  }
  for (let a = fromEnd; a < from.length; a++) pairs.push([a, toEnd + a - fromEnd])
  return pairs
}
