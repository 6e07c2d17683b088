/** Shuts down a server without interrupting running requests. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Stops accepting connections, waits at most this many milliseconds for running requests, and resolves when everything
 * is closed.
 */
export type Close = (milliseconds: number) => Promise<void>

/**
 * Tracks a server's requests from now on. Returns the function that shuts it down, which may be called again with a
 * shorter time.
 */
export function prepareClose(server: Server): Close {
  const running = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    running.add(response)
    response.shouldKeepAlive &&= server.listening
    response.once('close', () => running.delete(response))
    // A kept-alive connection is idle only after both events, in either order.
    for (const message of [request, response]) message.once('close', closeIdle)
  })
  const closeIdle = (): void => {
    if (!server.listening) setImmediate(() => server.closeIdleConnections())
  }
  const closed = new Promise<void>(resolve => server.once('close', resolve))
  return async milliseconds => {
    for (const response of running) response.shouldKeepAlive = false
    if (server.listening) server.close()
    server.closeIdleConnections()
    // A connection without a first request is not idle for Node. Browsers open such connections in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    const deadline = setTimeout(() => server.closeAllConnections(), milliseconds)
    await closed
    clearTimeout(deadline)
  }
}
