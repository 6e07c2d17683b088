/** Links in a text: the range of each target, which can be read or replaced separately. */

import type { Range } from '../preprocess/nodes.ts'

/**
 * Form of a target, which decides how it is parsed: `link`: `[[target]]` of wikitext, with categories and files. `template`:
 * `{{target}}`. `function`: `{{#ifexist: target}}` and other functions that name a page. `gallery`: a line of a gallery.
 * `path`: `[text](target)`, `<a href>` and `<img src>`. `name`: `[[target]]` of Markdown.
 */
export type LinkForm = 'link' | 'template' | 'function' | 'gallery' | 'path' | 'name'

/** A link in a text. Offsets count UTF-16 units. */
export interface LinkRange extends Range {
  readonly form: LinkForm
  /** Offset at which `|text` can be inserted; null if the link has a text already, or shows none. */
  readonly textAt: number | null
  /** Uses of a page in which the link occurs: as a page, as a template, or both. Absent in Markdown: as a page. */
  readonly reading?: 'page' | 'transcluded' | 'both'
  /** Range of the second part of `[[first|second]]` in Markdown; null if there is none. */
  readonly second: Range | null
  /**
   * The source around a target: `angles`, `quotes` and `none` of the form `path`; `double` and `single` for quotes of YAML and TOML, and
   * `value` for a value of front matter without quotes. Absent elsewhere.
   */
  readonly enclosed?: 'angles' | 'quotes' | 'none' | 'double' | 'single' | 'value'
  /** True for `![[target]]` and `![alt](target)`. */
  readonly isEmbed?: boolean
  /** True if it contains another wikitext link: then it is a link only if it is a file. */
  readonly isNesting?: boolean
  /** True inside a row of a Markdown table, where a bar ends the cell. */
  readonly isInTable?: boolean
}

/** Returns the range of a text at an offset, without spaces around it. */
export function trimmedRange(text: string, start: number): Range {
  const from = start + text.length - text.trimStart().length
  return { start: from, end: from + text.trim().length }
}

/** The links of a text, in their order. */
export interface FoundLinks {
  readonly links: readonly LinkRange[]
  /** Links whose target contains arguments or templates, so their destination is unknown. */
  readonly computed: readonly Range[]
}
