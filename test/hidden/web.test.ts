// @module-tag long
import { describe, expect, test } from 'vitest'
import { actionNames, findRoute, specialNames } from '../../src/web/routes.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { type Site, siteOf } from '../web/_site.ts'
import { type AskedPage, everyPage, forms, isReading, specials } from './every-page.ts'
import { hideSecrets, mark, secretIn, secretWiki } from './secret-wiki.ts'

/** A header or a page may repeat the request, whose own words reveal no secret. */
async function secretsOf({ ask }: Site, [path, form]: AskedPage): Promise<{ status: number; secrets: string[] }> {
  const body = form === undefined ? null : new URLSearchParams({ token: '+\\', ...form })
  const response = await ask(path, body === null ? {} : { method: 'POST', body })
  const shown = JSON.stringify([...response.headers]) + (await response.text())
  const own = secretIn(path)
  return { status: response.status, secrets: secretIn(shown).filter(secret => !own.includes(secret)) }
}

describe('of hidden revisions', () => {
  test('no page for browsers shows anything', { tags: 'long', timeout: 1_200_000 }, async () => {
    const secret = await secretWiki()
    const site = siteOf(await openTestWiki(secret.directory))
    const before = new Set<string>()
    for (const asked of everyPage(secret).filter(isReading))
      for (const text of (await secretsOf(site, asked)).secrets) before.add(text)
    const places = ['old', 'gone', 'file', 'move', 'last']
    const expected = places.flatMap(place => ['text', 'user', 'comment'].map(part => mark + place + part))
    expect([...before].sort()).toEqual(expect.arrayContaining(expected))
    await hideSecrets(secret)
    const faults: unknown[] = []
    // Reads run twice; forms that change the wiki come last.
    for (const asked of [...everyPage(secret), ...everyPage(secret).filter(isReading)]) {
      const { status, secrets } = await secretsOf(site, asked)
      if (secrets.length > 0 || status >= 500) faults.push({ asked, status, secrets })
    }
    expect(faults).toEqual([])
  })

  test('each special page has its requests', { tags: 'long' }, async () => {
    const site = siteOf(await openTestWiki((await secretWiki()).directory))
    for (const name of specialNames) expect(findRoute(site.wiki, `Special:${name}`, undefined), name).not.toBeNull()
    for (const name of [...Object.keys(specials), ...Object.keys(forms)])
      expect([...specialNames, ...actionNames]).toContain(name)
  })
})
