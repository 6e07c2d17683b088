/** Each limit of `wiki serve`, on the running program: what a client sees at the limit, and just beyond it. */

import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { serve } from '../../src/cli/commands/serve.ts'
import { heldBodyBytes } from '../../src/http/held-bodies.ts'
import { shortBodyBytes } from '../../src/http/read-body.ts'
import { connectionLimits, connectionRules, maxHeaders } from '../../src/rest/serve.ts'
import { git, hasGit } from '../_setup.ts'
import { until } from '../_wait.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { sending } from './_asking.ts'
import { type Peer, type Served, startServed, stopServed } from './_served.ts'

interface Row {
  /** The limits that are measured: names of constants, settings, rows of the table in docs/reference/rest-api.md. */
  readonly of: readonly string[]
  readonly what: string
  /** Options of the server; `--allow-anonymous` if omitted. */
  readonly options?: readonly string[]
  /** The wiki that is served; the plain one if omitted. */
  readonly wiki?: 'hooked' | 'small'
  readonly measure: (served: Served) => Promise<unknown>
  readonly seen: unknown
  /** True if it takes most of a second, or waits for minutes. */
  readonly isLong?: true
  /** Milliseconds after which the test fails, if the event takes minutes. */
  readonly timeout?: number
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

/** Statuses and errors of the first response, whose request the server does not wait for. */
async function firstAnswer(served: Served, bytes: string): Promise<string[]> {
  const peer = served.open(bytes)
  await until('a response arrives', () => peer.text().includes('errorKey') || undefined)
  peer.socket.destroy()
  return answersIn(peer.text())
}

/** Opens connections of which each has had a response. */
async function kept(served: Served, count: number): Promise<Peer[]> {
  const peers: Peer[] = []
  // A few at a time: how many may arrive at once is another row's matter.
  while (peers.length < count) {
    const more = Array.from({ length: Math.min(50, count - peers.length) }, () => served.open(`${get}\r\n`))
    for (const peer of more) await until('a response arrives', () => peer.text().includes('"id"') || undefined)
    peers.push(...more)
  }
  return peers
}

const isClosed = ({ socket }: Peer): boolean => socket.closed

/** Returns true while the server has a connection to this port of the client. Source: proc(5), /proc/net/tcp. */
function isEstablished(server: number, client: number): boolean {
  const hex = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const line = new RegExp(`${hex(server)} [0-9A-F]+${hex(client)} 01 `)
  return line.test(readFileSync('/proc/net/tcp', 'latin1'))
}

type Answer = readonly [status: number, keyOrLocation: string | undefined]

/** Sends JSON. Returns the status, and the error or the `Location`. */
async function send(
  { root }: Served,
  path: string,
  body: unknown,
  { method = 'POST', headers = {} }: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(root + path, sending(method, body, headers))
  const { errorKey } = (await answer.json().catch(() => ({}))) as { errorKey?: string }
  return [answer.status, errorKey ?? answer.headers.get('location')?.replace(root, '') ?? undefined]
}

let pages = 0
const create = (served: Served, source = 'x', headers: Record<string, string> = {}): Promise<Answer> =>
  send(served, '/v1/page', { title: `New ${++pages}`, source, comment: null }, { headers })

const statusOf = async ({ root }: Served, path: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(root + path, { headers, redirect: 'manual' })).status

/** Returns the reason for which a server does not start. */
const refusal = (options: readonly string[]): Promise<string> =>
  startServed(directory, options).then(
    () => 'it runs',
    error => String(error).replace(/\s+/g, ' '),
  )

const { directory, wiki } = await newWiki({ X: 'one', Long: 'word '.repeat(60_000) })
await commitFiles(wiki, { 'File/Large.txt': 'x'.repeat(32 * mebibyte), 'Large.wiki': 'a\n'.repeat(4.5 * mebibyte) })
if (hasGit) git(directory, 'branch', 'other')
await commitFiles(wiki, { 'Later.wiki': 'two', 'Large.wiki': 'b\n'.repeat(4.5 * mebibyte) })

/** A wiki with a hook that waits for a file, and refuses some texts, and with a program that signs. */
const { directory: hooked } = await newWiki({ X: 'one', Hooked: 'one' })
const inHooked = (path: string, text: string): void => writeFileSync(join(hooked, '.git', path), text, { mode: 0o755 })
mkdirSync(join(hooked, '.git/hooks'), { recursive: true })
inHooked(
  'hooks/pre-commit',
  '#!/bin/sh\ncd "$(git rev-parse --git-common-dir)"; touch begun\nwhile [ ! -e go ]; do sleep 0.1; done\n! git diff --cached | grep -q refuse\n',
)
inHooked(
  'sign',
  '#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED D" >&2\nprintf -- "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n"\n',
)
if (hasGit) {
  git(hooked, 'config', 'commit.gpgSign', 'true')
  git(hooked, 'config', 'gpg.program', join(hooked, '.git/sign'))
}

/** A wiki with small limits. */
const limits = { source: 2_000, html: 2_000, file: 2_000 }
const { directory: small } = await newWiki({ X: 'one' }, { limits })
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
    what: 'a client that does not read a large file is disconnected after 120 seconds, or twice as many',
    timeout: 400_000,
    isLong: true,
    async measure(served) {
      const { socket } = served.open('')
      socket.pause().write('GET /files/Large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(socket, 'connect')
      while (isEstablished(served.port, socket.localPort!)) await sleep(200)
      return true
    },
    options: ['--allow-anonymous', '--quiet'],
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
    of: ['maxHeaders', 'Address and headers'],
    what: 'the hundredth header counts, one more is refused: a condition there, and a second host',
    async measure(served) {
      const [, tag] = /etag: (.*)\r/.exec(await served.talk(get + last)) ?? []
      const others = (count: number): string => Array.from({ length: count }, (_, at) => `X-${at}: x\r\n`).join('')
      // Two more are Host and Connection.
      const statusWith = (count: number) =>
        answers(served, `${get}Connection: close\r\n${others(count)}If-None-Match: ${tag}\r\n\r\n`)
      const ofTwoHosts = await answers(served, `${get}${others(150)}Host: evil\r\n${last}`)
      return [await statusWith(97), await statusWith(98), ofTwoHosts]
    },
    seen: [['304'], ['431', 'wiki-headers-too-large'], ['400', 'wiki-bad-host']],
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
    options: ['--allow-anonymous', '--quiet', '--no-ui'],
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
    options: ['--allow-anonymous', '--no-ui'],
    seen: [['200'], 8],
  },
  {
    of: ['Body', 'shortBodyBytes'],
    what: 'a body of more than 13 MiB is refused before it arrives; so are deep JSON, many values, many fields',
    async measure(served) {
      const announced = (length: number) => `${post}Content-Length: ${length}\r\n\r\n`
      const json = (text: string): string => `${post}Content-Length: ${text.length}\r\n${last}${text}`
      const form = `a=b&`.repeat(1_001)
      const head = post.replace('application/json', 'application/x-www-form-urlencoded')
      return [
        answersIn(await served.talk(json('{"wikitext":"a"}'))),
        await firstAnswer(served, announced(13 * mebibyte + 1)),
        answersIn(await served.talk(json(`{"wikitext":"a","x":${'['.repeat(512)}${']'.repeat(512)}}`))),
        answersIn(await served.talk(json(`{"wikitext":"a","x":[${'1,'.repeat(10_000)}1]}`))),
        answersIn(await served.talk(`${head}Content-Length: ${form.length}\r\n${last}${form}`)),
      ]
    },
    seen: [
      ['200'],
      ['413', 'rest-body-too-large'],
      ['400', 'rest-json-body-parse-error'],
      ['400', 'rest-json-body-parse-error'],
      ['400', 'rest-body-validation-error'],
    ],
  },
  {
    of: ['An edit'],
    what: 'a title of 255 bytes and of 256; a comment of 501 characters is cut',
    isLong: true,
    async measure(served) {
      const page = (title: string, comment: string | null = null) =>
        send(served, '/v1/page', { title, source: 'x', comment })
      const [, path] = await page('Commented', 'c'.repeat(501))
      const { revisions } = (await (await fetch(`${served.root}${path}/history`)).json()) as {
        revisions: { comment: string }[]
      }
      return [(await page('a'.repeat(255)))[0], await page('b'.repeat(256)), revisions[0]?.comment.length]
    },
    seen: [201, [400, 'apierror-invalidtitle'], 500],
  },
  {
    of: ['A comparison, a merge'],
    what: 'two revisions of 9 MiB each',
    isLong: true,
    async measure(served) {
      const { revisions } = (await (await fetch(`${served.root}/v1/page/Large/history`)).json()) as {
        revisions: { id: number }[]
      }
      return answers(
        served,
        get.replace('page/X/bare', `revision/${revisions[1]!.id}/compare/${revisions[0]!.id}`) + last,
      )
    },
    seen: ['413', 'rest-resource-limit-exceeded'],
  },
  {
    of: ['Rendering a page'],
    what: 'a text of more than 400,000 steps, of which a slow machine does not do as many in 30 seconds',
    isLong: true,
    measure: async served =>
      (await send(served, '/v1/transform/wikitext/to/html', { wikitext: '{{lc:a}}'.repeat(60_000) }))[1],
    seen: expect.stringMatching(/^wiki-(?:page-too-complex|render-limit)$/),
  },
  {
    of: ['Waiting jobs'],
    what: 'behind some large texts, a hundred of one client are more than wait: 503 with Retry-After, or a result',
    isLong: true,
    async measure({ root }) {
      const convert = (repeats: number) => (_: unknown, at: number) =>
        fetch(
          `${root}/v1/transform/wikitext/to/html`,
          sending('POST', { wikitext: `${at} ${"''a'' [[b]] ".repeat(repeats)}` }),
        )
      const large = Array.from({ length: 6 }, convert(20_000))
      const all = await Promise.all([...large, ...Array.from({ length: 100 }, convert(1_000))])
      const refused = all.filter(({ status }) => status === 503)
      return [
        refused.length > 0,
        refused.every(({ headers }) => headers.has('retry-after')),
        all.every(({ status }) => status === 200 || status === 503),
      ]
    },
    options: ['--allow-anonymous', '--quiet'],
    seen: [true, true, true],
  },
  {
    of: ['Edits behind others', '--hooks'],
    what: 'an edit behind one whose hook does not end is refused after 30 seconds; a hook refuses an edit',
    isLong: true,
    wiki: 'hooked',
    options: ['--allow-anonymous', '--hooks'],
    async measure(served) {
      const first = create(served)
      await until('the hook runs', () => existsSync(join(hooked, '.git/begun')) || undefined)
      const second = await create(served)
      writeFileSync(join(hooked, '.git/go'), '')
      const refused = await create(served, 'refuse')
      return [(await first)[0], second[0], refused[0]]
    },
    seen: [201, 503, 403],
  },
  {
    of: ['--sign'],
    what: 'with commit.gpgSign a commit is signed, and without the option it is not',
    isLong: true,
    wiki: 'hooked',
    options: ['--allow-anonymous', '--sign'],
    async measure(served) {
      const isSigned = (): boolean => git(hooked, 'cat-file', 'commit', 'HEAD').includes('gpgsig')
      const [status] = await create(served)
      const signed = isSigned()
      const plain = await startServed(hooked, ['--allow-anonymous'])
      return [status, signed, (await create(plain))[0], isSigned()]
    },
    seen: [201, true, 201, false],
  },
  {
    of: ['limits.source', 'limits.html', 'limits.file', 'A transform', '--token-file'],
    what: 'a text, HTML and a file of 2,000 bytes, and of one more',
    isLong: true,
    wiki: 'small',
    options: ['--token-file', join(small, '.git/token')],
    async measure(served) {
      const authorization = `Bearer ${readFileSync(join(small, '.git/token'), 'utf8').trim()}`
      const html = (length: number) => send(served, '/v1/transform/html/to/wikitext', { html: 'x'.repeat(length) })
      const file = async (length: number): Promise<number> =>
        (
          await fetch(`${served.root}/v1/file/${length}.txt`, {
            method: 'PUT',
            headers: { authorization, 'content-type': 'text/plain' },
            body: 'x'.repeat(length),
          })
        ).status
      return [
        (await create(served, 'x'.repeat(2_000), { authorization }))[0],
        await create(served, 'x'.repeat(2_001), { authorization }),
        (await html(2_000))[0],
        await html(2_001),
        await file(2_000),
        await file(2_001),
      ]
    },
    seen: [201, [400, 'apierror-contenttoobig'], 200, [413, 'rest-resource-limit-exceeded'], 200, 413],
  },
  {
    of: ['--port', 'port'],
    what: 'a port of choice; one that is in use; one that browsers do not open; one that is none',
    isLong: true,
    async measure(served) {
      const own = await startServed(directory, ['--port', '0'])
      own.process.kill('SIGKILL')
      await once(own.process, 'exit')
      const again = await startServed(directory, ['--port', String(own.port)])
      return [
        again.port === own.port,
        await refusal(['--port', String(served.port)]),
        await refusal(['--port', '6666']),
        await refusal(['--port', '65536']),
      ]
    },
    seen: [
      true,
      expect.stringMatching(/Port \d+ of 127\.0\.0\.1 is in use/),
      expect.stringContaining('Cannot listen on port 6666'),
      expect.stringContaining('must be between 0 and 65535'),
    ],
  },
  {
    of: ['--branch'],
    what: 'the pages of that branch, and not those of HEAD',
    isLong: true,
    options: ['--branch', 'other'],
    measure: async served => [await statusOf(served, '/v1/page/X'), await statusOf(served, '/v1/page/Later')],
    seen: [200, 404],
  },
  {
    of: ['--host', 'host'],
    what: 'that address alone; a name that is none',
    isLong: true,
    options: ['--host', '127.0.0.2'],
    async measure(served) {
      const other = { ...served, root: `http://127.0.0.1:${served.port}` }
      return [
        await statusOf(served, '/v1/page/X'),
        await statusOf(other, '/v1/page/X').catch(() => 'refused'),
        await refusal(['--host', 'no such host']),
      ]
    },
    seen: [200, 'refused', expect.stringContaining('Cannot listen on port 0 of no such host')],
  },
  {
    of: ['--read-only', 'readOnly'],
    what: 'reads, and no edits',
    isLong: true,
    options: ['--allow-anonymous', '--read-only'],
    measure: async served => [await statusOf(served, '/v1/page/X'), await create(served)],
    seen: [200, [403, 'rest-write-denied']],
  },
  {
    of: ['--allow-anonymous', 'allowAnonymous'],
    what: 'an edit without a token, with the option and without it',
    isLong: true,
    async measure(served) {
      const closed = await startServed(directory)
      return [(await create(served))[0], await create(closed)]
    },
    seen: [201, [401, 'wiki-login-required']],
  },
  {
    of: ['--trust-proxy', '--allow-host', 'trustProxy', 'allowedHosts'],
    what: 'names and schemes of a trusted proxy; names that are not allowed',
    isLong: true,
    options: ['--allow-anonymous', '--trust-proxy', '127.0.0.1', '--allow-host', 'wiki.example'],
    async measure(served) {
      const forwarded = (host: string) =>
        create(served, 'x', { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' })
      const direct = get.replace('localhost', 'wiki.example') + last
      const other = await startServed(directory, ['--allow-anonymous'])
      return [
        await forwarded('wiki.example'),
        await forwarded('evil.example'),
        await answers(served, direct),
        await answers(other, direct),
      ]
    },
    seen: [
      [201, expect.stringMatching(/^https:\/\/wiki\.example\/v1\/page\/New_\d+$/)],
      [403, 'wiki-host-not-allowed'],
      ['200'],
      ['403', 'wiki-host-not-allowed'],
    ],
  },
  {
    of: ['--https', '--base-path', 'https', 'prefix'],
    what: 'URLs of responses start with https, and with the path',
    isLong: true,
    options: ['--allow-anonymous', '--https', '--base-path', '/team'],
    measure: served => create(served),
    seen: [201, expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/team\/v1\/page\/New_\d+$/)],
  },
  {
    of: ['--no-cors', 'crossOrigin'],
    what: 'whether pages of other sites may read',
    isLong: true,
    options: ['--no-cors'],
    async measure(served) {
      const open = await startServed(directory)
      const allowed = async ({ root }: Served) =>
        (await fetch(`${root}/v1/page/X`)).headers.get('access-control-allow-origin')
      return [await allowed(served), await allowed(open)]
    },
    seen: [null, '*'],
  },
  {
    of: ['--max-body', 'maxBodyBytes'],
    what: 'a body of 1,024 bytes, and of one more',
    isLong: true,
    options: ['--allow-anonymous', '--max-body', '1024'],
    async measure(served) {
      const page = (length: number) =>
        send(served, '/v1/transform/wikitext/to/html', `{"wikitext":"${'x'.repeat(length - 15)}"}`)
      return [(await page(1_024))[0], await page(1_025), await refusal(['--max-body', '1023'])]
    },
    seen: [200, [413, 'rest-body-too-large'], expect.stringContaining('between 1024 and')],
  },
  {
    of: ['--memory', 'Memory of all caches'],
    what: 'a page of 300 KB comes from the cache, but not from one of 1 MB for all',
    isLong: true,
    options: ['--memory', '1'],
    async measure(served) {
      const other = await startServed(directory)
      const second = async ({ root }: Served): Promise<string | null> => {
        const ask = () => fetch(`${root}/v1/page/Long`, { headers: { prefer: 'server-timing' } })
        await (await ask()).arrayBuffer()
        return /desc=(\w+)/.exec((await ask()).headers.get('server-timing') ?? '')?.[1] ?? null
      }
      return [await second(served), await second(other), await refusal(['--memory', '0'])]
    },
    seen: ['miss', 'hit', expect.stringContaining('between 1 and 65536')],
  },
  {
    of: ['--no-ui', 'pages'],
    what: 'browsers are led to the API, and not to a page',
    isLong: true,
    options: ['--no-ui'],
    async measure(served) {
      const other = await startServed(directory)
      const location = async ({ root }: Served) =>
        (await fetch(`${root}/`, { redirect: 'manual', headers: { accept: 'text/html' } })).headers.get('location')
      return [await location(served), await location(other)]
    },
    seen: ['/specs/v0/discovery', '/wiki/Main_Page'],
  },
  {
    of: ['--open', 'version', 'signIn'],
    what: 'no browser is opened without a terminal; the version and the file with the link to sign in are shown',
    isLong: true,
    options: ['--open'],
    async measure(served) {
      await until('it says so', () => served.said.stderr.includes('No browser is opened') || undefined)
      const version = await (await fetch(`${served.root}/wiki/Special:Version`)).text()
      return [/wiki \d+\.\d+\.\d+/.test(version), /Edit as .+: the link in .+sign-in-link/.test(served.said.stdout)]
    },
    seen: [true, true],
  },
  {
    of: ['closeWithin', 'closing', 'log'],
    what: 'SIGTERM ends streams at once and half a request after ten seconds; the request is logged',
    isLong: true,
    options: ['--allow-anonymous'],
    async measure() {
      const own = await startServed(directory, ['--allow-anonymous'])
      const stream = own.open('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const half = unfinished(own, 10)
      await until('the stream is open', () => stream.text().includes('retry') || undefined)
      await statusOf(own, '/v1/page/X')
      const ended = once(own.process, 'exit')
      own.process.kill('SIGTERM')
      await Promise.all([stream.closed, half.closed])
      return [await ended, own.said.stderr.includes('200 GET /v1/page/X')]
    },
    seen: [[0, null], true],
  },
]

const servers = new Map<string, Promise<Served>>()
afterAll(stopServed)

/** Starts a server for all rows with the same wiki and options. */
function servedWith({ wiki, options = ['--allow-anonymous'] }: Row): Promise<Served> {
  const key = [wiki, ...options].join(' ')
  const served = servers.get(key) ?? startServed(wiki === undefined ? directory : { hooked, small }[wiki], options)
  servers.set(key, served)
  return served
}

// The hooks are shell scripts, and other systems have one address of this machine alone.
describe.skipIf(!hasGit || process.platform !== 'linux').concurrent('a limit of the running server', () => {
  for (const row of rows)
    test(`${row.of.join(', ')}: ${row.what}`, {
      tags: row.isLong ? ['long'] : [],
      timeout: row.timeout ?? 180_000,
    }, async ({ expect }) => {
      expect(await row.measure(await servedWith(row))).toEqual(row.seen)
    })
})

const measured = new Set(rows.flatMap(row => row.of))

test('every limit of connections and bodies, and every setting, has a row', () => {
  const limitsOf = [connectionLimits, connectionRules, { heldBodyBytes, maxHeaders, shortBodyBytes }].flatMap(
    Object.keys,
  )
  const settings = Object.keys(wiki.store.config.limits).map(name => `limits.${name}`)
  expect([...limitsOf, ...settings].filter(name => !measured.has(name))).toEqual([])
})

test('every option of the command, and of the server, has a row', () => {
  const flags = (serve.options ?? []).map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0] ?? flags)
  const interfaces = ['http/server-options.ts', 'http/hosts.ts', 'http/access.ts', 'rest/app.ts', 'rest/serve.ts']
  const options = interfaces.flatMap(path => {
    const source = readFileSync(join(import.meta.dirname, '../../src', path), 'utf8')
    const [found = ''] =
      /interface (?:ServerOptions|HostRules|AccessRules|AppOptions|ServeOptions) [^}]*\}/.exec(source) ?? []
    return [...found.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name!)
  })
  expect(options.length).toBeGreaterThan(12)
  expect([...flags, ...options].filter(name => !measured.has(name))).toEqual([])
})

test('every row of the limits in docs/reference/rest-api.md has a row', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/reference/rest-api.md'), 'utf8')
  const [, table = ''] = /\n## Limits\n([^#]*)/.exec(document) ?? []
  const names = [...table.matchAll(/^\| ([^|]+) \| /gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => !measured.has(name))).toEqual([])
})
