/** Links as pages write them, and what they lead to. */

/** A link to be resolved. */
export interface WrittenLink {
  /** Key of the page that holds the link. */
  readonly from: string
  /** As written, entities decoded: a title, a path or a name, with its fragment. */
  readonly target: string
  /**
   * `title`: `[[target]]` of wikitext. `path`: `[text](target)` and `![alt](target)` of Markdown. `name`: `[[target]]` of Markdown.
   */
  readonly syntax: 'title' | 'path' | 'name'
  /** The second part of `[[target|second]]` in Markdown: in some dialects it is the target, and the first the text. */
  readonly second?: string | undefined
}

/** The page or file that a link leads to. */
export interface LinkTarget {
  /**
   * `other`: a file of the repository that is neither a page nor media, or a folder. `missing`: it leads nowhere, and its target
   * is the second part.
   */
  readonly kind: 'page' | 'file' | 'other' | 'missing'
  /** Key of its title; of a file with `File:`; of another file its path behind a colon; "" if it is missing. */
  readonly key: string
  /** Text after `#`, as written; "" if there is none. */
  readonly fragment: string
  /** Paths that fit as well as the one that was chosen; empty for most links. */
  readonly rivals: readonly string[]
  /** True if the second part is the target, and the first one the text. */
  readonly isTextFirst: boolean
}
