/** Generates the OpenAPI document from the routing table. Source: OpenAPI 3.1.1. */

import { type ErrorKey, errorTable } from '../../core/errors.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import { siteOf } from '../../operations/resources/routes.ts'
import type { Route, RouteTable } from '../route.ts'
import { contactObject } from './contact.ts'
import type { ParameterDescription, ResponseDescription, RouteDescription, Schema } from './describe.ts'
import { examples } from './examples.ts'
import { named, schemas } from './schemas.ts'

interface DocumentOptions {
  readonly config: WikiConfig
  /** Absolute URL that the API's paths, `/v1/...`, start with. */
  readonly root: string
  /** Name of the session cookie. */
  readonly cookie: string
}

/** Generates the document for a wiki. It describes the first mount of each table. */
export function openApiDocument(tables: readonly RouteTable[], { config, root, cookie }: DocumentOptions): object {
  const { name, license, contact } = config
  const isLicensed = license.title !== '' || license.url !== ''
  return {
    openapi: '3.1.0',
    info: {
      title: name === '' ? 'Wiki' : name,
      version: '1.0.0',
      ...(isLicensed && { license: { name: license.title || license.url, ...(license.url && { url: license.url }) } }),
      contact: contactObject(contact, root),
    },
    servers: [{ url: root }],
    paths: pathItems(tables, root),
    components: {
      schemas,
      parameters: conditionParameters,
      headers: responseHeaders,
      examples: Object.fromEntries(Object.entries(examples.errors).map(([key, value]) => [key, { value }])),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Begun with POST /v1/session' },
      },
    },
  }
}

function pathItems(tables: readonly RouteTable[], root: string): Record<string, object> {
  const items: Record<string, Record<string, unknown>> = {}
  const used = new Set<string>()
  for (const { mounts, routes } of tables) {
    const mount = mounts.includes('/rest.php') ? '' : (mounts[0] ?? '')
    // Files and browser pages are served beside the API, at the server's root.
    const servers = mount === '' || mount === '/v1' ? {} : { servers: [{ url: siteOf(`${root}/v1`) }] }
    for (const route of routes) {
      const path = `${mount}${plainPath(route.path)}`
      // A route with two paths is one operation.
      if (path === '' || route.about.isUndocumented || used.has(route.about.name)) continue
      used.add(route.about.name)
      items[path] ??= { ...servers }
      items[path][route.method.toLowerCase()] = operation(route)
    }
  }
  return items
}

/** OpenAPI cannot describe a parameter of several segments. */
function plainPath(path: string): string {
  return path.replace('*}', '}')
}

function operation(route: Route): object {
  const { about, path, writes } = route
  const { name, summary, tag, parameters = {}, body } = about
  return {
    operationId: name,
    summary,
    tags: [tag],
    security: writes ? [{ bearer: [] }, { session: [] }, {}] : [{}, { bearer: [] }, { session: [] }],
    parameters: [
      ...Object.entries(parameters).map(([name, parameter]) => parameterObject(name, parameter, plainPath(path))),
      ...conditionsOf(route).map(name => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body && { requestBody: requestBody(body, about) }),
    ...(about.takesBytes && { requestBody: { required: true, content: { '*/*': {} } } }),
    responses: responses(route),
  }
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** All fields of a form are text. */
function requestBody(schema: Schema, { name, takesForms, isBodyOptional }: RouteDescription): object {
  const form = { type: 'object', additionalProperties: { type: 'string' } }
  const forms = takesForms ? formTypes.map(type => [type, { schema: form }]) : []
  const json = { schema, ...exampleOf(examples.requests, name) }
  const content = { 'application/json': json, ...Object.fromEntries(forms) }
  return { required: isBodyOptional !== true, content }
}

function parameterObject(
  name: string,
  { description, schema, isRequired, isHeader }: ParameterDescription,
  path: string,
): object {
  const isInPath = path.includes(`{${name}}`)
  return {
    name,
    in: isInPath ? 'path' : isHeader ? 'header' : 'query',
    required: isInPath || isRequired === true,
    description,
    schema,
  }
}

/** Errors of a query, and of a body, whatever they contain. */
function readingErrors({ path, about }: Route): readonly ErrorKey[] {
  const { parameters = {}, body, takesBytes }: RouteDescription = about
  const hasQuery = Object.entries(parameters).some(([name, { isHeader }]) => !isHeader && !path.includes(`{${name}`))
  return [
    ...(hasQuery ? (['wiki-unknown-parameters'] as const) : []),
    ...(body !== undefined || takesBytes ? (['wiki-unsupported-coding'] as const) : []),
  ]
}

/** Conditions of requests. Source: RFC 9110 13.1. */
const conditions = {
  'If-Match': 'Entity tags: 412 unless one of them is current',
  'If-Unmodified-Since': 'A date: 412, because a date identifies no state',
  'If-None-Match': 'Entity tags that the client has: 304 to a read, 412 to a write if one of them is current',
} as const

const conditionParameters = Object.fromEntries(
  Object.entries(conditions).map(([name, description]) => [
    name,
    { name, in: 'header', description, schema: { type: 'string' } },
  ]),
)

/** Returns the conditions that a route evaluates: a transform has none. */
function conditionsOf(route: Route): string[] {
  return isRead(route) || route.writes ? Object.keys(conditions) : []
}

/** Returns true if a response has validators. */
function isRead({ method, session }: Route): boolean {
  return method === 'GET' && !session
}

/** Headers of responses, by the statuses that have them. */
const responseHeaders = Object.fromEntries(
  Object.entries({
    ETag: 'Identifies the bytes of the response, in its content coding',
    'Last-Modified': 'Time since which the server has known the response to be so',
    'Cache-Control': 'Who may keep the response; nothing that can change is used without asking',
    Vary: 'Headers of the request that the response depends on',
    Location: 'Where the resource is',
    'Content-Range': 'The part of the bytes, and their number',
    'WWW-Authenticate': 'How to sign in',
    'Retry-After': 'Seconds after which the request may succeed',
  }).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
)

function headersOf(status: string, route: Route): object {
  const names = [
    ...(isRead(route) && (Number(status) < 400 || status === '416') ? ['ETag', 'Last-Modified'] : []),
    ...(route.method === 'GET' ? ['Cache-Control', 'Vary'] : []),
    ...(headersByStatus[status] ?? []),
  ]
  const references = names.map(name => [name, { $ref: `#/components/headers/${name}` }])
  return names.length === 0 ? {} : { headers: Object.fromEntries(references) }
}

const headersByStatus: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['201', '301', '302', '307', '308'].map(status => [status, ['Location']])),
  ...Object.fromEntries(['206', '416'].map(status => [status, ['Content-Range']])),
  ...Object.fromEntries(['401', '403'].map(status => [status, ['WWW-Authenticate']])),
  ...Object.fromEntries(['429', '503'].map(status => [status, ['Retry-After']])),
}

/** Errors that any request may meet before routing. */
const hostErrors = ['wiki-bad-host', 'wiki-host-not-allowed'] as const

function responses(route: Route): object {
  const { name, responses, errors = [], isPage = false } = route.about
  const stopped = conditionsOf(route).length > 0 && {
    ...(isRead(route) && { 304: { description: 'The client has the current version' } }),
    412: { description: 'A condition of the request does not hold' },
  }
  const given = Object.entries(responses).map(([status, response]) => [
    status,
    responseObject(response, examples.responses[name]?.[status] ?? {}),
  ])
  const content = { 'application/json': { schema: named('GenericErrorResponseModel') } }
  const all: Record<string, object> = {
    ...errorResponses([...hostErrors, ...errors, ...readingErrors(route)], isPage),
    ...stopped,
    ...Object.fromEntries(given),
    default: { description: 'Any other error', content },
  }
  return Object.fromEntries(
    Object.entries(all).map(([status, response]) => [status, { ...response, ...headersOf(status, route) }]),
  )
}

function responseObject(
  { description, content }: ResponseDescription,
  recorded: Readonly<Record<string, unknown>>,
): object {
  const types = Object.entries(content).map(([type, schema]) => [
    type,
    { ...(schema !== null && { schema }), ...exampleOf(recorded, type) },
  ])
  return types.length === 0 ? { description } : { description, content: Object.fromEntries(types) }
}

function exampleOf(recorded: Readonly<Record<string, unknown>>, name: string): object {
  return Object.hasOwn(recorded, name) ? { example: recorded[name] } : {}
}

/** Errors with one status are described together: by their messages, with their keys in `x-error-keys`. */
function errorResponses(keys: readonly ErrorKey[], isPage: boolean): Record<string, object> {
  const statuses = [...new Set(keys.map(key => errorTable[key].status))]
  return Object.fromEntries(
    statuses.map(status => {
      const same = [...new Set(keys)].filter(key => errorTable[key].status === status)
      const description = same.map(key => errorTable[key].text.replace(/\$\d/g, '…')).join('; ')
      return [
        String(status),
        {
          description,
          'x-error-keys': same,
          content: {
            'application/json': { schema: named('GenericErrorResponseModel'), ...errorExamples(same) },
            ...(isPage && { 'text/html': { schema: { type: 'string' } } }),
          },
        },
      ]
    }),
  )
}

/** The recorded bodies of errors, by the keys that a response can have. */
function errorExamples(keys: readonly ErrorKey[]): object {
  const recorded = keys.filter(key => Object.hasOwn(examples.errors, key))
  const references = recorded.map(key => [key, { $ref: `#/components/examples/${key}` }])
  return recorded.length === 0 ? {} : { examples: Object.fromEntries(references) }
}
