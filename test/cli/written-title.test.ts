import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { sampleWiki, wiki } from './harness.ts'

const text = { stdin: 'One section only.\n' }
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'

/** Every command that writes under a title, with a title that has a fragment. */
const writes: readonly (readonly string[])[] = [
  ['page', 'edit', 'Fire station#Crew', '-f', '-'],
  ['page', 'edit', 'Fire station#', '-f', '-'],
  ['page', 'edit', 'Fire station', '--base', '3', '-f', '-'].map(word =>
    word === 'Fire station' ? 'Fire_station#Crew' : word,
  ),
  ['page', 'create', 'C#', '-f', '-'],
  ['page', 'move', 'Main Page#Top', 'Start'],
  ['page', 'move', 'Main Page', 'Start#Top'],
  ['page', 'move', 'Main Page', 'Start#Top', '--dry-run'],
  ['page', 'delete', 'Main Page#Top', '--yes'],
  ['file', 'add', 'picture.svg', '--title', 'A.svg#2.svg'],
  ['commit', 'Main Page#Top'],
]

test.each(writes.map(argv => [argv]))('wiki %j is refused instead of cutting off a fragment', async argv => {
  const cwd = sampleWiki()
  writeFileSync(join(cwd, 'picture.svg'), svg)
  writeFileSync(join(cwd, 'Main_Page.wiki'), 'Edited.\n')
  const before = (await wiki(['history', 'Fire station', '--json'], { cwd })).stdout
  const result = await wiki(argv, { cwd, ...text })
  expect(result.status).toBe(2)
  expect(result.stderr).toMatch(/^wiki: Bad title ".*#.*": a title cannot hold #\nhint: Name the whole page: /)
  expect((await wiki(['history', 'Fire station', '--json'], { cwd })).stdout).toBe(before)
  expect((await wiki(['page', 'get', 'C'], { cwd })).status).toBe(2)
  expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stdout).toBe('Hello.\n')
})

test('reading commands still accept a fragment', async () => {
  const cwd = sampleWiki()
  expect((await wiki(['page', 'get', 'Main Page#Top'], { cwd })).stdout).toBe('Hello.\n')
  expect((await wiki(['history', 'Main Page#Top'], { cwd })).status).toBe(0)
})

test('over REST a title with a fragment is neither created nor updated', async () => {
  const cwd = sampleWiki()
  const opened = await openWiki({ directory: cwd })
  const app = createApp(opened, { allowAnonymous: true })
  const send = (method: string, path: string, body: object) =>
    app.fetch(
      new Request(`http://localhost/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const created = await send('POST', '/page', { title: 'C#', source: 'x', comment: null })
  const updated = await send('PUT', '/page/Main_Page%23Top', { source: 'x', comment: null, latest: { id: 1 } })
  expect([created.status, updated.status]).toEqual([400, 400])
  expect(await created.json()).toMatchObject({ errorKey: 'apierror-invalidtitle' })
  await opened.close()
  expect((await wiki(['page', 'get', 'Main Page'], { cwd })).stdout).toBe('Hello.\n')
})

test.each(['Main Page@prev', 'Main_Page@latest', 'Main Page@2'])(
  'a revision of a page, %s, is not a title to write to',
  async title => {
    const cwd = sampleWiki()
    for (const argv of [
      ['page', 'edit', title, '-f', '-'],
      ['page', 'create', title, '-f', '-'],
      ['page', 'move', 'Fire station', title],
    ]) {
      const result = await wiki(argv, { cwd, ...text })
      expect(result.status).toBe(2)
      expect(result.stderr).toContain(`"${title}" names a revision of "Main Page"`)
    }
  },
)

test('an @ in a title is an ordinary character if it names no revision', async () => {
  const cwd = sampleWiki()
  expect((await wiki(['page', 'create', 'Mail@work', '-f', '-'], { cwd, ...text })).status).toBe(0)
  expect((await wiki(['page', 'edit', 'Mail@work', '-f', '-'], { cwd, stdin: 'Other.\n' })).status).toBe(0)
  expect((await wiki(['page', 'create', 'Main Page@home', '-f', '-'], { cwd, ...text })).status).toBe(0)
})
