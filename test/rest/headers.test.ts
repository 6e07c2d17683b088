import type { H3 } from 'h3'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { examples, exampleWiki } from './_route-examples.ts'

// A decoder is a process, which starts slowly if many run.
vi.setConfig({ testTimeout: 60_000 })

const routes = routeTables.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`))

let app: H3

beforeAll(async () => {
  app = createApp(await exampleWiki(), { allowAnonymous: true })
})

/** All responses of a route, including those to unsupported methods. */
async function answersOf(route: string): Promise<[asked: string, response: Response][]> {
  const method = route.split(' ', 1)[0]!
  const answers: [string, Response][] = []
  for (const [path, body] of examples[route] ?? []) {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const more = method === 'GET' ? ['HEAD', 'PATCH', 'OPTIONS'] : ['PATCH']
    for (const each of [method, ...more]) {
      const answer = await app.request(`http://localhost${path}`, {
        method: each,
        headers,
        body: each === method ? sent : null,
        redirect: 'manual',
      })
      answers.push([`${each} ${path}`, answer])
    }
  }
  return answers
}

/** Directives that a policy must have for a document by another author. */
function isStrict(policy: string | null): boolean {
  const parts = new Map((policy ?? '').split(';').map(part => [part.trim().split(' ')[0], part.trim()]))
  const sandbox = parts.get('sandbox') ?? ''
  return (
    parts.get('default-src') === "default-src 'none'" &&
    sandbox !== '' &&
    !/allow-(?:scripts|same-origin|forms|modals)/.test(sandbox) &&
    !parts.has('script-src') &&
    !/\*|https?:|unsafe-eval/.test(policy ?? '')
  )
}

/** Types that no browser runs or shows as a document of this origin, whatever their content. */
const inert =
  /^(?:application\/json|application\/feed\+json; charset=utf-8|application\/opensearchdescription\+xml|text\/css; charset=utf-8|text\/plain(?:; .*)?)$/

describe('every response restricts what a browser may do with it', () => {
  test('the examples cover all routes, and no others', () => {
    expect([...new Set(routes)].sort()).toEqual(Object.keys(examples).sort())
  })

  test.each([...new Set(routes)])('%s', async route => {
    for (const [asked, response] of await answersOf(route)) {
      const { headers, status } = response
      const type = headers.get('content-type')
      const isFile = /^\w+ \/files\//.test(asked) && (status === 200 || status === 206)
      expect([asked, headers.get('x-content-type-options')]).toEqual([asked, 'nosniff'])
      expect([asked, status]).not.toEqual([asked, 500])
      if (type === null) expect([asked, [204, 304, 405].includes(status)]).toEqual([asked, true])
      else if (/^text\/html|\+xml/.test(type) || isFile)
        expect([asked, isStrict(headers.get('content-security-policy'))]).toEqual([asked, true])
      else expect([asked, inert.test(type), type]).toEqual([asked, true, type])
    }
  })

  test.each(['/', '/files/', '/v1/page/X/html/more', '/no', '/v1', "/v1/page/'%22%3E%3Cscript%3E", '/v1/page/%'])(
    'what means nothing: %s',
    async path => {
      const { headers } = await app.request(`http://localhost${path}`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test('a drawing or a text opened in a browser has no origin and runs nothing', async () => {
    for (const name of ['Script.svg', 'Note.txt']) {
      const { headers } = await app.request(`http://localhost/files/${name}`)
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    }
    const note = await app.request('http://localhost/files/Note.txt')
    expect(note.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const pdf = await app.request('http://localhost/files/Page.pdf')
    expect(pdf.headers.get('content-disposition')).toMatch(/^attachment;/)
  })
})
