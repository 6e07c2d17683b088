/**
 * Starts programs on behalf of a large process: `node _small-process.mjs <pipe of requests> <pipe of responses>`. See
 * _start-small.ts.
 */

import { spawnSync } from 'node:child_process'
import { openSync, readSync, writeSync } from 'node:fs'

const [requests, answers] = [openSync(process.argv[2], 'r'), openSync(process.argv[3], 'w')]

for (;;) {
  const length = read(4)
  // The large process has ended.
  if (length === null) break
  const { program, parameters, options } = JSON.parse(read(length.readUInt32LE()).toString())
  const { status, signal, error, stdout, stderr } = spawnSync(program, parameters, options)
  const [out, errors] = [stdout ?? Buffer.alloc(0), stderr ?? Buffer.alloc(0)]
  const head = Buffer.from(
    JSON.stringify({ status, signal, error: error?.code, out: out.length, errors: errors.length }),
  )
  const size = Buffer.alloc(4)
  size.writeUInt32LE(head.length)
  write(Buffer.concat([size, head, out, errors]))
}

function read(length) {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    const count = readSync(requests, bytes, at, length - at, null)
    if (count === 0) return null
    at += count
  }
  return bytes
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(answers, bytes, at)
}
