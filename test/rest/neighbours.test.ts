/** Local neighbours: what others on the same machine, and websites in a browser there, can do to a running `wiki serve`. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWiki } from '../operations/_wiki.ts'
import { type Served, startServed, stopServed } from './_served.ts'

let directory: string
let served: Served

// It takes anonymous edits, so that a refusal is never one of a missing token.
beforeAll(async () => {
  directory = (await newWiki({ Tides: 'High at noon.' })).directory
  served = await startServed(directory, ['--allow-anonymous'])
})
afterAll(stopServed)

/** Sends the lines of a request; returns the status and the whole response. */
async function send(
  lines: readonly string[],
  { body = '', to = served } = {},
): Promise<[status: number, text: string]> {
  const text = await to.talk([...lines, `Content-Length: ${body.length}`, 'Connection: close', '', body].join('\r\n'))
  return [Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text]
}

const statusOf = async (...lines: string[]): Promise<number> => (await send(lines))[0]
const pages = [
  '/',
  '/wiki/Tides',
  '/v1/page/Tides',
  '/v1/session',
  '/files/x.png',
  '/events',
  '/~0123456789abcdef/wiki/Tides',
]

describe('a website', () => {
  test('whose name is pointed at this machine reads nothing, however it is spelled (DNS rebinding)', async () => {
    const { port } = served
    const names = [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.localhost.',
      'localhost.',
    ]
    const numbers = [
      '127.1',
      '2130706433',
      '0x7f000001',
      '0.0.0.0',
      '[::]',
      '[::ffff:127.0.0.1]',
      '192.168.0.1',
      'host.docker.internal',
    ]
    const broken = [
      '',
      'localhost@evil.example',
      'localhost, evil.example',
      'localhost\\evil.example',
      'evil.example#localhost',
      '127.0.0.1:x',
    ]
    for (const host of [...names, ...numbers, ...broken])
      expect([host, await statusOf('GET /wiki/Tides HTTP/1.1', `Host: ${host}`)]).toEqual([
        host,
        expect.toSatisfy(status => status === 403 || status === 400),
      ])
    for (const page of pages)
      expect([page, await statusOf(`GET ${page} HTTP/1.1`, 'Host: evil.example')]).toEqual([page, 403])
    for (const host of ['localhost', `127.0.0.1:${port}`, 'LOCALHOST', '[::1]', 'wiki.localhost'])
      expect([host, await statusOf('GET /wiki/Tides HTTP/1.1', `Host: ${host}`)]).toEqual([host, 200])
  })

  test('is not helped by a second host, by one in the target, or by headers of proxies', async () => {
    expect(await statusOf('GET /wiki/Tides HTTP/1.1', 'Host: localhost', 'Host: evil.example')).toBe(400)
    expect(await statusOf('GET /wiki/Tides HTTP/1.1')).toBe(400)
    for (const target of [
      'http://evil.example/wiki/Tides',
      'HTTP://evil.example:80/v1/page/Tides',
      'http:///wiki/Tides',
    ])
      expect([target, await statusOf(`GET ${target} HTTP/1.1`, 'Host: localhost')]).toEqual([
        target,
        expect.toSatisfy(status => status === 403 || status === 400),
      ])
    expect(await statusOf('GET http://localhost/wiki/Tides HTTP/1.1', 'Host: evil.example')).toBe(200)
    const forwarded = [
      'X-Forwarded-Host',
      'X-Forwarded-For',
      'X-Forwarded-Proto',
      'Forwarded',
      'X-Original-URL',
      'X-Rewrite-URL',
      'X-HTTP-Method-Override',
    ]
    const [status, text] = await send([
      'GET /wiki/Tides HTTP/1.1',
      'Host: localhost',
      ...forwarded.map(name => `${name}: evil.example`),
    ])
    expect([status, text.includes('evil.example')]).toEqual([200, false])
    expect(await statusOf('GET /wiki/Tides HTTP/1.1', 'Host: evil.example', 'X-Forwarded-Host: localhost')).toBe(403)
  })

  test('changes nothing by a form, a picture, a request without leave or a tunnel', async () => {
    const before = readFileSync(join(directory, '.git/refs/heads/main'), 'utf8')
    const from: readonly (readonly string[])[] = [
      ['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site'],
      ['Origin: http://127.0.0.1:1', 'Sec-Fetch-Site: same-site'],
      ['Origin: http://localhost:1'],
      ['Origin: null'],
      ['Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-site'],
    ]
    const json = '{"title":"Evil","source":"x","comment":""}'
    const forms: readonly (readonly [line: string, type: string, body: string])[] = [
      ['POST /v1/page', 'application/json', json],
      ['POST /v1/page', 'text/plain', json],
      ['POST /v1/page', 'application/x-www-form-urlencoded', 'title=Evil&source=x&comment='],
      ['PUT /v1/page/Evil', 'application/json', json],
      ['PUT /v1/file/Evil.svg?comment=x', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['POST /wiki/Evil?action=submit', 'application/x-www-form-urlencoded', 'do=save&text=x&token=%2B%5C'],
      ['POST /wiki/Special:MovePage/Tides', 'application/x-www-form-urlencoded', 'to=Evil&token=%2B%5C'],
      ['POST /wiki/Special:UserLogin', 'application/x-www-form-urlencoded', 'do=link'],
    ]
    const ports = `Host: 127.0.0.1:${served.port}`
    for (const headers of from)
      for (const [line, type, body] of forms) {
        const [status] = await send([`${line} HTTP/1.1`, ports, `Content-Type: ${type}`, ...headers], { body })
        expect([line, headers, status]).toEqual([
          line,
          headers,
          expect.toSatisfy(found => found === 403 || found === 415),
        ])
      }
    for (const path of [
      '/wiki/Evil?action=submit&do=save&text=x',
      '/wiki/Special:DeletePage/Tides?do=delete',
      '/wiki/Special:UserLogout',
    ])
      expect(await statusOf(`GET ${path} HTTP/1.1`, ports)).toBeLessThan(500)
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]
    expect(await statusOf('GET /v1/page/Tides HTTP/1.1', ports, 'Origin: https://evil.example', ...upgrade)).not.toBe(
      101,
    )
    expect(await statusOf('CONNECT 127.0.0.1:22 HTTP/1.1', ports)).toBe(405)
    expect(readFileSync(join(directory, '.git/refs/heads/main'), 'utf8')).toBe(before)
  })

  test('gets leave to write or to use cookies from no preflight', async () => {
    const asked = [
      'Access-Control-Request-Headers: content-type',
      'Access-Control-Request-Private-Network: true',
      'Origin: https://evil.example',
    ]
    for (const [method, path] of [
      ['POST', '/v1/page'],
      ['PUT', '/v1/page/Tides'],
      ['DELETE', '/v1/page/Tides'],
      ['GET', '/v1/session'],
      ['POST', '/wiki/Tides'],
    ]) {
      const [, text] = await send([
        `OPTIONS ${path} HTTP/1.1`,
        'Host: localhost',
        `Access-Control-Request-Method: ${method}`,
        ...asked,
      ])
      expect(text.toLowerCase()).not.toMatch(/access-control-allow-(?:origin|credentials|private-network)/)
    }
  })

  test('reads no page, stream or session of the browser, and embeds none', async () => {
    for (const path of ['/wiki/Tides', '/wiki/Special:UserLogin', '/events', '/v1/session']) {
      const { socket, text } = served.open(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n`,
      )
      await expect.poll(text).toContain('\r\n\r\n')
      socket.destroy()
      const head = text().split('\r\n\r\n', 1)[0]!.toLowerCase()
      expect([path, /access-control-allow-origin/.test(head)]).toEqual([path, false])
      if (!path.startsWith('/v1')) expect(head).toContain('cross-origin-resource-policy: same-origin')
      if (path.startsWith('/wiki')) expect(head).toMatch(/frame-ancestors 'none'/)
    }
  })

  test('reads what the API tells everybody, but not with --no-cors', { tags: 'long' }, async () => {
    const closed = await startServed(directory, ['--no-cors'])
    const read = async (to: Served) =>
      (await send(['GET /v1/page/Tides HTTP/1.1', 'Host: localhost', 'Origin: https://evil.example'], { to }))[1]
    expect(await read(served)).toContain('access-control-allow-origin: *')
    expect((await read(closed)).toLowerCase()).not.toContain('access-control-allow-origin')
  })
})

describe.skipIf(process.platform !== 'linux')('another user of the machine', () => {
  /** Addresses that a process listens on, as /proc has them. */
  function listening(port: number): string[] {
    const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
    return ['tcp', 'tcp6'].flatMap(table => {
      const lines = readFileSync(`/proc/net/${table}`, 'utf8')
        .split('\n')
        .map(line => line.trim().split(/\s+/))
      return lines.flatMap(([, local = '', , state]) =>
        state === '0A' && local.endsWith(hex) ? [local.slice(0, -5)] : [],
      )
    })
  }

  test('reaches the server at one loopback address alone, and no other machine does', async () => {
    expect(listening(served.port)).toEqual(['0100007F'])
    const others = Object.values(networkInterfaces())
      .flatMap(list => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others) {
      const socket = connect(served.port, address)
      expect(
        await new Promise(resolve =>
          socket.once('error', () => resolve('refused')).once('connect', () => resolve('open')),
        ),
      ).toBe('refused')
      socket.destroy()
    }
  })

  test('reads the pages as anybody does', async () => {
    expect(await statusOf('GET /v1/page/Tides HTTP/1.1', 'Host: localhost')).toBe(200)
  })

  test('gets no secret by its files, whatever the umask is', async () => {
    const argv = ['-c', 'umask 000; exec "$0" "$@"', process.execPath, join(import.meta.dirname, '../../bin/wiki.cjs')]
    const own = (await newWiki()).directory
    const made = spawnSync('sh', [...argv, '-C', own, 'token', 'create', 'Ada'], { encoding: 'utf8' })
    expect(made.stdout).toMatch(/wiki_/)
    const modes = spawnSync('find', [join(own, '.git/wiki/.access'), '-perm', '/077'], { encoding: 'utf8' })
    expect([existsSync(join(own, '.git/wiki/.access/tokens.json')), modes.stdout]).toEqual([true, ''])
  })
})

test('a server for other machines has no sign-in link, and takes their names for it as addresses alone', {
  tags: 'long',
}, async () => {
  const open = await startServed(directory, ['--host', '0.0.0.0'])
  expect(open.said.stdout).not.toContain('Edit as')
  const statuses = ['192.168.7.7', '[fe80::1]', 'evil.example'].map(
    async host => (await send(['GET /wiki/Tides HTTP/1.1', `Host: ${host}`], { to: open }))[0],
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 403])
})
