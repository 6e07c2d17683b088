/** Types of route descriptions: data, kept beside the routing table. Source: OpenAPI 3.1. */

import type { ErrorKey } from '../../core/errors.ts'

/** A JSON schema of draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

export interface ParameterDescription {
  readonly description: string
  readonly schema: Schema
  /** Those in a path are always required. */
  readonly isRequired?: true
  /** Present for a field of the header. */
  readonly isHeader?: true
}

export interface AnswerDescription {
  readonly description: string
  /** Media type to the schema of its body; `null` where it is not JSON. Nothing where the answer has no body. */
  readonly content: Readonly<Record<string, Schema | null>>
}

export interface RouteDescription {
  /** True for a route that only says what is wrong with an address: it would stand for those that it is not. */
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
  /** By name; in the path where the path names them, else in the query. */
  readonly parameters?: Readonly<Record<string, ParameterDescription>>
  /** Of the JSON body. */
  readonly body?: Schema
  /** Present where the body may be missing. */
  readonly isBodyOptional?: true
  /** Present where the body is the bytes of a file. */
  readonly takesBytes?: true
  /** Present where the body may also be a form. */
  readonly takesForms?: true
  /** By status: what is no error. */
  readonly answers: Readonly<Record<number, AnswerDescription>>
  readonly errors?: readonly ErrorKey[]
  /** Present where the answer has validators, so that conditions can be met or not: 304 and 412. */
  readonly isDated?: true
}

/** Requests and answers that were recorded from the running app. */
export interface RecordedExamples {
  /** JSON bodies of requests that were answered, by the name of the operation. */
  readonly requests: Readonly<Record<string, unknown>>
  /** Bodies of answers by the name of the operation, the status and the media type: what JSON means, other text as it is. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  /** Bodies of errors by their keys. */
  readonly errors: Readonly<Record<string, unknown>>
}

/** Describes an answer in JSON. */
export function jsonAnswer(description: string, schema: Schema): AnswerDescription {
  return { description, content: { 'application/json': schema } }
}

/** Describes an answer in HTML. */
export function htmlAnswer(description: string): AnswerDescription {
  return { description, content: { 'text/html': { type: 'string' } } }
}

/** Describes an answer that is plain text. */
export function textAnswer(description: string): AnswerDescription {
  return { description, content: { 'text/plain': { type: 'string' } } }
}

/** Describes an answer without a body. */
export function emptyAnswer(description: string): AnswerDescription {
  return { description, content: {} }
}

/** Answers that lead to another address. */
export const redirects = {
  title: { 301: htmlAnswer('The page exists under another spelling of its title') },
  page: { 307: htmlAnswer('The page redirects to another one') },
} as const
