/** Context of a node: the markup that its text must avoid, and the effect of a line break. */

export interface Context {
  /** Bullets of the enclosing list items. */
  readonly list: string
  /** True if a line break would end the construct. Line breaks are then written as spaces. */
  readonly isLine: boolean
  /** The enclosing table cell, where cell separators are markup. */
  readonly cell: '' | 'td' | 'th'
  /** True if the cell's attributes are written, so that no single pipe ends them any more. */
  readonly hasAttributes: boolean
  /** True in the rows of a table that is written in wikitext. */
  readonly inTable: boolean
  readonly link: '' | 'wiki' | 'external' | 'media'
  readonly heading: boolean
  /** True in a definition term, which a colon would end. */
  readonly term: boolean
  /** `indent`: each line begins with a space; `tag`: in `<pre>`. */
  readonly pre: '' | 'indent' | 'tag'
  /** True if a space at the start of a line does not make preformatted text. */
  readonly isIndented: boolean
}

/** Context at the top level of a page. */
export const pageContext: Context = {
  list: '',
  isLine: false,
  cell: '',
  hasAttributes: false,
  inTable: false,
  link: '',
  heading: false,
  term: false,
  pre: '',
  isIndented: false,
}
