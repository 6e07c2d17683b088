/**
 * Examples of the OpenAPI document: requests to the running app over a small wiki, and its responses. After a change of
 * responses `npx vitest run test/rest/examples.test.ts -u` updates them.
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WikiError } from '../../src/core/errors.ts'
import { createToken } from '../../src/operations/tokens.ts'
import { createApp } from '../../src/rest/app.ts'
import { errorResponse } from '../../src/rest/errors.ts'
import { ada } from '../operations/_wiki.ts'
import { type Asked, harbour, initOf, requests } from './_harbour.ts'
import { answerCheck, type OpenApiDocument, operationOf } from './_openapi.ts'

/** Errors that need a large wiki, a slow one or many clients, in the form in which the app would write them. */
const rare = [
  new WikiError('wiki-search-building', { params: [120] }),
  new WikiError('rest-pagehistorycount-too-many-revisions'),
  new WikiError('apierror-ratelimited'),
  new WikiError('wiki-work-limit', { params: ['comparison', 'it took longer than 10 seconds'] }),
  new WikiError('rest-resource-limit-exceeded', { params: ['history', 67_108_864] }),
  new WikiError('wiki-repository-busy', { params: ['merge'] }),
]

/** Responses without an example, and the reasons. */
const without: Readonly<Record<string, string>> = {
  'describe 200': 'the document would be its own example',
  'getContentSpecification 200': 'the document would be its own example',
  'getOpenApi 200': 'the document would be its own example',
  'readFileBytes 200': 'bytes',
  'readFileBytes 206': 'bytes',
  'readFileThumbnail 200': 'bytes',
  'readFileThumbnail 206': 'bytes',
  'enter 308': 'an address below those of MediaWiki has it, which the document does not name',
  'leadToPage 200': 'a page for browsers, which this app does not have',
  'leadToPage 400 text': 'a page for browsers',
  'leadToPage 403 text': 'a page for browsers',
  'leadToPage 404 text': 'a page for browsers',
}

interface Recorded extends Asked {
  readonly status: number
  readonly type: string
  readonly text: string
}

let document: OpenApiDocument
const recorded: Recorded[] = []

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T10:00:00Z') })
  const { wiki } = await harbour(tick)
  const { token } = await createToken(wiki, { name: ada.name, address: ada.address })
  const app = createApp(wiki, { allowedHosts: ['wiki.example.org'] })
  document = (await (await app.request('http://wiki.example.org/openapi.json')).json()) as OpenApiDocument
  for (const asked of requests) {
    tick()
    const response = await app.request(`http://wiki.example.org${asked.target}`, initOf(asked, token))
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!
    recorded.push({ ...asked, status: response.status, type, text: withoutSecrets(await response.text()) })
  }
})

afterAll(() => {
  vi.useRealTimers()
})

function tick(): void {
  vi.setSystemTime(Date.now() + 1000)
}

/** Secrets are random, so examples contain placeholders of the same form. */
function withoutSecrets(text: string): string {
  return text.replace(/("(?:csrf_?)?token":")[^"]+/gi, '$10123456789abcdef0123456789abcdef01234567')
}

function parsed({ type, text }: Recorded): unknown {
  return /json$/.test(type) ? JSON.parse(text) : text
}

/** The first of each kind. */
function kept() {
  const [requests, responses, errors]: Record<string, unknown>[] = [{}, {}, {}]
  for (const one of recorded) {
    const operation = operationOf(document.paths, one)
    const name = operation?.operationId
    if (one.status >= 400) {
      const { errorKey } = JSON.parse(one.text || '{}') as { errorKey?: string }
      if (errorKey !== undefined) errors![errorKey] ??= parsed(one)
      continue
    }
    if (name === undefined || one.text === '') continue
    if (one.body !== undefined && typeof one.body !== 'string') requests![name] ??= one.body
    const byStatus = (responses![name] ?? {}) as Record<string, Record<string, unknown>>
    const { [one.status]: byType = {} } = byStatus
    byType[one.type] ??= parsed(one)
    responses![name] = { ...byStatus, [one.status]: byType }
  }
  for (const error of rare) errors![error.code] ??= JSON.parse(String(errorResponse(error).body))
  return { requests: requests!, responses: responses!, errors: errors! }
}

test('the examples in the source match the responses of the app', async () => {
  const lines = Object.entries(kept()).map(([name, members]) => {
    const rows = Object.entries(members).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)},`)
    return `  ${name}: {\n${rows.join('\n')}\n  },`
  })
  const source = `/** Requests and responses of the running app: made by \`npx vitest run test/rest/examples.test.ts -u\`, and not edited. */

import type { RecordedExamples } from './describe.ts'

export const examples: RecordedExamples = {
${lines.join('\n')}
}
`
  await expect(source).toMatchFileSnapshot('../../src/rest/openapi/examples.ts')
})

test('every response with a body has an example, and each error its own', () => {
  const bare: string[] = []
  for (const operation of Object.values(document.paths).flatMap(item => Object.values(item))) {
    if (operation.operationId === undefined) continue
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      if (status === 'default') continue
      for (const [type, media] of Object.entries(content))
        if (media.example === undefined && media.examples === undefined)
          bare.push(`${operation.operationId} ${status}${type === '*/*' ? '' : ` ${type}`}`)
    }
  }
  expect(bare.filter(name => !Object.keys(without).some(known => name.startsWith(known)))).toEqual([])
})

test('every example is valid under its schema', { tags: 'long' }, () => {
  const check = answerCheck(document)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const one of recorded)
    expect([one.target, one.status, check({ ...one, body: one.text })]).toEqual([one.target, one.status, null])
  for (const operation of Object.values(document.paths).flatMap(item => Object.values(item))) {
    const json = operation.requestBody?.content['application/json']
    if (json?.example === undefined) continue
    const schema = { ...json.schema, components: document.components }
    expect([operation.operationId, ajv.validate(schema, json.example), ajv.errorsText()]).toEqual([
      operation.operationId,
      true,
      'No errors',
    ])
  }
})
