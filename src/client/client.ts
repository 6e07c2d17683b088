/**
 * A client of the API for browsers, Node and other runtimes with Fetch. Routes, parameters, bodies and responses are
 * typed by the OpenAPI document (`routes.ts`).
 */

import type { Routes } from './routes.ts'

export type { Routes, Schemas } from './routes.ts'

/** A response of the API. */
export interface ApiResponse<Body> {
  readonly status: number
  readonly headers: Headers
  /** A JSON value, a text for other types, null if there is none. */
  readonly body: Body
}

/** Members that every kind of error has. */
export interface ErrorBody {
  /** MediaWiki's key, or one that starts with `wiki-`. */
  readonly errorKey?: string
  /** Message by language code. */
  readonly messageTranslations?: Readonly<Record<string, string>>
  readonly httpCode: number
  readonly httpReason: string
  readonly [more: string]: unknown
}

/** A response with a status of 400 or more. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly headers: Headers
  /** Key of the error; null if the response is not the API's. */
  readonly key: string | null
  /** Body of the error; null if the response is not the API's. */
  readonly body: ErrorBody | null

  constructor({ status, statusText, headers }: Response, body: ErrorBody | null) {
    super(Object.values(body?.messageTranslations ?? {})[0] ?? (statusText || String(status)))
    this.status = status
    this.headers = headers
    this.body = body
    this.key = body?.errorKey ?? null
  }
}

export interface ClientOptions {
  /** URL of the API, with its `/v1`. A URL without a host is relative to the current page in the browser. */
  readonly base: string
  /** Token of `wiki token create`. */
  readonly token?: string
  /** Headers of each request, such as `Api-User-Agent`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>
}

/** Values in the URL of a request. */
type Value = string | number | boolean | null | undefined

interface AnyRequest {
  readonly path?: Readonly<Record<string, Value>>
  readonly query?: Readonly<Record<string, Value>>
  readonly headers?: Readonly<Record<string, Value>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

type Method = keyof Routes
type RequestOf<M extends Method, R extends keyof Routes[M]> = Routes[M][R] extends { request: infer Request }
  ? Request & { readonly headers?: Readonly<Record<string, Value>>; readonly signal?: AbortSignal }
  : never
type ResponseOf<M extends Method, R extends keyof Routes[M]> = Routes[M][R] extends { response: infer Body }
  ? Body
  : never
/** The request may be omitted if nothing in it is required. */
type Arguments<Request> = Record<never, never> extends Request ? [request?: Request] : [request: Request]

/** Sends a request with one method. Errors: `ApiError`; those of Fetch if there is no response. */
export type Call<M extends Method> = <R extends keyof Routes[M]>(
  route: R,
  ...request: Arguments<RequestOf<M, R>>
) => Promise<ApiResponse<ResponseOf<M, R>>>

export interface Client {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly delete: Call<'delete'>
}

/** Creates a client. It sends nothing yet. */
export function createClient({ base, token, headers = {}, fetch: send }: ClientOptions): Client {
  const root = base.replace(/\/+$/, '')
  const call =
    (method: Method) =>
    async (route: string, asked: AnyRequest = {}) => {
      const { body, signal } = asked
      const isRaw = body === undefined || typeof body === 'string' || isBytes(body)
      const all = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(!isRaw && { 'content-type': 'application/json' }),
        ...headers,
        ...present(asked.headers),
      }
      // Read at each call, because a page may replace it.
      const response = await (send ?? fetch)(root + addressOf(route, asked), {
        method: method.toUpperCase(),
        headers: all,
        ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
        ...(signal && { signal }),
      })
      const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '')
      const text = await response.text()
      const given: unknown = text === '' ? null : isJson ? JSON.parse(text) : text
      if (response.status >= 400) throw new ApiError(response, isJson ? (given as ErrorBody) : null)
      return { status: response.status, headers: response.headers, body: given }
    }
  return { get: call('get'), post: call('post'), put: call('put'), delete: call('delete') } as Client
}

/** Fills the route's parameters, each percent-encoded as one segment, and adds the query. */
function addressOf(route: string, { path = {}, query }: AnyRequest): string {
  const filled = route
    .replace(/^\/v1/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(`${path[name]}`))
  const parameters = new URLSearchParams(present(query)).toString()
  return parameters === '' ? filled : `${filled}?${parameters}`
}

function present(values: Readonly<Record<string, Value>> = {}): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** Bytes and streams are sent unchanged. */
function isBytes(body: unknown): boolean {
  return (
    ArrayBuffer.isView(body) || body instanceof ArrayBuffer || body instanceof Blob || body instanceof ReadableStream
  )
}
