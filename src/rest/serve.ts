/** The server. Only this file opens a port. */

import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { toNodeHandler } from 'h3/node'
import { listen } from 'listhen'
import { WikiError } from '../core/errors.ts'
import { isAnyAddress } from '../http/hosts.ts'
import type { Wiki } from '../operations/wiki.ts'
import { type AppOptions, createApp } from './app.ts'
import { boundConnections, type ConnectionLimits, isHeard } from './connections.ts'
import { errorResponse } from './errors.ts'
import { createRequestQueue } from './request-queue.ts'
import { prepareClose } from './shutdown.ts'

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

/** Limits on connections. An unprivileged process can commonly open about a thousand files. */
export const connectionLimits: ConnectionLimits = {
  connections: 900,
  waitingBytes: 128 * 1024 * 1024,
  headers: 8_000,
  request: 60_000,
  pipelined: 64,
  interval: 250,
}

/**
 * Limits enforced by Node: milliseconds without a byte and between two requests, and the number of headers. The URL and
 * headers together may take 16 KiB, beyond which the status is 431. Proxies keep connections for a minute (nginx's
 * `keepalive_timeout`), whatever a server announces. A server that closes them earlier interrupts requests in flight,
 * which the proxy reports as 502.
 */
export const nodeLimits = { timeout: 120_000, keepAliveTimeout: 65_000, maxHeadersCount: 100 }

/** Maximum number of connections waiting to be accepted; the system may allow fewer. Others retry after seconds. */
const backlog = 8_192

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
  const closing = new AbortController()
  const app = createApp(wiki, { ...options, host, closing: closing.signal })
  const handle = inRequestQueue(guarded(toNodeHandler(app) as RequestListener), () => wiki.store.shareCheck())
  const place = await probe(host, port)
  const server = await listenOn(place, host, handle)
  void wiki.store.readAhead().catch(() => {})
  const close = prepareClose(server)
  // Node forgets the address of a closed connection unless it was read before.
  server.on('connection', (socket: Socket) => void socket.remoteAddress)
  server.on('request', handle)
  server.on('error', error => log({ event: 'error', time: new Date().toISOString(), id: '', error: inspect(error) }))
  const url = `http://${urlHost(host, place)}:${place.port}/v1`
  return {
    url,
    close: () => {
      closing.abort()
      return close(closeWithin)
    },
  }
}

/** Starts requests by turns of their connections: see `createRequestQueue`. */
function inRequestQueue(handle: RequestListener, begin: () => () => void): RequestListener {
  const queue = createRequestQueue({ milliseconds: turnMilliseconds, begin })
  return (request, response) => {
    // A connection that is closed for too many pipelined requests may have sent a thousand more.
    if (isHeard(request)) queue(request.socket, () => void handle(request, response))
  }
}

/**
 * Responds with 400 if h3 fails before a request exists: it parses a URL of every request, and a Host with port 99999
 * and a path with dots are not valid ones. Otherwise the exception would end the process.
 */
function guarded(handle: RequestListener): RequestListener {
  return (request, response) => {
    if (!isHeard(request)) return
    // A proxy before this server may have routed by another Host header than the first. Source: RFC 9112, 3.2.
    if (request.headersDistinct.host !== undefined && request.headersDistinct.host.length > 1)
      return refuse(request, response)
    try {
      return handle(request, response)
    } catch {
      return refuse(request, response)
    }
  }
}

/** Also closes the connection, because the client may disagree about the end of such a request. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const error = new WikiError('wiki-bad-host', { params: [(request.headersDistinct.host ?? []).join(', ')] })
  const { status, headers, body } = errorResponse(error)
  const more = { 'x-content-type-options': 'nosniff', connection: 'close' }
  response.writeHead(status, { ...headers, ...more }).end(body)
}

function urlHost(host: string, { address }: AddressInfo): string {
  if (isAnyAddress(host)) return 'localhost'
  return address.includes(':') ? `[${address}]` : address
}

/**
 * Listens on the address for a moment, because listhen neither reports why it cannot listen nor accepts port 0. Returns
 * the actual address.
 */
async function probe(host: string, port: number): Promise<AddressInfo> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new WikiError('wiki-port-in-use', { params: [port, host], hint: portHint, cause })
    throw new WikiError('wiki-cannot-listen', { params: [port, host, message], cause })
  }
  const place = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return place
}

/**
 * Opens the port through listhen, with all of its own features off: reading HOST and PORT, choosing another port,
 * printing, ending the process on a signal. Its request listeners are removed, because one of them crashes on a request
 * whose connection is closed.
 */
async function listenOn(place: AddressInfo, host: string, handle: RequestListener): Promise<Server> {
  const refused = new WikiError('wiki-cannot-listen', { params: [place.port, host, 'it is refused'], hint: portHint })
  const listener = await listen(handle, {
    hostname: host,
    port: place.port,
    public: isAnyAddress(host),
    showURL: false,
    autoClose: false,
    // Without these it would read NODE_ENV: one keeps it silent, the other on this port.
    isTest: true,
    isProd: true,
  }).catch(() => {
    throw refused
  })
  const server = Object.assign(listener.server as Server, nodeLimits)
  server.removeAllListeners('request')
  // Afterwards, because it also listens for requests.
  boundConnections(server, connectionLimits)
  const { address, port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  // It replaces unusual host names, and ports that browsers do not open, instead of refusing them.
  if (address !== place.address || port !== place.port) throw refused
  // Listens again, because listhen has no option for the backlog.
  server.listen({ host, port, backlog })
  await once(server, 'listening').catch(() => {
    throw refused
  })
  return server
}
