/**
 * Parses patches as git, `diff -u` and `wiki compare --unified` write them, and applies them to texts where `git apply`
 * does. Source: git-apply(1) and its apply.c; POSIX diff -u.
 */

import { WikiError } from '../core/errors.ts'
import { createWorkLimit, type WorkLimit } from './work-limit.ts'

/** Changes to one file. */
export interface FilePatch {
  /** Path from the repository's top. */
  readonly path: string
  /** `create`: the file does not exist before; `delete`: it does not exist after. */
  readonly kind: 'create' | 'edit' | 'delete'
  /** True for an edit of a file without lines, which may also be missing: `diff -u` does not tell. */
  readonly mayCreate: boolean
  readonly hunks: readonly Hunk[]
}

/** Lines that stand together in a file, before and after. Each has its line feed; the last line of a file may lack it. */
export interface Hunk {
  /** Number of the first line before and after, from 1; 0 if the file is empty. */
  readonly from: number
  readonly to: number
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** True if no unchanged line follows the last change, so the hunk ends the file. */
  readonly isAtEnd: boolean
}

/** Maximum bytes of a patch, and maximum files in it. */
export const maxPatchBytes = 16 * 1024 * 1024
const maxFiles = 10_000

const noFile = '/dev/null'

/** Lines of a patch with their line feeds, and the one that is read next. */
interface Reader {
  readonly lines: readonly string[]
  next: number
}

/** Lines before the hunks of a file. A name is undefined where no line gives it. */
interface Header {
  isGit: boolean
  /** Path that both names have, in git's in the line `diff --git`. */
  both?: string
  from?: string
  to?: string
  /** Names of other lines of git: its mode, a move, binary content. */
  readonly fields: Map<string, string>
}

/**
 * Parses a patch. Errors: wiki-bad-patch for a text that is not a patch, is too large, or contains a change that texts
 * cannot have: a move, a copy, another mode, binary content, two changes of one file.
 */
export function readPatch(text: string): FilePatch[] {
  if (Buffer.byteLength(text) > maxPatchBytes) throw bad(`it has more than ${maxPatchBytes} bytes`)
  const reader: Reader = { lines: linesOf(text), next: 0 }
  const files: FilePatch[] = []
  const paths = new Set<string>()
  for (let header = nextHeader(reader); header !== null; header = nextHeader(reader)) {
    const file = readFile(header, readHunks(reader))
    if (paths.has(file.path)) throw bad(`it changes ${file.path} twice`)
    paths.add(file.path)
    files.push(file)
    if (files.length > maxFiles) throw bad(`it changes more than ${maxFiles} files`)
  }
  if (files.length === 0)
    throw bad('it changes no file', 'Patches are written by git diff, diff -u and wiki compare --unified')
  return files
}

/** Splits a text behind its line feeds. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed + 1
    lines.push(text.slice(start, end))
    start = end
  }
  return lines
}

/** Reads on to the next header, past the text of a mail and other lines; null if there is none. */
function nextHeader(reader: Reader): Header | null {
  for (; reader.next < reader.lines.length; reader.next++) {
    const [line, second = '', third = ''] = reader.lines.slice(reader.next, reader.next + 3)
    if (line!.startsWith('diff --git ')) return gitHeader(reader)
    if (hunkStart.test(line!)) throw bad(`no file is named before line ${reader.next + 1}`)
    if (!line!.startsWith('--- ') || !second.startsWith('+++ ') || !third.startsWith('@@ -')) continue
    reader.next += 2
    const [from, to] = [nameIn(line!), nameIn(second)]
    const both = samePath(from, to)
    const dated = from === noFile || to === noFile ? { from, to } : { from: datedName(line!), to: datedName(second) }
    return { isGit: false, ...dated, ...(both !== undefined && { both }), fields: new Map() }
  }
  return null
}

/** Starts of the lines of a header of git, which come in any order. A value may follow. */
const gitFields = [
  ...['old mode', 'new mode', 'deleted file mode', 'new file mode', 'index', 'similarity index', 'dissimilarity index'],
  ...[
    'copy from',
    'copy to',
    'rename from',
    'rename to',
    'rename old',
    'rename new',
    'Binary files',
    'GIT binary patch',
  ],
] as const

function gitHeader(reader: Reader): Header {
  const both = bothNames(reader.lines[reader.next++]!.slice('diff --git '.length).replace(/\r?\n$/, ''))
  const header: Header = { isGit: true, fields: new Map(), ...(both !== null && { both }) }
  for (; reader.next < reader.lines.length; reader.next++) {
    const line = reader.lines[reader.next]!
    const field = line.trimEnd()
    const name = gitFields.find(start => field === start || field.startsWith(`${start} `))
    if (line.startsWith('--- ')) header.from = nameIn(line)
    else if (line.startsWith('+++ ')) header.to = nameIn(line)
    else if (name?.endsWith('file mode') && !line.endsWith('\n')) throw bad(`line ${reader.next + 1} is broken off`)
    else if (name !== undefined) header.fields.set(name, field.slice(name.length + 1))
    else break
  }
  return header
}

/** Returns the path in the line `diff --git`, if both of its names have the same; null for a move. */
function bothNames(rest: string): string | null {
  const quoted = rest.startsWith('"') ? unquoteName(rest) : null
  const at = quoted === null ? (rest.length - 1) / 2 : quoted.length
  const [first, second] = [quoted?.name ?? rest.slice(0, at), rest.slice(at + 1)]
  const path = samePath(first, second.startsWith('"') ? (unquoteName(second)?.name ?? '') : second)
  return path === undefined || path === '' ? null : path
}

/** Returns a name of a line `---` or `+++`, without the date behind a tab. */
function nameIn(line: string): string {
  const rest = line.slice(4)
  return rest.startsWith('"') ? (unquoteName(rest)?.name ?? rest) : rest.replace(/\t.*|\r?\n$/s, '')
}

/** A date at the start of Unix time, in any time zone. `diff -N` gives it to a file that is not there. */
const noDate = /\t(1969-12-31|1970-01-01) (\d\d:\d\d:00)(?:\.0+)? ([-+]\d\d):?(\d\d)\r?\n$/

/** Returns a name of a header of `diff -u`. */
function datedName(line: string): string {
  const [, day, time, hours, minutes] = noDate.exec(line) ?? []
  return day !== undefined && Date.parse(`${day}T${time}${hours}:${minutes}`) === 0 ? noFile : nameIn(line)
}

/** Returns the path that two names have: as they are, or without their first folders, as in `a/x` and `b/x`. */
function samePath(from: string, to: string): string | undefined {
  const [fromPath, toPath] = [from, to].map(name => name.slice(name.indexOf('/') + 1))
  if (from.startsWith('a/') && to.startsWith('b/')) return fromPath === toPath ? fromPath : undefined
  if (from === to) return from
  return fromPath === toPath && from.includes('/') && to.includes('/') ? fromPath : undefined
}

function readFile(header: Header, hunks: readonly Hunk[]): FilePatch {
  const { fields } = header
  const [from, to] = namesOf(header)
  const moved = fields.get('rename from') ?? fields.get('copy from')
  if (moved !== undefined || (from !== null && to !== null && from !== to))
    throw bad(`it moves or copies ${moved ?? from}`, 'A page is moved by: wiki page move')
  if (from === null && to === null) throw bad('a part of it names no file')
  const path = (to ?? from)!
  if (fields.has('Binary files')) throw bad(`${path} is binary in it`)
  if (fields.get('old mode') !== fields.get('new mode')) throw bad(`it changes the mode of ${path}`)
  if (!/^100[0-7]{3}$/.test(fields.get('new file mode') ?? '100644')) throw bad(`it makes no file of ${path}`)
  const kind = from === null ? 'create' : to === null ? 'delete' : 'edit'
  if (hunks.length === 0 && (kind === 'edit' || fields.has('GIT binary patch')))
    throw bad(`it has no lines for ${path}`)
  if (kind === 'create' && hunks.some(({ before }) => before.length > 0))
    throw bad(`it creates ${path}, and has lines that are there before`)
  if (kind === 'delete' && hunks.some(({ after }) => after.length > 0))
    throw bad(`it deletes ${path}, and has lines that stay`)
  const mayCreate = kind === 'edit' && !header.isGit && hunks.length === 1 && hunks[0]!.before.length === 0
  return { path, kind, mayCreate, hunks }
}

/** Paths before and after, without prefixes; null if there is no file. Lines of git that contradict each other are an error. */
function namesOf(header: Header): [from: string | null, to: string | null] {
  const { isGit, both, from, to, fields } = header
  const [isNew, isGone] = [
    fields.has('new file mode') || from === noFile,
    fields.has('deleted file mode') || to === noFile,
  ]
  if (isGit && both !== undefined) {
    const isOther = (name: string | undefined, isNone: boolean) =>
      name !== undefined && (isNone ? name !== noFile : name !== both && samePath(name, `x/${both}`) !== both)
    if (isOther(from, isNew) || isOther(to, isGone)) throw bad(`its lines name ${both} and another file`)
    return [isNew ? null : both, isGone ? null : both]
  }
  const [fromPath, toPath] = [withoutPrefix(from, 'a/'), withoutPrefix(to, 'b/')]
  if (isNew || isGone) return [isNew ? null : (both ?? fromPath), isGone ? null : (both ?? toPath)]
  const same = both ?? (isGit ? undefined : originalOf(fromPath ?? '', toPath ?? ''))
  return same === undefined ? [fromPath, toPath] : [same || null, same || null]
}

function withoutPrefix(name: string | undefined, prefix: string): string | null {
  return name?.startsWith(prefix) ? name.slice(prefix.length) : (name ?? null)
}

/** Returns the name of a file that is compared with a copy beside it, as in `x.orig` and `x`. */
function originalOf(from: string, to: string): string | undefined {
  const [short, long] = from.length < to.length ? [from, to] : [to, from]
  return long.startsWith(short) ? short : undefined
}

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

function readHunks(reader: Reader): Hunk[] {
  const hunks: Hunk[] = []
  while (reader.lines[reader.next]?.startsWith('@@ -')) hunks.push(readHunk(reader))
  return hunks
}

function readHunk(reader: Reader): Hunk {
  const first = reader.next + 1
  const [, from, fromCount = '1', to, toCount = '1'] = hunkStart.exec(reader.lines[reader.next++]!) ?? []
  const [before, after]: [string[], string[]] = [[], []]
  let [changes, behind] = [0, 0]
  while (before.length < Number(fromCount) || after.length < Number(toCount)) {
    const line = reader.lines[reader.next++] ?? ''
    // Some programs leave the blank of an empty line out.
    const sign = line === '\n' ? ' ' : line[0]
    if (sign === undefined || !' +-'.includes(sign) || !line.endsWith('\n'))
      throw bad(`its hunk at line ${first} is broken off or has an invalid line`)
    const isLast = reader.lines[reader.next]?.startsWith('\\') === true
    if (isLast) reader.next++
    const text = line === '\n' ? line : line.slice(1, isLast ? -1 : undefined)
    if (sign !== '+') before.push(text)
    if (sign !== '-') after.push(text)
    if (sign !== ' ') changes++
    behind = sign === ' ' ? behind + 1 : 0
  }
  if (from === undefined || changes === 0 || before.length > Number(fromCount) || after.length > Number(toCount))
    throw bad(`its hunk at line ${first} has other lines than it says`)
  return { from: Number(from), to: Number(to), before, after, isAtEnd: behind === 0 }
}

/**
 * Applies the changes of one file; null if they do not match. Lines may have moved: of the places that have all lines of
 * a hunk, the nearest one is changed, but no line that a hunk before it has written. A hunk of the first line matches
 * at the start only, and one without unchanged lines behind its changes at the end only. Throws
 * `wiki-texts-too-complex`; several files may share a limit.
 */
export function applyFilePatch(
  text: string,
  { kind, hunks }: FilePatch,
  limit: WorkLimit = createWorkLimit(),
): string | null {
  const lines = linesOf(text)
  const image: Image = { lines, isPatched: lines.map(() => false) }
  for (const hunk of hunks) {
    const at = placeOf(image, hunk, limit)
    if (at === null) return null
    limit.count(image.lines.length >> 4)
    replace(image.lines, at, hunk.before.length, hunk.after)
    replace(
      image.isPatched,
      at,
      hunk.before.length,
      hunk.after.map(() => true),
    )
  }
  return kind === 'delete' && image.lines.length > 0 ? null : image.lines.join('')
}

/** A text, and flags of the lines that hunks have written. */
interface Image {
  readonly lines: string[]
  readonly isPatched: boolean[]
}

/** Maximum number of arguments of a call; many more overflow the stack. */
const maxArguments = 10_000

function replace<Item>(list: Item[], at: number, count: number, items: readonly Item[]): void {
  list.splice(at, count)
  for (let done = 0; done < items.length; done += maxArguments)
    list.splice(at + done, 0, ...items.slice(done, done + maxArguments))
}

/** Returns the line where a hunk fits: at its own number, else one behind, one before, two behind …; null if it does not. */
function placeOf(image: Image, hunk: Hunk, limit: WorkLimit): number | null {
  const last = image.lines.length - hunk.before.length
  const mustStart = hunk.from <= 1
  const start = mustStart ? 0 : hunk.isAtEnd ? last : Math.min(Math.max(hunk.to - 1, 0), image.lines.length)
  const isFit = (at: number) =>
    at >= 0 && at <= last && !(mustStart && at > 0) && !(hunk.isAtEnd && at < last) && fits(image, hunk, at, limit)
  if (mustStart || hunk.isAtEnd) return isFit(start) ? start : null
  for (let distance = 0; start - distance >= 0 || start + distance <= last; distance++) {
    if (isFit(start + distance)) return start + distance
    if (isFit(start - distance)) return start - distance
  }
  return null
}

/**
 * Returns true if the lines of a hunk are at a place. As in git, the last line of a text may have a line feed that the
 * hunk's last line lacks. Git takes such a line before others too, and joins it with the next one; here it does not fit.
 */
function fits({ lines, isPatched }: Image, { before, isAtEnd }: Hunk, at: number, limit: WorkLimit): boolean {
  return before.every((line, index) => {
    const isLast = !isAtEnd && index === before.length - 1 && at + index === lines.length - 1
    const found = lines[at + index]!
    const other = isLast && !line.endsWith('\n') ? found.replace(/\n$/, '') : found
    limit.count(1 + (line.length === other.length ? line.length >> 4 : 0))
    return line === other && !isPatched[at + index]
  })
}

function bad(reason: string, hint?: string): WikiError {
  return new WikiError('wiki-bad-patch', { params: [reason], ...(hint !== undefined && { hint }) })
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** Reads a name in quotation marks, as git and `diff -u` write those with special characters, at the start of a text; null if there is none. Source: git's quote.c, `unquote_c_style`. */
function unquoteName(text: string): { readonly name: string; readonly length: number } | null {
  const [whole] = /^"(?:[^"\\\n]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*"/.exec(text) ?? []
  if (whole === undefined) return null
  const parts = whole.slice(1, -1).match(/[^\\]+|\\(?:[0-3][0-7]{2}|.)/g) ?? []
  const bytes = parts.map(part => {
    if (part[0] !== '\\') return Buffer.from(part)
    const escaped = escapes[part.slice(1)]
    return Buffer.from([escaped ?? Number.parseInt(part.slice(1), 8)])
  })
  return { name: Buffer.concat(bytes).toString('utf8'), length: whole.length }
}
