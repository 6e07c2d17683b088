/** Media files as the API sends them. Source: API:REST_API/Reference on mediawiki.org, file object. */

import type { User } from './revision.ts'

export const mediaTypes = [
  'BITMAP',
  'DRAWING',
  'AUDIO',
  'VIDEO',
  'MULTIMEDIA',
  'UNKNOWN',
  'OFFICE',
  'TEXT',
  'EXECUTABLE',
  'ARCHIVE',
  '3D',
] as const
export type MediaType = (typeof mediaTypes)[number]

interface MediaFormat {
  readonly mediatype: MediaType
  /** MIME type under which the bytes are served. */
  readonly mime: string
}

/**
 * Lower-case extensions of the files that a wiki shows as media. All other files are ignored. A text file is media only
 * in the folder of the File namespace; elsewhere it is a page.
 */
export const mediaFormats: Readonly<Record<string, MediaFormat>> = {
  png: { mediatype: 'BITMAP', mime: 'image/png' },
  jpg: { mediatype: 'BITMAP', mime: 'image/jpeg' },
  jpeg: { mediatype: 'BITMAP', mime: 'image/jpeg' },
  gif: { mediatype: 'BITMAP', mime: 'image/gif' },
  webp: { mediatype: 'BITMAP', mime: 'image/webp' },
  avif: { mediatype: 'BITMAP', mime: 'image/avif' },
  tif: { mediatype: 'BITMAP', mime: 'image/tiff' },
  tiff: { mediatype: 'BITMAP', mime: 'image/tiff' },
  svg: { mediatype: 'DRAWING', mime: 'image/svg+xml' },
  mp3: { mediatype: 'AUDIO', mime: 'audio/mpeg' },
  ogg: { mediatype: 'AUDIO', mime: 'application/ogg' },
  oga: { mediatype: 'AUDIO', mime: 'audio/ogg' },
  opus: { mediatype: 'AUDIO', mime: 'audio/ogg' },
  flac: { mediatype: 'AUDIO', mime: 'audio/flac' },
  wav: { mediatype: 'AUDIO', mime: 'audio/wav' },
  mid: { mediatype: 'AUDIO', mime: 'audio/midi' },
  mp4: { mediatype: 'VIDEO', mime: 'video/mp4' },
  ogv: { mediatype: 'VIDEO', mime: 'video/ogg' },
  webm: { mediatype: 'VIDEO', mime: 'video/webm' },
  pdf: { mediatype: 'OFFICE', mime: 'application/pdf' },
  djvu: { mediatype: 'BITMAP', mime: 'image/vnd.djvu' },
  stl: { mediatype: '3D', mime: 'model/stl' },
  txt: { mediatype: 'TEXT', mime: 'text/plain' },
}

/** One available form of a file. */
export interface FileFormat {
  readonly mediatype: MediaType
  /** Bytes; null if the form is generated on request. */
  readonly size: number | null
  /** Pixels; null if it has none. */
  readonly width: number | null
  readonly height: number | null
  /** Seconds; null if the file has no duration. */
  readonly duration: number | null
  readonly url: string
}

/** Uploader of a file. Both fields are null if the uploader is hidden. */
export type FileUser = User | { readonly id: null; readonly name: null }

/** A file as listed; the order of the keys is MediaWiki's. */
export interface FileObject {
  /** Without `File:`, reading form. */
  readonly title: string
  readonly file_description_url: string
  readonly latest: { readonly timestamp: string; readonly user: FileUser }
  /** Fits into 800 by 600 pixels. */
  readonly preferred: FileFormat
  /** In Get file only. */
  readonly original?: FileFormat
  /** Fits into 2560 by 2048 pixels. */
  readonly thumbnail: FileFormat
}

/** One line of `wiki file list --json`. */
export interface FileListItem {
  /** File title without `File:`, reading form. */
  readonly title: string
  readonly path: string
  readonly mediatype: MediaType
  readonly mime: string
  /** Bytes. */
  readonly size: number
  readonly latest: { readonly timestamp: string; readonly user: FileUser }
}
