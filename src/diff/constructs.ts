/**
 * The constructs of a wikitext or Markdown text that matter to a merge: what stands open at each line, what is open or closed without
 * its other half, and keys that occur twice. Both languages are read at once, because a merge compares versions of one text with
 * each other, and a sign of the other language means the same in all of them.
 *
 * Source: docs/reference/comparison.md#merging.
 */

import { findFrontMatter } from '../core/front-matter.ts'
import { type Lines, lineAt } from './lines.ts'

/** Constructs of one text. */
export interface Constructs {
  /** By line: a number of the constructs that are open at its start. Equal in all texts that share the map of numbers. */
  readonly contexts: Int32Array
  /** By line: 1 if it is code, or another text but prose: each of its signs counts. */
  readonly codes: Uint8Array
  /** By line: 1 if it is a key with its value, of front matter or of a header in `<pre>`. */
  readonly settings: Uint8Array
  /** By kind: how many are open or closed without their other half, and how many keys stand there again. */
  readonly faults: ReadonlyMap<string, number>
}

/** An open construct. */
interface Frame {
  readonly kind: string
  readonly context: number
  /** Parameters of a template. */
  readonly keys: Set<string>
}

/** Tags whose content is not wikitext. */
const rawTags = new Set(
  'nowiki pre math syntaxhighlight source score code templatedata timeline graph script style'.split(' '),
)
/** Tags that need no end tag. */
const loneTags = new Set(
  'br hr img wbr input col area base link meta p li td tr th dd dt option tbody thead tfoot'.split(' '),
)

const signs = new RegExp(
  [
    // No line can stand inside a link or template of one line.
    '\\[\\[[^[\\]\\n]*\\]\\]|\\{\\{[^{}|\\n]*\\}\\}',
    '<!--|-->',
    '</?[a-z][a-z0-9]*(?=[\\s/>])[^<>\\n]*>',
    '^ {0,3}(?:`{3,}|~{3,})',
    "`+|~~+|\\*\\*+|'{2,}|\\{\\{|\\}\\}|\\[\\[|\\]\\]",
    '^[ \\t:]*\\{\\|',
    '^[ \\t]*\\|\\}(?!\\})',
    '\\|[ \\t]*[\\p{L}\\p{N}_][\\p{L}\\p{N}_ -]*=',
    '^[ \\t]{0,3}\\[[^[\\]\\s]+\\]:',
    '^#{1,6}[ \\t]',
    '^={1,6}',
    '\\n(?=[ \\t]*(?:\\n|[*#:;|!=+-]))',
  ].join('|'),
  'gimu',
)

/** Keys of front matter. */
const keys = {
  yaml: /^([^\s:#-][^:\n\r\u2028\u2029]*):/gm,
  toml: /^([^\s=#[][^=\n\r\u2028\u2029]*)=/gm,
} as const

/** The state of one reading. */
interface Reading {
  readonly lines: Lines
  readonly contexts: Int32Array
  readonly codes: Uint8Array
  readonly settings: Uint8Array
  readonly faults: Map<string, number>
  readonly stack: Frame[]
  readonly open: Map<string, number>
  readonly keys: Set<string>
  readonly numbers: Map<string, number>
  /** Number of signs of each kind of emphasis since the paragraph began. */
  readonly marks: Map<string, number>
  /** Raw tags without a further end. */
  readonly endless: Set<string>
  /** Names of all end tags; read once a tag is met. */
  ends?: Set<string>
  line: number
}

/** Reads the constructs of a text in linear time. */
export function readConstructs(lines: Lines, numbers: Map<string, number>): Constructs {
  const count = lines.ids.length
  const reading: Reading = {
    lines,
    contexts: new Int32Array(count),
    codes: new Uint8Array(count),
    settings: new Uint8Array(count),
    faults: new Map(),
    stack: [],
    open: new Map(),
    keys: new Set(),
    numbers,
    marks: new Map(),
    endless: new Set(),
    line: 0,
  }
  const { text } = lines
  signs.lastIndex = readPreamble(reading)
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    signs.lastIndex = readSign(reading, found[0], found.index)
  }
  endParagraph(reading)
  while (reading.stack.length > 0) fault(reading, close(reading).kind)
  passTo(reading, text.length)
  const { contexts, codes, settings, faults } = reading
  return { contexts, codes, settings, faults }
}

/** Reads front matter, and returns its end. Its lines are keys with values. */
function readPreamble(reading: Reading): number {
  const { text } = reading.lines
  const place = findFrontMatter(text)
  if (place === null) return 0
  for (const [, key] of text.slice(place.start, place.end).matchAll(keys[place.format]))
    addKey(reading, `front matter ${key}`)
  open(reading, 'front matter', 3)
  return passConstruct(reading, place.fenceAt, place.fenceAt + 3)
}

function readSign(reading: Reading, sign: string, at: number): number {
  const end = at + sign.length
  const { text } = reading.lines
  if (sign === '<!--') return skipTo(reading, at, '-->', 'comment')
  if (sign.startsWith('<')) return readTag(reading, sign, at)
  if (/^ {0,3}(?:```|~~~)/.test(sign)) return readFence(reading, sign.trimStart(), at)
  const trimmed = sign.trimStart()
  const top = reading.stack.at(-1)
  if (sign.startsWith('\n')) endParagraph(reading)
  else if (sign === '-->') fault(reading, 'comment')
  else if (sign.startsWith('`')) return readCode(reading, sign, at)
  else if (sign.endsWith(']]') && sign.length > 2) return end
  else if (sign.endsWith('}}') && sign.length > 2) return end
  else if (sign === '{{' || sign === '[[') open(reading, sign, at)
  else if (sign === '}}') closeKind(reading, '{{', end)
  else if (sign === ']]') closeKind(reading, '[[', end)
  else if (sign.endsWith('{|')) open(reading, '{|', at)
  else if (trimmed === '|}') closeKind(reading, '{|', end)
  else if (sign.startsWith('|')) {
    if (top?.kind === '{{') addKey(reading, `parameter ${sign.slice(1, -1).trim()}`, top.keys)
  } else if (sign.endsWith(']:')) addKey(reading, trimmed.toLowerCase())
  else if (sign.startsWith('#') || sign.startsWith('=')) {
    const line = text.slice(at, reading.lines.starts[lineAfter(reading, at)] ?? text.length).trimEnd()
    if (sign.startsWith('#') || line.endsWith('=')) addKey(reading, `heading ${line}`)
  } else mark(reading, sign)
  return end
}

/** Counts a sign of emphasis: five apostrophes are two signs. */
function mark(reading: Reading, sign: string): void {
  const kinds = sign.startsWith("'") && sign.length > 4 ? ["''", "'''"] : [sign.slice(0, 3)]
  for (const kind of kinds) reading.marks.set(kind, (reading.marks.get(kind) ?? 0) + 1)
}

function endParagraph(reading: Reading): void {
  for (const [kind, count] of reading.marks) if (count % 2 === 1) fault(reading, kind)
  reading.marks.clear()
}

/** Skips code between backticks of one line. */
function readCode(reading: Reading, ticks: string, at: number): number {
  const { text } = reading.lines
  const from = at + ticks.length
  const lineEnd = reading.lines.starts[lineAfter(reading, at)] ?? text.length
  const end = text.slice(from, lineEnd).indexOf(ticks)
  if (end >= 0) return from + end + ticks.length
  mark(reading, ticks)
  return from
}

/** Skips a fenced block, to the end of the text if it is not closed. */
function readFence(reading: Reading, sign: string, at: number): number {
  const { text } = reading.lines
  const close = new RegExp(`^ {0,3}${sign}[${sign[0]}]*[ \\t]*$`, 'gm')
  close.lastIndex = at + sign.length
  const isClosed = close.test(text)
  if (!isClosed) fault(reading, 'fence')
  open(reading, 'fence', at)
  const end = isClosed ? close.lastIndex : text.length
  return passConstruct(reading, end, end)
}

function readTag(reading: Reading, sign: string, at: number): number {
  const end = at + sign.length
  const name = /[a-z][a-z0-9]*/i.exec(sign)![0].toLowerCase()
  if (sign.startsWith('</')) {
    if (!loneTags.has(name)) closeKind(reading, `<${name}`, end)
    return end
  }
  const isLone = sign.endsWith('/>') || loneTags.has(name)
  const [, , id] = /\s(id)\s*=\s*"?([^"\s>]+)/i.exec(sign) ?? []
  if (id !== undefined) addKey(reading, `anchor ${id}`)
  const [, note] = (name === 'ref' && !isLone && /\sname\s*=\s*"?([^">/]+)/i.exec(sign)) || []
  if (note !== undefined) addKey(reading, `note ${note.trim()}`)
  if (isLone) return end
  if (!rawTags.has(name)) {
    // A tag without an end, or a word such as `<int>` of a program, holds nothing.
    reading.ends ??= new Set(
      Array.from(reading.lines.text.matchAll(/<\/([a-z][a-z0-9]*)/gi), ([, end]) => end!.toLowerCase()),
    )
    if (reading.ends.has(name)) open(reading, `<${name}`, at)
    else fault(reading, `<${name}`)
  } else if (!reading.endless.has(name)) return skipTo(reading, at, `</${name}`, `<${name}`)
  return end
}

/** Skips a construct without others in it. One that is not closed is text, except a comment. */
function skipTo(reading: Reading, at: number, closing: string, kind: string): number {
  const { text } = reading.lines
  const found = text.indexOf(closing, at + kind.length)
  if (found < 0) {
    fault(reading, kind)
    if (kind !== 'comment') {
      reading.endless.add(kind.slice(1))
      return at + 1
    }
  }
  open(reading, kind, at)
  const end = found < 0 ? text.length : found + closing.length
  return passConstruct(reading, found < 0 ? end : found, end)
}

/** Ends a construct without others in it, whose content ends at `close`; returns where reading continues. */
function passConstruct(reading: Reading, close: number, end: number): number {
  const { kind } = reading.stack.at(-1)!
  const first = reading.line
  passTo(reading, close)
  const last = reading.line
  if (kind === 'front matter' || (kind === '<pre' && isHeader(reading, first + 1, last))) {
    reading.settings.fill(1, first + 1, last)
  } else if (kind !== 'comment' && last > first) {
    // The words of one line are cut with its code whole.
    reading.codes.fill(1, first, last + 1)
  }
  closeKind(reading, kind, end)
  return end
}

/** Reads lines as the header of a proposal: keys with values, each at the same depth, and deeper lines that continue them. */
function isHeader(reading: Reading, start: number, end: number): boolean {
  const keys: string[] = []
  let depth = 0
  for (let at = start; at < end; at++) {
    const line = lineAt(reading.lines, at)
    const indent = line.length - line.trimStart().length
    const [, key] = /^[ \t]*([A-Z][\w-]*):(?:[ \t]|$)/.exec(line) ?? []
    if (at === start) depth = indent
    if (key !== undefined && indent === depth) keys.push(key)
    else if (at === start || indent <= depth || indent === line.length) return false
  }
  if (keys.length < 2) return false
  for (const key of keys) addKey(reading, `header ${key}`)
  return true
}

function open(reading: Reading, kind: string, at: number): void {
  passTo(reading, at)
  const parent = reading.stack.at(-1)?.context ?? 0
  const name = `${parent} ${kind}`
  const context = reading.numbers.get(name) ?? reading.numbers.size + 1
  reading.numbers.set(name, context)
  reading.stack.push({ kind, context, keys: new Set() })
  reading.open.set(kind, (reading.open.get(kind) ?? 0) + 1)
}

/** Closes the innermost construct of a kind; all inside it end with it. */
function closeKind(reading: Reading, kind: string, at: number): void {
  if (!reading.open.get(kind)) {
    fault(reading, kind)
    return
  }
  passTo(reading, at)
  for (let frame = close(reading); frame.kind !== kind; frame = close(reading)) fault(reading, frame.kind)
}

function close({ stack, open }: Reading): Frame {
  const frame = stack.pop()!
  open.set(frame.kind, open.get(frame.kind)! - 1)
  return frame
}

/** Returns the number of the line after the one of a position. */
function lineAfter(reading: Reading, at: number): number {
  passTo(reading, at)
  return reading.line + 1
}

/** Gives the lines that start before a position the constructs that are open now. */
function passTo(reading: Reading, at: number): void {
  const { lines, contexts, stack } = reading
  const context = stack.at(-1)?.context ?? 0
  while (reading.line + 1 < contexts.length && lines.starts[reading.line + 1]! <= at) contexts[++reading.line] = context
}

function addKey(reading: Reading, key: string, scope = reading.keys): void {
  if (scope.has(key)) fault(reading, `twice ${key}`)
  scope.add(key)
}

function fault({ faults }: Reading, kind: string): void {
  faults.set(kind, (faults.get(kind) ?? 0) + 1)
}
