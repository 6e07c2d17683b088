/**
 * The syntax of git's configuration files.
 * Source: git-config(1), "Syntax"; behaves as git's config.c where the manual leaves something open.
 */

export interface ConfigEntry {
  /** `section.key` or `section.Name.key`: lower case except the quoted name. */
  readonly key: string
  /** Null for a key without `=`, which is a true boolean. */
  readonly value: string | null
}

/** A line that git refuses, together with the whole file. */
export class BadConfigLine extends Error {
  readonly line: number

  constructor(line: number) {
    super(`bad config line ${line}`)
    this.line = line
  }
}

/** Texts that were parsed last, and their entries: an edit reads the same settings many times, to see that they are the same. */
const parsed = new Map<string, readonly ConfigEntry[]>()
const maxParsed = 8
const longestParsed = 64 * 1024

/** The last longer text: a command reads the settings of a repository a dozen times. */
let lastLong: { readonly text: string; readonly entries: readonly ConfigEntry[] } = { text: '', entries: [] }

/** Reads the entries of a file in order. Throws `BadConfigLine`. */
export function parseConfig(text: string): readonly ConfigEntry[] {
  if (text.length > longestParsed) {
    if (lastLong.text !== text) lastLong = { text, entries: entriesIn(text) }
    return lastLong.entries
  }
  const cached = parsed.get(text)
  if (cached !== undefined) return cached
  const entries = entriesIn(text)
  if (parsed.size === maxParsed) parsed.clear()
  parsed.set(text, entries)
  return entries
}

function entriesIn(text: string): ConfigEntry[] {
  const scanner = new Scanner(text.replace(/^\ufeff/, ''))
  const entries: ConfigEntry[] = []
  let section = ''
  for (;;) {
    const char = scanner.next()
    if (char === '\n' && scanner.isAtEnd) return entries
    if (isSpace(char)) continue
    if (char === '#' || char === ';') scanner.skipLine()
    else if (char === '[') section = `${readSection(scanner)}.`
    else if (/[A-Za-z]/.test(char)) entries.push(readEntry(scanner, section, char))
    else throw scanner.refusal()
  }
}

/** Yields the characters of a file. Lines may end in CR LF, and the file's end ends a line. */
class Scanner {
  readonly #text: string
  #at = 0
  #line = 1
  isAtEnd = false

  constructor(text: string) {
    this.#text = text
  }

  next(): string {
    if (this.#at >= this.#text.length) {
      this.isAtEnd = true
      return '\n'
    }
    let char = this.#text[this.#at++] as string
    if (char === '\r' && this.#text[this.#at] === '\n') char = this.#text[this.#at++] as string
    if (char === '\n') this.#line++
    return char
  }

  skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  refusal(): BadConfigLine {
    const isBehind = this.#text[this.#at - 1] === '\n' && !this.isAtEnd
    return new BadConfigLine(this.#line - (isBehind ? 1 : 0))
  }
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r'
}

function isKeyCharacter(char: string): boolean {
  return /[A-Za-z0-9-]/.test(char)
}

/** Reads `[section]`, `[section "Name"]` or `[section.name]` after the first bracket. */
function readSection(scanner: Scanner): string {
  for (let name = ''; ; ) {
    const char = scanner.next()
    if (scanner.isAtEnd) throw scanner.refusal()
    if (char === ']' && name !== '') return name
    if (isSpace(char)) return `${name}.${readQuotedName(scanner, char)}`
    if (!isKeyCharacter(char) && char !== '.') throw scanner.refusal()
    name += char.toLowerCase()
  }
}

function readQuotedName(scanner: Scanner, first: string): string {
  let char = first
  while (isSpace(char)) {
    if (char === '\n') throw scanner.refusal()
    char = scanner.next()
  }
  if (char !== '"') throw scanner.refusal()
  for (let name = ''; ; name += char) {
    char = scanner.next()
    if (char === '"') {
      if (scanner.next() !== ']') throw scanner.refusal()
      return name
    }
    if (char === '\\') char = scanner.next()
    if (char === '\n') throw scanner.refusal()
  }
}

function readEntry(scanner: Scanner, section: string, first: string): ConfigEntry {
  let name = first
  let char = scanner.next()
  for (; isKeyCharacter(char); char = scanner.next()) name += char
  while (char === ' ' || char === '\t') char = scanner.next()
  const key = section + name.toLowerCase()
  if (char === '\n') return { key, value: null }
  if (char !== '=') throw scanner.refusal()
  return { key, value: readValue(scanner) }
}

const escapes: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"', '\n': '' }

/** Reads a value up to its line's end, without surrounding blanks and comments. */
function readValue(scanner: Scanner): string {
  let value = ''
  let blanks = ''
  let isQuoted = false
  for (;;) {
    const char = scanner.next()
    if (char === '\n') {
      if (isQuoted) throw scanner.refusal()
      return value
    }
    if (!isQuoted && isSpace(char)) {
      if (value !== '') blanks += char
      continue
    }
    if (!isQuoted && (char === '#' || char === ';')) {
      scanner.skipLine()
      continue
    }
    value += blanks
    blanks = ''
    if (char === '"') isQuoted = !isQuoted
    else if (char === '\\') value += escaped(scanner)
    else value += char
  }
}

function escaped(scanner: Scanner): string {
  const char = scanner.next()
  const meant = escapes[char]
  if (meant === undefined) throw scanner.refusal()
  return meant
}

/** Reads a boolean as git does; undefined for anything else. Source: git-config(1), "Values". */
export function booleanOf(value: string | null | undefined): boolean | undefined {
  if (value === null) return true
  if (value === undefined) return undefined
  if (/^(?:true|yes|on)$/i.test(value)) return true
  if (/^(?:false|no|off|)$/i.test(value)) return false
  return /^[+-]?\d+[kmg]?$/i.test(value) ? Number.parseInt(value, 10) !== 0 : undefined
}
