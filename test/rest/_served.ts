/** `wiki serve` as a user starts it, and what a client sees of it through a socket. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { ensureBuilt } from '../_built.ts'
import { inTime } from '../_wait.ts'

const program = join(import.meta.dirname, '../../bin/wiki.cjs')

/** A running server. */
export interface Served {
  readonly process: ChildProcess
  readonly port: number
  /** Such as `http://127.0.0.1:8080`. */
  readonly root: string
  /** Text on stdout, and on stderr. */
  readonly said: { stdout: string; stderr: string }
  readonly open: (bytes?: string) => Peer
  /** Sends bytes, and resolves with all that arrives until the server closes the connection. */
  readonly talk: (bytes: string) => Promise<string>
}

/** A connection to a server. */
export interface Peer {
  readonly socket: Socket
  /** Bytes received so far, as Latin-1. */
  readonly text: () => string
  /** Resolves with all bytes when the server has closed the connection. */
  readonly closed: Promise<string>
}

const running = new Set<ChildProcess>()

/** Starts `wiki serve` on a free port of this machine, and waits for its address. */
export async function startServed(
  directory: string,
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  await ensureBuilt()
  const argv = [program, 'serve', '-C', directory, ...(options.includes('--port') ? [] : ['--port', '0']), ...options]
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const said = { stdout: '', stderr: '' }
  const ended = once(child, 'exit')
  child.stderr.setEncoding('utf8').on('data', text => (said.stderr += text))
  const address = new Promise<string>(resolve => {
    child.stdout.setEncoding('utf8').on('data', text => {
      said.stdout += text
      const [, found] = /(https?:\/\/[^\s"]+)\/v1/.exec(said.stdout) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const root = await inTime('the server says its address', Promise.race([address, ended.then(() => null)]))
  if (root === null) throw new Error(`${said.stdout}${said.stderr}`)
  const port = Number(new URL(root).port)
  const open = (bytes = ''): Peer => openPeer(port, bytes)
  return { process: child, port, root, said, open, talk: bytes => open(bytes).closed }
}

/** Ends all servers of this file. */
export async function stopServed(): Promise<void> {
  await Promise.all(
    [...running].map(async child => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }),
  )
}

function openPeer(port: number, bytes: string): Peer {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {}).on('data', chunk => (text += chunk.toString('latin1')))
  const closed = new Promise<string>(resolve => socket.once('close', () => resolve(text)))
  socket.write(Buffer.from(bytes, 'latin1'))
  return { socket, text: () => text, closed }
}

/** A proxy that shows a server below a path. */
export interface PathProxy {
  readonly origin: string
  /** Requests outside of the path, which get an error. */
  readonly outside: readonly string[]
  readonly close: () => void
}

/** Starts a proxy that removes the path before it passes a request on. */
export async function startProxy(port: number, path: string): Promise<PathProxy> {
  const outside: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (!url.startsWith(`${path}/`)) {
      outside.push(url)
      return void outgoing.writeHead(599).end('outside of the path')
    }
    const asked = request({ port, host: '127.0.0.1', path: url.slice(path.length), method, headers })
    asked
      .on('error', () => outgoing.destroy())
      .on('response', answer => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
    incoming.pipe(asked)
    outgoing.once('close', () => asked.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port: own } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${own}`, outside, close: () => void server.close().closeAllConnections() }
}
