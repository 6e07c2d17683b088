import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spooledRequests } from '../../src/http/read-body.ts'
import { boundConnections, type ConnectionLimits, isHeard } from '../../src/rest/connections.ts'

const usual: ConnectionLimits = {
  connections: 10,
  waitingBytes: 10_000_000,
  headers: 60_000,
  request: 60_000,
  pipelined: 8,
  interval: 10,
}

async function listen(limits: Partial<ConnectionLimits>, handle: RequestListener): Promise<number> {
  const server: Server = createServer(handle)
  boundConnections(server, { ...usual, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

interface Peer {
  readonly socket: Socket
  readonly closed: () => boolean
  readonly text: () => string
}

async function open(port: number, bytes = '', localAddress = '127.0.0.1'): Promise<Peer> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  let isClosed = false
  let text = ''
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
  })
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes)
  return { socket, closed: () => isClosed, text: () => text }
}

async function eventually(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !holds() && Date.now() < end; ) await sleep(5)
  expect(holds()).toBe(true)
}

const simple = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const half = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf'
const answer: RequestListener = (request, response) => request.on('end', () => response.end('done')).resume()

describe('connections beyond the limit', () => {
  test.each<[kind: string, bytes: string]>([
    ['are silent', ''],
    ['send half a header', 'GET / HTTP/1.1\r\nHo'],
    ['send half a body', half],
    ['keep their connection', simple],
  ])('close the oldest of those that %s, and the new one gets its response', async (_, bytes) => {
    const port = await listen({}, answer)
    const peers: Peer[] = []
    for (let count = 0; count < 25; count++) peers.push(await open(port, bytes))
    const honest = await open(port, simple)
    await eventually(() => honest.text().endsWith('done'))
    await eventually(() => peers.filter(peer => peer.closed()).length === 16)
    expect(peers.slice(0, 16).every(peer => peer.closed())).toBe(true)
  })

  test('close those that do not read their response', { tags: 'long' }, async () => {
    const large = Buffer.alloc(50_000_000)
    const port = await listen({ waitingBytes: 1e12 }, (request, response) => {
      response.end(request.url === '/large' ? large : 'done')
    })
    const peers: Peer[] = []
    for (let count = 0; count < 12; count++) {
      const peer = await open(port)
      peer.socket.pause().write(simple.replace('/', '/large'))
      peers.push(peer)
    }
    const honest = await open(port, simple)
    await eventually(() => honest.text().endsWith('done'))
    for (const { socket } of peers) socket.resume()
    await eventually(() => peers.filter(peer => peer.closed()).length >= 3)
    expect(peers[0]?.closed()).toBe(true)
  })

  // Other systems have one address of this machine alone.
  test.skipIf(process.platform !== 'linux')('close those of the network that has most first', async () => {
    const port = await listen({}, answer)
    const few = [
      await open(port, '', '127.0.0.2'),
      await open(port, '', '127.0.0.3'),
      await open(port, '', '127.0.0.2'),
    ]
    const many: Peer[] = []
    for (let count = 0; count < 25; count++) many.push(await open(port))
    await eventually(() => many.filter(peer => peer.closed()).length === 18)
    expect(few.some(peer => peer.closed())).toBe(false)
  })

  test('never close one with a request in progress', async () => {
    let release = (): void => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const port = await listen({}, async (_, response) => {
      await released
      response.end('at last')
    })
    const first = await open(port, simple)
    for (let count = 0; count < 30; count++) await open(port)
    expect(first.closed()).toBe(false)
    release()
    await eventually(() => first.text().endsWith('at last'))
  })
})

describe('a slow client', () => {
  test.each<[what: string, bytes: string, limits: Partial<ConnectionLimits>, text: string]>([
    ['with its first byte', '', { headers: 50 }, 'HTTP/1.1 408 '],
    ['with its headers', 'GET / HTTP/1.1\r\nHo', { headers: 50 }, 'HTTP/1.1 408 '],
    ['with its body', half, { request: 50 }, ''],
  ])('%s is disconnected', async (_, bytes, limits, text) => {
    const port = await listen(limits, answer)
    const { closed, text: heard } = await open(port, bytes)
    await eventually(closed)
    expect(heard().slice(0, 13)).toBe(text)
    expect(heard().split('HTTP/1.1 ').length).toBeLessThanOrEqual(2)
  })

  test('with its second headers is disconnected, without a second response', async () => {
    const port = await listen({ headers: 50 }, answer)
    const { socket, closed, text } = await open(port, simple)
    await eventually(() => text().endsWith('done'))
    socket.write('GET / HTTP/1.1')
    await eventually(closed)
    expect(text().split('HTTP/1.1 ')).toHaveLength(2)
  })

  test('is not disconnected if the server caused the delay', async () => {
    const port = await listen({ headers: 50 }, answer)
    const { socket, text } = await open(port)
    await sleep(20)
    socket.write(simple)
    for (const end = Date.now() + 200; Date.now() < end; );
    await eventually(() => text().endsWith('done'))
  })

  test('is not disconnected before its second request', async () => {
    const port = await listen({ headers: 50 }, answer)
    const { socket, closed, text } = await open(port, simple)
    await sleep(300)
    expect(closed()).toBe(false)
    socket.write(simple)
    await eventually(() => text().split('done').length === 3)
  })
})

describe('memory', () => {
  test('used by incomplete bodies is limited: the oldest are dropped', async () => {
    const port = await listen({ waitingBytes: 1_000_000 }, (request, response) => {
      request.resume()
      response.writeHead(200)
    })
    const body = 'x'.repeat(400_000)
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n'
    const peers: Peer[] = []
    for (let count = 0; count < 5; count++) {
      peers.push(await open(port, head + body))
      await sleep(40)
    }
    await eventually(() => peers.filter(peer => peer.closed()).length === 3)
    expect(peers.map(peer => peer.closed())).toEqual([true, true, true, false, false])
  })

  test('used by pipelined requests is limited', async () => {
    let asked = 0
    const port = await listen({}, request => {
      if (isHeard(request)) asked++
    })
    const { closed } = await open(port, simple.repeat(500))
    await eventually(closed)
    expect(asked).toBeLessThan(100)
    const few = await open(port, simple.repeat(8))
    await sleep(50)
    expect(few.closed()).toBe(false)
  })
})

describe('bodies spooled to disk', () => {
  /** Bytes that the server has read of each request, by its address. */
  async function receiving(limits: Partial<ConnectionLimits>) {
    const received = new Map<string, number>()
    const port = await listen(limits, (request, response) => {
      if (request.url?.startsWith('/spooled')) spooledRequests.add(request)
      request.on('data', (piece: Buffer) => {
        received.set(request.url!, (received.get(request.url!) ?? 0) + piece.length)
      })
      request.on('end', () => response.end('done'))
    })
    const begin = (path: string) => open(port, `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 300001\r\n\r\n`)
    return { received, begin }
  }

  test('do not count as memory, others do', async () => {
    const { received, begin } = await receiving({ waitingBytes: 500_000 })
    const peers = [await begin('/spooled/1'), await begin('/spooled/2'), await begin('/held/1'), await begin('/held/2')]
    for (const { socket } of peers) socket.write(Buffer.alloc(300_000))
    await eventually(() => received.get('/spooled/1') === 300_000 && received.get('/spooled/2') === 300_000)
    await eventually(() => peers.some(peer => peer.closed()))
    for (const peer of peers.slice(0, 2)) peer.socket.write('x')
    await eventually(() => peers.slice(0, 2).every(peer => peer.text().endsWith('done')))
    expect(peers.map(peer => peer.closed()).slice(0, 2)).toEqual([false, false])
  })

  test('may take long if they arrive at a minimum rate, others may not', async () => {
    const { received, begin } = await receiving({ request: 200 })
    const [spooled, held] = [await begin('/spooled'), await begin('/held')]
    for (const { socket } of [spooled, held]) socket.write(Buffer.alloc(300_000))
    await eventually(() => received.get('/spooled') === 300_000)
    await eventually(() => held.closed())
    spooled.socket.write('x')
    await eventually(() => spooled.text().endsWith('done'))
  })
})
