/** Answers to bytes that never become a request: text that is not HTTP, late requests, expectations, tunnels. */

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorKey, WikiError } from '../core/errors.ts'
import type { PlainResponse } from '../http/response.ts'
import { type Connections, type Exchange, mayTakeLonger } from './connections.ts'
import { errorResponse, wrongMethodResponse } from './errors.ts'

/** Errors for codes of Node and its parser; any other is `wiki-bad-request`. Source: llhttp's and Node's documentation. */
const keys: Readonly<Record<string, ErrorKey>> = {
  HPE_INVALID_URL: 'wiki-bad-url',
  ERR_HTTP_REQUEST_TIMEOUT: 'wiki-request-timeout',
  HPE_HEADER_OVERFLOW: 'wiki-headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'wiki-chunks-too-large',
}

/** An error of Node's parser. */
interface ParseError extends Error {
  readonly code?: string
  /** Such as "Invalid char in url query". */
  readonly reason?: string
}

/** Responds to such connections, and closes them. */
export function refuseConnections(server: Server, { open }: Connections): void {
  server.on('clientError', (thrown: ParseError, socket: Socket) => {
    const [first] = open(socket)
    const end = (): void => endWith(socket, open(socket), errorFor(thrown))
    const isLate = thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (!isLate || first === undefined || !mayTakeLonger(first, server.requestTimeout, end)) end()
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const answer = errorResponse(new WikiError('wiki-bad-expectation', { params: [request.headers.expect ?? ''] }))
    response.writeHead(answer.status, fullHeaders(answer)).end(answer.body)
  })
  server.on('connect', (_, socket: Duplex) => {
    socket.on('error', () => {}).end(written(wrongMethodResponse('CONNECT', methods)))
  })
}

/** Source: RFC 9110, 405 (Method Not Allowed). */
const methods = 'GET, HEAD, POST, PUT, DELETE, OPTIONS'

/** Responds with an error, and closes the connection, because the client may disagree about the end of such a request. */
export function refuseRequest(response: ServerResponse, error: WikiError): void {
  const answer = errorResponse(error)
  response.writeHead(answer.status, { ...fullHeaders(answer), connection: 'close' }).end(answer.body)
}

function errorFor({ code = '', reason, message }: ParseError): WikiError {
  return new WikiError(keys[code] ?? 'wiki-bad-request', { params: [reason ?? message] })
}

/** Sends the error as the response that the client expects next, if there is one, and closes the connection. */
function endWith(socket: Socket, open: readonly Exchange[], error: WikiError): void {
  const last = open.at(-1)
  const send = (): void => {
    if (socket.writable) socket.write(written(errorResponse(error)))
    socket.destroySoon()
  }
  // The error is about a request after this one.
  if (last?.request.complete) last.response.once('close', send)
  else if (last === undefined || (open.length === 1 && !last.response.headersSent)) send()
  else socket.destroy()
}

/** Formats a response for a connection. Source: RFC 9112. */
function written(answer: PlainResponse): string {
  const lines = Object.entries({ ...fullHeaders(answer), connection: 'close', date: new Date().toUTCString() })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${head}\r\n${answer.body}`
}

function fullHeaders({ headers, body }: PlainResponse): Record<string, string> {
  return {
    ...headers,
    'content-length': String(Buffer.byteLength(body as string)),
    'x-content-type-options': 'nosniff',
  }
}
