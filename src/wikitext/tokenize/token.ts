/** Tokens: tags, texts, line ends and markers, each with its range in the page's text. */

import type { ChildNode, NodeData, Transclusion } from '../tree/node.ts'

/** UTF-16 offsets into the page's text; both -1 for content from elsewhere, such as a template's text. */
interface Ranged {
  readonly start: number
  readonly end: number
}

export interface TextToken extends Ranged {
  readonly kind: 'text'
  readonly text: string
  /** True for a further line of preformatted text, whose space was removed. */
  readonly wasIndented?: boolean
}

/** One line break. */
export interface NewlineToken extends Ranged {
  readonly kind: 'newline'
}

export interface CommentToken extends Ranged {
  readonly kind: 'comment'
  readonly text: string
  /** True for the marker of a unit to translate, which belongs to the text after it. */
  readonly isUnitMarker?: boolean
}

/** Syntax of a tag: HTML, or wikitext's own markup. */
export type Syntax = 'html' | 'wiki'

export interface OpenToken extends Ranged {
  readonly kind: 'open'
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly syntax: Syntax
  readonly data: NodeData
  /** True for content that continues after a tag that closed it out of order. */
  readonly isResumed?: boolean
}

export interface CloseToken extends Ranged {
  readonly kind: 'close'
  readonly name: string
  readonly syntax: Syntax
}

/** An element without content. */
export interface VoidToken extends Ranged {
  readonly kind: 'void'
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly syntax: Syntax
  readonly data: NodeData
}

/** Two or more apostrophes. */
export interface QuoteToken extends Ranged {
  readonly kind: 'quote'
  readonly length: number
}

/**
 * The bullets at the start of a list item; a `:` in a line that began with `;` has those of its line with the last one
 * changed.
 */
export interface ItemToken extends Ranged {
  readonly kind: 'item'
  readonly bullets: string
  /** True for the `:` after a term on its line. */
  readonly inline: boolean
}

/**
 * Finished nodes. `inline` and `block` are their role in the tree; `transparent` ones (categories, page properties, markers)
 * neither begin nor end anything and keep their place.
 */
export interface AtomToken extends Ranged {
  readonly kind: 'atom'
  readonly level: 'inline' | 'block' | 'transparent'
  readonly nodes: readonly ChildNode[]
}

/** Start or end of a template's text. */
export interface MarkerToken extends Ranged {
  readonly kind: 'marker'
  readonly edge: 'start' | 'end'
  readonly transclusion: Transclusion
  /** Name of the element whose tag contains the marker, so that the template made a part of it; null if there is none. */
  readonly partOf: 'cell' | 'table' | 'tr' | null
}

export type Token =
  | TextToken
  | NewlineToken
  | CommentToken
  | OpenToken
  | CloseToken
  | VoidToken
  | QuoteToken
  | ItemToken
  | AtomToken
  | MarkerToken

/** The attributes of a tag that has none. */
export const noAttributes: ReadonlyMap<string, string> = new Map()

/** True for invisible tokens: white space, comments, markers, categories. */
export function isTransparent(token: Token): boolean {
  switch (token.kind) {
    case 'comment':
      return token.isUnitMarker !== true
    case 'marker':
      return true
    case 'atom':
      return token.level === 'transparent'
    case 'text':
      return isBlank(token.text)
    default:
      return false
  }
}

/** True for a text of white space only; a line break in it has no effect any more. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== 32 && unit !== 9 && unit !== 10) return false
  }
  return true
}
