/** Reads the TOML of front matter: strings, lists, tables; other values as they are written. Source: https://toml.io/en/v1.0.0 */

/** Maximum levels of lists and tables in each other. */
const maxDepth = 8

const statement =
  /\[\[?[ \t]*(?<table>[^\]\n]{1,200})\]\]?|(?<key>[\w.-]{1,100}|"[^"\n]{1,100}"|'[^'\n]{1,100}')[ \t]*=[ \t]*/y
const lineEnd = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y
const blank = /(?:[ \t\n]|#[^\n]*(?:\n|$))*/y
const quoted = /"""\n?([\s\S]*?)"""|'''\n?([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/y
const bare = /[\w.:+-]{1,100}(?: \d\d:[\w.:+-]{1,100})?/y

interface Reading {
  readonly text: string
  at: number
}

/** Returns the names and values of a text with LF line ends, tables as maps; null if a line is not TOML. */
export function readToml(text: string): Readonly<Record<string, unknown>> | null {
  const reading: Reading = { text, at: 0 }
  const values = new Map<string, unknown>()
  let table: Map<string, unknown> | null = null
  for (take(reading, blank); reading.at < text.length; take(reading, blank)) {
    const { table: name, key } = take(reading, statement)?.groups ?? {}
    if (name !== undefined) {
      table = new Map()
      values.set(plain(name.trim()), table)
    } else if (key === undefined) return null
    else {
      const value = readValue(reading, 0)
      if (value === undefined) return null
      ;(table ?? values).set(plain(key), value)
    }
    if (take(reading, lineEnd) === null) return null
  }
  const entries = [...values].map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value])
  return values.size === 0 ? null : Object.fromEntries(entries)
}

function take(reading: Reading, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reading.at
  const found = pattern.exec(reading.text)
  if (found !== null) reading.at = pattern.lastIndex
  return found
}

function takes(reading: Reading, sign: string): boolean {
  if (reading.text[reading.at] !== sign) return false
  reading.at++
  return true
}

function plain(name: string): string {
  return name.replace(/^(["'])(.*)\1$/, '$2')
}

/** Undefined if there is no value. */
function readValue(reading: Reading, depth: number): unknown {
  if (depth > maxDepth) return undefined
  if (takes(reading, '[')) return readList(reading, depth + 1)
  if (takes(reading, '{')) return readInlineTable(reading, depth + 1)
  const [whole, block, literalBlock, basic, literal] = take(reading, quoted) ?? []
  if (whole !== undefined) return literalBlock ?? literal ?? unescaped(block ?? basic ?? '')
  return take(reading, bare)?.[0]
}

function readList(reading: Reading, depth: number): unknown[] | undefined {
  const items: unknown[] = []
  for (;;) {
    take(reading, blank)
    if (takes(reading, ']')) return items
    const item = readValue(reading, depth)
    take(reading, blank)
    if (item === undefined || !(takes(reading, ',') || reading.text[reading.at] === ']')) return undefined
    items.push(item)
  }
}

function readInlineTable(reading: Reading, depth: number): unknown {
  const values = new Map<string, unknown>()
  for (;;) {
    take(reading, blank)
    if (takes(reading, '}')) return Object.fromEntries(values)
    const key = take(reading, statement)?.groups?.key
    const value = key === undefined ? undefined : readValue(reading, depth)
    take(reading, blank)
    if (key === undefined || value === undefined) return undefined
    if (!takes(reading, ',') && reading.text[reading.at] !== '}') return undefined
    values.set(plain(key), value)
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' }

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|\n\s*|(.))/g, (_, short, long, sign) => {
    const code = Number.parseInt(short ?? long ?? '', 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    return sign === undefined ? '' : (escapes[sign] ?? sign)
  })
}
