/**
 * Types of handlers. A handler passes the request's parameters to an operation, and the result and its validators to a
 * reply.
 */

import type { H3Event } from 'h3'
import type { Access, Writer } from '../../http/access.ts'
import type { Client } from '../../http/client.ts'
import type { Query } from '../../http/params.ts'
import type { Lasting } from '../../http/read.ts'
import { asMissing } from '../../operations/resources/find-page.ts'
import type { Wiki } from '../../operations/wiki.ts'

/** A request with its route. */
export interface RestRequest {
  readonly wiki: Wiki
  readonly event: H3Event
  /** Absolute URL of the API as the client addressed it, e.g. `http://127.0.0.1:8080/v1`. */
  readonly base: string
  /** The route's path in the table. */
  readonly route: string
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Query
  /** The query string as received. */
  readonly search: string
  readonly client: Client
  readonly access: Access
  /** Author of the edit; null for routes that only read. */
  readonly writer: Writer | null
  /** Maximum size of the body, in bytes. */
  readonly maxBodyBytes: number
}

/** Result of a handler. */
export interface Reply {
  /** Sent as JSON, or unchanged as text, bytes or a `StreamBody` if `type` is given. */
  readonly body: unknown
  /** `Content-Type` of a body that is not JSON. */
  readonly type?: string
  /** 200 if omitted. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Until the wiki changes if omitted, or a minute on routes that show the time. */
  readonly lasts?: Lasting
  /** Beginning of its tag, see `tagOf`; of a stream, the tag. That of its bytes if omitted. */
  readonly tag?: string | undefined
  /** Time of the last edit that it shows, ISO 8601; without one it is dated by the time since which the server knows it. */
  readonly edited?: string | undefined
}

export type Handler = (request: RestRequest) => Promise<Reply>

/** Makes a handler report an invalid title as a missing page, as MediaWiki does on these routes. */
export function missingWhereInvalid(handler: Handler): Handler {
  return request => asMissing(request.path.title ?? '', () => handler(request))
}
