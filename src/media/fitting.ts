/**
 * Checks that a file is what its name says, by its first bytes. Whatever a format permits fits: a check that is too strict would
 * refuse a good file.
 */

import { findSignature, type Signature } from './signatures.ts'

/** Bytes at the start of a file that are examined. */
const headBytes = 256 * 1024

interface Start {
  readonly signature: Signature | null
  readonly head: Buffer
  /** Size of the whole file in bytes. */
  readonly size: number
}

type Fit = (start: Start) => boolean

/** Checks of the extensions. Any content fits one without a row. */
const fits: Readonly<Record<string, Fit>> = {
  png: signed('png'),
  jpg: signed('jpeg'),
  jpeg: signed('jpeg'),
  gif: signed('gif'),
  webp: signed('webp'),
  // The brand that makes an AVIF may be any in the list.
  avif: start => signed('avif')(start) || (signed('mp4')(start) && /avi[fs]/.test(latin1(start, 8, 256))),
  tif: start => signed('tiff')(start) || isBigTiff(start),
  tiff: start => signed('tiff')(start) || isBigTiff(start),
  svg: start => signed('svg')(start) || isLooseSvg(start),
  mp3: start => signed('mp3')(start) || (start.signature === null && hasMpegFrame(start)) || isMp3InWave(start),
  ogg: signed('ogg'),
  oga: signed('ogg'),
  opus: signed('ogg'),
  ogv: signed('ogg'),
  // Tags of MP3 are also put before FLAC.
  flac: start => signed('flac')(start) || (signed('mp3')(start) && start.head.includes('fLaC')),
  wav: start => signed('wav')(start) || /^(?:RF64|BW64|RIFX).{4}WAVE/s.test(latin1(start, 0, 12)),
  mid: start => signed('midi')(start) || /^RIFF.{4}RMID/s.test(latin1(start, 0, 12)),
  // QuickTime has no first box of its own.
  mp4: start => signed('mp4')(start) || /^.{4}(?:moov|mdat|wide|free|skip|pnot)/s.test(latin1(start, 0, 8)),
  webm: signed('webm'),
  // Source: ISO 32000 permits other bytes before the header, readers up to 1,024.
  pdf: start => signed('pdf')(start) || latin1(start, 0, 1024).includes('%PDF-'),
  djvu: start => signed('djvu')(start) || /^FORM.{4}DJV/s.test(latin1(start, 0, 12)),
  stl: start => /^(?:\xef\xbb\xbf)?\s*solid/i.test(latin1(start, 0, 256)) || isBinaryStl(start),
  txt: start => !isBinary(start),
}

/** Returns why a file cannot have this extension (lower case); null if it can. */
export function misfit(bytes: Uint8Array, extension: string): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytes))
  const signature = findSignature(head)
  if (!Object.hasOwn(fits, extension) || fits[extension]!({ signature, head, size: bytes.byteLength })) return null
  const other = signature === null || signature === 'program' ? '' : `, but ${signature}`
  return `its content is not that of a .${extension} file${other}`
}

function signed(wanted: Signature): Fit {
  return ({ signature }) => signature === wanted
}

function latin1({ head }: Start, from: number, to: number): string {
  return head.toString('latin1', from, to)
}

function isBigTiff(start: Start): boolean {
  return /^(?:II\+\0|MM\0\+)/.test(latin1(start, 0, 4))
}

/** An SVG in another encoding than UTF-8, or with an unusual prolog; but not a page with a drawing in it. */
function isLooseSvg({ head }: Start): boolean {
  const text = head.toString('latin1').replaceAll('\0', '')
  return /<(?:[\w.-]{1,100}:)?svg[\s/>]/i.test(text) && /^[^\w{[<]{0,8}</.test(text) && !/<html[\s>]/i.test(text)
}

/** Looks for the header of an MPEG audio frame, in which some values are reserved. */
function hasMpegFrame({ head }: Start): boolean {
  for (let at = head.indexOf(0xff); at >= 0 && at + 2 < head.length; at = head.indexOf(0xff, at + 1)) {
    const [kind, rate] = [head[at + 1]!, head[at + 2]!]
    const isSync = (kind & 0xe0) === 0xe0 && (kind & 0x18) !== 0x08 && (kind & 0x06) !== 0
    if (isSync && (rate & 0xf0) !== 0xf0 && (rate & 0x0c) !== 0x0c) return true
  }
  return false
}

/** WAVE with the format MPEGLAYER3, which is 0x55. */
function isMp3InWave(start: Start): boolean {
  return signed('wav')(start) && start.head.length > 21 && start.head.readUInt16LE(20) === 0x55
}

/** A header of 80 bytes, the number of triangles, and 50 bytes for each. */
function isBinaryStl({ head, size }: Start): boolean {
  return head.length >= 84 && 84 + 50 * head.readUInt32LE(80) <= size
}

/** Text may begin with any letters, those of signatures, too; but it has no NUL, except in UTF-16 and UTF-32. */
function isBinary({ signature, head }: Start): boolean {
  if (head[0] === 0x1f && head[1] === 0x8b) return true
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  return signature !== null && signature !== 'svg' && !isWide && head.includes(0)
}
