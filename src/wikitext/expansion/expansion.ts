/** The contract of an expander: for its callers, its own parts, and the functions that it runs. */

import type { Title } from '../../core/title.ts'
import type { InTime } from '../bounded-time.ts'
import type { Argument, PreNode, Preprocessed, Template } from '../preprocess/nodes.ts'
import type { Frame, FramedTag } from './frame.ts'
import type { FunctionDefinition } from './function.ts'
import type { Effort } from './limits.ts'
import type { PageContext, PageProperties } from './page-context.ts'

/** Options of an expander, which serves one pass over one page. */
export interface ExpanderOptions extends PageContext {
  /** Further parser functions. */
  readonly functions?: readonly FunctionDefinition[]
  /** `show` makes a page to read; `save` makes a text to store and expands only `subst:`. `show` by default. */
  readonly purpose?: 'show' | 'save'
  /** Limits on the pass; those of a page by default. */
  readonly effort?: Effort | null
}

/** Result of expanding `{{...}}` or `{{{...}}}`. */
export interface Expansion {
  /**
   * `template`: a page was transcluded, or is missing, or would loop; `function`: a magic word or parser function; `argument`:
   * `{{{...}}}`; `plain`: none of these, so its braces are text, and its content is read by itself.
   */
  readonly kind: 'template' | 'function' | 'argument' | 'plain'
  /** Wikitext that is not expanded again, "" if it is plain; extension tags are in it as their source. */
  readonly text: string
  /** Tags in `text`, ascending. Read `text` with `preprocessExpanded`, their bodies with their own frame. */
  readonly tags: readonly FramedTag[]
  /** The page transcluded, as it was named; null if there is none. */
  readonly target: Title | null
  /** Key of the magic word or parser function as `data-mw` names it (`if`, `currentday`), null for others. */
  readonly function: string | null
  /** True for a function that a caller added: `data-mw` describes it in the form of such functions. */
  readonly isOwn?: boolean
}

export interface Expander {
  /** The frame of the page itself, for its text or for a part of it. */
  readonly pageFrame: (text: string) => Frame
  /** The same arguments for another text, such as an extension tag's body. */
  readonly withText: (frame: Frame, text: string) => Frame
  /** Preprocesses a text like a page. */
  readonly preprocess: (text: string) => Preprocessed
  /** Preprocesses the text of an expansion: braces in it are text. */
  readonly preprocessExpanded: (text: string) => Preprocessed
  /** Expands one node of the frame's text. */
  readonly expandNode: (node: Template | Argument, frame: Frame) => Expansion
  /** Expands nodes of the frame's text for an attribute or a link's target: comments go, extension tags stay as source. */
  readonly expandToText: (nodes: readonly PreNode[], frame: Frame) => string
  readonly properties: PageProperties
  /** Counts time of the page. Throws `EffortExceeded`. */
  readonly inTime: InTime
  /** Counts steps of building trees. Throws `EffortExceeded` and `wiki-page-too-complex`. */
  readonly spendSteps: (steps: number) => void
}
