import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect, createServer, Server, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import type { Listener } from 'listhen'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { LogEntry } from '../../src/rest/log.ts'
import type { RunningServer, ServeOptions } from '../../src/rest/serve.ts'
import { calls, fakeWiki, playOperations, slow } from './fake-wiki.ts'
import { jsonOf } from './json-response.ts'

/** The listener that listhen returned for each server, oldest first. */
const listeners: Listener[] = []
vi.doMock('listhen', async original => {
  const { listen } = await original<typeof import('listhen')>()
  const observed: typeof listen = async (...parameters) => {
    const listener = await listen(...parameters)
    listeners.push(listener)
    return listener
  }
  return { listen: observed }
})

const { serve } = await import('../../src/rest/serve.ts')
playOperations()

const running = new Set<RunningServer>()
afterEach(async () => {
  for (const server of running) await server.close()
  running.clear()
})

/** Starts a server whose connections are closed only by the tested behaviour, not because they are idle or slow. */
async function start(options: ServeOptions = {}): Promise<RunningServer & { port: number }> {
  const server = await serve(fakeWiki, { port: 0, closeWithin: 60_000, ...options })
  running.add(server)
  return { ...server, port: Number(new URL(server.url).port) }
}

/** The most connections that the system keeps for a server that has not taken them. */
function backlogOfSystem(): number {
  const file = '/proc/sys/net/core/somaxconn'
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

/** A worker that opens 700 connections and counts those that the system has taken. */
const connectMany = `
const { parentPort, workerData } = require('node:worker_threads')
const { connect } = require('node:net')
parentPort.once('message', () => {
  for (let at = 0; at < 700; at++) {
    const socket = connect(workerData.port, '127.0.0.1', () => {
      Atomics.add(workerData.connected, 0, 1)
      Atomics.notify(workerData.connected, 0)
    })
    socket.on('error', () => {})
  }
})
parentPort.postMessage('ready')`

/** Writes bytes to the server unchanged, and reads until it closes the connection. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  // Ending it here would count as a disconnect.
  socket.write(Buffer.from(text, 'latin1'))
  return (await readAll(socket)).toString('latin1')
}

async function readAll(stream: Socket | IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const line = (target: string, host = 'localhost'): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

/** Blocks the page `Slow` until it is released. Returns a promise that it is being read, and a function that releases it. */
function holdSlow(): { started: Promise<void>; release: () => void } {
  let release = (): void => {}
  const started = new Promise<void>(resolve => {
    slow.started = resolve
  })
  slow.finished = new Promise<void>(resolve => {
    release = resolve
  })
  return { started, release: () => release() }
}

describe('a server', () => {
  test('answers at its URL, and writes to the log', async () => {
    const entries: LogEntry[] = []
    const { url, port } = await start({ log: entry => entries.push(entry) })
    expect(url).toBe(`http://127.0.0.1:${port}/v1`)
    const response = await fetch(`${url}/page/Main_Page`)
    expect([response.status, (await jsonOf(response)).key]).toEqual([200, 'Main_Page'])
    expect(response.headers.get('content-type')).toBe('application/json')
    // Longer than a proxy keeps its connections open.
    expect(response.headers.get('keep-alive')).toBe('timeout=65')
    expect(entries).toMatchObject([{ event: 'request', peer: '127.0.0.1', target: '/v1/page/Main_Page', status: 200 }])
  })

  test('takes its host and port only from its options, and prints nothing', async () => {
    const printed = vi.spyOn(console, 'log').mockReturnValue()
    vi.stubEnv('HOST', '0.0.0.0').stubEnv('PORT', '3999').stubEnv('NODE_ENV', 'development')
    try {
      const { url } = await start()
      expect(new URL(url)).toMatchObject({ hostname: '127.0.0.1', port: expect.not.stringMatching(/^3\d\d\d$/) })
      // listhen would open 3000 instead of this port, because browsers do not open it.
      await expect(start({ port: 6666 })).rejects.toMatchObject({ code: 'wiki-cannot-listen' })
      expect(printed.mock.calls).toEqual([])
    } finally {
      vi.unstubAllEnvs()
      printed.mockRestore()
    }
  })

  // A system with fewer places for them, such as an older Linux with 128, cannot keep as many.
  test.skipIf(backlogOfSystem() < 4096)('a burst of connections takes no place from a reader', async () => {
    const { port } = await start()
    const connected = new Int32Array(new SharedArrayBuffer(4))
    const burst = new Worker(connectMany, { eval: true, workerData: { port, connected } })
    await once(burst, 'message')
    burst.postMessage('go')
    // The server takes none of them while its thread waits here.
    let count = 0
    while (count < 700 && Atomics.wait(connected, 0, count, 20_000) !== 'timed-out') count = Atomics.load(connected, 0)
    await burst.terminate()
    expect(count).toBe(700)
  })

  test('never closes its port to open it again: another process might take it', async () => {
    const opened = vi.spyOn(Server.prototype, 'listen')
    try {
      await start()
      const own = listeners.at(-1)?.server
      expect(opened.mock.contexts.filter(server => server === own).length).toBe(1)
    } finally {
      opened.mockRestore()
    }
  })

  test("keeps none of listhen's request listeners", async () => {
    await start()
    const found = listeners.at(-1)?.server.listeners('request') ?? []
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(listener => listener.toString().includes('_isIdle'))).toEqual([])
  })

  test.each([
    ['/v1/page/./bare', 404, 'rest-nonexistent-title', '.'],
    ['/v1/page/../bare', 404, 'rest-nonexistent-title', '..'],
    ['/v1/page/a"b', 404, 'rest-nonexistent-title', 'a"b'],
    ['http://localhost/v1/page/C++', 200, undefined, 'C++'],
    ['http://evil.example/v1/page/C++', 403, 'wiki-host-not-allowed', undefined],
    ['*', 404, 'rest-no-match', undefined],
    ['//v1/page/X', 404, 'rest-no-match', undefined],
  ])('reads the request line %s as it was sent', async (target, status, errorKey, title) => {
    const { port } = await start()
    calls.length = 0
    const [head = '', body = ''] = (await talk(port, line(target))).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} (?:OK|Not Found|Forbidden)\r\n`))
    expect([JSON.parse(body).errorKey, calls[0]?.params.title]).toEqual([errorKey, title])
  })

  test.each<[coding: string, grown: Buffer]>([
    ['identity', Buffer.alloc(14 * 1024 * 1024, 32)],
    ['gzip', Buffer.concat([gzipSync(Buffer.alloc(14 * 1024 * 1024, 32)), Buffer.alloc(3 * 1024 * 1024)])],
  ])('returns 413 for a chunked body above the limit in %s, and continues', async (coding, grown) => {
    const { port, url, close } = await start({ allowAnonymous: true, closeWithin: 600_000 })
    const headers = {
      'content-type': 'application/json',
      'content-encoding': coding,
      'transfer-encoding': 'chunked',
    }
    const sending = request({ port, method: 'POST', path: '/v1/page', headers, agent: new Agent({ keepAlive: true }) })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    sending.write(grown)
    const [response] = await answered
    expect(response.statusCode).toBe(413)
    expect(JSON.parse((await readAll(response)).toString()).errorKey).toBe('rest-body-too-large')
    sending.end()
    expect((await fetch(`${url}/page/Main_Page`)).status).toBe(200)
    // A connection whose remaining bytes are not read would keep it waiting.
    await close()
  })

  test('continues when a client disconnects in the middle of a body, or above the limit', async () => {
    const entries: LogEntry[] = []
    const { port, url } = await start({ allowAnonymous: true, log: entry => entries.push(entry) })
    const head = 'POST /v1/page HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    for (const body of [
      'Content-Length: 100\r\n\r\n{',
      `Transfer-Encoding: chunked\r\n\r\n500000\r\n${'x'.repeat(5_000_000)}`,
    ]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await new Promise(resolve => socket.write(head + body, resolve))
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    expect((await fetch(`${url}/page/Main_Page`)).status).toBe(200)
    expect(entries.filter(entry => entry.event === 'error')).toEqual([])
    // The second one may be refused before its connection ends.
    await expect
      .poll(() => entries.find(one => one.event === 'request' && one.method === 'POST'))
      .toMatchObject({
        status: 499,
        bytes: 0,
      })
  })

  test('reports that it cannot listen', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const { port } = busy.address() as { port: number }
    await expect(start({ port })).rejects.toMatchObject({ code: 'wiki-port-in-use', status: 400 })
    busy.close()
    await expect(start({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'wiki-cannot-listen' })
    await expect(start({ host: 'no such host' })).rejects.toMatchObject({ code: 'wiki-cannot-listen' })
  })
})

describe('closing', () => {
  test('finishes the running request, and its connection', async () => {
    const { url, close, port } = await start()
    const { started, release } = holdSlow()
    const agent = new Agent({ keepAlive: true })
    const idle = get(`${url}/page/Main_Page`, { agent })
    const [first] = (await once(idle, 'response')) as [IncomingMessage]
    await readAll(first)
    const answered = once(get(`${url}/page/Slow`, { agent: new Agent({ keepAlive: true }) }), 'response')
    await started
    const closed = close()
    await expect(fetch(`${url}/page/Main_Page`)).rejects.toThrow()
    release()
    const [response] = (await answered) as [IncomingMessage]
    expect(response.headers.connection).toBe('close')
    expect(JSON.parse((await readAll(response)).toString()).source).toBe('at last')
    await closed
    const again = createServer().listen(port, '127.0.0.1')
    await once(again, 'listening')
    again.close()
  })

  test('closes a connection whose request continues after its response', async () => {
    const { port, close } = await start({ allowAnonymous: true })
    const socket = connect(port, '127.0.0.1')
    const head = 'POST /v1/page HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\nd00001\r\n${' '.repeat(0xd00001)}`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
    const closed = close()
    socket.write('\r\n0\r\n\r\n')
    await closed
  })

  test('closes a connection that a browser opened in advance, without a request', async () => {
    const { url, port, close } = await start({ closeWithin: 600_000 })
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    await fetch(`${url}/page/Main_Page`)
    socket.on('error', () => {})
    await Promise.all([once(socket, 'close'), close()])
  })

  test('does not wait longer than configured', async () => {
    const { url, close } = await start({ closeWithin: 20 })
    const { started, release } = holdSlow()
    const answered = fetch(`${url}/page/Slow`)
    answered.catch(() => {})
    await started
    await close()
    await expect(answered).rejects.toThrow()
    release()
  })

  test('may be called twice', async () => {
    const { close } = await start()
    await Promise.all([close(), close()])
    await close()
  })
})
