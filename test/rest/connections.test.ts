import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { trackConnections } from '../../src/rest/connections.ts'

/** A server without a port, its connections by name, and the names of those that are closed. */
function tracked(connections: number) {
  const server = Object.assign(new EventEmitter(), { listening: true })
  trackConnections(server as unknown as Server, { connections, pipelined: 64 })
  const closed: string[] = []
  const sockets = new Map<string, EventEmitter>()
  return {
    closed,
    open: (name: string, remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        writableLength: 0,
        destroy: () => void closed.push(name),
      })
      sockets.set(name, socket)
      server.emit('connection', socket as unknown as Socket)
    },
    /** Sends a request, whose response is not made yet. */
    ask: (name: string) => {
      const request = Object.assign(new EventEmitter(), { socket: sockets.get(name), complete: true })
      const response = Object.assign(new EventEmitter(), { shouldKeepAlive: true, closed: false })
      server.emit('request', request as unknown as IncomingMessage, response as unknown as ServerResponse)
    },
  }
}

test('the network with most connections gives way, not an older connection of another', () => {
  const { open, closed } = tracked(5)
  open('reader', '192.0.2.1')
  open('reader, IPv6', '2001:db8::1')
  for (let at = 0; at < 6; at++) open(`flood ${at}`, `2001:db8:0:1::${at}`)
  expect(closed).toEqual(['flood 0', 'flood 1', 'flood 2'])
})

test('a connection at work is not closed while the server waits for another one', () => {
  const { open, ask, closed } = tracked(3)
  for (let at = 0; at < 3; at++) open(`${at}`, '192.0.2.1')
  ask('0')
  open('3', '192.0.2.1')
  expect(closed).toEqual(['1'])
})

test('if twice as many are at work, the newest one of the largest network is closed', () => {
  const { open, ask, closed } = tracked(2)
  const begin = (name: string, address: string): void => {
    open(name, address)
    if (!closed.includes(name)) ask(name)
  }
  for (let at = 0; at < 4; at++) begin(`flood ${at}`, '192.0.2.1')
  expect(closed).toEqual([])
  begin('reader', '192.0.2.2')
  begin('flood 4', '192.0.2.1')
  expect(closed).toEqual(['flood 3', 'flood 4'])
})
