/** Names of files in quotation marks, as git and `diff -u` write those with special characters. */

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** Reads a name in quotation marks at the start of a text; null if there is none. Source: git's quote.c, `unquote_c_style`. */
export function unquoteName(text: string): { readonly name: string; readonly length: number } | null {
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
