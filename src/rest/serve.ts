/** The server. Only this file opens a port. */

import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { toNodeHandler } from 'h3/node'
import { listen } from 'listhen'
import { WikiError } from '../core/errors.ts'
import { type Access, openAccess } from '../http/access.ts'
import { peerOf, type Trust, trustIn } from '../http/client.ts'
import { countedAs } from '../http/counted-as.ts'
import { isAnyAddress } from '../http/hosts.ts'
import type { Wiki } from '../operations/wiki.ts'
import { type AppOptions, createApp } from './app.ts'
import { belowBasePath, checkBasePath } from './base-path.ts'
import { type ConnectionRules, isHeard, trackConnections } from './connections.ts'
import { refuseConnections, refuseRequest } from './refusals.ts'
import { createRequestQueue } from './request-queue.ts'

export type { LogEntry } from './log.ts'

export interface ServeOptions extends AppOptions {
  /** Name or address to listen on; 127.0.0.1 if omitted. */
  readonly host?: string
  /** 8080 if omitted; 0 chooses a free one. */
  readonly port?: number
  /** Milliseconds that running requests get after the server starts to shut down; 10,000 if omitted. */
  readonly closeWithin?: number
}

export interface RunningServer {
  /** URL of the API, e.g. `http://127.0.0.1:8080/v1`. */
  readonly url: string
  /** Stops accepting requests, lets the running ones finish, and resolves when the last connection is closed. */
  readonly close: () => Promise<void>
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * Limits on connections, enforced by Node. Times are milliseconds: for the headers of a request, for a whole request,
 * between two requests, without a byte in either direction. The URL and headers together may take 16 KiB.
 *
 * Proxies keep connections for a minute (nginx's `keepalive_timeout`), whatever a server announces. A server that closes
 * them earlier interrupts requests in flight, which the proxy reports as 502.
 */
export const connectionLimits = {
  headersTimeout: 8_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  timeout: 120_000,
  maxHeaderSize: 16 * 1024,
} as const

/** Maximum number of headers; one more is refused. Node would leave out the rest, and with it a condition or a second host. */
export const maxHeaders = 100

/**
 * Connections that the system keeps until the server takes them, or fewer where the system says so. One client fills Node's 511 in a
 * moment; a reader's connection is then dropped, and tried again after 1, 3 and 7 seconds.
 */
const backlog = 4096

/** Milliseconds between two checks for late requests. */
const checkInterval = 1_000

/** Limits that Node does not have. An unprivileged process can commonly open about a thousand files. */
export const connectionRules: ConnectionRules = { connections: 900, pipelined: 64 }

const portHint = 'Choose another port with --port; --port 0 takes a free one'

/** Milliseconds for which requests are started before the event loop accepts others. */
const turnMilliseconds = 2

/**
 * Serves a wiki over HTTP.
 *
 * Errors: wiki-port-in-use, wiki-cannot-listen, wiki-usage.
 */
export async function serve(wiki: Wiki, options: ServeOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 8080, closeWithin = 10_000, log = () => {} } = options
  const prefix = checkBasePath(options.prefix ?? '')
  const closing = new AbortController()
  const access = openAccess(wiki, options)
  const trust = trustIn(options.trustProxy ?? [])
  const clientOf = rememberedClient(access, trust)
  const begin = (request: object) => wiki.turns.begin(clientOf(request as IncomingMessage))
  const app = createApp(wiki, { ...options, host, prefix, closing: closing.signal }, { access, begin })
  const handle = inTurns(wiki, guarded(toNodeHandler(app) as RequestListener), clientOf)
  const server = await listenOn(host, port)
  const connections = trackConnections(server, connectionRules)
  refuseConnections(server, connections)
  // Node forgets the address of a closed connection unless it was read before.
  server.on('connection', (socket: Socket) => void socket.remoteAddress)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    request.url = belowBasePath(request.url ?? '', prefix)
    handle(request, response)
  })
  server.on('error', error => log({ event: 'error', time: new Date().toISOString(), id: '', error: inspect(error) }))
  void wiki.store.readAhead().catch(() => {})
  const place = server.address() as AddressInfo
  const url = `http://${urlHost(host, place)}:${place.port}${prefix}/v1`
  return {
    url,
    close: () => {
      closing.abort()
      return connections.close(closeWithin)
    },
  }
}

/** Returns the client that takes turns with others. */
type ClientOf = (request: IncomingMessage) => string

/**
 * Starts requests in turns: see `createRequestQueue`. A pipelined request starts when the response before it is complete,
 * so that a connection has one response in memory, read or not.
 */
function inTurns({ store, turns }: Wiki, handle: RequestListener, clientOf: ClientOf): RequestListener {
  const queue = createRequestQueue({ milliseconds: turnMilliseconds, begin: () => store.shareCheck(), turns })
  const latest = new WeakMap<Socket, ServerResponse>()
  return (request, response) => {
    const start = (): void => {
      if (isHeard(request))
        response.once(
          'close',
          queue(clientOf(request), () => void handle(request, response)),
        )
    }
    const before = latest.get(request.socket)
    latest.set(request.socket, response)
    if (before === undefined || before.closed) start()
    else before.once('close', start)
  }
}

/** Returns a function that finds the client of a request once, when it has arrived. */
function rememberedClient(access: Access, trust: Trust): ClientOf {
  const clients = new WeakMap<IncomingMessage, string>()
  return request => {
    const client = clients.get(request) ?? findClient(request, access, trust)
    clients.set(request, client)
    return client
  }
}

/** Returns the client that a request counts for, as the app will. */
function findClient({ method = 'GET', headers, socket }: IncomingMessage, access: Access, trust: Trust): string {
  const own = new Headers()
  for (const name of ['cookie', 'authorization', 'sec-fetch-site']) {
    const value = headers[name]
    if (typeof value === 'string') own.set(name, value)
  }
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  return countedAs(access, { method, headers: own }, peerOf(socket.remoteAddress, forwarded, trust))
}

/**
 * Responds with 400 if h3 fails before a request exists: it parses a URL of every request, and a Host with port 99999
 * and a path with dots are not valid ones. Otherwise the exception would end the process.
 */
function guarded(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (!isHeard(request)) return
    const { host = [] } = request.headersDistinct
    const badHost = new WikiError('wiki-bad-host', { params: [host.join(', ')] })
    // A proxy before this server may have routed by another Host header than the first. Source: RFC 9112, 3.2.
    if (host.length > 1 || (host.length === 0 && request.httpVersion !== '1.0')) return refuseRequest(response, badHost)
    if (request.rawHeaders.length > 2 * maxHeaders)
      return refuseRequest(response, new WikiError('wiki-headers-too-large'))
    if (request.httpVersionMajor !== 1) return refuseRequest(response, badVersion(request))
    try {
      return handle(request, response)
    } catch {
      return refuseRequest(response, badHost)
    }
  }
}

function badVersion({ httpVersion }: IncomingMessage): WikiError {
  return new WikiError('wiki-bad-request', { params: [`HTTP/${httpVersion} is not supported`] })
}

function urlHost(host: string, { address }: AddressInfo): string {
  if (isAnyAddress(host)) return 'localhost'
  return address.includes(':') ? `[${address}]` : address
}

/**
 * Opens the port through listhen, with all of its own features off: reading HOST and PORT, choosing another port,
 * printing, ending the process on a signal. Its request listener is removed, because it crashes on a request whose
 * connection is closed.
 */
async function listenOn(host: string, port: number): Promise<Server> {
  // listhen replaces names that it finds unusual.
  const { address } = await lookup(host).catch(() => bind(host, port))
  const options: ServerOptions = {
    ...connectionLimits,
    connectionsCheckingInterval: checkInterval,
    // A request without a host is refused with an error of ours.
    requireHostHeader: false,
  }
  // Node takes options in place of a listener, and reads the interval of checks only there.
  const listener = await listen(options as RequestListener, {
    hostname: address,
    port,
    public: isAnyAddress(host),
    showURL: false,
    autoClose: false,
    // Without these it would read NODE_ENV: one keeps it silent, the other on this port, unless that is 0.
    isTest: true,
    isProd: port !== 0,
  }).catch(() => null)
  const server = listener?.server as Server | undefined
  server?.removeAllListeners('request')
  const opened = server?.address() as AddressInfo | undefined
  if (server !== undefined && (port === 0 || opened?.port === port) && opened?.address === address) {
    keepConnections(server)
    return Object.assign(server, { timeout: connectionLimits.timeout, maxHeadersCount: 0 })
  }
  // listhen takes another port if this one is in use, or if browsers do not open it.
  server?.close()
  await bind(host, port)
  throw new WikiError('wiki-cannot-listen', { params: [port, host, 'it is refused'], hint: portHint })
}

/** listhen has no option for the backlog. A port that is closed and opened again may be another process's in between. */
function keepConnections(server: Server): void {
  const { _handle: handle } = server as { readonly _handle?: { readonly listen?: (backlog: number) => number } }
  handle?.listen?.(backlog)
}

/** Listens on an address for a moment. Returns the actual address, or throws the reason why it cannot. */
async function bind(host: string, port: number): Promise<AddressInfo> {
  const server = createServer()
  const place = await open(server, host, port)
  server.close()
  await once(server, 'close')
  return place
}

/** Listens on an address. Returns the actual address, or throws the reason why it cannot. */
async function open(server: NetServer, host: string, port: number): Promise<AddressInfo> {
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new WikiError('wiki-port-in-use', { params: [port, host], hint: portHint, cause })
    throw new WikiError('wiki-cannot-listen', { params: [port, host, message], cause })
  }
  return server.address() as AddressInfo
}
