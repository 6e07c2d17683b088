/** Every form of the pages, with bodies that it cannot read: each is refused, and changes nothing. */

import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { actionNames, specialNames } from '../../src/web/routes.ts'
import { create } from '../operations/_wiki.ts'
import { newSite, type Site } from './_site.ts'

const form = 'application/x-www-form-urlencoded'
const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
/** A body that the form of an edit accepts. */
const good = new URLSearchParams({ text: 'new', summary: 's', token: '+\\', do: 'save', base: '1' }).toString()

type Row = readonly [name: string, body: string | Buffer, headers: Record<string, string>, statuses: readonly number[]]

const unreadable: readonly Row[] = [
  ['no type', Buffer.from(good), {}, [415]],
  ['JSON', '{"text":"new"}', { 'content-type': 'application/json' }, [415]],
  ['plain text', good, { 'content-type': 'text/plain' }, [415]],
  ['another encoding', good, { 'content-type': `${form}; charset=iso-8859-1` }, [415]],
  ['bytes that are not UTF-8', Buffer.from(`${good}&text=\xff`, 'latin1'), { 'content-type': form }, [400, 415]],
  ['escapes that are not UTF-8', `${good}&text=%ff`, { 'content-type': form }, [400, 415]],
  ['more fields than a form has', '&a=1'.repeat(100_000), { 'content-type': form }, [400, 415]],
  ['parts without a boundary', good, { 'content-type': 'multipart/form-data' }, [400]],
  ['parts without an end', '--x\r\nContent-Disp', { 'content-type': 'multipart/form-data; boundary=x' }, [400]],
  ['Brotli', brotliCompressSync(good), { 'content-type': form, 'content-encoding': 'br' }, [415]],
  ['an unknown coding', good, { 'content-type': form, 'content-encoding': 'rot13' }, [415]],
  ['a coding that it does not have', good, { 'content-type': form, 'content-encoding': 'gzip' }, [400, 415]],
  [
    'half of its coding',
    gzipSync(good).subarray(0, 20),
    { 'content-type': form, 'content-encoding': 'gzip' },
    [400, 415],
  ],
]

/** Without a session there is nothing to end, so its form is not read. */
const notRead = 'userlogout'

const paths = [
  ...actionNames.map(name => `/wiki/A?action=${name}`),
  ...specialNames
    .filter(name => name !== notRead)
    .flatMap(name => [`/wiki/Special:${name}`, `/wiki/Special:${name}/A`]),
]

let site: Site
const send = (path: string, body: string | Buffer, headers: Record<string, string>): Promise<Response> =>
  site.ask(path, { method: 'POST', body: body as NonNullable<RequestInit['body']>, headers: { ...own, ...headers } })

beforeAll(async () => {
  site = await newSite({ A: 'old' }, undefined, { allowAnonymous: true })
  await create(site.wiki, 'File:P.png', 'about')
})

const takesForm = async (path: string): Promise<boolean> => (await send(path, '', {})).status !== 405

test('each page that takes a form refuses it', async () => {
  const tip = site.wiki.store.tip
  const taking: string[] = []
  for (const path of paths) if (await takesForm(path)) taking.push(path)
  for (const path of taking)
    for (const [name, body, headers, statuses] of unreadable) {
      const { status, headers: answered } = await send(path, body, headers)
      expect([path, name, statuses.includes(status) ? 'refused' : status]).toEqual([path, name, 'refused'])
      expect(answered.get('set-cookie'), path).toBeNull()
    }
  expect(site.wiki.store.tip).toEqual(tip)
  expect(taking.filter(path => !path.endsWith('/A'))).toMatchInlineSnapshot(`
    [
      "/wiki/A?action=edit",
      "/wiki/A?action=submit",
      "/wiki/Special:upload",
      "/wiki/Special:revertfile",
      "/wiki/Special:movepage",
      "/wiki/Special:deletepage",
      "/wiki/Special:restorepage",
      "/wiki/Special:userlogin",
      "/wiki/Special:settings",
      "/wiki/Special:tokens",
    ]
  `)
})

test('a form in a coding that the server knows is read', async () => {
  const before = site.wiki.store.tip
  const headers = { 'content-type': `${form};charset=UTF-8`, 'content-encoding': 'gzip' }
  expect((await send('/wiki/A?action=submit', gzipSync(good), headers)).status).toBe(303)
  await site.wiki.store.refresh()
  expect(site.wiki.store.tip).not.toEqual(before)
})
