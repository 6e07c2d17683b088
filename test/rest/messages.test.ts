import { expect, test } from 'vitest'
import { type ErrorKey, errorTable } from '../../src/core/errors.ts'
import { messageTables } from '../../src/http/messages/messages.ts'
import { createApp } from '../../src/rest/app.ts'
import { newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-answer.ts'

const places = (text: string) => [...new Set(text.match(/\$\d/g) ?? [])].sort()

test.each(Object.entries(messageTables))('each sentence in %s has the values of the English one', (_, table) => {
  const { 'rest-wrong-method': method, ...sentences } = table
  expect(places(method ?? '')).toEqual(['$1', '$2'])
  for (const [key, text] of Object.entries(sentences))
    expect([key, places(text)]).toEqual([key, places(errorTable[key as ErrorKey].text)])
})

test('the languages have the same sentences', () => {
  const keys = Object.values(messageTables).map(table => Object.keys(table).sort())
  for (const other of keys) expect(other).toEqual(keys[0])
})

test.each([
  ['de', 'de', 'Die angegebene Seite (Nix) ist nicht vorhanden'],
  ['de-at', 'de-at', 'Die angegebene Seite (Nix) ist nicht vorhanden'],
  ['ar', 'ar', 'الصفحة المحددة (Nix) غير موجودة'],
  ['fr', 'fr', 'The specified page (Nix) does not exist'],
])('an error of a wiki in %s is said in it and in English', async (language, code, sentence) => {
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
