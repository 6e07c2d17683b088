/** Conditions of writes: RFC 9110 13.1, beside `latest.id`. */

import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../src/rest/app.ts'
import { needsGit } from '../_setup.ts'
import { edit, newWiki } from '../operations/_wiki.ts'
import { jsonOf } from './json-answer.ts'

beforeEach(context => needsGit(context))

const json = { 'content-type': 'application/json' }

async function pageOnServer() {
  const { wiki } = await newWiki({ Tides: 'one' })
  const app = createApp(wiki, { allowAnonymous: true })
  const tag = async () => (await app.request('/v1/page/Tides')).headers.get('etag') ?? ''
  const latest = async () => (await jsonOf(await app.request('/v1/page/Tides'))).latest as { id: number }
  const put = async (
    headers: Record<string, string>,
    { title = 'Tides', id }: { title?: string; id?: number } = {},
  ) => {
    const body = { source: `two of ${title}`, comment: '', ...(id !== undefined && { latest: { id } }) }
    return app.request(`/v1/page/${title}`, {
      method: 'PUT',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    })
  }
  return { wiki, app, tag, latest, put }
}

describe('an update', () => {
  test.each([
    ['the tag of the page', async (tag: string) => tag, 200],
    ['several tags', async (tag: string) => `"x", ${tag}`, 200],
    ['an asterisk', async () => '*', 200],
    ['another tag', async () => '"x"', 412],
    ['a weak tag', async (tag: string) => `W/${tag}`, 412],
  ])('with If-Match: %s', async (_, make, status) => {
    const { tag, latest, put } = await pageOnServer()
    const response = await put({ 'if-match': await make(await tag()) }, await latest())
    expect(response.status).toBe(status)
    if (status === 412) expect(await response.text()).toBe('')
  })

  test('with the tag of an older revision is refused, although it could be merged', async () => {
    const { wiki, tag, latest, put } = await pageOnServer()
    const [old, base] = [await tag(), await latest()]
    await edit(wiki, 'Tides', 'one\n\nmore')
    expect((await put({ 'if-match': old }, base)).status).toBe(412)
  })

  test.each([
    ['an asterisk, of a page that exists', '*', 412],
    ['another tag', '"x"', 200],
  ])('with If-None-Match: %s', async (_, tags, status) => {
    const { latest, put } = await pageOnServer()
    expect((await put({ 'if-none-match': tags }, await latest())).status).toBe(status)
  })

  test('that is made between the check and the write of another is not lost', async () => {
    const { wiki, tag, latest, put, app } = await pageOnServer()
    const [current, base] = [await tag(), await latest()]
    const commit = wiki.store.commit.bind(wiki.store)
    let isFirst = true
    wiki.store.commit = async plan => {
      if (isFirst) {
        isFirst = false
        await edit(wiki, 'Tides', 'one\n\nfrom another')
      }
      return commit(plan)
    }
    expect((await put({ 'if-match': current }, base)).status).toBe(412)
    expect(await jsonOf(await app.request('/v1/page/Tides'))).toMatchObject({ source: 'one\n\nfrom another' })
  })
})

describe('a creation', () => {
  test.each([
    [{ 'if-none-match': '*' }, 201],
    [{ 'if-match': '*' }, 412],
    [{ 'if-match': '"x"' }, 412],
  ])('with %j', async (headers, status) => {
    const { put } = await pageOnServer()
    expect((await put(headers as Record<string, string>, { title: 'New' })).status).toBe(status)
  })
})
