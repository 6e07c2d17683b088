/** What an extension tag is made of, and what renders it. One file per extension beside this one. */

import type { ChildNode, ElementNode, SourceRange } from '../tree/node.ts'

/** One use of an extension tag: `<ref name="a">text</ref>`. */
export interface ExtensionCall {
  /** Lower case. */
  readonly name: string
  /** Decoded values by lower-case name, in their order. */
  readonly attributes: ReadonlyMap<string, string>
  /** Source between the tags; null for a self-closed tag. */
  readonly body: string | null
  /** Offset of the body in the page's text, UTF-16 units; null where it does not come from there. */
  readonly bodyOffset: number | null
  /** Source of the whole tag. */
  readonly source: string
  /** Range of the whole tag in the page's text; null where it comes out of a template. */
  readonly range: SourceRange | null
  readonly inTemplate: boolean
}

/** What an extension may ask for while it renders. */
export interface ExtensionContext {
  /** Parses wikitext as a page's content, with paragraphs. */
  readonly parseBlocks: (text: string, options?: { offset?: number | null }) => ChildNode[]
  /** Parses wikitext as what stands inside a paragraph. */
  readonly parseInline: (text: string, options?: { offset?: number | null }) => ChildNode[]
  /** State of this extension for this page: made at the first question. */
  readonly state: <State>(name: string, make: () => State) => State
  /** Language code of the page. */
  readonly language: string
  /** Title of the page, reading form. */
  readonly title: string
}

export interface Extension {
  /** Tags it answers for, lower case. */
  readonly tags: readonly string[]
  /**
   * Makes the nodes of one call. The engine adds `about`, `typeof="mw:Extension/name"`, `data-mw` and the source range to
   * the first of them, unless it has a `typeof` already. A promise is waited for before the page is finished.
   */
  readonly render: (call: ExtensionCall, context: ExtensionContext) => ChildNode[] | Promise<ChildNode[]>
  /** Runs once over the finished page. */
  readonly finish?: (body: ElementNode, context: ExtensionContext) => void
}
