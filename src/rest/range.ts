/** Byte ranges of a body, as media players request them. Source: RFC 9110 section 14. */

/** Bytes from `start` up to, but not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Returns the requested range of a body with this many bytes; `outside` if it starts after the end. Null means the
 * whole body, also for unsupported ranges (several at once, other units, a condition that does not hold).
 */
export function readRange(
  { method, headers }: { readonly method: string; readonly headers: Headers },
  length: number,
  etag: string,
): ByteRange | 'outside' | null {
  if (method !== 'GET') return null
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(headers.get('range') ?? '') ?? []
  if (first === '' && last === '') return null
  if (!isUnchanged(headers.get('if-range'), etag)) return null
  if (first === '') return suffix(Number(last), length)
  if (last !== '' && Number(last) < Number(first)) return null
  if (Number(first) >= length) return 'outside'
  return { start: Number(first), end: last === '' ? length : Math.min(Number(last) + 1, length) }
}

function suffix(wanted: number, length: number): ByteRange | 'outside' {
  return wanted === 0 || length === 0 ? 'outside' : { start: Math.max(0, length - wanted), end: length }
}

/** A range is only useful together with the rest of the same bytes, which a date does not tell. */
function isUnchanged(condition: string | null, etag: string): boolean {
  return condition === null || condition === etag
}

/** Yields the chunks of a stream within a range, and stops reading at its end. */
export async function* partOf(content: AsyncIterable<Buffer>, { start, end }: ByteRange): AsyncIterable<Uint8Array> {
  let at = 0
  for await (const piece of content) {
    const next = at + piece.length
    if (next > start) yield piece.subarray(Math.max(0, start - at), end - at)
    if (next >= end) return
    at = next
  }
}
