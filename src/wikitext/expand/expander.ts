/** What expands templates, arguments, magic words and parser functions to text: the interface of this folder. */

import type { WikiConfig } from '../../core/config.ts'
import type { Title } from '../../core/title.ts'
import type { Argument, PreNode, Preprocessed, Template } from '../preprocess/nodes.ts'
import type { Answers } from './answers.ts'

/** What an expander is made for: one page of one wiki, once. */
export interface ExpanderOptions {
  readonly title: Title
  readonly config: WikiConfig
  readonly answers: Answers
  /** Names of extension tags, lower case. */
  readonly tags: ReadonlySet<string>
  /** The time that CURRENT... magic words and `#time` tell. */
  readonly now: Date
  /** Origin of the wiki's addresses, such as `http://localhost:8080`. */
  readonly server: string
  /** The revision being shown; null for a text that is no saved page. */
  readonly page: {
    readonly id: number
    readonly revision: number
    readonly timestamp: string
    readonly user: string
  } | null
}

/** A text with what its arguments stand for: the page itself, or a template called with parts. */
export interface Frame {
  /** The text that nodes expanded in this frame have their offsets in. */
  readonly text: string
  readonly title: Title
  /** Null for the page itself, where `{{{name}}}` has only its default. */
  readonly arguments: ReadonlyMap<string, string> | null
  /** 0 for the page itself. */
  readonly depth: number
}

/** An extension tag in expanded text, to be read with the frame it was written in. */
export interface FramedTag {
  readonly start: number
  readonly end: number
  readonly frame: Frame
}

/** What became of `{{...}}` or `{{{...}}}`. */
export interface Expansion {
  /**
   * `template`: a page was transcluded, or is missing, or would loop; `function`: a magic word or parser function;
   * `argument`: `{{{...}}}`; `plain`: it is none of these, its braces are text and `text` is its source with what stands inside expanded.
   */
  readonly kind: 'template' | 'function' | 'argument' | 'plain'
  /** Wikitext that is not to be expanded again; extension tags stand in it as their source. */
  readonly text: string
  /** Tags in `text`, ascending. Read `text` with `preprocess(..., {braces: false})`, their bodies with their own frame. */
  readonly tags: readonly FramedTag[]
  /** The page transcluded, null where there is none. */
  readonly target: Title | null
  /** Key of the magic word or parser function as `data-mw` names it (`if`, `currentday`), null for others. */
  readonly function: string | null
}

/** What the page said about itself through parser functions. */
export interface PageProperties {
  /** Argument of the last DISPLAYTITLE; null where there was none. Not yet checked or cleaned. */
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
  /** Reads a text as the page is read. */
  readonly preprocess: (text: string) => Preprocessed
  /** Expands one node of the frame's text. */
  readonly expandNode: (node: Template | Argument, frame: Frame) => Expansion
  /** Expands nodes of the frame's text for an attribute or a link's target: comments go, extension tags stay as source. */
  readonly expandToText: (nodes: readonly PreNode[], frame: Frame) => string
  readonly properties: PageProperties
}
