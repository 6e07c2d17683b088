/** Options of a server, shared by the API and the pages for browsers. */

import type { AccessRules } from './access.ts'
import type { HostRules } from './hosts.ts'

export interface ServerOptions extends HostRules, AccessRules {
  /** Trusted proxies: addresses, and blocks of them like `10.0.0.0/8`. */
  readonly trustProxy?: readonly string[]
  /** True if every client comes by https. */
  readonly https?: boolean
  /** False if pages of other origins may not even read; true if omitted. */
  readonly crossOrigin?: boolean
  /** Called when the server closes: endless responses end then. */
  readonly closing?: AbortSignal
  /** Largest body of a request, bytes; 4 MiB if omitted. */
  readonly maximumBodyBytes?: number
  /** Version of the program, for the page that tells it. */
  readonly version?: string
}
