import { describe, expect, test } from 'vitest'
import { type ErrorKey, errorTable, WikiError } from '../../src/core/errors.ts'
import { errorResponse } from '../../src/rest/errors.ts'
import { fakeApp } from './fake-wiki.ts'
import { jsonOf } from './json-response.ts'

const app = fakeApp()
const openApp = fakeApp({ allowAnonymous: true })

const failed = (name: string, value: unknown, failureCode: string, failureData: unknown = null) => ({
  error: 'parameter-validation-failed',
  name,
  value,
  failureCode,
  failureData,
})
const range = { min: 1, curmax: 100, max: 100, highmax: 100 }

describe('a bad parameter', () => {
  test.each<[path: string, data: object]>([
    ['/page/', failed('title', '', 'missingparam')],
    ['/page//bare', failed('title', '', 'missingparam')],
    ['/page//history', failed('title', '', 'missingparam')],
    ['/revision/', failed('id', '', 'badinteger')],
    ['/revision//bare', failed('id', '', 'badinteger')],
    ['/revision/1.5', failed('id', '1.5', 'badinteger')],
    ['/revision/%205', failed('id', ' 5', 'badinteger')],
    ['/revision/0x10', failed('id', '0x10', 'badinteger')],
    ['/revision/1e2/bare', failed('id', '1e2', 'badinteger')],
    ['/revision/99999999999999999999', failed('id', '99999999999999999999', 'badinteger')],
    ['/revision/1/compare/abc', failed('to', 'abc', 'badinteger')],
    ['/page/Missing/history?older_than=abc', failed('older_than', 'abc', 'badinteger')],
    ['/page/Main_Page/history?newer_than=', failed('newer_than', '', 'badinteger')],
    ['/page/Main_Page/history?older_than[]=5', failed('older_than', ['5'], 'badvalue')],
    ['/page/Main_Page/history?older_than%5Bx%5D=5', failed('older_than', ['5'], 'badvalue')],
    ['/page/Main_Page/history?filter=MINOR', failed('filter', 'MINOR', 'badvalue', [])],
    ['/page/Main_Page/history?filter=minor&filter=', failed('filter', '', 'badvalue', [])],
    ['/page/Main_Page/history/counts/', failed('type', '', 'badvalue', [])],
    ['/page/Main_Page/history/counts/nope', failed('type', 'nope', 'badvalue', [])],
    ['/page/Main_Page/history/counts/edits?from=x', failed('from', 'x', 'badinteger')],
    ['/search/page', failed('q', null, 'missingparam')],
    ['/search/title?q=', failed('q', '', 'missingparam')],
    ['/search/page?q[]=x', failed('q', ['x'], 'badvalue')],
    ['/search/page?q=x&limit=abc', failed('limit', 'abc', 'badinteger')],
    ['/search/title?q=x&limit=0', { ...failed('limit', '0', 'outofrange', range), ...range }],
    ['/page/%zz', failed('title', '%zz', 'badvalue')],
  ])('in %s is reported, in this order', async (path, data) => {
    const response = await app.request(`/v1${path}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { failureCode } = data as { failureCode: string }
    const rest = {
      errorKey: failureCode,
      messageTranslations: { en: 'TEXT' },
      httpCode: 400,
      httpReason: 'Bad Request',
    }
    const text = (await response.text()).replace(/"en":"(?:[^"\\]|\\.)+"/, '"en":"TEXT"')
    expect(text).toBe(JSON.stringify({ ...data, ...rest }))
  })
})

const field = (name: string, value: unknown, failureCode: string, failureData: unknown = null) => ({
  ...failed(name, value, failureCode, failureData),
  errorKey: 'rest-body-validation-error',
})
const schema = (property: string, constraint: string) => ({
  'schema-validation-error': expect.objectContaining({
    property,
    pointer: property && `/${property}`,
    message: expect.any(String),
    constraint,
    context: 1,
  }),
})
const json = 'application/json'

describe('a bad body', () => {
  const good = { source: 's', title: 't', comment: null }
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

  test.each<[name: string, type: string | null, body: string | object | null, status: number, answer: object]>([
    ['without a type', null, good, 415, { errorKey: 'rest-unsupported-content-type' }],
    ['of another type', 'text/plain', good, 415, { errorKey: 'rest-unsupported-content-type' }],
    ['of a form', 'application/x-www-form-urlencoded', 'a=b', 415, { errorKey: 'rest-unsupported-content-type' }],
    ['of a patch', 'application/merge-patch+json', good, 415, { errorKey: 'rest-unsupported-content-type' }],
    ['that is not there', json, null, 411, { errorKey: 'rest-request-body-expected' }],
    ['cut short', json, '{"source": "x",', 400, { errorKey: 'rest-json-body-parse-error' }],
    ['with more behind', json, '{"source":"x"} x', 400, { errorKey: 'rest-json-body-parse-error' }],
    ['with a byte order mark', json, '\uFEFF{}', 400, { errorKey: 'rest-json-body-parse-error' }],
    [
      'of too many levels',
      json,
      `${'['.repeat(513)}${']'.repeat(513)}`,
      400,
      { errorKey: 'rest-json-body-parse-error' },
    ],
    ['of many brackets in a text', json, `{"source":"\\"${'['.repeat(600)}"}`, 400, { name: 'title' }],
    ['of a number', json, '5', 400, { errorKey: 'rest-json-body-parse-error' }],
    ['of null', json, 'null', 400, { errorKey: 'rest-json-body-parse-error' }],
    ['of a deep list', json, nested(1_000_000), 400, { errorKey: 'rest-json-body-parse-error' }],
    ['of a long list', json, `[${'[],'.repeat(10_001)}[]]`, 400, { errorKey: 'rest-json-body-parse-error' }],
    [
      'of a text with many commas',
      json,
      `{"source":"${','.repeat(20_000)}"}`,
      400,
      field('title', null, 'missingparam'),
    ],
    ['of a list not too deep', json, nested(512), 400, field('source', null, 'missingparam')],
    ['of a list', json, [], 400, field('source', null, 'missingparam')],
    ['of nothing', json, {}, 400, field('source', null, 'missingparam')],
    ['without a source', json, { title: 't' }, 400, field('source', null, 'missingparam')],
    ['with null for the source', json, { ...good, source: null }, 400, field('source', null, 'missingparam')],
    ['without a title', json, { source: 's', comment: null }, 400, field('title', null, 'missingparam')],
    ['without a comment', json, { source: 's', title: 't' }, 400, field('comment', null, 'missingparam')],
    ['with a number', json, { ...good, source: 5 }, 400, field('source', '5', 'needstring')],
    ['with a truth', json, { ...good, title: true }, 400, field('title', '1', 'needstring')],
    ['with a list', json, { ...good, comment: ['a'] }, 400, field('comment', ['a'], 'badvalue')],
    ['with a numeric token', json, { ...good, token: 5 }, 400, field('token', '5', 'needstring')],
    ['with a numeric model', json, { ...good, content_model: 5 }, 400, field('content_model', '5', 'needstring')],
    ['with an inherited name', json, '{"__proto__":{"source":"s"}}', 400, field('source', null, 'missingparam')],
    ['with a field too deep to be named', json, `{"source":${nested(500)}}`, 400, field('source', [null], 'badvalue')],
    [
      'with a field that is misspelt',
      json,
      { source: 's', titel: 't', comment: null },
      400,
      {
        ...failed('titel', undefined, 'extraneous-body-fields', ['titel']),
        errorKey: 'rest-extraneous-body-fields',
        messageTranslations: { en: 'The request body has unknown fields: titel (did you mean title?)' },
      },
    ],
    [
      'with more fields',
      json,
      { ...good, foo: 1 },
      400,
      {
        ...failed('foo', undefined, 'extraneous-body-fields', ['foo']),
        errorKey: 'rest-extraneous-body-fields',
      },
    ],
  ])('%s is reported', async (_, type, body, status, answer) => {
    const text = body === null || typeof body === 'string' ? body : JSON.stringify(body)
    const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
    const request = new Request('http://localhost/v1/page', { method: 'POST', headers, body: Buffer.from(text ?? '') })
    const response = await openApp.request(request)
    expect(response.status).toBe(status)
    expect(await jsonOf(response)).toMatchObject(JSON.parse(JSON.stringify(answer)))
  })

  test.each<[name: string, latest: unknown, answer: object]>([
    ['a number', 5, field('latest', '5', 'notarray')],
    ['a text', 'x', field('latest', 'x', 'notarray')],
    ['an empty list', [], field('latest', '[]', 'schema-validation-failed', schema('id', 'required'))],
    ['an id of text', { id: '7' }, field('latest', '{"id":"7"}', 'schema-validation-failed', schema('id', 'type'))],
    ['half an id', { id: 1.5 }, field('latest', '{"id":1.5}', 'schema-validation-failed', schema('id', 'type'))],
    ['no id', { id: null }, field('latest', '{"id":null}', 'schema-validation-failed', schema('id', 'type'))],
    [
      'a numeric time',
      { id: 7, timestamp: 5 },
      field('latest', '{"id":7,"timestamp":5}', 'schema-validation-failed', schema('timestamp', 'type')),
    ],
    [
      'more',
      { id: 7, foo: [[]] },
      field('latest', '{"id":7,"foo":null}', 'schema-validation-failed', schema('', 'additionalProp')),
    ],
  ])('whose latest is %s is reported', async (_, latest, answer) => {
    const body = JSON.stringify({ source: 's', comment: null, latest })
    const headers = { 'content-type': 'Application/JSON; charset=Utf-8' }
    const response = await openApp.request('/v1/page/X', { method: 'PUT', headers, body })
    expect(response.status).toBe(400)
    expect(await jsonOf(response)).toMatchObject(answer)
  })

  test('over the limit is 413, with or without a declared length', async () => {
    const stream = new ReadableStream({
      pull: controller => controller.enqueue(new Uint8Array(1024 * 1024).fill(32)),
    })
    const headers = { 'content-type': json }
    const chunked = new Request('http://localhost/v1/page', { method: 'POST', headers, body: stream, duplex: 'half' })
    const told = { method: 'POST', headers: { ...headers, 'content-length': '13631489' }, body: '{}' }
    for (const response of [await openApp.request(chunked), await openApp.request('/v1/page', told)]) {
      expect([response.status, (await jsonOf(response)).errorKey]).toEqual([413, 'rest-body-too-large'])
    }
  })
})

describe('a thrown error', () => {
  test.each(Object.keys(errorTable) as ErrorKey[])('%s becomes its status and a body in order', key => {
    const answer = errorResponse(new WikiError(key, { data: { base: 1 }, hint: 'HINT', cause: new Error('CAUSE') }))
    const body = JSON.parse(String(answer.body))
    expect(answer.status).toBe(errorTable[key].status)
    expect(answer.body).not.toMatch(/HINT|CAUSE/)
    expect(body.httpReason).not.toBe('')
    const named = ['errorKey', 'messageTranslations', 'httpCode', 'httpReason']
    const keys = Object.keys(body).filter(name => name !== 'actionModuleErrorCode')
    const isByName = key === 'rest-cross-origin-anon-write'
    expect(keys).toEqual(isByName ? ['error', 'httpCode', 'httpReason'] : ['base', ...named])
  })

  test.each([
    ['an error', new Error('secret')],
    ['a text', 'secret'],
    ['nothing', undefined],
    ['a look-alike', { code: 'edit-conflict', status: 409, message: 'secret' }],
  ])('caused by %s reveals nothing', (_, thrown) => {
    expect(errorResponse(thrown)).toEqual({
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Error: exception of type Error","httpCode":500,"httpReason":"Internal Server Error"}',
    })
  })

  test('of an edit includes its code, and a conflict its differences first', async () => {
    const send = async (method: string, path: string, body: object) => {
      const headers = { 'content-type': json }
      return (await openApp.request(path, { method, headers, body: JSON.stringify(body) })).text()
    }
    expect(await send('POST', '/v1/page', { source: '', title: '', comment: '' })).toMatch(
      /^{"actionModuleErrorCode":"invalidtitle","errorKey":"apierror-invalidtitle",/,
    )
    expect(await send('PUT', '/v1/page/Conflict', { source: '', comment: '' })).toMatch(
      /^{"base":1,"current":2,"errorKey":"edit-conflict",.*,"httpCode":409,"httpReason":"Conflict"}$/,
    )
  })
})
