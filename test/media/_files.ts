/** Generated media files: the smallest that decoders accept, and some that they reject. */

import { crc32, deflateSync } from 'node:zlib'

const bytes = (...parts: (string | number | Buffer | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map(part =>
      typeof part === 'string'
        ? Buffer.from(part, 'latin1')
        : typeof part === 'number'
          ? Buffer.from([part])
          : Buffer.from(part),
    ),
  )

const u16le = (value: number): Buffer => Buffer.from([value & 255, value >> 8])
const u32le = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer)
const u16 = (value: number): Buffer => Buffer.from(u16le(value)).reverse()
const u32 = (value: number): Buffer => Buffer.from(u32le(value)).reverse()

/** A PNG with an animation: how often it plays, and the delays, as fractions. */
export interface Animation {
  readonly plays: number
  readonly delays: readonly (readonly [seconds: number, of: number])[]
}

export interface PngOptions {
  readonly animation?: Animation
  /** The size in the header; the pixels are always those of `width` and `height`. */
  readonly claims?: readonly [width: number, height: number]
}

/** A picture of one colour, 8 bits a channel. */
export function png(width: number, height: number, { claims = [width, height], animation }: PngOptions = {}): Buffer {
  const row = bytes(0, Buffer.alloc(width * 3, 0x66))
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  return bytes(
    '\x89PNG\r\n\x1a\n',
    chunk('IHDR', bytes(u32(claims[0]), u32(claims[1]), [8, 2, 0, 0, 0])),
    ...(animation === undefined ? [] : [chunk('acTL', bytes(u32(animation.delays.length), u32(animation.plays)))]),
    ...(animation?.delays ?? []).map(([seconds, of]) =>
      chunk('fcTL', bytes(Buffer.alloc(20), u16(seconds), u16(of), [0, 0])),
    ),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  )
}

function chunk(type: string, content: Buffer): Buffer {
  const body = bytes(type, content)
  return bytes(u32(content.length), body, u32(crc32(body)))
}

/** A GIF with alternating black and white frames, each with this duration in hundredths of a second. */
export function gif(width: number, height: number, delays: readonly number[]): Buffer {
  const pictures = delays.map((delay, at) => {
    const place = bytes(0x2c, u16le(0), u16le(0), u16le(width), u16le(height), 0)
    return bytes([0x21, 0xf9, 4, 0], u16le(delay), [0, 0], place, 2, blocks(plainCodes(width * height, at % 2)), 0)
  })
  return bytes('GIF89a', u16le(width), u16le(height), [0x80, 0, 0, 0, 0, 0, 255, 255, 255], ...pictures, 0x3b)
}

/** Codes of three bits: each pixel follows a code that clears the table, so nothing is compressed. */
function plainCodes(pixels: number, colour: number): Buffer {
  const codes = [...Array.from({ length: pixels }, () => [4, colour]).flat(), 5]
  const packed = Buffer.alloc(Math.ceil((codes.length * 3) / 8))
  codes.forEach((code, at) => {
    for (let bit = at * 3; bit < at * 3 + 3; bit++) packed[bit >> 3]! |= ((code >> (bit - at * 3)) & 1) << (bit & 7)
  })
  return packed
}

/** Blocks of at most 255 bytes, each preceded by its length. */
function blocks(content: Buffer): Buffer {
  const starts = Array.from({ length: Math.ceil(content.length / 255) }, (_, at) => at * 255)
  return Buffer.concat(starts.map(at => bytes(Math.min(255, content.length - at), content.subarray(at, at + 255))))
}

/** The beginning of a JPEG, enough for its size. `orientation` as cameras write it. */
export function jpegHead(width: number, height: number, orientation?: number): Buffer {
  const frame = bytes(0xff, 0xc0, u16(17), 8, u16(height), u16(width), [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  const tag = bytes('Exif\0\0MM\0*', u32(8), u16(1), u16(0x112), u16(3), u32(1), u16(orientation ?? 1), u16(0), u32(0))
  const exif = orientation === undefined ? bytes() : bytes(0xff, 0xe1, u16(tag.length + 2), tag)
  return bytes(0xff, 0xd8, 0xff, 0xe0, u16(16), 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0], exif, frame, 0xff, 0xd9)
}

/** The header of an extended WebP. */
export function webpHead(width: number, height: number): Buffer {
  const size = (value: number) => u32le(value - 1).subarray(0, 3)
  return bytes('RIFF', u32le(22), 'WEBPVP8X', u32le(10), [0, 0, 0, 0], size(width), size(height))
}

/** Silence, 8 bits, one channel. */
export function wav(seconds: number): Buffer {
  const samples = Buffer.alloc(Math.round(8000 * seconds), 0x80)
  const form = bytes('fmt ', u32le(16), u16le(1), u16le(1), u32le(8000), u32le(8000), u16le(1), u16le(8))
  const body = bytes('WAVE', form, 'data', u32le(samples.length), samples)
  return bytes('RIFF', u32le(body.length), body)
}

/** Consecutive boxes. */
function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return bytes(u32(body.length + 8), type, body)
}

/** A film without pictures: the description of one track, after `before`. */
export function mp4(width: number, height: number, { seconds = 1, turned = false, before = bytes() } = {}): Buffer {
  const [one, zero] = [u32(0x10000), u32(0)]
  const matrix = turned
    ? [zero, one, zero, u32(0xffff0000), zero, zero, zero, zero, u32(0x40000000)]
    : [one, zero, zero, zero, one, zero, zero, zero, u32(0x40000000)]
  const movie = box('mvhd', u32(0), u32(0), u32(0), u32(1000), u32(seconds * 1000), Buffer.alloc(80))
  const track = box(
    'tkhd',
    Buffer.concat([u32(7), u32(0), u32(0), u32(1), zero, u32(seconds * 1000), Buffer.alloc(16)]),
    ...matrix,
    u32(width * 65_536),
    u32(height * 65_536),
  )
  return bytes(box('ftyp', bytes('isom', u32(0), 'isom')), before, box('moov', movie, box('trak', track)))
}

/** The first page of an Ogg file with Theora in it. */
export function theoraHead(width: number, height: number): Buffer {
  const size = (value: number) => u32(value).subarray(1)
  const packet = bytes('\x80theora', [3, 2, 1], u16(40), u16(30), size(width), size(height), Buffer.alloc(22))
  return bytes('OggS', [0, 2], Buffer.alloc(8), u32le(1), u32le(0), u32le(0), [1, packet.length], packet)
}

/** MPEG layer III, 128 kbit/s, 44.1 kHz: frames of silence. */
export function mp3(frames: number): Buffer {
  const frame = bytes([0xff, 0xfb, 0x90, 0x64], Buffer.alloc(413))
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

/** A drawing with these attributes on its root element. */
export function svg(attributes: string, before = ''): Buffer {
  return Buffer.from(
    `${before}<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="9" height="9"/></svg>`,
  )
}

const starts: Readonly<Record<string, string>> = {
  png: '\x89PNG\r\n\x1a\n',
  jpg: '\xff\xd8\xff',
  svg: '<svg>',
  ogg: 'OggS',
  pdf: '%PDF-',
  stl: 'solid ',
}

/** The first bytes that a file of this name needs, and others, which make no picture. */
export function contentFor(name: string, more = ''): Buffer<ArrayBuffer> {
  return Buffer.from(`${starts[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? ''}${more}`, 'latin1')
}
