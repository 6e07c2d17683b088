/**
 * The tail: changes since the base was written, as frames that are only appended. A frame is its length, a checksum, a line of
 * JSON and bytes. A frame cut short by a kill fails its checksum and ends the tail; the next writer cuts it off.
 */

import { closeSync, statSync } from 'node:fs'
import { cutFile, openFile, writeAll } from '../../files/private-files.ts'
import { readBytes } from '../../files/read-file.ts'
import { checksum } from './checksum.ts'

const frameHead = 8

export interface Frame<Head> {
  readonly head: Head
  readonly bytes: Buffer
}

export interface Tail<Head> {
  readonly frames: readonly Frame<Head>[]
  /** Bytes of the file that are whole frames. */
  readonly length: number
}

/** Reads the frames after `from` bytes that belong to the base of this generation. */
export function readTail<Head>(path: string, generation: string, from = 0): Tail<Head> {
  let bytes: Buffer
  try {
    bytes = readBytes(path)
  } catch {
    return { frames: [], length: 0 }
  }
  const start = Buffer.from(`${generation}\n`)
  if (!bytes.subarray(0, start.length).equals(start)) return { frames: [], length: 0 }
  const frames: Frame<Head>[] = []
  let at = Math.max(from, start.length)
  for (let frame = frameAt<Head>(bytes, at); frame !== null; frame = frameAt<Head>(bytes, at)) {
    frames.push(frame)
    at += frameHead + bytes.readUInt32LE(at)
  }
  return { frames, length: at }
}

function frameAt<Head>(bytes: Buffer, at: number): Frame<Head> | null {
  if (at + frameHead > bytes.length) return null
  const length = bytes.readUInt32LE(at)
  const payload = bytes.subarray(at + frameHead, at + frameHead + length)
  if (payload.length !== length || checksum(payload) !== bytes.readUInt32LE(at + 4)) return null
  const line = payload.indexOf(0x0a)
  // Zeros, which a power cut may leave, are an empty frame with a valid checksum.
  if (line < 0) return null
  return { head: JSON.parse(payload.toString('utf8', 0, line)), bytes: payload.subarray(line + 1) }
}

/** Bytes of a file, with partial frames; 0 if it is missing. */
export function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Appends a frame after `length` whole bytes; returns the new length. Requires the index lock. */
export function appendFrame(
  path: string,
  generation: string,
  length: number,
  head: unknown,
  bytes: readonly Uint8Array[],
): number {
  const payload = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...bytes])
  const frame = Buffer.alloc(frameHead)
  frame.writeUInt32LE(payload.length, 0)
  frame.writeUInt32LE(checksum(payload), 4)
  const start = length > 0 ? length : generation.length + 1
  const file = openFile(path, length > 0 ? 'r+' : 'w')
  try {
    if (length > 0) cutFile(file, length)
    else writeAll(file, `${generation}\n`, 0)
    writeAll(file, Buffer.concat([frame, payload]), start)
  } finally {
    closeSync(file)
  }
  return start + frameHead + payload.length
}
