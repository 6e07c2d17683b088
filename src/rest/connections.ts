/** Limits on connections: many, slow or silent ones must neither delay others nor fill the memory. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../http/client.ts'
import { spooledRequests } from '../http/read-body.ts'

export interface ConnectionLimits {
  /**
   * Maximum number of connections. One more closes a connection of the network that has the most: the one that has kept
   * the server waiting longest.
   */
  readonly connections: number
  /** Maximum bytes of incomplete bodies and unread responses, over all connections. */
  readonly waitingBytes: number
  /** Milliseconds for the headers of a request, from the start of the connection or the first byte. */
  readonly headers: number
  /** Milliseconds for a whole request. */
  readonly request: number
  /** Maximum number of pipelined requests of one connection; one more closes the connection. */
  readonly pipelined: number
  /** Milliseconds between two checks for timeouts. */
  readonly interval: number
}

/** State of a connection. */
interface Connection {
  readonly socket: Socket
  readonly network: string
  /** Start of its current request, or of the wait for one. */
  since: number
  /** Bytes read until then. */
  bytesBefore: number
  /** True once a request was completed. */
  isReused: boolean
  /** Requests without a complete response, oldest first; several if they are pipelined. */
  readonly open: Set<Exchange>
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const requestTimeout = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Keeps a server's connections within limits from now on. A client that waits for the server is never disconnected. Of
 * those that the server waits for (no request yet, half a body, an unread response) the longest-waiting are closed
 * first.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): void {
  /** Ordered by `since`, oldest first. */
  const connections = new Map<Socket, Connection>()
  // Connections closed here still count until the next turn of the event loop, hence twice the limit.
  server.maxConnections = 2 * limits.connections
  server.on('connection', (socket: Socket) => {
    connections.set(socket, {
      socket,
      network: networkOf(socket.remoteAddress ?? ''),
      since: performance.now(),
      bytesBefore: 0,
      isReused: false,
      open: new Set(),
    })
    socket.once('close', () => connections.delete(socket))
    if (connections.size > limits.connections) closeOldest(connections)
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    const exchange = { request, response }
    if (connection.open.size === 0) begin(connections, connection)
    connection.open.add(exchange)
    if (connection.open.size > limits.pipelined) drop(connections, connection)
    response.once('close', () => {
      connection.open.delete(exchange)
      connection.isReused = true
      if (connections.has(connection.socket)) begin(connections, connection)
    })
  })
  let last = performance.now()
  const timer = setInterval(() => {
    const passed = performance.now() - last
    last += passed
    // After a delay of the server itself, data that arrived meanwhile is still unread.
    const held = passed > 2 * limits.interval ? passed : 0
    checkTimeouts(connections, limits, held)
  }, limits.interval).unref()
  server.once('close', () => clearInterval(timer))
}

/**
 * Returns true if the client can still receive the response. Pipelined requests are parsed even after their connection
 * was closed.
 */
export function isHeard({ socket }: IncomingMessage): boolean {
  return !socket.destroyed
}

/** Marks the connection as the youngest of all. */
function begin(connections: Map<Socket, Connection>, connection: Connection): void {
  connection.since = performance.now()
  connection.bytesBefore = connection.socket.bytesRead
  connections.delete(connection.socket)
  connections.set(connection.socket, connection)
}

function closeOldest(connections: Map<Socket, Connection>): void {
  const waiting = [...connections.values()].filter(keepsWaiting)
  const crowd = largestNetwork(connections)
  const chosen = waiting.find(({ network }) => network === crowd) ?? waiting[0]
  if (chosen !== undefined) drop(connections, chosen)
}

/** Returns the network with the most connections. It loses one, so that no single client can take them all. */
function largestNetwork(connections: Map<Socket, Connection>): string | undefined {
  const counts = new Map<string, number>()
  let largest: string | undefined
  for (const { network } of connections.values()) {
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    if (largest === undefined || count > counts.get(largest)!) largest = network
  }
  return largest
}

function drop(connections: Map<Socket, Connection>, { socket }: Connection): void {
  connections.delete(socket)
  socket.destroy()
}

/** Returns true if the server waits for the client. */
function keepsWaiting({ socket, open }: Connection): boolean {
  const [exchange] = open
  if (exchange === undefined) return true
  const { request, response } = exchange
  return !request.complete || socket.writableLength > 0 || response.writableNeedDrain
}

/** Finds late clients. `held` is the number of milliseconds for which the server itself did not read. */
function checkTimeouts(connections: Map<Socket, Connection>, limits: ConnectionLimits, held: number): void {
  const now = performance.now()
  let waitingBytes = 0
  for (const connection of connections.values()) {
    connection.since += held
    if (isLate(connection, now, limits)) refuseLate(connections, connection)
    else waitingBytes += heldBytes(connection)
  }
  for (const connection of connections.values()) {
    if (waitingBytes <= limits.waitingBytes) return
    const held = heldBytes(connection)
    if (held === 0 || !keepsWaiting(connection)) continue
    waitingBytes -= held
    drop(connections, connection)
  }
}

function isLate(connection: Connection, now: number, limits: ConnectionLimits): boolean {
  const { socket, bytesBefore, isReused, open } = connection
  const [exchange] = open
  // A kept-alive connection without a new request has Node's own timeout.
  if (exchange === undefined && isReused && socket.bytesRead === bytesBefore) connection.since = now
  const waited = now - connection.since
  if (exchange === undefined) return waited > limits.headers
  const { request } = exchange
  const more = spooledRequests.has(request) ? (socket.bytesRead - bytesBefore) / spooledBytesPerMillisecond : 0
  return !request.complete && waited > limits.request + more
}

/** Minimum rate of an upload. A file may take longer than other requests if it arrives at this rate. */
const spooledBytesPerMillisecond = 16

/** Sends an error, unless the client could take it for a second response. */
function refuseLate(connections: Map<Socket, Connection>, connection: Connection): void {
  const { socket, isReused, open } = connection
  if (isReused || open.size > 0) drop(connections, connection)
  else {
    connections.delete(socket)
    socket.end(requestTimeout, () => socket.destroy())
  }
}

/** Bytes that the server holds for a client: an incomplete body, or an unread response. */
function heldBytes({ socket, bytesBefore, open }: Connection): number {
  let bytes = 0
  for (const { request, response } of open)
    bytes += response.writableLength + (isHeld(request) ? socket.bytesRead - bytesBefore : 0)
  return bytes
}

function isHeld(request: IncomingMessage): boolean {
  return !request.complete && !spooledRequests.has(request)
}
