/** Holds answers against the OpenAPI document of the API. */

import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** An answer, as any client has it. */
export interface CheckedAnswer {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly status: number
  readonly type: string | null
  readonly body: string
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

interface Operation {
  readonly responses: Readonly<Record<string, Content>>
}

interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** Tells what the document does not allow of an answer; null if it allows all of it. */
export type AnswerCheck = (answer: CheckedAnswer) => string | null

/** Makes the check of a document. Answers of 405, 404 for no route, and to OPTIONS are no operation's: errors are enough. */
export function answerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'api', components: document.components })
  const compiled = new Map<object, ValidateFunction>()
  const compile = (schema: object) => {
    const known = compiled.get(schema) ?? ajv.compile(absolute(schema))
    compiled.set(schema, known)
    return known
  }
  const error = compile({ $ref: '#/components/schemas/Error' })
  return answer => {
    const response = responseOf(document, answer)
    if (response === null) return answer.status >= 400 ? faults(error, answer) : null
    if (response === undefined) return `status ${answer.status} is not described`
    if (answer.body === '' || answer.method === 'HEAD') return null
    const type = (answer.type ?? '').split(';')[0]!
    const media = response.content?.[type] ?? response.content?.['*/*']
    if (media === undefined) return `a body of type ${type} is not described`
    return media.schema === undefined ? null : faults(compile(media.schema), answer)
  }
}

function faults(validate: ValidateFunction, { body }: CheckedAnswer): string | null {
  if (body === '' || validate(JSON.parse(body))) return null
  return (validate.errors ?? []).map(fault => `${fault.instancePath} ${fault.message}`).join('; ')
}

/** Names in a schema by the document's own address. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))
}

/** The description of an answer; null if the request is no operation's, undefined if the status is not described. */
function responseOf({ paths }: OpenApiDocument, { method, target, status }: CheckedAnswer): Content | null | undefined {
  const [path = ''] = target.replace(/^(?:\/w)?\/rest\.php/, '').split('?')
  const segments = path.split('/')
  const fits = (pattern: string) => {
    const parts = pattern.split('/')
    return parts.length === segments.length && parts.every((part, at) => part.startsWith('{') || part === segments[at])
  }
  const item = Object.entries(paths).find(([pattern]) => fits(pattern))?.[1]
  const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (operation === undefined) return null
  return operation.responses[String(status)] ?? (status >= 400 ? operation.responses.default : undefined)
}
