/**
 * Types of handlers. A handler passes the request's parameters to an operation, and the result and its validators to a
 * reply.
 */

import type { H3Event } from 'h3'
import { isWikiError, WikiError } from '../../core/errors.ts'
import type { Access, Writer } from '../../http/access.ts'
import type { Client } from '../../http/client.ts'
import type { Validators } from '../../http/conditional.ts'
import type { Query } from '../../http/params.ts'
import type { Wiki } from '../../operations/wiki.ts'

/** A request that has found its route. */
export interface RestRequest {
  readonly wiki: Wiki
  readonly event: H3Event
  /** Absolute URL of the API as the client addressed it, e.g. `http://127.0.0.1:8080/v1`. */
  readonly base: string
  /** The route's path as the table has it. */
  readonly route: string
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Query
  /** The query as it was sent. */
  readonly search: string
  readonly client: Client
  readonly access: Access
  /** Author of the edit; null on routes that only read. */
  readonly writer: Writer | null
  /** Largest body that is read. */
  readonly maximumBodyBytes: number
}

/** Result of a handler. */
export interface Reply {
  /** Sent as JSON; text, bytes and a `StreamBody` are sent as they are where `type` is given. */
  readonly body: unknown
  /** `Content-Type` of a body that is not sent as JSON. */
  readonly type?: string
  /** 200 if omitted. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** True if the response must never be cached, whatever the route says. */
  readonly uncached?: boolean
  /** True if the response is made for every request, because it has further effects. */
  readonly once?: boolean
  readonly validators?: Validators
}

export type Handler = (request: RestRequest) => Promise<Reply>

/** Makes a handler report an impossible title like a missing page, as MediaWiki does on these routes. */
export function missingWhereInvalid(handler: Handler): Handler {
  return async request => {
    try {
      return await handler(request)
    } catch (error) {
      if (!isWikiError(error, 'rest-invalid-title')) throw error
      throw new WikiError('rest-nonexistent-title', { params: [request.path.title ?? ''], cause: error })
    }
  }
}
