/** Placeholders for extension tags during expansion, so that functions neither see nor change the tags' source. */

import type { Frame, FramedTag, MadeTag } from './frame.ts'

const sign = '\u007f'
const marker = /\u007f\d+\u007f/g

interface MarkedTag {
  readonly source: string
  /** Null for text that must stay unchanged and is not a tag. */
  readonly frame: Frame | null
  readonly made?: MadeTag
}

export interface Markers {
  /** Stores a tag and returns its placeholder. */
  readonly keep: (tag: MarkedTag) => string
  /** Replaces placeholders by their tags. */
  readonly restore: (text: string) => { text: string; tags: FramedTag[] }
}

/** Creates an empty store of placeholders. */
export function createMarkers(): Markers {
  const tags: MarkedTag[] = []
  return {
    keep: tag => `${sign}${tags.push(tag) - 1}${sign}`,
    restore: text => restore(text, tags),
  }
}

function restore(text: string, kept: readonly MarkedTag[]): { text: string; tags: FramedTag[] } {
  if (!text.includes(sign)) return { text, tags: [] }
  const tags: FramedTag[] = []
  let out = ''
  for (const [index, piece] of text.split(sign).entries()) {
    const tag = index % 2 === 1 ? kept[Number(piece)] : undefined
    if (tag !== undefined && tag.frame !== null) {
      const { source, frame, made } = tag
      tags.push({ start: out.length, end: out.length + source.length, frame, ...(made && { made }) })
    }
    out += tag?.source ?? piece
  }
  return { text: out, tags }
}

/** Replaces placeholder characters in a text from outside; its length stays. */
export function withoutSigns(text: string): string {
  return text.includes(sign) ? text.replaceAll(sign, '?') : text
}

/** Removes placeholders, for functions that count or compare characters. */
export function withoutMarkers(text: string): string {
  return text.includes(sign) ? text.replace(marker, '') : text
}

/** Applies a change to the text between placeholders. */
export function betweenMarkers(text: string, change: (piece: string) => string): string {
  if (!text.includes(sign)) return change(text)
  const pieces = text.split(sign)
  return pieces.map((piece, index) => (index % 2 === 0 ? change(piece) : `${sign}${piece}${sign}`)).join('')
}
