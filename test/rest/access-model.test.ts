// @module-tag long
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToken, revokeToken } from '../../src/operations/tokens.ts'
import { createApp } from '../../src/rest/app.ts'
import { newWiki } from '../operations/_wiki.ts'
import { cookieOf, sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

/** Everything about a write that decides whether it is accepted. */
interface Attempt {
  readonly readOnly: boolean
  readonly allowAnonymous: boolean
  readonly origin: 'none' | 'ours' | 'other'
  readonly authorization: 'none' | 'basic' | 'malformed' | 'unknown' | 'revoked' | 'right'
  readonly cookie: 'none' | 'unknown' | 'right'
  readonly token: 'missing' | 'anonymous' | 'right' | 'wrong'
}

/** The rules, in order: the status of an attempt, and the name under which it is written. */
const rules: readonly (readonly [applies: (attempt: Attempt) => boolean, answer: number | string])[] = [
  [({ origin, authorization }) => origin === 'other' && (authorization === 'none' || authorization === 'basic'), 403],
  [({ readOnly }) => readOnly, 403],
  [({ authorization }) => authorization === 'right', 'Ada'],
  [({ authorization }) => authorization !== 'none' && authorization !== 'basic', 401],
  [({ cookie, token }) => cookie === 'right' && token === 'missing', 400],
  [({ cookie, token }) => cookie === 'right' && token !== 'right', 403],
  [({ cookie }) => cookie === 'right', 'Bob'],
  [({ allowAnonymous }) => !allowAnonymous, 401],
  [({ token }) => token === 'right' || token === 'wrong', 403],
  [() => true, '127.0.0.1'],
]

test('a write is made under the name of a permitted writer, and otherwise not at all', { tags: 'long' }, async () => {
  const { wiki } = await newWiki()
  const ada = await createToken(wiki, { name: 'Ada' })
  const bob = await createToken(wiki, { name: 'Bob' })
  const gone = await createToken(wiki, { name: 'Gone' })
  await revokeToken(wiki, gone.id)
  const values = {
    origin: { none: undefined, ours: 'http://localhost', other: 'https://x.example' },
    authorization: {
      none: undefined,
      basic: 'Basic YTpi',
      malformed: 'Bearer',
      unknown: 'Bearer wiki_unknown',
      revoked: `Bearer ${gone.token}`,
      right: `Bearer ${ada.token}`,
    },
  }
  let titles = 0

  const attempts: fc.Arbitrary<Attempt> = fc.record({
    readOnly: fc.boolean(),
    allowAnonymous: fc.boolean(),
    origin: fc.constantFrom('none', 'ours', 'other'),
    authorization: fc.constantFrom('none', 'none', 'basic', 'malformed', 'unknown', 'revoked', 'right'),
    cookie: fc.constantFrom('none', 'unknown', 'right'),
    token: fc.constantFrom('missing', 'anonymous', 'right', 'wrong'),
  })

  await fc.assert(
    fc.asyncProperty(attempts, async attempt => {
      const { readOnly, allowAnonymous } = attempt
      // A new app each time, so that failed logins of one attempt do not limit the next.
      const app = createApp(wiki, { readOnly, allowAnonymous })
      const session = await app.request('/v1/session', sending('POST', { token: bob.token }))
      const right = cookieOf(session)
      const cookie = { none: undefined, unknown: `${right}x`, right }[attempt.cookie]
      const csrf = (await jsonOf(session)).csrf_token as string
      const token = { missing: undefined, anonymous: '+\\', right: csrf, wrong: 'wrong' }[attempt.token]
      const headers = Object.entries({
        cookie,
        origin: values.origin[attempt.origin],
        authorization: values.authorization[attempt.authorization],
      }).filter((entry): entry is [string, string] => entry[1] !== undefined)

      const title = `Page_${titles++}`
      const before = wiki.store.lastRevisionId
      const body = { title, source: 'x', comment: null, token }
      const response = await app.request('/v1/page', sending('POST', body, Object.fromEntries(headers)))

      const expected = rules.find(([applies]) => applies(attempt))![1]
      const page = wiki.store.findPage(title)
      if (typeof expected === 'number') {
        expect([response.status, page, wiki.store.lastRevisionId]).toEqual([expected, undefined, before])
      } else {
        expect(response.status).toBe(201)
        expect(wiki.store.revision(page!.latest)?.user.name).toBe(expected)
      }
    }),
    { numRuns: 300 },
  )
})
