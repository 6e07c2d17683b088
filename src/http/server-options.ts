/** Options of a server, shared by the API and the pages for browsers. */

import type { AccessRules } from './access.ts'
import type { HostRules } from './hosts.ts'

export interface ServerOptions extends HostRules, AccessRules {
  /** Trusted proxies: addresses and CIDR blocks such as `10.0.0.0/8`. */
  readonly trustProxy?: readonly string[]
  /** True if every client uses https. */
  readonly https?: boolean
  /** False if pages of other origins may not even read; true if omitted. */
  readonly crossOrigin?: boolean
  /** Aborts when the server shuts down, to end open streams. */
  readonly closing?: AbortSignal
  /** Maximum size of a request body, in bytes; 4 MiB, or twice the largest source of a page, if omitted. */
  readonly maxBodyBytes?: number
  /**
   * Path below which clients see the server, such as `/kb`: the URLs of requests and of responses start with it. None if
   * omitted.
   */
  readonly prefix?: string
  /** Version of the program, for the version page. */
  readonly version?: string
}
