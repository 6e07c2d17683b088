/** Nodes of the preprocessor: a tree of ranges, in UTF-16 offsets of the text. Siblings cover their parent. */

/** A range of the text, end exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Text without anything to expand. It may still contain links, headings and HTML tags. */
export interface PlainText extends Range {
  readonly kind: 'text'
  /** True for white space and the line break beside a comment alone on its line: expanded text lacks them. */
  readonly onCommentLine: boolean
}

/** A comment; an unclosed one ends with the text. */
export interface Comment extends Range {
  readonly kind: 'comment'
  readonly closed: boolean
}

/** One part between the pipes of a template or argument. The first is its target. */
export interface Part extends Range {
  /** Offset of the `=` that ends the part's name; -1 if it has none, as the first part always has. */
  readonly equals: number
  /** They cover the part, including `=` as text. */
  readonly children: readonly PreNode[]
}

/** `{{target|part|name=part}}`. */
export interface Template extends Range {
  readonly kind: 'template'
  readonly parts: readonly [Part, ...Part[]]
  /** True if it begins a line of the text. */
  readonly lineStart: boolean
}

/** `{{{name|default}}}`. */
export interface Argument extends Range {
  readonly kind: 'argument'
  readonly parts: readonly [Part, ...Part[]]
  readonly lineStart: boolean
}

/** `<name attributes>body</name>` or `<name attributes/>`. */
export interface ExtensionTag extends Range {
  readonly kind: 'extension'
  /** Lower case. */
  readonly name: string
  /** Text between the name and `>` or `/>`. */
  readonly attributes: Range
  /** Null for a self-closed tag. */
  readonly body: Range | null
  /** Width of the closing tag; 0 if it is self-closed or never closed. */
  readonly closeWidth: number
}

/** Tags that select the transcluded part of a page. */
export type InclusionName = 'noinclude' | 'includeonly' | 'onlyinclude'

/** An inclusion tag, or the text that it removes. */
export interface Inclusion extends Range {
  readonly kind: 'inclusion'
  readonly name: InclusionName
  /** `dropped`: tags and content that are not part of this pass. */
  readonly form: 'open' | 'close' | 'dropped'
}

export type PreNode = PlainText | Comment | Template | Argument | ExtensionTag | Inclusion

/** Result of preprocessing a text. */
export interface Preprocessed {
  readonly nodes: readonly PreNode[]
  /**
   * Maps the offset of every closed `[[` and `-{`, at any depth, to the offset after its `]]` or `}-`. Brackets that are
   * missing here, because a broken template or another bracket is between, open nothing.
   */
  readonly brackets: ReadonlyMap<number, number>
}

export interface PreprocessOptions {
  /** Names of extension tags, lower case. */
  readonly tags: ReadonlySet<string>
  /** Reads the text as the page itself, or as a template transcluded into another page. */
  readonly inclusion: 'page' | 'transcluded'
  /** False for expanded text, in which braces are text. */
  readonly braces?: boolean
  /** True if the language has variants, so that `-{` and `}-` are markup. */
  readonly variants?: boolean
}
