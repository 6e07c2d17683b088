/** A request for a page, and what a page is before its shell stands around it. */

import type { Access } from '../http/access.ts'
import type { Answer } from '../http/answer.ts'
import type { Client } from '../http/client.ts'
import type { Validators } from '../http/conditional.ts'
import type { PageRequest } from '../http/page-request.ts'
import type { Query } from '../http/params.ts'
import type { ServerOptions } from '../http/server-options.ts'
import type { Wiki } from '../operations/wiki.ts'
import type { Markup } from './markup.ts'
import type { Words } from './words/words.ts'

export interface WebRequest {
  /** As it is at one moment for a read; the wiki itself for a write. */
  readonly wiki: Wiki
  readonly event: PageRequest['event']
  /** `GET` also where only the headers are asked for. */
  readonly method: 'GET' | 'POST'
  /** Title in the path, decoded; for a special page the part after its name and a slash, "" if there is none. */
  readonly title: string
  readonly query: Query
  /** The query as it was sent. */
  readonly search: string
  readonly client: Client
  readonly access: Access
  readonly options: ServerOptions
  readonly words: Words
  /** Id of the request, as the log has it. */
  readonly id: string
  /** Records a fault of ours. */
  readonly onFault: (thrown: unknown) => void
}

/** A page before its shell. */
export interface View {
  /** 200 if omitted. */
  readonly status?: number
  /** Plain text. */
  readonly title: string
  /** Content of the first heading, where it is more than the title. */
  readonly heading?: Markup
  /** Name of the tab that is shown; null for a page that belongs to no title of the wiki. */
  readonly tab?: TabName
  /** Key of the page that the tabs are about; no tabs if omitted. */
  readonly key?: string
  readonly body: Markup
  /** Links above the text. */
  readonly above?: Markup | null
  /** Table of contents, in the column beside the text. */
  readonly contents?: Markup
  /** Categories, last edit: the parts below the text. */
  readonly footer?: Markup
  /** True for a page that needs all the width there is, such as a comparison. */
  readonly isWide?: boolean
  /** True for pages that search engines had better not list. */
  readonly unlisted?: boolean
  /** True for a page about the caller: it is kept nowhere. */
  readonly personal?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Names of script assets beside those that every page has. */
  readonly scripts?: readonly string[]
}

/** Tabs of a page of the wiki. */
export type TabName = 'read' | 'talk' | 'edit' | 'history' | 'other'

/** The result of a page's handler: a page, or an answer of another kind. */
export type WebReply = { readonly view: View } | { readonly answer: Answer; readonly validators?: Validators }

export type WebHandler = (request: WebRequest) => Promise<WebReply>

/** The handlers of an address. */
export interface WebRoute {
  readonly get: WebHandler
  /** Answers a form that is sent; absent if there is none. */
  readonly post?: WebHandler
  /** True if the page depends on the caller, or on chance: it is made again for everybody. */
  readonly personal?: boolean
}

/** Makes the reply that leads to another address. */
export function redirectReply(
  status: 301 | 302 | 303 | 307,
  location: string,
  headers: Record<string, string> = {},
): WebReply {
  return { answer: { status, headers: { location, ...headers }, body: '' } }
}
