/** Detects file types by their first bytes, which take precedence over the name: a picture named `.pdf` is a picture. */

import { type MediaType, mediaFormats } from '../core/file.ts'
import { isSvg } from './svg.ts'

/** Name of a format that has a signature. */
export type Signature =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'tiff'
  | 'svg'
  | 'mp3'
  | 'ogg'
  | 'flac'
  | 'wav'
  | 'midi'
  | 'mp4'
  | 'webm'
  | 'pdf'
  | 'djvu'
  | 'zip'
  | 'program'

export interface Format {
  readonly mediatype: MediaType
  readonly mime: string
}

/** Latin-1 text at an offset. */
type MagicNumber = readonly [offset: number, text: string]

/** Signatures: all parts of a row must match; the first matching row counts. */
const magicNumbers: readonly [signature: Signature, ...magicNumbers: MagicNumber[]][] = [
  ['png', [0, '\x89PNG\r\n\x1a\n']],
  ['jpeg', [0, '\xff\xd8\xff']],
  ['gif', [0, 'GIF87a']],
  ['gif', [0, 'GIF89a']],
  ['webp', [0, 'RIFF'], [8, 'WEBP']],
  ['wav', [0, 'RIFF'], [8, 'WAVE']],
  ['avif', [4, 'ftypavif']],
  ['avif', [4, 'ftypavis']],
  ['mp4', [4, 'ftyp']],
  ['tiff', [0, 'II*\0']],
  ['tiff', [0, 'MM\0*']],
  ['ogg', [0, 'OggS']],
  ['flac', [0, 'fLaC']],
  ['mp3', [0, 'ID3']],
  ['midi', [0, 'MThd']],
  ['webm', [0, '\x1aE\xdf\xa3']],
  ['pdf', [0, '%PDF-']],
  ['djvu', [0, 'AT&TFORM']],
  ['zip', [0, 'PK\x03\x04']],
  ['program', [0, '\x7fELF']],
  ['program', [0, 'MZ']],
]

/** Format of each signature, unless the name gives a more exact one; the second entry is for files with video. */
const formats: Readonly<Record<Signature, readonly [sound: Format, video?: Format]>> = {
  png: [format('png')],
  jpeg: [format('jpg')],
  gif: [format('gif')],
  webp: [format('webp')],
  avif: [format('avif')],
  tiff: [format('tif')],
  svg: [format('svg')],
  mp3: [format('mp3')],
  ogg: [format('ogg'), format('ogv')],
  flac: [format('flac')],
  wav: [format('wav')],
  midi: [format('mid')],
  mp4: [{ mediatype: 'AUDIO', mime: 'audio/mp4' }, format('mp4')],
  webm: [{ mediatype: 'AUDIO', mime: 'audio/webm' }, format('webm')],
  pdf: [format('pdf')],
  djvu: [format('djvu')],
  zip: [{ mediatype: 'ARCHIVE', mime: 'application/zip' }],
  program: [{ mediatype: 'EXECUTABLE', mime: 'application/octet-stream' }],
}

/** Extensions of formats that have no signature. */
const unsigned: Readonly<Record<string, Format>> = {
  mp3: format('mp3'),
  stl: format('stl'),
  txt: format('txt'),
}

const unknown: Format = { mediatype: 'UNKNOWN', mime: 'application/octet-stream' }

/** Finds a file's signature in its first bytes, 64 KB or more of them; null if it has no known one. */
export function findSignature(head: Buffer): Signature | null {
  const start = head.toString('latin1', 0, 16)
  const found = magicNumbers.find(([, ...rows]) => rows.every(([offset, text]) => start.startsWith(text, offset)))
  return found?.[0] ?? (isSvg(head) ? 'svg' : null)
}

/**
 * Returns the format of a file with this signature and file extension (lower case). A file without the signature that its
 * extension requires has no known format. `shows` is true for a container with video, false for one without.
 */
export function formatOf(signature: Signature | null, extension: string, shows: boolean | null): Format {
  if (signature === null) return Object.hasOwn(unsigned, extension) ? (unsigned[extension] as Format) : unknown
  const [sound, video] = formats[signature]
  if (signature === 'ogg' && !shows) return extension === 'ogg' ? sound : format('oga')
  return (shows === false ? sound : video) ?? sound
}

function format(extension: string): Format {
  const { mediatype, mime } = mediaFormats[extension] as Format
  return { mediatype, mime }
}
