/** The bytes of a dump in any compression, detected by its first bytes and not by the file's name. */

import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BrokenPackage } from './broken-package.ts'

/** Largest ratio of unpacked to packed size, and the unpacked size that is always allowed. */
const maxRatio = 250
const allowedBytes = 32 * 1024 * 1024

export interface DecompressOptions {
  /** Maximum unpacked bytes; 32 MiB plus 250 times the packed size if omitted. */
  readonly maxBytes?: number | undefined
}

/** Unpacks gzip, and bzip2 by the program of that name; passes everything else on. Throws `BrokenPackage`, also if the unpacked size exceeds the limit. */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes }: DecompressOptions = {},
): AsyncIterable<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  const { head, isEnded } = await readHead(source)
  let packedBytes = 0
  const rest = counted(joined(head, isEnded ? null : source), bytes => {
    packedBytes += bytes
  })
  let unpackedBytes = 0
  for await (const piece of unpack(head, rest)) {
    unpackedBytes += piece.length
    if (unpackedBytes > (maxBytes ?? allowedBytes + packedBytes * maxRatio)) throw tooLarge(maxBytes)
    yield piece
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length)
    yield chunk
  }
}

function tooLarge(maxBytes: number | undefined): BrokenPackage {
  const problem = `it unpacks to more than ${maxBytes ?? `${maxRatio} times its size`}`
  return new BrokenPackage(`${problem}${maxBytes === undefined ? '' : ' bytes'}`, 'If you trust it: --max-unpacked')
}

async function* unpack(head: Buffer, rest: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (startsWith(head, [0x1f, 0x8b])) yield* gunzip(rest)
  else if (startsWith(head, [0x42, 0x5a, 0x68])) yield* bunzip2(rest)
  else if (startsWith(head, [0x37, 0x7a, 0xbc, 0xaf])) throw new BrokenPackage('it is a 7z archive: unpack it first')
  else if (startsWith(head, [0x28, 0xb5, 0x2f, 0xfd])) throw new BrokenPackage('it is packed by zstd: unpack it first')
  else yield* rest
}

/** The first chunk may be a single byte. */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<{ head: Buffer; isEnded: boolean }> {
  let head = Buffer.alloc(0)
  while (head.length < 4) {
    const { done, value } = await source.next()
    if (done) return { head, isEnded: true }
    head = Buffer.concat([head, value])
  }
  return { head, isEnded: false }
}

async function* joined(head: Uint8Array, source: AsyncIterator<Uint8Array> | null): AsyncIterable<Uint8Array> {
  try {
    yield head
    for (let next = await source?.next(); next && !next.done; next = await source?.next()) yield next.value
  } finally {
    await source?.return?.()
  }
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const packed = Readable.from(chunks, { objectMode: false, highWaterMark: 256 * 1024 })
  const unpacked = createGunzip({ chunkSize: 256 * 1024 })
  packed.on('error', error => unpacked.destroy(error))
  packed.pipe(unpacked)
  try {
    yield* unpacked
  } catch (error) {
    throw isZlibError(error) ? new BrokenPackage(`its gzip data are damaged: ${(error as Error).message}`) : error
  } finally {
    packed.destroy()
    unpacked.destroy()
  }
}

/** Node has no bzip2. */
async function* bunzip2(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const program = spawn('bzip2', ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<string>((resolve, reject) => {
    let said = ''
    program.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 1000)
    })
    program.on('error', () =>
      reject(new BrokenPackage('it is packed by bzip2, which is not installed: unpack it first')),
    )
    program.on('close', code => resolve(code === 0 ? '' : said.trim().split('\n')[0] || `bzip2 ended with ${code}`))
  })
  ended.catch(() => {})
  const packed = Readable.from(chunks, { objectMode: false, highWaterMark: 256 * 1024 })
  packed.on('error', error => program.stdout.destroy(error))
  // A program that ends early reads no more; its status says why.
  program.stdin.on('error', () => {})
  packed.pipe(program.stdin)
  try {
    yield* program.stdout
    const problem = await ended
    if (problem) throw new BrokenPackage(`its bzip2 data are damaged: ${problem}`)
  } finally {
    packed.destroy()
    program.kill()
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
