/** Turns of clients at a running server: which requests are worked on, and which wait. */

import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requestsAtOnce } from '../../src/operations/workers/turns.ts'
import { type RunningServer, serve } from '../../src/rest/serve.ts'
import { fakeWiki } from './fake-wiki.ts'

let server: RunningServer
/** Paths of the pages that are being made, and the functions that complete them. */
let begun: string[]
let finish: (() => void)[]
let whenBegun: Map<string, () => void>

beforeEach(async () => {
  begun = []
  finish = []
  whenBegun = new Map()
  const handler = async ({ target }: { readonly target: { readonly path: string } }) => {
    begun.push(target.path)
    whenBegun.get(target.path)?.()
    await new Promise<void>(resolve => finish.push(resolve))
    return { status: 200, headers: {}, body: 'page' }
  }
  server = await serve(fakeWiki, { port: 0, pages: async () => handler })
})

afterEach(() => {
  for (const one of finish) one()
  return server.close()
})

const beginning = (path: string): Promise<void> => new Promise(resolve => whenBegun.set(path, resolve))

function send(path: string, header = ''): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`)
  return socket.resume()
}

/** Resolves when the server has seen everything that was sent before: another client's page begins. */
async function seen(path: string): Promise<void> {
  const began = beginning(path)
  send(path, 'Sec-Fetch-Site: cross-site\r\n')
  await began
}

test('work for a client that has left counts until it is done', async () => {
  const first = Array.from({ length: requestsAtOnce }, (_, at) => `/wiki/${at}`)
  const all = Promise.all(first.map(beginning))
  const sockets = first.map(path => send(path))
  await all
  const left = Promise.all(sockets.map(socket => new Promise(resolve => socket.once('close', resolve))))
  for (const socket of sockets) socket.destroy()
  await left
  await seen('/wiki/other')
  const next = beginning('/wiki/next')
  send('/wiki/next')
  await seen('/wiki/another')
  expect(begun).toEqual([...first, '/wiki/other', '/wiki/another'])
  finish[0]!()
  await next
})

test('of requests that arrive together only so many begin', async () => {
  for (let at = 0; at < 3 * requestsAtOnce; at++) send(`/wiki/${at}`)
  while (finish.length < requestsAtOnce) await new Promise(setImmediate)
  await seen('/wiki/other')
  await seen('/wiki/another')
  expect(begun).toHaveLength(requestsAtOnce + 2)
})
