/** A request for a browser page, and its handler. */

import type { H3Event } from 'h3'
import type { Wiki } from '../operations/wiki.ts'
import type { Access } from './access.ts'
import type { Trust } from './client.ts'
import type { Target } from './params.ts'
import type { PlainResponse } from './response.ts'
import type { ResponseCache } from './response-cache.ts'
import type { ServerOptions } from './server-options.ts'

/** A request for a page of the wiki from a browser. */
export interface PageRequest {
  readonly event: H3Event
  readonly wiki: Wiki
  readonly target: Target
  readonly options: ServerOptions
  readonly trust: Trust
  readonly access: Access
  readonly cache: ResponseCache
  /** Id of the request, in its response and in the log. */
  readonly id: string
  /** Records an internal error. The reader sees only that one occurred. */
  readonly onFault: (thrown: unknown) => void
}

/** Responds to requests for pages. It never throws: errors are pages too. */
export type PageHandler = (incoming: PageRequest) => Promise<PlainResponse>
