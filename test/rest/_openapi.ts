/** Checks responses against the OpenAPI document of the API. */

import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import openApiResponseValidator, { type OpenAPIResponseValidatorArgs } from 'openapi-response-validator'

/** A response, as any client gets it. */
export interface CheckedAnswer {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly status: number
  readonly type: string | null
  readonly body: string
}

/** Description of a body in one media type. */
interface Media {
  readonly schema?: object
  readonly example?: unknown
  readonly examples?: object
}

interface Content {
  readonly content?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly operationId?: string
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Content>>
}

/** The part of the document that tests read. */
export interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** Returns what the document does not permit in a response; null if it permits everything. */
export type AnswerCheck = (answer: CheckedAnswer) => string | null

/**
 * Makes the check of a document. A 405, a 404 for an unknown route, and responses to OPTIONS belong to no operation: they only
 * need to be errors.
 */
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
  const error = compile({ $ref: '#/components/schemas/GenericErrorResponseModel' })
  return answer => {
    const response = responseOf(document, answer)
    if (response === null) return answer.status >= 400 ? faults(error, answer) : null
    if (response === undefined) return `status ${answer.status} is not described`
    if (answer.body === '' || answer.method === 'HEAD') return null
    const type = (answer.type ?? '').split(';')[0]!
    const media = response.content?.[type] ?? response.content?.['*/*']
    if (media === undefined) return `a body of type ${type} is not described`
    return media.schema === undefined ? null : (faults(compile(media.schema), answer) ?? foreignFault(document, answer))
  }
}

function faults(validate: ValidateFunction, answer: CheckedAnswer): string | null {
  if (answer.body === '' || validate(contentOf(answer))) return null
  return (validate.errors ?? []).map(fault => `${fault.instancePath} ${fault.message}`).join('; ')
}

function contentOf({ body, type }: CheckedAnswer): unknown {
  return /^application\/(?:json|[\w.-]+\+json)/.test(type ?? '') ? JSON.parse(body) : body
}

/** Names in a schema by the document's own address. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/'))
}

/** Some loaders give the class of a CommonJS module itself, others the module. */
function foreignValidator(): typeof openApiResponseValidator.default {
  const { default: inner = openApiResponseValidator } = openApiResponseValidator
  return inner as unknown as typeof openApiResponseValidator.default
}

const foreignValidators = new WeakMap<Operation, InstanceType<typeof openApiResponseValidator.default>>()

/**
 * Returns the faults that the validator of MediaWiki's own API tests (the base of chai-openapi-response-validator) finds in a
 * response; null if there are none. It reads schemas by its own rules.
 */
function foreignFault({ components, paths }: OpenApiDocument, answer: CheckedAnswer): string | null {
  const operation = operationOf(paths, answer)
  if (operation === undefined || answer.body === '' || answer.method === 'HEAD') return null
  const responses = Object.fromEntries(
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) => {
      const schema = Object.values(content)[0]?.schema
      return schema === undefined ? [] : [[status, { schema }]]
    }),
  )
  if (responses[String(answer.status)] === undefined) return null
  const Validator = foreignValidator()
  // Compiling the schemas takes longer than all responses of an operation.
  const validator =
    foreignValidators.get(operation) ?? new Validator({ responses, components } as OpenAPIResponseValidatorArgs)
  foreignValidators.set(operation, validator)
  const found = validator.validateResponse(String(answer.status), contentOf(answer))
  return found === undefined ? null : `${found.message} ${JSON.stringify(found.errors)}`
}

/**
 * The description of a response; null if the request belongs to no operation, undefined if the status is not described.
 */
function responseOf({ paths }: OpenApiDocument, answer: CheckedAnswer): Content | null | undefined {
  const operation = operationOf(paths, answer)
  if (operation === undefined) return null
  const { status } = answer
  return operation.responses[String(status)]
}

/** Finds the operation that a request is for. */
export function operationOf(
  paths: OpenApiDocument['paths'],
  { method, target }: Pick<CheckedAnswer, 'method' | 'target'>,
): Operation | undefined {
  const [path = ''] = target.replace(/^(?:\/w)?\/rest\.php/, '').split('?')
  const segments = path.split('/')
  const fits = (pattern: string) => {
    const parts = pattern.split('/')
    return parts.length === segments.length && parts.every((part, at) => part.startsWith('{') || part === segments[at])
  }
  const item = Object.entries(paths).find(([pattern]) => fits(pattern))?.[1]
  return item?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
}
