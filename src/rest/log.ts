/** Log entries about requests and internal errors. The caller formats and writes them. */

/** Header of an answer that is not whole: the number of pages that are not indexed yet. */
export const missingHeader = 'wiki-missing-pages'

export interface AccessEntry {
  readonly event: 'request'
  /** ISO 8601. */
  readonly time: string
  /** As in the answer's `X-Request-Id`. */
  readonly id: string
  /** IP address of the client. */
  readonly peer: string
  readonly method: string
  /** As on the request line. */
  readonly target: string
  readonly status: number
  /** Bytes of the answer's body, as a GET would get it. */
  readonly bytes: number
  /** From the request's last header to the answer's first. */
  readonly milliseconds: number
  /** `User-Agent`, or "". */
  readonly agent: string
  /** Pages that a search left out, because they are not indexed yet. */
  readonly missing?: number
}

/** A fault of ours: an answer with status 500. Refusals with other statuses are no faults. */
export interface ErrorEntry {
  readonly event: 'error'
  readonly time: string
  readonly id: string
  /** The error with its stack and causes, as text. */
  readonly error: string
}

export type LogEntry = AccessEntry | ErrorEntry

export type Log = (entry: LogEntry) => void
