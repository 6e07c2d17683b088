/** Sends requests byte for byte as they were recorded, because no client library would send some of them. */
import { connect } from 'node:net'

/** Milliseconds that a response may take, on a loaded machine too. */
const longest = 180_000

/** Sends one request; `path` and header values are bytes if they contain no character above U+00FF. */
export function send({ host, port }, { method, path, headers = {}, body = null }) {
  const payload = body === null ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}:${port}`, 'Connection: close']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (payload !== null) lines.push(`Content-Length: ${payload.length}`)
  const head = `${lines.join('\r\n')}\r\n\r\n`
  const encoding = /[^\0-\xff]/.test(head) ? 'utf8' : 'latin1'
  return new Promise((resolve, reject) => {
    const chunks = []
    const socket = connect(port, host)
    socket.setTimeout(longest, () => socket.destroy(new Error(`No answer to ${method} ${path}`)))
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(readAsset(Buffer.concat(chunks))))
    socket.write(Buffer.from(head, encoding))
    if (payload !== null) socket.write(payload)
  })
}

function readAsset(bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  const [status = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const text = bytes.subarray(end + 4).toString('utf8')
  const isJson = headers['content-type'] === 'application/json' && text !== ''
  return { status: Number(status.split(' ')[1]), headers, body: isJson ? JSON.parse(text) : text, text }
}
