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
      ...(contact !== '' && { contact: contactObject(contact) }),
    },
    servers: [{ url: root }],
    paths: pathItems(tables, root),
    components: {
      schemas,
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

function operation({ about, path, writes }: Route): object {
  const { name, summary, tag, parameters = {}, body } = about
  return {
    operationId: name,
    summary,
    tags: [tag],
    security: writes ? [{ bearer: [] }, { session: [] }, {}] : [{}, { bearer: [] }, { session: [] }],
    parameters: Object.entries(parameters).map(([name, parameter]) =>
      parameterObject(name, parameter, plainPath(path)),
    ),
    ...(body && { requestBody: requestBody(body, about) }),
    ...(about.takesBytes && { requestBody: { required: true, content: { '*/*': {} } } }),
    responses: responses(about),
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

/** Errors that any request may meet before routing. */
const hostErrors = ['wiki-bad-host', 'wiki-host-not-allowed'] as const

function responses({ name, responses, errors = [], isDated }: RouteDescription): object {
  const dated = isDated && {
    304: { description: 'The client has the current version' },
    412: { description: 'A condition of the request does not hold' },
  }
  const given = Object.entries(responses).map(([status, response]) => [
    status,
    responseObject(response, examples.responses[name]?.[status] ?? {}),
  ])
  const content = { 'application/json': { schema: named('GenericErrorResponseModel') } }
  const other = { default: { description: 'Any other error', content } }
  return { ...errorResponses([...hostErrors, ...errors]), ...dated, ...Object.fromEntries(given), ...other }
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
function errorResponses(keys: readonly ErrorKey[]): Record<string, object> {
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
          content: { 'application/json': { schema: named('GenericErrorResponseModel'), ...errorExamples(same) } },
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
