/** A problem that a check finds in a wiki, with its place. */

/** Severities, lowest first. */
export const severities = ['note', 'warning', 'error'] as const

export type Severity = (typeof severities)[number]

/** A range of a text. Lines and columns count from 1, and the end is exclusive. */
export interface Place {
  readonly line: number
  /** In UTF-16 units, as editors and SARIF count. */
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** In UTF-8 bytes, as rdjson counts. */
  readonly byteColumn: number
  readonly endByteColumn: number
  /** The first line of the range, without its line end. */
  readonly source: string
}

/** An automatic fix: a range of the text and its replacement. Offsets are UTF-16 units. */
export interface Fix {
  readonly start: number
  readonly end: number
  /** The text of the range. If it has changed since, the fix is not applied. */
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
  /** Bytes of the path, as Latin-1, if they are not UTF-8; `path` has U+FFFD for them. */
  readonly pathBytes?: string
  /** Title of the page, reading form; null if a file has none. */
  readonly title: string | null
  /** One sentence for the user. */
  readonly message: string
  /** Advice; "" if the message contains it. */
  readonly hint: string
  /** Null for a problem that concerns the whole file. */
  readonly place: Place | null
  /** The faulty text as written. It identifies a problem that moves to another line. */
  readonly text: string
  readonly fix?: Fix
}

/** Returns true if a severity is equal to or above another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least)
}
