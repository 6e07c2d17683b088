// @module-tag long
import type { H3 } from 'h3'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { oneIn } from '../_rounds.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { sending } from '../rest/_asking.ts'
import { type AskedRoute, everyRoute } from './every-route.ts'
import { hideSecrets, mark, secretIn, secretWiki } from './secret-wiki.ts'

/** The rest of HTML that was stored: the first paragraph, without its words. */
const stashed = '<section data-mw-section-id="0" id="mwAQ"><p id="mwAg">The</p></section>'

interface Shown {
  readonly secrets: readonly string[]
  readonly response: Response
}

async function ask(app: H3, { method, path, body }: AskedRoute, headers: Record<string, string> = {}): Promise<Shown> {
  const request = body === undefined ? { method, headers } : sending(method as 'POST', body, headers)
  const response = await app.request(path, request)
  const text = await response.text()
  return { response, secrets: secretIn(JSON.stringify([...response.headers]) + text) }
}

/** Returns true for a route that changes pages and files. */
function isAction({ method, path }: AskedRoute): boolean {
  const isDeletion = method === 'DELETE' && !path.endsWith('/session')
  return method === 'PUT' || isDeletion || (method === 'POST' && /\/(?:move|restore|undo)$/.test(path))
}

/** Validators that a client takes from a response and sends the next time. */
function conditionsOf({ headers }: Response): Record<string, string>[] {
  const [etag, modified] = [headers.get('etag'), headers.get('last-modified')]
  return [
    ...(etag === null ? [] : [{ 'if-none-match': etag }, { 'if-match': etag }]),
    ...(modified === null ? [] : [{ 'if-modified-since': modified }]),
  ]
}

describe('of hidden revisions', () => {
  test('no route shows anything, or confirms a guess', { tags: ['rounds', 'long'], timeout: 1_200_000 }, async () => {
    const secret = await secretWiki()
    const app = createApp(await openTestWiki(secret.directory))
    const reading = everyRoute(secret).filter(asked => !isAction(asked))
    const kept: { asked: AskedRoute; conditions: Record<string, string>[] }[] = []
    const before = new Set<string>()
    for (const asked of reading) {
      const { response, secrets } = await ask(app, asked)
      for (const text of secrets) before.add(text)
      if (secrets.length > 0) kept.push({ asked, conditions: conditionsOf(response) })
    }
    const places = ['old', 'gone', 'file', 'move', 'last']
    const expected = places.flatMap(place => ['text', 'user', 'comment'].map(part => mark + place + part))
    expect([...before].sort()).toEqual(expect.arrayContaining(expected))
    await hideSecrets(secret)
    for (const { asked, conditions } of oneIn(4, kept, 0, 2))
      for (const headers of conditions) {
        const { response, secrets } = await ask(app, asked, headers)
        const what = [asked.method, asked.path, JSON.stringify(headers)].join(' ')
        expect({ what, status: response.status, secrets }).not.toMatchObject({ status: 304 })
        expect({ what, secrets }).toEqual({ what, secrets: [] })
      }
    for (const etag of kept.flatMap(({ conditions }) => conditions[0]?.['if-none-match'] ?? []))
      for (const title of ['', '/Ferry', '/Gone']) {
        const asked = { method: 'POST', path: `/v1/transform/html/to/wikitext${title}`, body: { html: stashed } }
        expect({ etag, secrets: (await ask(app, asked, { 'if-match': etag })).secrets }).toEqual({ etag, secrets: [] })
      }
    // Twice, because the second round also reads the edits of the first one.
    for (const asked of [...oneIn(2, everyRoute(secret)), ...oneIn(4, everyRoute(secret), 1)]) {
      const { secrets } = await ask(app, asked)
      expect({ asked, secrets }).toEqual({ asked, secrets: [] })
    }
  })
})
