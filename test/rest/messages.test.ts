import { expect, test } from 'vitest'
import { errorTable, WikiError } from '../../src/core/errors.ts'
import { messageTables } from '../../src/http/messages/messages.ts'
import { fieldFaults } from '../../src/http/messages/table.ts'
import { createApp } from '../../src/rest/app.ts'
import { errorResponse } from '../../src/rest/errors.ts'
import { newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-response.ts'

const places = (text: string) => [...new Set(text.match(/\$\d/g) ?? [])].sort()

test.each(Object.entries(messageTables))('each message in %s has the parameters of the English one', (_, table) => {
  const { 'rest-wrong-method': method, ...sentences } = table
  expect(places(method ?? '')).toEqual(['$1', '$2'])
  const english: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(errorTable).map(([key, { text }]) => [key, text])),
    ...fieldFaults,
  }
  for (const [key, text] of Object.entries(sentences))
    expect([key, places(text)]).toEqual([key, places(english[key] ?? '')])
})

test('the languages have the same messages', () => {
  const keys = Object.values(messageTables).map(table => Object.keys(table).sort())
  for (const other of keys) expect(other).toEqual(keys[0])
})

test.each([
  ['de', 'de', 'Die angegebene Seite (Nix) ist nicht vorhanden'],
  ['de-at', 'de-at', 'Die angegebene Seite (Nix) ist nicht vorhanden'],
  ['ar', 'ar', 'الصفحة المحددة (Nix) غير موجودة'],
  ['fr', 'fr', 'The specified page (Nix) does not exist'],
])('an error of a wiki in %s is returned in that language and in English', async (language, code, sentence) => {
  const { wiki } = await newWiki({ X: 'x' }, { language })
  const app = createApp(wiki)
  const english = 'The specified page (Nix) does not exist'
  const { messageTranslations } = await jsonOf(
    await app.request('/v1/page/Nix', { headers: { 'accept-language': 'it' } }),
  )
  expect(messageTranslations).toEqual({ [code]: sentence, en: english })
  const wrong = await jsonOf(await app.request('/v1/page/X', { method: 'PATCH' }))
  expect(Object.keys(wrong.messageTranslations as object)).toEqual([code, 'en'])
})

test.each([
  [{ title: 'A', source: 5, comment: '' }, 'Der Inhalt der Anfrage ist ungültig: „source“ muss ein Text sein'],
  [{ title: 'A', source: '' }, 'Der Inhalt der Anfrage ist ungültig: das Feld „comment“ fehlt'],
  [
    { title: 'A', source: '', comment: '', minor: 1 },
    'Der Inhalt der Anfrage ist ungültig: „minor“ muss true oder false sein',
  ],
])('a validation error has a message: %j', async (body, sentence) => {
  const app = createApp((await newWiki({}, { language: 'de' })).wiki, { allowAnonymous: true })
  const headers = { 'content-type': 'application/json' }
  const { messageTranslations } = await jsonOf(
    await app.request('/v1/page', { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  expect(messageTranslations).toMatchObject({
    de: sentence,
    en: expect.not.stringMatching(/missingparam|needstring|badbool/),
  })
})

test.each([
  ['wiki-unsafe-repository', ['/srv/secret/wiki'], 'wiki'],
  ['wiki-locked', ['/srv/secret/wiki/.git/index.lock'], 'index.lock'],
  ['wiki-hook-refused', ['pre-commit', "/srv/secret/hooks/pre-commit: '/srv/secret/x' is missing"], 'pre-commit'],
  ['wiki-conversion-failed', ['notes/deep/A.md', 'sh: /srv/secret/bin/lfs: not found'], 'notes/deep/A.md'],
] as const)('%s over HTTP names no folder of the machine, in any language', async (code, params, kept) => {
  const error = new WikiError(code, { params: [...params] })
  expect(error.message).toContain('/srv/secret')
  for (const language of ['en', 'de', 'ar']) {
    const { messageTranslations } = await jsonOf(new Response(errorResponse(error, language).body as string))
    const said = JSON.stringify(messageTranslations)
    expect([said.includes('secret'), said.includes(kept)], language).toEqual([false, true])
  }
})
