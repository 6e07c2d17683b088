/** The document and the server agree: query parameters, their values, conditions, statuses, headers and media types of every route. */

import type { H3 } from 'h3'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Query } from '../../src/http/params.ts'
import { createApp } from '../../src/rest/app.ts'
import { findMatch } from '../../src/rest/dispatch.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { answerCheck, type OpenApiDocument } from './_openapi.ts'
import { examples, exampleWiki } from './_route-examples.ts'

/** Names of query parameters that handlers read. */
const asked = vi.hoisted(() => new Set<string>())

vi.mock('../../src/http/params.ts', async importOriginal => {
  const original = await importOriginal<typeof import('../../src/http/params.ts')>()
  const readQuery = (search: string): Query => {
    const query = original.readQuery(search)
    return name => {
      asked.add(name)
      return query(name)
    }
  }
  return { ...original, readQuery }
})

// A decoder is a process, which starts slowly if many run.
vi.setConfig({ testTimeout: 60_000 })

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] }
}

interface Described {
  readonly operationId: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: object }>
  >
}

let app: H3
let document: OpenApiDocument & { readonly components: { readonly parameters: Readonly<Record<string, Parameter>> } }

beforeAll(async () => {
  app = createApp(await exampleWiki(), { allowAnonymous: true })
  document = JSON.parse(await (await app.request('http://localhost/openapi.json')).text())
})

const send = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  app.request(`http://localhost${path}`, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

/** The operation of a route, by its name in the routing table. */
function describedBy(method: string, path: string): Described | undefined {
  const route = findMatch(path.split('?')[0]!)?.pattern.methods.get(method as 'GET')
  const operations = Object.values(document.paths).flatMap(item => Object.values(item)) as unknown as Described[]
  return operations.find(({ operationId }) => operationId === route?.about.name)
}

const parametersOf = ({ parameters }: Described): Parameter[] =>
  parameters.map(one =>
    '$ref' in one ? document.components.parameters[one.$ref.slice('#/components/parameters/'.length)]! : one,
  )

/** Routes with requests, without those that no document describes. */
const routes = Object.entries(examples).map(([route, requests]) => [route.split(' ', 1)[0]!, requests] as const)

/** A request with a value for a parameter. */
const withValue = (path: string, name: string, value: string) => {
  const [start = '', query = ''] = path.split('?')
  const values = new URLSearchParams(query)
  values.set(name, value)
  return `${start}?${values}`
}

test('every query parameter is read, and every one that is read is described', async () => {
  for (const [method, requests] of routes) {
    for (const [path, body] of requests) {
      const operation = describedBy(method, path)
      if (operation === undefined || operation.operationId === 'leadToPage') continue
      const named = parametersOf(operation).flatMap(one => (one.in === 'query' ? [one.name] : []))
      asked.clear()
      const response = await send(method, path, body)
      const repeated = repeatedOnly[operation.operationId] ?? []
      const undescribed = [...asked].filter(name => !named.includes(name) && !repeated.includes(name))
      expect([method, path, undescribed]).toEqual([method, path, []])
      // An error may come before a parameter is read.
      const unread = named.filter(name => !asked.has(name) && readLater[operation.operationId] !== name)
      if (response.status === 200) expect([method, path, unread]).toEqual([method, path, []])
    }
  }
})

/** Parameters of related lists, which the address of the next part would repeat. */
const repeatedOnly: Readonly<Record<string, readonly string[]>> = {
  listLinksHere: ['namespace'],
  listLinks: ['namespace'],
  listCategoryMembers: ['kind', 'namespace'],
  listPagesByLinks: ['kind'],
  listFiles: ['namespace', 'redirects'],
}

/** Parameters that a response of the example's kind does not read. */
const readLater: Readonly<Record<string, string>> = { readActionFeed: 'user' }

test('values that the document excludes are refused, and those that it lists are not', async () => {
  for (const [method, requests] of routes) {
    const [path, body] = requests[0] ?? ['']
    const operation = describedBy(method, path)
    if (operation === undefined) continue
    for (const { name, in: place, schema } of parametersOf(operation)) {
      if (place !== 'query') continue
      const isFree = schema.enum === undefined && schema.type === 'string'
      const refused = isFree ? [] : ['AAA', '1.5', ' ']
      for (const value of refused) {
        const { status } = await send(method, withValue(path, name, value), body)
        // An unknown action is an address of nothing.
        expect([method, path, name, value, status]).toEqual([method, path, name, value, name === 'action' ? 404 : 400])
      }
      for (const value of schema.enum ?? []) {
        const response = await send(method, withValue(path, name, value), body)
        const error = response.status === 400 ? ((await response.json()) as { name?: string; errorKey?: string }) : {}
        expect([method, path, name, value, error.name === name && error.errorKey]).toEqual([
          method,
          path,
          name,
          value,
          false,
        ])
      }
    }
  }
})

test('conditions are described where they are evaluated', async () => {
  const conditions = ['If-Match', 'If-None-Match', 'If-Unmodified-Since']
  const old = 'Mon, 01 Jan 2001 00:00:00 GMT'
  for (const [method, requests] of routes) {
    const [path, body] = requests[0] ?? ['']
    const operation = describedBy(method, path)
    if (operation === undefined || operation.operationId === 'leadToPage') continue
    const described = parametersOf(operation).flatMap(one => (conditions.includes(one.name) ? [one.name] : []))
    for (const [name, value] of [
      ['If-Match', '"x"'],
      ['If-Unmodified-Since', old],
    ] as const) {
      const { status } = await send(method, path, body, { [name]: value })
      if (status === 412) expect([method, path, described]).toEqual([method, path, expect.arrayContaining([name])])
      if (status === 412) expect(operation.responses).toHaveProperty('412')
    }
    const isRead = method === 'GET' && path !== '/v1/session'
    if (isRead) expect([path, described.length, '304' in operation.responses]).toEqual([path, 3, true])
  }
})

test('every status, media type and header of a response is described', async () => {
  const check = answerCheck(document)
  const headers = ['etag', 'last-modified', 'location', 'content-range', 'www-authenticate', 'retry-after']
  for (const [method, requests] of routes) {
    for (const [path, body] of requests) {
      const operation = describedBy(method, path)
      if (operation === undefined) continue
      for (const condition of [{}, { 'if-none-match': '*' }, { 'if-match': '"x"' }, { range: 'bytes=999999-' }]) {
        const response = await send(method, path, body, condition as Record<string, string>)
        const { status } = response
        const type = response.headers.get('content-type')
        const answer = { method, target: path, status, type, body: await response.text() }
        expect([method, path, condition, check(answer)]).toEqual([method, path, condition, null])
        const named = Object.keys(operation.responses[String(status)]?.headers ?? {}).map(name => name.toLowerCase())
        const sent = headers.filter(name => response.headers.has(name) && status !== 304 && status !== 412)
        expect([method, path, status, sent.filter(name => !named.includes(name))]).toEqual([method, path, status, []])
      }
    }
  }
})

test('a page for browsers is described, with its errors', async () => {
  const pages = createApp(await exampleWiki(), { pages: async () => handlePage })
  const operation = document.paths['/wiki/{title}']!.get as unknown as Described
  for (const title of ['X', 'x', 'Old', 'Missing', '%3Cb%3E', '%zz', 'Special:Nope']) {
    const response = await pages.request(`http://localhost/wiki/${title}`, { redirect: 'manual' })
    const type = response.headers.get('content-type')?.split(';')[0]
    const content = operation.responses[String(response.status)]?.content ?? {}
    const isDescribed = type === undefined || type in content
    expect([title, response.status, isDescribed]).toEqual([title, response.status, true])
  }
})
