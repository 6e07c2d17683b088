/**
 * Line ends and `$Id$` of texts, converted as in git, without starting it. Source: git's convert.c: crlf_to_git,
 * crlf_to_worktree, ident_to_git, ident_to_worktree, convert_is_binary.
 */

import type { LineEnds, PathForm } from './path-form.ts'

/** Context that the converter needs besides the content. */
export interface BlobBefore {
  /** Returns true if the current blob of the path is a text with CR LF: git leaves line ends alone then. */
  readonly hasCrlf: boolean
}

/** Converts a file's content to that of its blob. */
export function textToBlob(content: Buffer, { lineEnds, ident }: PathForm, before: BlobBefore): Buffer {
  const text = lineEndsToBlob(content, lineEnds, before)
  if (!ident || !text.includes('$Id:')) return text
  return Buffer.from(
    text.toString('latin1').replace(/\$Id:[^$\n]*\$/g, () => '$Id$'),
    'latin1',
  )
}

/** Converts a blob's content, with the given hash, to that of its file. */
export function textToFile(content: Buffer, { lineEnds, ident }: PathForm, hash: () => string): Buffer {
  if (!ident || !content.includes('$Id')) return lineEndsToFile(content, lineEnds)
  const text = content.toString('latin1')
  const isGuessed = lineEnds.kind === 'guess' && lineEnds.crlf
  const expanded = isGuessed ? withIdentWhole(text, hash) : withIdentStreamed(text, hash)
  return lineEndsToFile(Buffer.from(expanded, 'latin1'), lineEnds)
}

/** Returns true if some lines of a text end in CR LF. */
export function hasCrlf(content: Buffer): boolean {
  if (!content.includes('\r\n')) return false
  const ends = countBytes(content)
  return ends.crlf > 0 && !isBinary(ends)
}

/**
 * Returns true if line ends of a file would not survive the round trip through its blob. Source: convert.c,
 * check_global_conv_flags_eol.
 */
export function losesLineEnds(content: Buffer, { lineEnds }: PathForm, before: BlobBefore): boolean {
  if (lineEnds.kind === 'kept' || content.length === 0) return false
  const ends = countBytes(content)
  if (lineEnds.kind === 'guess' && isBinary(ends)) return false
  const stored = lineEnds.kind === 'guess' && before.hasCrlf ? ends : { ...ends, lf: ends.lf + ends.crlf, crlf: 0 }
  const isWritten = willHaveCrlf(stored, lineEnds)
  const back = isWritten ? { crlf: stored.crlf + stored.lf, lf: 0 } : stored
  return (ends.crlf > 0 && back.crlf === 0) || (ends.lf > 0 && back.lf === 0)
}

function lineEndsToBlob(content: Buffer, lineEnds: LineEnds, before: BlobBefore): Buffer {
  if (lineEnds.kind === 'kept' || !content.includes('\r\n')) return content
  if (lineEnds.kind === 'guess' && (before.hasCrlf || isBinary(countBytes(content)))) return content
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

function lineEndsToFile(content: Buffer, lineEnds: LineEnds): Buffer {
  if (!willHaveCrlf(countBytes(content), lineEnds)) return content
  return Buffer.from(content.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

function willHaveCrlf(ends: Counts, lineEnds: LineEnds): boolean {
  if (lineEnds.kind === 'kept' || !lineEnds.crlf || ends.lf === 0) return false
  return lineEnds.kind === 'text' || (ends.cr === 0 && ends.crlf === 0 && !isBinary(ends))
}

/** Statistics for guessing whether content is text; `cr` and `lf` are those that stand alone. */
interface Counts {
  readonly crlf: number
  readonly cr: number
  readonly lf: number
  readonly nul: number
  readonly printable: number
  readonly other: number
}

const [tab, lf, formFeed, cr, end, esc, space, del] = [9, 10, 12, 13, 26, 27, 32, 127]
const printableControls: ReadonlySet<number> = new Set([8, tab, formFeed, esc])

function countBytes(content: Buffer): Counts {
  const counts = { crlf: 0, cr: 0, lf: 0, nul: 0, printable: 0, other: 0 }
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] as number
    if (byte === cr && content[at + 1] === lf) {
      counts.crlf++
      at++
    } else if (byte === cr) counts.cr++
    else if (byte === lf) counts.lf++
    else if (byte === del || (byte < space && !printableControls.has(byte))) counts.other++
    else counts.printable++
    if (byte === 0) counts.nul++
  }
  // A trailing Ctrl-Z of old editors is ignored.
  if (content.at(-1) === end) counts.other--
  return counts
}

function isBinary({ cr, nul, printable, other }: Counts): boolean {
  return cr > 0 || nul > 0 || printable >> 7 < other
}

/**
 * Expands as git does when it streams a file: a dollar sign that begins no keyword is skipped together with the character that
 * shows it. Source: git's convert.c, ident_filter_fn, is_foreign_ident.
 */
function withIdentStreamed(text: string, hash: () => string): string {
  return text.replace(/\$(?:Id(?:\$|:[^\n$]*[\n$]?|[^:$])|I[^d]|[^I])/g, found => {
    const isKeyword = found.startsWith('$Id') && found.endsWith('$')
    const isForeign = found.startsWith('$Id: ') && /[ \t\r](?!\$)/.test(found.slice('$Id: '.length))
    return isKeyword && !isForeign ? `$Id: ${hash()} $` : found
  })
}

/** Expands as git does when it holds the whole file, because its line ends are guessed. Source: convert.c, ident_to_worktree. */
function withIdentWhole(text: string, hash: () => string): string {
  const parts: string[] = []
  let from = 0
  // The dollar sign that ends an expanded keyword never begins another; that of an unchanged keyword may.
  for (const { index } of text.matchAll(/\$(?=Id[$:])/g)) {
    if (index < from) continue
    const close = text.indexOf('$', index + 3)
    if (close < 0) break
    if (isForeign(text.slice(index + 3, close))) continue
    parts.push(text.slice(from, index), `$Id: ${hash()} $`)
    from = close + 1
  }
  return parts.join('') + text.slice(from)
}

/** Returns true if the text between `$Id` and the next dollar sign belongs to another system. */
function isForeign(inner: string): boolean {
  const blank = inner.indexOf(' ', 2)
  return inner.includes('\n') || (blank >= 0 && blank < inner.length - 1)
}
