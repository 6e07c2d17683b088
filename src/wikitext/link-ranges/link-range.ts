/** Links as a text writes them: where each target stands, so that it can be read, or replaced, by itself. */

import type { Range } from '../preprocess/nodes.ts'

/**
 * Way in which a target is written, which decides how it is read:
 * `link`: `[[target]]` of wikitext, with categories and files. `template`: `{{target}}`. `function`: `{{#ifexist: target}}` and other
 * functions that name a page. `gallery`: a line of a gallery. `path`: `[text](target)`, `<a href>` and `<img src>`. `name`: `[[target]]`
 * of Markdown.
 */
export type LinkForm = 'link' | 'template' | 'function' | 'gallery' | 'path' | 'name'

/** A link in a text. Offsets count UTF-16 units. */
export interface LinkRange extends Range {
  readonly form: LinkForm
  /** Offset at which `|text` can be added; null if the link has a text already, or shows none. */
  readonly textAt: number | null
  /** Readings of a page in which the link is there: as itself, as a template, or both. Absent in Markdown: as itself. */
  readonly reading?: 'page' | 'transcluded' | 'both'
  /** Range of the second part of `[[first|second]]` in Markdown; null if there is none. */
  readonly second: Range | null
  /** The source that stands around a target of the form `path`. */
  readonly enclosed?: 'angles' | 'quotes' | 'none'
  /** True for `![[target]]` and `![alt](target)`. */
  readonly isEmbed?: boolean
  /** True if another link of wikitext stands inside: then only a file's is a link. */
  readonly isNesting?: boolean
  /** True inside a row of a Markdown table, where a bar ends the cell. */
  readonly isInTable?: boolean
}

/** The links of a text, in their order. */
export interface FoundLinks {
  readonly links: readonly LinkRange[]
  /** Links whose target is made of arguments or templates: nobody can say what they lead to. */
  readonly computed: readonly Range[]
}
