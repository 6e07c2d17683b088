/** Shared by the API and the pages for browsers: the options of a server, and an incoming request. */

import type { H3Event } from 'h3'
import type { Wiki } from '../operations/wiki.ts'
import type { Access, AccessRules } from './access.ts'
import type { Answer } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { Trust } from './client.ts'
import type { HostRules } from './hosts.ts'
import type { Target } from './params.ts'

export interface DoorOptions extends HostRules, AccessRules {
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

/** A request for a page of the wiki that a browser shows. */
export interface PageIncoming {
  readonly event: H3Event
  readonly wiki: Wiki
  readonly target: Target
  readonly options: DoorOptions
  readonly trust: Trust
  readonly access: Access
  readonly cache: AnswerCache
  /** Id of the request, in its response and in the log. */
  readonly id: string
  /** Records a bug; the reader gets a page that says only that there was one. */
  readonly onFault: (thrown: unknown) => void
}

/** Answers requests for pages. It throws nothing: errors are pages too. */
export type PageDoor = (incoming: PageIncoming) => Promise<Answer>
