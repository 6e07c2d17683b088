/**
 * Lines of attributes files and their effect on a path. Text is handled as bytes, one character each (latin1), as in git. Source:
 * gitattributes(5), "DESCRIPTION" and "DEFINING MACRO ATTRIBUTES"; git's attr.c.
 */

import { posix } from 'node:path'
import { wildMatch } from '../../repository/wild-match.ts'

/** The state that a line gives of an attribute: set, unset (`-text`), a value, or null for unspecified (`!text`). */
export type AttributeValue = boolean | string | null

/** The attributes of a path; unspecified ones are missing, or null. */
export type Attributes = ReadonlyMap<string, AttributeValue>

export interface AttributeLine {
  /** Name of the macro that the line defines; null for a line about paths. */
  readonly macro: string | null
  readonly pattern: string
  /** Folder of the file, as bytes; '' is the top. */
  readonly folder: string
  readonly states: readonly (readonly [name: string, value: AttributeValue])[]
}

/** The place of a file: its folder, and whether it may define macros. */
export interface AttributeOrigin {
  readonly folder: string
  readonly mayDefine: boolean
}

/** Longer lines are ignored by git, since 2.39.1. */
const longestLine = 2048
const blank = /[ \t\r\n]/
const macroPrefix = '[attr]'

/** The macro that git itself defines. */
export const builtinLines: readonly AttributeLine[] = linesOf(Buffer.from('[attr]binary -diff -merge -text'), {
  folder: '',
  mayDefine: true,
})

/** Reads the lines of an attributes file, without those that git ignores. */
export function linesOf(file: Uint8Array, origin: AttributeOrigin): AttributeLine[] {
  const text = Buffer.from(file)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  return text.split('\n').flatMap(raw => {
    const line = lineOf(raw.split('\0', 1)[0] as string, origin)
    return line === null ? [] : [line]
  })
}

function lineOf(raw: string, { folder, mayDefine }: AttributeOrigin): AttributeLine | null {
  const line = raw.replace(/^[ \t\r]+/, '')
  if (line === '' || line.startsWith('#') || raw.length >= longestLine) return null
  const { name, rest } = nameAndRest(line)
  const states = statesOf(rest)
  if (states === null) return null
  if (name.startsWith(macroPrefix) && name.length > macroPrefix.length) {
    const macro = name
      .slice(macroPrefix.length)
      .replace(/^[ \t\r\n]+/, '')
      .split(blank, 1)[0] as string
    return mayDefine && isName(macro) ? { macro, pattern: '', folder, states } : null
  }
  // Git supports no negative patterns here, and a folder has no content.
  if (name.startsWith('!') || name.endsWith('/')) return null
  return { macro: null, pattern: name, folder, states }
}

function nameAndRest(line: string): { name: string; rest: string } {
  const quoted = line.startsWith('"') ? unquote(line) : null
  if (quoted !== null) return quoted
  const end = line.search(blank)
  return end < 0 ? { name: line, rest: '' } : { name: line.slice(0, end), rest: line.slice(end) }
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}

/** Source: git's quote.c, unquote_c_style. */
function unquote(line: string): { name: string; rest: string } | null {
  let name = ''
  for (let at = 1; at < line.length; at++) {
    const char = line[at] as string
    if (char === '"') return { name, rest: line.slice(at + 1) }
    if (char !== '\\') {
      name += char
      continue
    }
    const octal = /^[0-3][0-7]{2}/.exec(line.slice(at + 1, at + 4))?.[0]
    const escaped = octal === undefined ? escapes[line[at + 1] ?? ''] : String.fromCharCode(Number.parseInt(octal, 8))
    if (escaped === undefined) return null
    name += escaped
    at += octal?.length ?? 1
  }
  return null
}

/** One invalid word makes git ignore the line. */
function statesOf(rest: string): AttributeLine['states'] | null {
  const states = rest
    .split(/[ \t\r\n]+/)
    .filter(Boolean)
    .map(stateOf)
  return states.every(state => state !== null) ? states : null
}

function stateOf(word: string): readonly [string, AttributeValue] | null {
  const sign = word[0] === '-' || word[0] === '!' ? word[0] : ''
  const equals = word.indexOf('=')
  const name = word.slice(sign.length, equals < 0 ? undefined : equals)
  if (!isName(name)) return null
  if (sign !== '') return [name, sign === '-' ? false : null]
  return [name, equals < 0 ? true : word.slice(equals + 1)]
}

function isName(name: string): boolean {
  return /^[\w.][\w.-]*$/.test(name)
}

/** Finds the attributes of a path from lines in order of precedence, the strongest last. */
export function attributesBy(lines: readonly AttributeLine[], path: string, ignoreCase = false): Attributes {
  const subject = Buffer.from(path).toString('latin1')
  const macros = new Map(lines.flatMap(({ macro, states }) => (macro === null ? [] : [[macro, states] as const])))
  const found = new Map<string, AttributeValue>()
  const take = (states: AttributeLine['states']) => {
    for (const [name, value] of states.toReversed()) {
      if (found.has(name)) continue
      found.set(name, value)
      const macro = macros.get(name)
      if (macro !== undefined && value === true) take(macro)
    }
  }
  for (const line of lines.toReversed())
    if (line.macro === null && isMatch(line, subject, ignoreCase)) take(line.states)
  return found
}

/** Returns true if a pattern of the top folder matches a path, both as bytes. */
export function matchesPath(pattern: string, path: string, ignoreCase: boolean): boolean {
  return isMatch({ pattern, folder: '' }, path, ignoreCase)
}

/** Source: git's dir.c, match_basename and match_pathname: parts without wildcards are compared before the rest is matched. */
function isMatch(
  { pattern, folder }: Pick<AttributeLine, 'pattern' | 'folder'>,
  path: string,
  ignoreCase: boolean,
): boolean {
  const isSame = (one: string, other: string) => (ignoreCase ? lower(one) === lower(other) : one === other)
  if (!pattern.includes('/')) return wildMatch(pattern, posix.basename(path), { ignoreCase })
  const inside = folder === '' ? path : path.slice(folder.length + 1)
  if (folder !== '' && !isSame(path.slice(0, folder.length + 1), `${folder}/`)) return false
  const wanted = pattern.replace(/^\//, '')
  const special = wanted.search(/[*?[\\]/)
  const plain = special < 0 ? wanted.length : special
  if (!isSame(wanted.slice(0, plain), inside.slice(0, plain))) return false
  return wildMatch(wanted.slice(plain), inside.slice(plain), { ignoreCase })
}

function lower(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}
