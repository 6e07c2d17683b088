/** Links as written in pages, and their targets. */

/** A link to be resolved. */
export interface WrittenLink {
  /** Key of the page that contains the link. */
  readonly from: string
  /** The target as written, with entities decoded: a title, a path or a name, with its fragment. */
  readonly target: string
  /**
   * `title`: `[[target]]` of wikitext. `path`: `[text](target)` and `![alt](target)` of Markdown. `name`: `[[target]]` of Markdown.
   */
  readonly syntax: 'title' | 'path' | 'name'
  /**
   * Second part of `[[target|second]]` in Markdown. In some dialects it is the target, and the first part is the text.
   */
  readonly second?: string | undefined
}

/** The page or file that a link leads to. */
export interface LinkTarget {
  /**
   * `other`: a file of the repository that is neither a page nor media, or a folder. `missing`: nothing matches, and
   * the second part is the target.
   */
  readonly kind: 'page' | 'file' | 'other' | 'missing'
  /**
   * Key of the title. A file's starts with `File:`, another file's is a colon and its path, and a missing target's is
   * "".
   */
  readonly key: string
  /** Text after `#`, as written; "" if there is none. */
  readonly fragment: string
  /** Paths that match equally well; empty for most links. */
  readonly rivals: readonly string[]
  /** True if the second part is the target and the first one the text. */
  readonly isTextFirst: boolean
}
