/** Frames: texts with the values of their arguments, and the extension tags in them. */

import type { Title } from '../../core/title.ts'

/** A text with the values of its arguments: the page itself, or a template called with parts. */
export interface Frame {
  /** The text to which the offsets of nodes in this frame refer. */
  readonly text: string
  readonly title: Title
  /** Null for the page itself, where `{{{name}}}` has only its default. */
  readonly argument: ((name: string) => string | undefined) | null
  /** The frame that called this one; null for the page itself. */
  readonly parent: Frame | null
  /** 0 for the page itself. */
  readonly depth: number
}

/** An extension tag in expanded text, to be rendered with the frame it was written in. */
export interface FramedTag {
  readonly start: number
  readonly end: number
  readonly frame: Frame
  /** The tag that `{{#tag:}}` made. Its body may contain its own closing tag. */
  readonly made?: MadeTag
}

/** A tag that `{{#tag:}}` wrote. */
export interface MadeTag {
  /** Lower case. */
  readonly name: string
  readonly openWidth: number
  readonly hasBody: boolean
  /** Tags in the body, offsets into the body. */
  readonly bodyTags: readonly FramedTag[]
}
