/** Closing a server without cutting off the requests that run. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Stops accepting connections, waits this many milliseconds for running requests, and resolves when all is closed. */
export type Close = (milliseconds: number) => Promise<void>

/** Watches a server's requests from now on. Returns the function that closes it; it may be called again, to hurry. */
export function prepareClose(server: Server): Close {
  const running = new Set<ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    running.add(response)
    response.shouldKeepAlive &&= server.listening
    response.once('close', () => running.delete(response))
    // A connection that was promised to be kept is idle only after both, in either order.
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
    const deadline = setTimeout(() => server.closeAllConnections(), milliseconds)
    await closed
    clearTimeout(deadline)
  }
}
