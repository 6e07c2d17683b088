/** Types of route descriptions, which are data beside the routing table. Source: OpenAPI 3.1. */

import type { ErrorKey } from '../../core/errors.ts'

/** A JSON schema of draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

export interface ParameterDescription {
  readonly description: string
  readonly schema: Schema
  /** Parameters in the path are always required. */
  readonly isRequired?: true
  /** Present for a header field. */
  readonly isHeader?: true
}

export interface ResponseDescription {
  readonly description: string
  /** Schema of the body by media type; `null` if it is not JSON. Absent if the response has no body. */
  readonly content: Readonly<Record<string, Schema | null>>
}

export interface RouteDescription {
  /** True for a route that only reports invalid URLs, because its pattern would also match documented ones. */
  readonly isUndocumented?: true
  /** Name of the operation, unique. */
  readonly name: string
  readonly summary: string
  readonly tag:
    | 'Search'
    | 'Pages'
    | 'History'
    | 'Revisions'
    | 'Files'
    | 'Transforms'
    | 'Sessions'
    | 'Links'
    | 'Description'
  /** By name. A parameter in the path belongs to the path, any other to the query. */
  readonly parameters?: Readonly<Record<string, ParameterDescription>>
  /** Schema of the JSON body. */
  readonly body?: Schema
  /** Present if the body is optional. */
  readonly isBodyOptional?: true
  /** Present if the body is the bytes of a file. */
  readonly takesBytes?: true
  /** Present if the body may also be a form. */
  readonly takesForms?: true
  /** Successful responses, by status. */
  readonly responses: Readonly<Record<number, ResponseDescription>>
  readonly errors?: readonly ErrorKey[]
  /** Present if a server with pages for browsers responds with one, also to errors. */
  readonly isPage?: true
}

/** Requests and responses recorded from the running app. */
export interface RecordedExamples {
  /** JSON bodies of successful requests, by operation. */
  readonly requests: Readonly<Record<string, unknown>>
  /** Bodies of responses by operation, status and media type: JSON as its value, other text unchanged. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  /** Bodies of errors, by key. */
  readonly errors: Readonly<Record<string, unknown>>
}

/** Describes a JSON response. */
export function jsonResponse(description: string, schema: Schema): ResponseDescription {
  return { description, content: { 'application/json': schema } }
}

/** Describes an HTML response. */
export function htmlResponse(description: string): ResponseDescription {
  return { description, content: { 'text/html': { type: 'string' } } }
}

/** Describes a plain text response. */
export function textResponse(description: string): ResponseDescription {
  return { description, content: { 'text/plain': { type: 'string' } } }
}

/** Describes a response without a body. */
export function emptyResponse(description: string): ResponseDescription {
  return { description, content: {} }
}

/** Responses that redirect. */
export const redirects = {
  title: { 301: htmlResponse('The page exists under another spelling of its title') },
  page: { 307: htmlResponse('The page redirects to another one') },
} as const
