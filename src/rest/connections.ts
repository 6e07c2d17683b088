/** The connections of a server: which one gives way, files that take long to arrive, and the end of all. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../http/client.ts'
import { spooledRequests } from '../http/read-body.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface Connections {
  /** Returns the requests of a connection that have not arrived or are not answered completely, oldest first. */
  readonly open: (socket: Socket) => readonly Exchange[]
  /**
   * Stops accepting connections, waits at most this many milliseconds for running requests, and resolves when everything
   * is closed. May be called again with a shorter time.
   */
  readonly close: (milliseconds: number) => Promise<void>
}

export interface ConnectionRules {
  /**
   * Maximum number of connections. One more closes the oldest that the server waits for, of the network that has most: one
   * without a request, with half a body, or with an unread response. There may be twice as many while the server works for
   * all of them; then the newest of that network is closed. Node would close the new one, and so every new client's while others
   * keep theirs.
   */
  readonly connections: number
  /** Maximum number of requests of one connection that wait for a response; one more closes the connection. */
  readonly pipelined: number
}

/** Tracks a server's connections from now on, and closes them by these rules. All other limits are Node's own. */
export function trackConnections(server: Server, rules: ConnectionRules): Connections {
  /** Requests that have not arrived or are not answered completely, oldest first; several if they are pipelined. */
  const open = new Map<Socket, Set<Exchange>>()
  const networks = new WeakMap<Socket, string>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set())
    networks.set(socket, networkOf(socket.remoteAddress ?? ''))
    socket.once('close', () => open.delete(socket))
    if (open.size > rules.connections) closeOne(open, socket, { networks, ...rules })
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const exchanges = open.get(request.socket)
    if (exchanges === undefined) return
    const exchange = { request, response }
    exchanges.add(exchange)
    if (exchanges.size > rules.pipelined) request.socket.destroy()
    response.shouldKeepAlive &&= server.listening
    // A kept-alive connection is idle only after both events, in either order.
    for (const message of [request, response])
      message.once('close', () => {
        if (response.closed && request.complete) exchanges.delete(exchange)
        if (!server.listening) setImmediate(() => server.closeIdleConnections())
      })
  })
  const closed = new Promise<void>(resolve => server.once('close', resolve))
  return {
    open: socket => [...(open.get(socket) ?? [])],
    close: async milliseconds => {
      for (const exchanges of open.values()) for (const { response } of exchanges) response.shouldKeepAlive = false
      if (server.listening) server.close()
      server.closeIdleConnections()
      // A connection without a first request is not idle for Node. Browsers open such connections in advance.
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
      const deadline = setTimeout(() => server.closeAllConnections(), milliseconds)
      await closed
      clearTimeout(deadline)
    },
  }
}

/** Closes the connection that gives way to a new one, or the new one. */
function closeOne(
  open: Map<Socket, Set<Exchange>>,
  newest: Socket,
  { networks, connections }: Pick<ConnectionRules, 'connections'> & { readonly networks: WeakMap<Socket, string> },
): void {
  const all = [...open.keys()]
  const ofLargest = connectionsOfLargest(all, networks)
  const waiting = [...ofLargest, ...all].find(one => one !== newest && !isAtWork(one, open.get(one)!))
  const socket = waiting ?? (all.length > 2 * connections ? ofLargest.at(-1) : undefined)
  if (socket === undefined) return
  open.delete(socket)
  socket.destroy()
}

/** Returns the connections of the network that has most. Behind a proxy all of them have its address. */
function connectionsOfLargest(sockets: readonly Socket[], networks: WeakMap<Socket, string>): readonly Socket[] {
  const byNetwork = new Map<string, Socket[]>()
  for (const socket of sockets) {
    const network = networks.get(socket) ?? ''
    const own = byNetwork.get(network)
    if (own === undefined) byNetwork.set(network, [socket])
    else own.push(socket)
  }
  return [...byNetwork.values()].reduce((most, own) => (own.length > most.length ? own : most))
}

/** Returns false for a connection that waits for its client. */
function isAtWork(socket: Socket, exchanges: Iterable<Exchange>): boolean {
  const [exchange] = exchanges
  return exchange?.request.complete === true && socket.writableLength === 0
}

/**
 * Returns true if the client can still receive the response. Pipelined requests are parsed even after their connection
 * was closed.
 */
export function isHeard({ socket }: IncomingMessage): boolean {
  return !socket.destroyed
}

/** Minimum rate of an upload that takes longer than other requests. */
const spooledBytesPerMillisecond = 16

/**
 * Returns true if a connection may take this many milliseconds more, because it sends a file at the minimum rate. Then
 * `end` is called after that time unless the file is complete, or still arrives at this rate.
 */
export function mayTakeLonger({ request }: Exchange, milliseconds: number, end: () => void): boolean {
  const { socket } = request
  if (!spooledRequests.has(request) || socket.bytesRead < milliseconds * spooledBytesPerMillisecond) return false
  let bytesBefore = socket.bytesRead
  const timer = setInterval(() => {
    if (!request.complete && socket.bytesRead - bytesBefore < milliseconds * spooledBytesPerMillisecond) end()
    bytesBefore = socket.bytesRead
  }, milliseconds)
  request.once('close', () => clearInterval(timer))
  return true
}
