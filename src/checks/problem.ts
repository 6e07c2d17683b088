/** Problems that checks find in a wiki, each with its place. */

/** From the least to the worst. */
export const severities = ['note', 'warning', 'error'] as const

export type Severity = (typeof severities)[number]

/** A range of a text. Lines and columns count from 1, the end is exclusive. */
export interface Place {
  readonly line: number
  /** In UTF-16 units, as editors and SARIF count. */
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** The columns in bytes of UTF-8, as rdjson counts. */
  readonly byteColumn: number
  readonly endByteColumn: number
  /** The first line, without its end. */
  readonly source: string
}

/** A mechanical mending: what replaces a range of the text. Offsets are UTF-16 units. */
export interface Fix {
  readonly start: number
  readonly end: number
  /** The range's text: where another one stands by now, nothing is mended. */
  readonly was: string
  readonly text: string
  readonly place: Place
}

export interface Problem {
  /** Name of the rule, such as `missing-end-tag`. */
  readonly kind: string
  readonly severity: Severity
  /** Path of the file, from the top of the repository. */
  readonly path: string
  /** Title of the page, reading form; null if a file has none. */
  readonly title: string | null
  /** One sentence for people. */
  readonly message: string
  /** Advice; "" if the message gives it. */
  readonly hint: string
  /** Null for a problem of the whole file. */
  readonly place: Place | null
  /** The faulty text as written: a problem that moves to another line stays the same. */
  readonly text: string
  readonly fix?: Fix
}

/** Returns true if one severity is at least another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least)
}
