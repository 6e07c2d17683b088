/** Ids that a client has read on another branch, before HEAD was switched to this one. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { git, needsGit } from '../_setup.ts'
import { wiki as command } from '../cli/harness.ts'
import { onMain, onSide, twoBranches } from '../operations/_two-branches.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

beforeEach(context => needsGit(context))

const edited = (text: string) => text.replace('two', 'two of the client')

async function getPage(directory: string) {
  const { stdout } = await command(['page', 'get', 'Tides', '--json'], { cwd: directory })
  return JSON.parse(stdout)
}

const pageEdit = (directory: string, text: string, base: string) =>
  command(['page', 'edit', 'Tides', '-f', '-', '--base', base], { cwd: directory, stdin: text })

test('a text that was read on another branch is not saved over the one that has its number here', async () => {
  const directory = await twoBranches()
  const { latest, source } = await getPage(directory)
  expect([latest.id, source]).toEqual([2, onSide])
  git(directory, 'switch', '-q', 'main')
  const refused = await pageEdit(directory, edited(source), `${latest.id}`)
  expect([refused.status, refused.stderr]).toEqual([3, expect.stringMatching(/switched branches, 2 names another/)])
  expect((await getPage(directory)).source).toBe(onMain)
})

test('a text that was read on this branch is saved, although its number has another meaning on another one', async () => {
  const directory = await twoBranches()
  git(directory, 'switch', '-q', 'main')
  const { latest, source } = await getPage(directory)
  expect([latest.id, source]).toEqual([2, onMain])
  expect((await pageEdit(directory, edited(source), `${latest.id}`)).status).toBe(0)
  expect((await getPage(directory)).source).toBe(edited(onMain))
})

test('a text of another branch is merged if its base is named by its commit', async () => {
  const directory = await twoBranches()
  git(directory, 'switch', '-q', 'main')
  const commit = git(directory, 'rev-parse', 'HEAD').trim()
  expect((await pageEdit(directory, edited(onSide), commit)).status).toBe(0)
  expect((await getPage(directory)).source).toBe(edited(onSide))
})

const put = (wiki: Wiki, source: string, headers: Record<string, string> = {}) =>
  serverOf(wiki).request('/v1/page/Tides', sending('PUT', { source, comment: '', latest: { id: 2 } }, headers))
const serverOf = (wiki: Wiki) => createApp(wiki, { allowAnonymous: true })

test('a server that was started again, on another branch, takes no number and no tag of the former one for its own', async () => {
  const directory = await twoBranches()
  const side = await openTestWiki(directory)
  const { headers } = await serverOf(side).request('/v1/page/Tides')
  const [etag, date] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']
  git(directory, 'switch', '-q', 'main')
  const main = await openTestWiki(directory)
  const app = serverOf(main)
  expect((await app.request('/v1/page/Tides', { headers: { 'if-none-match': etag } })).status).toBe(200)
  expect((await app.request('/v1/page/Tides', { headers: { 'if-modified-since': date } })).status).toBe(200)
  expect((await put(main, edited(onSide), { 'if-match': etag })).status).toBe(412)
  expect((await put(main, edited(onSide))).status).toBe(409)
  const deletion = await app.request('/v1/page/Tides', sending('DELETE', { comment: '', latest: { id: 2 } }))
  expect(deletion.status).toBe(409)
  expect(await jsonOf(await app.request('/v1/page/Tides'))).toMatchObject({ latest: { id: 2 }, source: onMain })
  const own = (await app.request('/v1/page/Tides')).headers.get('etag') ?? ''
  expect((await put(main, edited(onSide), { 'if-match': own })).status).toBe(200)
})

test.each([
  ['its first bytes', (bytes: Buffer) => bytes.fill(0xff, 0, 200)],
  ['every third byte', (bytes: Buffer) => bytes.map((byte, at) => (at % 3 === 0 ? ~byte : byte))],
  ['all of it', () => Buffer.alloc(0)],
])('an edit does not need the index of the other branch: %s is damaged', async (_, damage) => {
  const directory = await twoBranches()
  git(directory, 'switch', '-q', 'main')
  const path = join(directory, '.git/wiki/side/base')
  writeFileSync(path, damage(readFileSync(path)))
  const main = await openTestWiki(directory)
  expect((await put(main, edited(onMain))).status).toBe(200)
})
