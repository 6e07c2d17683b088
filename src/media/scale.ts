/** Sizes of scaled pictures. */

import type { Size } from './svg.ts'

/** Widths in which thumbnails are made, pixels, so that a file has few of them. Source: Wikimedia's standard sizes. */
const thumbnailWidths = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840] as const

/** Longest side of a thumbnail, pixels. */
const longestSide = 4096

/**
 * Returns the largest size of these proportions that fits a box, at most the original size. Source: MediaWiki 1.43 ImagePage.
 */
export function fitInto({ width, height }: Size, box: Size): Size {
  if (width <= box.width && height <= box.height) return { width, height }
  if (width / height >= box.width / box.height) return ofWidth({ width, height }, box.width)
  const fitted = ofWidth({ width, height }, Math.floor((width * box.height) / height))
  // A picture that would be under one pixel wide is distorted to fit.
  return { ...fitted, height: Math.min(fitted.height, box.height) }
}

export interface ThumbnailRules {
  /** Widths that are made exactly as requested; others are rounded up to a standard width. */
  readonly exact: readonly number[]
  /** True for drawings, which may be enlarged; bitmaps may not. */
  readonly grows: boolean
  /** True if browsers show the original: it is used if no smaller size is requested. */
  readonly shown: boolean
}

/** Returns the size of the thumbnail for a requested width; null to use the original. */
export function thumbnailSize(size: Size, asked: number, { exact, grows, shown }: ThumbnailRules): Size | null {
  const usual = thumbnailWidths.find(width => width >= asked) ?? Math.max(...thumbnailWidths)
  const width = Math.min(exact.includes(asked) ? asked : usual, grows ? longestSide : size.width)
  const thumbnail = fitInto(ofWidth(size, width), { width: longestSide, height: longestSide })
  return shown && !grows && thumbnail.width >= size.width ? null : thumbnail
}

function ofWidth({ width, height }: Size, wanted: number): Size {
  const shown = Math.max(1, wanted)
  return { width: shown, height: Math.max(1, Math.round((height * shown) / width)) }
}
