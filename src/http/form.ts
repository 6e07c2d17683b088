/** Parses the bodies of HTML forms. Source: HTML 4.10.21; brackets in names as in PHP. */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../core/errors.ts'
import { decoded } from '../operations/workers/long-text.ts'
import { isUnicode } from './content-type.ts'
import { percentDecoded } from './percent-decoded.ts'

/** Fields of a form, by name. A field with brackets, `a[b]`, is a field of an object. */
type Fields = Readonly<Record<string, unknown>>

export const multipartType = 'multipart/form-data'

/** Form parsers by content type. They throw `rest-body-validation-error`. */
export const formTypes = {
  'application/x-www-form-urlencoded': urlEncodedFields,
  [multipartType]: multipartFields,
} as const satisfies Readonly<Record<string, (bytes: Buffer, type: string) => Promise<Fields>>>

/** Counted before decoding, because millions of empty fields would take a second and a gigabyte. */
async function urlEncodedFields(bytes: Buffer): Promise<Fields> {
  const pairs = (await unicodeOf(bytes)).split('&', maxFields + 1)
  if (pairs.length > maxFields) throw tooManyFields()
  const fields: [name: string, value: string][] = []
  for (const pair of pairs) {
    if (pair === '') continue
    const [name] = pair.split('=', 1) as [string]
    fields.push([
      await unicodeOf(await percentDecoded(name)),
      await unicodeOf(await percentDecoded(pair.slice(name.length + 1))),
    ])
  }
  return fieldsOf(fields)
}

/** Splits a body into its parts. A file is treated as text. Source: RFC 7578. */
async function multipartFields(bytes: Buffer, type: string): Promise<Fields> {
  return textsOf(partsOf(bytes, type))
}

async function textsOf(parts: readonly Part[]): Promise<Fields> {
  const fields: [name: string, value: string][] = []
  for (const { name, content } of parts) fields.push([name, await unicodeOf(content)])
  return fieldsOf(fields)
}

/** Decodes UTF-8. Other bytes are refused, because replacement characters would take their place. */
async function unicodeOf(bytes: Buffer): Promise<string> {
  if (!isUtf8(bytes)) throw unreadable('it is not UTF-8')
  return decoded(bytes)
}

function unreadable(reason: string): WikiError {
  return new WikiError('rest-body-validation-error', { params: [reason] })
}

/** A file submitted in a form. */
export interface FormFile {
  /** File name on the client's machine. */
  readonly filename: string
  readonly content: Buffer
}

/** A form with files, each by field name. */
export interface FormWithFiles {
  readonly fields: Fields
  readonly files: ReadonlyMap<string, FormFile>
}

/** Reads a form with files. Throws `rest-body-validation-error`. */
export async function formWithFiles(bytes: Buffer, type: string): Promise<FormWithFiles> {
  const parts = partsOf(bytes, type)
  const files = parts.flatMap(({ name, filename, content }) =>
    filename === null ? [] : [[name, { filename, content }] as const],
  )
  // Decoding a file as text would take three times its size in memory.
  return { fields: await textsOf(parts.filter(({ filename }) => filename === null)), files: new Map(files) }
}

interface Part {
  readonly name: string
  /** Null for a field that is not a file. */
  readonly filename: string | null
  readonly content: Buffer
}

/** Splits a body at its boundaries, without a copy: it may be a large file. */
function partsOf(bytes: Buffer, type: string): Part[] {
  if (bytes.length === 0) return []
  const [, quoted, plain = quoted] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type) ?? []
  const boundary = Buffer.from(`\r\n--${plain ?? ''}`, 'latin1')
  const first = boundary.subarray(2)
  const isFirst = bytes.subarray(0, first.length).equals(first)
  let at = plain === undefined ? -1 : isFirst ? first.length : behind(bytes, boundary, 0)
  const parts: Part[] = []
  for (let count = 0; at >= 0; count++) {
    if (bytes.toString('latin1', at, at + 2) === '--') return parts
    if (count === maxFields) throw tooManyFields()
    const next = behind(bytes, boundary, at)
    if (next >= 0) parts.push(...namedPart(bytes.subarray(at, next - boundary.length)))
    at = next
  }
  throw unreadable('it is not multipart/form-data')
}

/** Index after the next occurrence; -1 for none. */
function behind(bytes: Buffer, sought: Buffer, from: number): number {
  const found = bytes.indexOf(sought, from)
  return found < 0 ? -1 : found + sought.length
}

function namedPart(piece: Buffer): Part[] {
  const end = piece.indexOf('\r\n\r\n')
  const header = piece.toString('latin1', 0, Math.max(0, Math.min(end, maxHeader)))
  const parameters = parametersIn(/^content-disposition:[ \t]*[\w-]*([^\r\n]*)/im.exec(header)?.[1] ?? '')
  const name = parameters.get('name')
  if (name === undefined) return []
  const filename = parameters.get('filename') ?? parameters.get('filename*') ?? null
  checkPart(header, filename !== null)
  return [{ name, filename, content: piece.subarray(end + 4) }]
}

const parameter = /[ \t]*;[ \t]*([^\s=;"]+)=(?:"((?:\\"|[^"])*)"|([^\s;"]*))/y

/** Reads the parameters of a disposition one after the other: a quoted name of a file may look like others. The first of a name counts. */
function parametersIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  parameter.lastIndex = 0
  for (let next = parameter.exec(text); next !== null; next = parameter.exec(text)) {
    const [, name = '', quoted, bare = ''] = next
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, utf8(quoted?.replaceAll('\\"', '"') ?? bare))
  }
  return found
}

/** Refuses a part whose bytes are not the field's own. Source: RFC 7578 4.6, 4.7. */
function checkPart(header: string, isFile: boolean): void {
  const [, coding = 'binary'] = /^content-transfer-encoding:\s*([^\s;]*)/im.exec(header) ?? []
  const [, type = ''] = /^content-type:([^\r\n]*)/im.exec(header) ?? []
  if (!/^(?:7bit|8bit|binary)$/i.test(coding)) throw unreadable(`a part of it has the encoding ${coding.slice(0, 100)}`)
  if (!isFile && !isUnicode(type)) throw unreadable('a part of it is not UTF-8')
}

/** Maximum characters of a part's header. */
const maxHeader = 4096

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}

type Branch = Map<string, string | Branch>

/**
 * Maximum number of fields. A larger form is refused, because ignoring the rest, as PHP does, would lose input. Source:
 * PHP max_input_vars.
 */
const maxFields = 1000
/** Deeper brackets are part of the name. Source: PHP max_input_nesting_level. */
const maxLevels = 5

function tooManyFields(): WikiError {
  return unreadable(`it has more than ${maxFields} fields`)
}

/** Of several fields with one name, the last one wins. */
function fieldsOf(pairs: Iterable<readonly [string, string]>): Fields {
  const root: Branch = new Map()
  for (const [name, value] of pairs) put(root, namesIn(name), value)
  return objectOf(root)
}

/** Splits `a[b][c]` into `a`, `b`, `c`. Unclosed brackets are part of the name. */
function namesIn(name: string): string[] {
  const brackets = /(?:\[[^[\]]*\])+$/.exec(name.slice(0, 200))
  if (brackets === null || brackets.index === 0) return [name]
  const inner = brackets[0].slice(1, -1).split('][')
  return inner.length < maxLevels ? [name.slice(0, brackets.index), ...inner] : [name]
}

function put(root: Branch, names: readonly string[], value: string): void {
  let branch = root
  for (const name of names.slice(0, -1)) {
    const held = branch.get(name)
    const next: Branch = held instanceof Map ? held : new Map()
    branch.set(name, next)
    branch = next
  }
  branch.set(names.at(-1)!, value)
}

function objectOf(branch: Branch): Fields {
  return Object.fromEntries([...branch].map(([name, value]) => [name, value instanceof Map ? objectOf(value) : value]))
}
