/** Ids that clients still use after a `git pull` assigned them to other revisions. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { oneIn } from '../_rounds.ts'
import { git, madeOnce, needsGit, temporaryDirectory } from '../_setup.ts'
import { ada, create, edit, openTestWiki } from '../operations/_wiki.ts'
import { sending } from './_asking.ts'
import { jsonOf } from './json-response.ts'

beforeEach(context => needsGit(context))

const start = 'one\n\ntwo\n\nthree'

/**
 * A server on a clone with one unshared edit of Tides, revision 3, and another clone that shares an edit of a page.
 * That edit gets the id as soon as the first clone pulls.
 */
async function teamWith(theirs: { readonly page: string; readonly text: string }) {
  const folder = await clones()
  const [here, there] = [join(folder, 'here'), join(folder, 'there')]
  const wiki = await openTestWiki(here)
  expect(await edit(wiki, 'Tides', start.replace('one', 'one of ours'))).toBe(3)
  writeFileSync(join(there, `${theirs.page}.wiki`), `${theirs.text}\n`)
  commitAll(there)
  git(there, 'push', '-q')
  return { here, wiki, ...serverOf(wiki) }
}

/** The clones and their remote, with the first texts. */
const clones = madeOnce(async () => {
  const folder = await temporaryDirectory()
  const [here, there] = [join(folder, 'here'), join(folder, 'there')]
  git(folder, 'init', '-q', '--bare', 'remote')
  git(folder, 'clone', '-q', 'remote', 'here')
  writeFileSync(join(here, 'Tides.wiki'), `${start}\n`)
  writeFileSync(join(here, 'Boats.wiki'), 'boats\n')
  commitAll(here)
  git(here, 'push', '-q', 'origin', 'HEAD:main')
  git(folder, 'clone', '-q', 'remote', 'there')
  // A copy has the remote beside it.
  for (const clone of [here, there]) git(clone, 'remote', 'set-url', 'origin', '../remote')
  return folder
})

function commitAll(directory: string): void {
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'Save')
}

function serverOf(wiki: Wiki) {
  const app = createApp(wiki, { allowAnonymous: true })
  const put = (source: string, id: number, headers: Record<string, string> = {}) =>
    app.request('/v1/page/Tides', sending('PUT', { source, comment: '', latest: { id } }, headers))
  const page = async () => jsonOf(await app.request('/v1/page/Tides'))
  return { app, put, page }
}

const pull = (here: string) => git(here, 'pull', '-q', '--no-rebase', '--no-edit')
const ours = start.replace('one', 'one of ours')
/** Results of a client that uses revision 3 of this clone. */
const edited = ours.replace('two', 'two of the client')

describe('an edit whose base was renumbered by a pull', () => {
  test('is merged from the revision that the client read', { tags: 'long' }, async () => {
    const { here, put, page } = await teamWith({ page: 'Boats', text: 'more boats' })
    pull(here)
    expect((await put(edited, 3)).status).toBe(200)
    expect((await page()).source).toBe(edited)
  })

  test('is not merged from another revision of that page, which would lose edits of others', async () => {
    const { here, put, page } = await teamWith({ page: 'Tides', text: start.replace('three', 'three of theirs') })
    const together = ours.replace('three', 'three of theirs')
    pull(here)
    const refused = await put(edited, 3)
    expect(refused.status).toBe(409)
    const { source, latest } = (await page()) as { source: string; latest: { id: number } }
    expect(source).toBe(together)
    expect((await put(edited.replace('three', 'three of theirs'), latest.id)).status).toBe(200)
  })

  test('is recognised after a restart of the server, also if only git has written since', async () => {
    const team = await teamWith({ page: 'Tides', text: start.replace('three', 'three of theirs') })
    pull(team.here)
    const again = await openTestWiki(team.here)
    await again.store.refresh()
    const { put } = serverOf(await openTestWiki(team.here))
    expect((await put(edited, 3)).status).toBe(409)
  })

  test('is merged from the text of a commit that a rebase replaced', async () => {
    const { here, put, page } = await teamWith({ page: 'Boats', text: 'more boats' })
    git(here, 'pull', '-q', '--rebase')
    expect((await put(edited, 3)).status).toBe(200)
    expect((await page()).source).toBe(edited)
  })

  test('is refused if its revision was dropped, and saved if the client has read the page since', async () => {
    const theirs = start.replace('three', 'three of theirs')
    const { here, app, put, page } = await teamWith({ page: 'Tides', text: theirs })
    git(here, 'fetch', '-q')
    git(here, 'reset', '-q', '--hard', 'origin/main')
    expect(await page()).toMatchObject({ latest: { id: 3 }, source: theirs })
    expect((await put(edited, 3)).status).toBe(409)
    const etag = (await app.request('/v1/page/Tides')).headers.get('etag') ?? ''
    const own = theirs.replace('one', 'one, one more')
    expect((await put(own, 3, { 'if-match': etag })).status).toBe(200)
    expect((await page()).source).toBe(own)
  })
})

/** Routes with an id that belongs to another revision after the branch is set to the remote's. */
const routes = [
  '/v1/page/Tides',
  '/v1/page/Tides/bare',
  '/v1/page/Tides/html',
  '/v1/page/Tides/with_html',
  '/v1/page/Tides/history',
  '/v1/page/Tides/history/counts/edits',
  '/v1/page/Tides/links/language',
  '/v1/revision/3',
  '/v1/revision/3/bare',
  '/v1/revision/3/html',
]

// Slow: two clones that are pushed and reset for each.
test.each(oneIn(3, routes))(
  '%s: an earlier tag or date is not valid for the current owner of the id',
  { tags: 'rounds' },
  async route => {
    const { here, app } = await teamWith({ page: 'Tides', text: start.replace('three', 'three of theirs') })
    const first = await app.request(route)
    const [{ headers }, body] = [first, await first.text()]
    const [etag, date] = ['etag', 'last-modified'].map(name => headers.get(name))
    git(here, 'fetch', '-q')
    git(here, 'reset', '-q', '--hard', 'origin/main')
    // A count may be the same for both, and its tag is that of its bytes.
    const due = (await (await app.request(route)).text()) === body ? [200, 304] : [200]
    if (etag) expect(due).toContain((await app.request(route, { headers: { 'if-none-match': etag } })).status)
    if (date) expect(due).toContain((await app.request(route, { headers: { 'if-modified-since': date } })).status)
    const now = (await app.request(route)).headers
    if (now.has('etag'))
      expect((await app.request(route, { headers: { 'if-none-match': now.get('etag') ?? '' } })).status).toBe(304)
  },
)

test('an earlier count is not returned for the current owners of the ids', async () => {
  const { here, wiki, app } = await teamWith({ page: 'Tides', text: start.replace('three', 'three of theirs') })
  await create(wiki, 'Piers', 'p')
  const minor = '/v1/page/Tides/history/counts/minor'
  expect(await jsonOf(await app.request(minor))).toMatchObject({ count: 0 })
  git(here, 'fetch', '-q')
  git(here, 'reset', '-q', '--hard', 'origin/main')
  writeFileSync(join(here, 'Tides.wiki'), 'other\n')
  git(here, 'commit', '-q', '-a', '--amend', '-m', 'Save\n\nWiki-Minor: true')
  expect(await jsonOf(await app.request(minor))).toMatchObject({ count: 1 })
})

test('stashed HTML keeps its original text, and stays readable if its id now belongs to a hidden revision', async () => {
  const { here, wiki, app } = await teamWith({ page: 'Tides', text: start.replace('three', 'three of theirs') })
  const answer = await app.request('/v1/page/Tides/html?stash=1')
  const [html, etag] = [await answer.text(), answer.headers.get('etag') ?? '']
  pull(here)
  await hideRevision(wiki, { id: 3, parts: ['text'], reason: '', comment: null, author: ada })
  const back = '/v1/transform/html/to/wikitext/Tides'
  const sent = await app.request(back, sending('POST', { html }, { 'if-match': etag }))
  expect([sent.status, (await sent.text()).trim()]).toEqual([200, ours])
})

test('stashed HTML of a hidden revision is not returned, whatever its id is now', async () => {
  const { here, wiki, app } = await teamWith({ page: 'Tides', text: start.replace('three', 'three of theirs') })
  const answer = await app.request('/v1/page/Tides/html?stash=1')
  const [html, etag] = [await answer.text(), answer.headers.get('etag') ?? '']
  pull(here)
  await wiki.store.refresh()
  await hideRevision(wiki, { id: 4, parts: ['text'], reason: '', comment: null, author: ada })
  const back = '/v1/transform/html/to/wikitext/Tides'
  expect((await app.request(back, sending('POST', { html }, { 'if-match': etag }))).status).toBe(403)
})

test('reads do not need the record of former ids, and a damaged one is ignored', async () => {
  const { here, page } = await teamWith({ page: 'Boats', text: 'more boats' })
  pull(here)
  await page()
  const path = join(here, '.git/wiki/main/former-ids.json')
  expect(readFileSync(path, 'utf8')).toContain('"id":3')
  writeFileSync(path, '{')
  const { app } = serverOf(await openTestWiki(here))
  expect((await app.request('/v1/page/Tides')).status).toBe(200)
  rmSync(path)
})
