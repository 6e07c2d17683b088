/** Types of extension tags and their renderers. Each extension has a file beside this one. */

import type { InTime } from '../bounded-time.ts'
import type { GalleryItem } from '../media/gallery.ts'
import type { ChildNode, ElementNode, FragmentNode, SourceRange } from '../tree/node.ts'

/** One use of an extension tag: `<ref name="a">text</ref>`, or `{{#tag:ref|text|name=a}}`. */
export interface ExtensionCall {
  /** Lower case. */
  readonly name: string
  /**
   * Decoded values by lower-case name, in their order: character references resolved, runs of white space one space, trimmed;
   * of two with one name the later value at the earlier place; '' for a name alone.
   */
  readonly attributes: ReadonlyMap<string, string>
  /** Source between the tags; null for a self-closed tag. */
  readonly body: string | null
  /** Offset of the body in the page's text, UTF-16 units; null if it does not come from there. */
  readonly bodyOffset: number | null
  /** Source of the whole tag. */
  readonly source: string
  /** Range of the whole tag in the page's text; null if it comes from a template. */
  readonly range: SourceRange | null
  readonly inTemplate: boolean
  /** True if `{{#tag:}}` made the tag, so that its body may contain tags of its own name. */
  readonly byFunction?: boolean
}

/** Services for an extension while it renders. */
export interface ExtensionContext {
  /** Parses wikitext as a page's content, with paragraphs. */
  readonly parseBlocks: (text: string, options?: ParseOptions) => ChildNode[]
  /** Parses wikitext as the content of a paragraph. */
  readonly parseInline: (text: string, options?: ParseOptions) => ChildNode[]
  /**
   * Makes the `figure` of a file as galleries show it: without a format, its caption in a `figcaption`. `target` is a title with
   * or without its namespace, `parts` the text between the pipes of a file link. Null if no file is named.
   */
  readonly parseMedia: (target: string, parts: string, options: ParseMediaOptions) => GalleryItem | null
  /** State of this extension for this page, created on first use. */
  readonly state: <State>(name: string, make: () => State) => State
  /** Throws `EffortExceeded`. */
  readonly inTime: InTime
  /** A new value for `about`: `#mwt12`. */
  readonly about: () => string
  /** Text of a page `MediaWiki:<key>`; null if the wiki has none. */
  readonly message: (key: string) => string | null
  /** Address of the page as its links are written, without a fragment: `./Main_Page`. */
  readonly pageHref: string
  /** Language code of the page. */
  readonly language: string
  /** Title of the page, reading form. */
  readonly title: string
}

export interface ParseMediaOptions {
  /** A size as an option has it, which counts as the last one: `120x120px`. */
  readonly size: string
  /** Offset of `parts` in the page's text; null if they come from elsewhere. */
  readonly offset: number | null
}

export interface ParseOptions {
  /** Offset of the text in the page's text; null or absent if it comes from elsewhere. */
  readonly offset?: number | null
  /** True if `{{{name}}}` does not refer to the arguments of the template that contains the tag. */
  readonly withoutArguments?: boolean
  /** True for text that continues a line: its first line begins no list or table. */
  readonly isMidLine?: boolean
}

export interface Extension {
  /** Tags of the extension, lower case. */
  readonly tags: readonly string[]
  /**
   * Returns the nodes of one call. The engine adds `about`, `typeof="mw:Extension/name"`, `data-mw` and the source range to
   * the first element, unless it has a `typeof` already; `data-mw` is `callData(call)` if the element has none.
   */
  readonly render: (call: ExtensionCall, context: ExtensionContext) => ChildNode[]
  /**
   * Runs once over the page, before its sections are wrapped, in the order of the registry. Slow work (loading a highlighter)
   * belongs here: the page waits for a promise.
   */
  readonly finish?: (body: PageBody, context: ExtensionContext) => void | Promise<void>
}

/** Parent of the page's top-level nodes. */
export type PageBody = ElementNode | FragmentNode

/** Returns `data-mw` of a call: name, attributes, source of the body. Source: MediaWiki DOM specification 2.8.0, Extensions. */
export function callData(call: ExtensionCall): Record<string, unknown> {
  const data: Record<string, unknown> = { name: call.name, attrs: trimmedValues(call.attributes) }
  if (call.body !== null) data.body = { extsrc: call.byFunction ? withoutNowiki(call.body) : call.body }
  return data
}

/** Only the written value is trimmed: a reference may have brought white space into the decoded one. */
function trimmedValues(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...attributes].map(([name, value]) => [name, value.replace(/^[\t\n\r ]+|(?<![\t\n\r ])[\t\n\r ]+$/g, '')]),
  )
}

const nowikiEnd = '</nowiki>'

/** Replaces each `<nowiki>` by a placeholder, as Parsoid does: functions never see its content. */
function withoutNowiki(body: string): string {
  // After the last end tag there is none: searching for more would scan the whole rest each time.
  const end = body.includes(nowikiEnd) ? body.lastIndexOf(nowikiEnd) + nowikiEnd.length : 0
  let count = 0
  const closed = body
    .slice(0, end)
    .replaceAll(/<nowiki>[\s\S]*?<\/nowiki>/g, () => `{{#parsoid\u0000fragment:${count++}}}`)
  return closed + body.slice(end)
}
