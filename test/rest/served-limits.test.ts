/** Each limit of `wiki serve`, on the running program: what a client sees at the limit, and just beyond it. */

import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { heldBodyBytes } from '../../src/http/held-bodies.ts'
import { connectionLimits, connectionRules } from '../../src/rest/serve.ts'
import { hasGit } from '../_setup.ts'
import { until } from '../_wait.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { type Peer, type Served, startServed, stopServed } from './_served.ts'

interface Row {
  /** The limits that are measured: names of constants, settings, rows of the table in docs/reference/rest-api.md. */
  readonly of: readonly string[]
  readonly what: string
  /** Options of the server, beside `--allow-anonymous`. */
  readonly options?: readonly string[]
  readonly measure: (served: Served) => Promise<unknown>
  readonly seen: unknown
  /** True if it takes most of a second, or waits for minutes. */
  readonly isLong?: true
}

const get = 'GET /v1/page/X/bare HTTP/1.1\r\nHost: localhost\r\n'
const last = 'Connection: close\r\n\r\n'
const post = 'POST /v1/transform/wikitext/to/html HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const mebibyte = 1024 * 1024

/** Statuses of all responses, and the errors in their bodies, in order. */
function answersIn(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) |"errorKey":"([^"]+)"/g)].map(([, status, key]) => status ?? key!)
}

const answers = async (served: Served, bytes: string): Promise<string[]> => answersIn(await served.talk(bytes))

/** Starts a body that never ends. */
const unfinished = (served: Served, length: number): Peer =>
  served.open(`${post}Content-Length: ${4 * mebibyte}\r\n\r\n${' '.repeat(length)}`)

/** Opens connections of which each has had a response. */
async function kept(served: Served, count: number): Promise<Peer[]> {
  const peers = Array.from({ length: count }, () => served.open(`${get}\r\n`))
  for (const peer of peers) await until('a response arrives', () => peer.text().includes('"id"') || undefined)
  return peers
}

const isClosed = ({ socket }: Peer): boolean => socket.closed

/** Number of sockets that a process has open. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter(name => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}

const rows: readonly Row[] = [
  {
    of: ['headersTimeout', 'Headers of a request'],
    what: 'no byte, half a line, half a header; a second request after a complete one',
    isLong: true,
    measure: served =>
      Promise.all(['', 'GET / HT', get, `${get}\r\nGET / HT`].map(async bytes => answersIn(await served.talk(bytes)))),
    seen: [
      ['408', 'wiki-request-timeout'],
      ['408', 'wiki-request-timeout'],
      ['408', 'wiki-request-timeout'],
      ['200', '408', 'wiki-request-timeout'],
    ],
  },
  {
    of: ['requestTimeout'],
    what: 'a body that arrives byte by byte; one that nobody reads; a file below its rate, and one above it',
    isLong: true,
    async measure(served) {
      const drip = served.open(`${post}Content-Length: 1000000\r\n\r\n`)
      const timer = setInterval(() => drip.socket.write(' '), 1000)
      const file = (name: string, bytes: number): Peer =>
        served.open(
          `PUT /v1/file/${name} HTTP/1.1\r\nHost: localhost\r\n${last.slice(0, -2)}Content-Length: 1100001\r\n\r\n${'a'.repeat(bytes)}`,
        )
      const [fast, slow] = [file('Fast.txt', 1_100_000), file('Slow.txt', 100_000)]
      const unread = served.open('POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n')
      const dripped = await drip.closed
      clearInterval(timer)
      const others = await Promise.all([unread.closed, slow.closed])
      fast.socket.write('a')
      return [dripped, ...others, await fast.closed].map(answersIn)
    },
    seen: [['408', 'wiki-request-timeout'], ['404', 'rest-no-match'], ['408', 'wiki-request-timeout'], ['200']],
  },
  {
    of: ['keepAliveTimeout'],
    what: 'a connection between two requests is announced for 65 seconds, and closed without a word',
    isLong: true,
    async measure(served) {
      const text = await served.talk(`${get}\r\n`)
      return [answersIn(text), /Keep-Alive: (.*)\r/.exec(text)?.[1]]
    },
    seen: [['200'], 'timeout=65'],
  },
  {
    of: ['timeout', 'No byte in either direction'],
    what: 'a client that does not read a large file is disconnected',
    isLong: true,
    async measure(served) {
      const pid = served.process.pid!
      const before = socketsOf(pid)
      const { socket } = served.open('')
      socket.pause().write('GET /files/Large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await until('the connection is open', () => socketsOf(pid) > before || undefined)
      return await until('it is closed', () => socketsOf(pid) === before || undefined)
    },
    options: ['--quiet'],
    seen: true,
  },
  {
    of: ['maxHeaderSize', 'Address and headers'],
    what: 'a URL and headers of less than 16 KiB, and of more',
    measure: async served => [
      await answers(served, `${get}A: ${'x'.repeat(15_000)}\r\n${last}`),
      await answers(served, `${get}A: ${'x'.repeat(16_384)}\r\n${last}`),
      await answers(served, get.replace('bare', `bare?${'x'.repeat(16_384)}`) + last),
    ],
    seen: [['200'], ['431', 'wiki-headers-too-large'], ['431', 'wiki-headers-too-large']],
  },
  {
    of: ['maxHeadersCount', 'Address and headers'],
    what: 'the hundredth header counts, the next does not',
    async measure(served) {
      const [, tag] = /etag: (.*)\r/.exec(await served.talk(get + last)) ?? []
      const others = (count: number): string => Array.from({ length: count }, (_, at) => `X-${at}: x\r\n`).join('')
      // Two more are Host and Connection.
      const statusWith = (count: number) =>
        answers(served, `${get}Connection: close\r\n${others(count)}If-None-Match: ${tag}\r\n\r\n`)
      return [await statusWith(97), await statusWith(98)]
    },
    seen: [['304'], ['200']],
  },
  {
    of: ['pipelined', 'Pipelined requests'],
    what: '64 requests at once have 64 responses, and 65 none',
    measure: async served => [
      (await answers(served, `${`${get}\r\n`.repeat(63)}${get}${last}`)).length,
      await answers(served, `${get}\r\n`.repeat(65)),
    ],
    seen: [64, []],
  },
  {
    of: ['connections', 'Connections'],
    what: 'of 950 connections between two requests the oldest 50 are closed, and a new one gets its response',
    isLong: true,
    async measure(served) {
      const peers = await kept(served, 950)
      const honest = await answers(served, get + last)
      await until('the first are closed', () => peers.slice(0, 50).every(isClosed) || undefined)
      return [honest, peers.slice(51).some(isClosed)]
    },
    options: ['--quiet', '--no-ui'],
    seen: [['200'], false],
  },
  {
    of: ['heldBodyBytes', 'Memory held for clients'],
    what: 'of forty bodies of 3.9 MB that do not end, each 4 MiB of memory, the first eight are dropped',
    isLong: true,
    async measure(served) {
      const peers: Peer[] = []
      for (let count = 0; count < 40; count++) {
        const peer = unfinished(served, 3_900_000)
        await new Promise(resolve => peer.socket.write(' ', resolve))
        peers.push(peer)
      }
      await until('the first are dropped', () => peers.filter(isClosed).length >= 8 || undefined)
      const honest = await answers(served, `${post}Content-Length: 16\r\n${last}{"wikitext":"a"}`)
      return [honest, peers.filter(isClosed).length]
    },
    options: ['--no-cors'],
    seen: [['200'], 8],
  },
]

const { directory, wiki } = await newWiki({ X: 'one' })
await commitFiles(wiki, { 'File/Large.txt': 'x'.repeat(32 * mebibyte) })
const servers = new Map<string, Promise<Served>>()
afterAll(stopServed)

/** Starts a server for all rows with the same options. */
function servedWith(options: readonly string[]): Promise<Served> {
  const key = options.join(' ')
  const served = servers.get(key) ?? startServed(directory, ['--allow-anonymous', ...options])
  servers.set(key, served)
  return served
}

describe.skipIf(!hasGit).concurrent('a limit of the running server', () => {
  for (const { of, what, options = [], measure, seen, isLong } of rows)
    test(`${of.join(', ')}: ${what}`, { tags: isLong ? ['long'] : [] }, async ({ expect }) => {
      expect(await measure(await servedWith(options))).toEqual(seen)
    })
})

test('every limit has a row', () => {
  const measured = new Set(rows.flatMap(row => row.of))
  const limits = [...Object.keys(connectionLimits), ...Object.keys(connectionRules), ...Object.keys({ heldBodyBytes })]
  expect(limits.filter(name => !measured.has(name))).toEqual([])
})
