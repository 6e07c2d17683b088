/** Log entries about requests and internal errors. The caller formats and writes them. */

/** Header of an incomplete search response: the number of pages that are not indexed yet. */
export const missingHeader = 'wiki-missing-pages'

export interface AccessEntry {
  readonly event: 'request'
  /** ISO 8601. */
  readonly time: string
  /** As in the response's `X-Request-Id`. */
  readonly id: string
  /** IP address of the client. */
  readonly peer: string
  readonly method: string
  /** As on the request line; its first 2,000 characters. */
  readonly target: string
  /** 499 if the connection ended before the request had arrived, so that nobody has got a response. */
  readonly status: number
  /** Bytes of the response's body, or of the one that GET would return. */
  readonly bytes: number
  /** From the request's last header to the response's first byte. */
  readonly milliseconds: number
  /** `User-Agent`, or "". */
  readonly agent: string
  /** Number of pages that a search omitted because they are not indexed yet. */
  readonly missing?: number
}

/** An internal error: a response with status 500. Other statuses are not logged as errors. */
export interface ErrorEntry {
  readonly event: 'error'
  readonly time: string
  readonly id: string
  /** The error with its stack and causes, as text. */
  readonly error: string
}

export type LogEntry = AccessEntry | ErrorEntry

export type Log = (entry: LogEntry) => void
