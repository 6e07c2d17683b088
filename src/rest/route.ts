/** Types of the routing table. */

import type { PageObject } from '../core/page.ts'
import type { Scope } from '../core/scopes.ts'
import type { Wiki } from '../operations/wiki.ts'
import type { Handler } from './handlers/handler.ts'
import type { RouteDescription } from './openapi/describe.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  readonly method: Method
  /** Exact segments. `{name}` matches any one of them, also an empty one; `{name*}` also matches all that follow. */
  readonly path: string
  readonly handler: Handler
  /** Description for the OpenAPI document. */
  readonly about: RouteDescription
  /** `Cache-Control` of a response that is not that of every read. The values are MediaWiki's. */
  readonly cache?: string
  /** Beginning of the tag of the redirect to the canonical title, from the page's latest revision. */
  readonly tag?: (latest: PageObject['latest'], store: Wiki['store']) => string
  /** True if the response may show the time, as HTML does, so that it expires. */
  readonly ages?: true
  /** Scope of a write. A client without it is refused before the handler runs. */
  readonly writes?: Scope
  /**
   * True if the response is about the caller, so that it is never cached, and pages of other origins cannot read it.
   */
  readonly session?: true
}

/** Routes, and the mount points under which they are served. */
export interface RouteTable {
  /** Prefixes of paths. None is a prefix of another except "", which comes last. */
  readonly mounts: readonly string[]
  readonly routes: readonly Route[]
}
