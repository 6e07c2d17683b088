/** A request for a page, and a page without its shell. */

import type { Access } from '../http/access.ts'
import type { Client } from '../http/client.ts'
import type { PageRequest } from '../http/page-request.ts'
import type { Query } from '../http/params.ts'
import type { PlainResponse } from '../http/response.ts'
import type { ServerOptions } from '../http/server-options.ts'
import type { Wiki } from '../operations/wiki.ts'
import type { Markup } from './markup.ts'
import type { Words } from './words/words.ts'

export interface WebRequest {
  /** A snapshot for a read; the wiki itself for a write. */
  readonly wiki: Wiki
  readonly event: PageRequest['event']
  /** Also `GET` for a HEAD request. */
  readonly method: 'GET' | 'POST'
  /** Decoded title in the path. For a special page, the part after its name and a slash, "" if there is none. */
  readonly title: string
  readonly query: Query
  /** The query string as received. */
  readonly search: string
  readonly client: Client
  readonly access: Access
  /** Returns true if the caller is an owner; always false for a page that is kept for all readers. */
  readonly isOwner: () => boolean
  readonly options: ServerOptions
  readonly words: Words
  /** Id of the request in the log. */
  readonly id: string
  /** Records an internal error. */
  readonly onFault: (thrown: unknown) => void
  /** Records that a part ran out of time, so that the next request may get more and nobody keeps this response. */
  readonly onIncomplete: () => void
}

/** A link to a feed. */
export interface FeedLink {
  readonly address: string
  /** Plain text. */
  readonly title: string
}

/** A page without its shell. */
export interface View {
  /** 200 if omitted. */
  readonly status?: number
  /** Plain text. */
  readonly title: string
  /** Content of the first heading, if it differs from the title. */
  readonly heading?: Markup
  /** The selected tab; null for a page that belongs to no title of the wiki. */
  readonly tab?: TabName
  /** Key of the page that the tabs refer to; no tabs if omitted. */
  readonly key?: string
  readonly body: Markup
  /** Links above the text. */
  readonly above?: Markup | null
  /** Table of contents, shown in the column beside the text. */
  readonly contents?: Markup
  /** Parts below the text: categories, last edit. */
  readonly footer?: Markup
  /** True for a page that needs the full width, such as a comparison. */
  readonly isWide?: boolean
  /** The feed of the page's own list. Pages of the wiki have the one of their history, and every page has that of recent changes. */
  readonly feed?: FeedLink
  /** True for pages that search engines should not index. */
  readonly unlisted?: boolean
  /** True for a page about the caller, which must not be cached. */
  readonly personal?: boolean
  /**
   * True for a form that a user writes in. The user's own browser keeps it, so that going back shows the text with the revision that it
   * is based on: a form requested again has the latest revision, and the text in it would revert the edits between.
   */
  readonly isWritten?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Names of additional script assets. */
  readonly scripts?: readonly string[]
}

/** Tabs of a wiki page. */
export type TabName = 'read' | 'talk' | 'edit' | 'history' | 'other'

/** Result of a page's handler: a page, or another response. */
export type WebReply = { readonly view: View } | { readonly response: PlainResponse; readonly tag?: string }

export type WebHandler = (request: WebRequest) => Promise<WebReply>

/** The handlers of a URL. */
export interface WebRoute {
  readonly get: WebHandler
  /** Handles a submitted form; absent if the page has no form. */
  readonly post?: WebHandler
  /** True if the page depends on the caller or on chance, and so is generated for every request. */
  readonly personal?: boolean
}

/** Makes a reply that redirects to a URL. */
export function redirectReply(
  status: 301 | 302 | 303 | 307,
  location: string,
  headers: Record<string, string> = {},
): WebReply {
  return { response: { status, headers: { location, ...headers }, body: '' } }
}
