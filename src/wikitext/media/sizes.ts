/**
 * Computes the displayed size of a file and selects the thumbnail for it. Source: MediaWiki ImageHandler,
 * Linker::makeImageLink.
 */

import type { FileMetadata } from '../wiki-source.ts'
import type { MediaFormat } from './options.ts'

/** Pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Options of a file link that determine the size. */
export interface SizeOptions {
  readonly format: MediaFormat | null
  readonly width: number | null
  readonly height: number | null
  readonly upright: number | null
}

/** Addresses of a picture, for normal screens and for those of double density. */
export interface Sources {
  readonly src: string
  /** Null if it would be the same picture. */
  readonly double: string | null
}

/** Files that browsers show directly. All others are shown as pictures made from them. */
const shownDirectly: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** Width of a thumbnail without an explicit size; an upright one is rounded to tens. */
export function usualWidth(thumbnailWidth: number, upright: number | null): number {
  return upright === null ? thumbnailWidth : Math.max(10, 10 * Math.round((thumbnailWidth * upright) / 10))
}

/** Returns true if the wiki decides the size, so that `upright` has an effect. */
export function hasUsualWidth({ format, width, height }: SizeOptions): boolean {
  return width === null && height === null && (format === 'thumbnail' || format === 'frameless')
}

/** Computes the displayed size of a file; null for a file without one, such as audio. */
export function displaySize(metadata: FileMetadata, options: SizeOptions, thumbnailWidth: number): Size | null {
  const natural = naturalSize(metadata)
  if (natural === null) return null
  const { format, upright } = options
  if (!mayScale(format)) return natural
  const size = hasUsualWidth(options)
    ? fitInto(natural, usualWidth(thumbnailWidth, upright), null)
    : fitInto(natural, options.width, options.height)
  // Thumbnails of bitmaps are never larger than the file; a plain image may be.
  const mayGrow = metadata.mediatype === 'DRAWING' || format === null
  return !mayGrow && size.width > natural.width ? natural : size
}

/** Finds the pictures for a size. `options` are those from which the size was computed. */
export function sourcesOf(
  metadata: FileMetadata,
  { size, options, ...picture }: { size: Size; options: SizeOptions; page?: number; language?: string },
): Sources {
  const natural = naturalSize(metadata)!
  const isOriginal = (width: number): boolean => shownDirectly.has(metadata.mime) && width >= natural.width
  const address = (width: number): string => (isOriginal(width) ? metadata.url : metadata.thumbnail(width, picture))
  const src = address(size.width)
  const twice = (pixels: number | null): number | null => (pixels === null ? null : 2 * pixels)
  const isBoxed = (options.width !== null || options.height !== null) && mayScale(options.format)
  const doubled = isBoxed ? fitInto(natural, twice(options.width), twice(options.height)).width : 2 * size.width
  const double = address(doubled)
  return { src, double: double === src ? null : double }
}

/** Fits a size into a box; a null bound is ignored. Heights are rounded, and widths so that the height still fits. */
export function fitInto({ width, height }: Size, maxWidth: number | null, maxHeight: number | null): Size {
  if (maxWidth === null && maxHeight === null) return { width, height }
  const byHeight = maxHeight !== null && (maxWidth === null || maxWidth * height > maxHeight * width)
  const fitted = byHeight ? widthFor({ width, height }, maxHeight) : maxWidth!
  return { width: Math.max(1, fitted), height: Math.max(1, Math.round((fitted * height) / width)) }
}

function widthFor({ width, height }: Size, maxHeight: number): number {
  const ideal = (width * maxHeight) / height
  const up = Math.ceil(ideal)
  return Math.round((up * height) / width) > maxHeight ? Math.floor(ideal) : up
}

function naturalSize({ width, height }: FileMetadata): Size | null {
  return width === null || height === null || width < 1 || height < 1 ? null : { width, height }
}

/** Framed files are shown in their original size. */
function mayScale(format: MediaFormat | null): boolean {
  return format !== 'framed' && format !== 'manualthumb'
}
