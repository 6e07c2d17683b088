/** The surroundings of a text that is written, on which its escaping depends. */

import type { Site } from '../wikitext/site.ts'
import type { Context } from './context.ts'

/** Surroundings of a text, which determine what counts as markup in it. */
export interface EscapePlace {
  readonly context: Context
  /** True if the text starts a line. */
  readonly isLineStart: boolean
  /** Start of the line that the text continues. */
  readonly lineHead: string
  /** True if the text ends its line. */
  readonly isLineEnd: boolean
  /** True if the text starts the page. */
  readonly isPageStart: boolean
  /** Text that follows in the same block. */
  readonly following: string
  /** Beginning of all text that follows, also in later blocks. Braces and tags do not end with a block. */
  readonly later: string
  readonly hasVariants: boolean
  /** True if a bare URL follows. */
  readonly isBeforeAddress: boolean
  /** True if a link in brackets may follow on the line. */
  readonly isBeforeBracket: boolean
  /** The current line from its last unclosed `[[` on. */
  readonly openLink: string
  readonly site: Pick<Site, 'language' | 'magicLinks' | 'switches'>
  /** True if the line contains an open bracket followed by a URL. */
  readonly isAddressOpen: boolean
  /** If the text follows a list item's bullets: `bare` directly, `spaced` after a space. */
  readonly bullets: '' | 'bare' | 'spaced'
  /** True if the text is on a cell's first line. */
  readonly isCellStart: boolean
  /** True if a single pipe does not end the cell's attributes: they are written, or a link precedes. */
  readonly hasAttributes: boolean
  /** Returns true if the text can be the target of a link. */
  readonly isTarget: (text: string) => boolean
}
