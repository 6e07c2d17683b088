/**
 * Writes `src/client/routes.ts`, the types of the API's routes, from the OpenAPI document.
 *
 *     node scripts/client-routes.mjs
 *
 * The document is generated from the routing table, so the client has the types of the responses.
 */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const methods = ['get', 'post', 'put', 'delete']
const mount = '/v1'

/** Returns the source of the types of a document. Routes beside the API, such as files, are left out. */
export function clientRoutes({ paths, components }) {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)}`)
  const routes = methods.map(method => {
    const own = Object.entries(paths).filter(([path, item]) => item[method] && path.startsWith(`${mount}/`))
    return `  ${method}: {\n${own.map(([path, item]) => routeOf(path.slice(mount.length), item[method])).join('\n')}\n  }`
  })
  return [
    '/** Types of the API: generated from its OpenAPI document by `node scripts/client-routes.mjs`, and not edited. */',
    `/** Objects of responses, by their names in the document. */\nexport interface Schemas {\n${schemas.join('\n')}\n}`,
    `/** Requests and responses by method and route. */\nexport interface Routes {\n${routes.join('\n')}\n}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

function routeOf(path, { summary, parameters, requestBody, responses }) {
  const at = place => parameters.filter(parameter => parameter.in === place)
  const body = requestBody && [`body${requestBody.required ? '' : '?'}: ${bodyOf(requestBody)}`]
  const members = [...partOf('path', at('path')), ...partOf('query', at('query')), ...(body ?? [])]
  const successful = Object.entries(responses).filter(([status]) => /^2/.test(status))
  const types = new Set(successful.flatMap(([, { content = {} }]) => bodyTypesOf(content)))
  return `    /** ${summary} */\n    ${name(path)}: { request: ${members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`}; response: ${[...types].join(' | ')} }`
}

function partOf(place, parameters) {
  if (parameters.length === 0) return []
  const isOptional = parameters.every(({ required }) => !required)
  const members = parameters.map(
    parameter => `${name(parameter.name)}${parameter.required ? '' : '?'}: ${queryValue(parameter)}`,
  )
  return [`${place}${isOptional ? '?' : ''}: { ${members.join('; ')} }`]
}

/** An optional parameter may also be undefined. */
function queryValue({ required, schema }) {
  return `${typeOf(schema)}${required ? '' : ' | undefined'}`
}

function bodyOf({ content }) {
  const json = content['application/json']
  return json ? typeOf(json.schema) : 'string | Uint8Array<ArrayBuffer> | Blob | ReadableStream'
}

function bodyTypesOf(content) {
  const all = Object.entries(content)
  if (all.length === 0) return ['null']
  return all.map(([type, { schema }]) => (type === 'application/json' && schema ? typeOf(schema) : 'string'))
}

function typeOf(schema) {
  if (schema.$ref) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return `readonly (${schema.items ? typeOf(schema.items) : 'unknown'})[]`
  if (schema.type === 'object') return objectOf(schema)
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
    'unknown'
  )
}

function objectOf({ properties = {}, required = [], additionalProperties }) {
  const members = Object.entries(properties).map(
    ([key, schema]) => `readonly ${name(key)}${required.includes(key) ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (members.length > 0) return `{ ${members.join('; ')} }`
  const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return `Readonly<Record<string, ${value}>>`
}

function name(text) {
  return /^[A-Za-z_$][\w$]*$/.test(text) ? text : JSON.stringify(text)
}

/** Makes the document of a wiki with default settings. */
async function loadDocument() {
  const { build } = await import('esbuild')
  const outfile = join(root, 'dist', 'client-routes.mjs')
  try {
    const contents = `
      import { openApiDocument } from './src/rest/openapi/document.ts'
      import { routeTables } from './src/rest/routes.ts'
      import { defaultConfig } from './src/core/config.ts'
      export const document = openApiDocument(routeTables, { config: defaultConfig(), root: 'http://localhost', cookie: 'session' })`
    const stdin = { contents, resolveDir: root, loader: 'ts' }
    await build({ stdin, outfile, bundle: true, packages: 'external', format: 'esm', platform: 'node' })
    return (await import(pathToFileURL(outfile).href)).document
  } finally {
    rmSync(outfile, { force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(root, 'src/client/routes.ts')
  writeFileSync(file, clientRoutes(await loadDocument()))
  const { execFileSync } = await import('node:child_process')
  execFileSync(process.execPath, [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', file])
}
