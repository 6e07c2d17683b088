/** The contract of an expander: for its callers, its own parts, and the functions that it runs. */

import type { Title } from '../../core/title.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { InTime } from '../bounded-time.ts'
import type { Argument, PreNode, Preprocessed, Template } from '../preprocess/nodes.ts'
import type { FunctionDefinition } from './function.ts'
import type { Effort } from './limits.ts'
import type { SourceCache } from './source-cache.ts'

/** Options of an expander, which serves one pass over one page. */
export interface ExpanderOptions {
  readonly title: Title
  readonly config: WikiConfig
  readonly sourceCache: SourceCache
  /** Names of extension tags, lower case. */
  readonly tags: ReadonlySet<string>
  /** The time of the CURRENT... magic words and `#time`. */
  readonly now: Date
  /** Origin of the wiki's addresses, such as `http://localhost:8080`. */
  readonly server: string
  /** The revision being shown; null for a text that is not a saved page. */
  readonly page: PageFacts | null
  /** IANA name of the time zone of the LOCAL... magic words and `#timel`; UTC by default. */
  readonly timeZone?: string
  /** Further parser functions. */
  readonly functions?: readonly FunctionDefinition[]
  /** `show` makes a page to read; `save` makes a text to store and expands only `subst:`. `show` by default. */
  readonly purpose?: 'show' | 'save'
  /** Limits on the pass; those of a page by default. */
  readonly effort?: Effort | null
}

/** The revision being shown. */
export interface PageFacts {
  readonly id: number
  readonly revision: number
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly user: string
}

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

/** Properties that the page sets for itself through parser functions. */
export interface PageProperties {
  /** Argument of the last DISPLAYTITLE; null if there was none. Not yet checked or cleaned. */
  displayTitle: string | null
  defaultSort: string | null
  /** Keys of all pages transcluded or tried, in order of first use. */
  readonly templates: Map<string, Title>
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
