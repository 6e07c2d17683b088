/** Context of a node: the markup that its text must avoid, and the effect of line breaks. */

export interface Context {
  /** Bullets of the list items around. */
  readonly list: string
  /** True if a line break would end the construct: line breaks become spaces. */
  readonly isLine: boolean
  /** The cell around, on whose level its separators are markup. */
  readonly cell: '' | 'td' | 'th'
  /** True in the rows of a table in wikitext. */
  readonly inTable: boolean
  readonly link: '' | 'wiki' | 'external' | 'media'
  readonly heading: boolean
  /** True in a term: a colon would end it. */
  readonly term: boolean
  /** `indent`: each line begins with a space; `tag`: in `<pre>`. */
  readonly pre: '' | 'indent' | 'tag'
  /** True if a space at the start of a line is only a space. */
  readonly isIndented: boolean
}

/** The context of a page's own text. */
export const pageContext: Context = {
  list: '',
  isLine: false,
  cell: '',
  inTable: false,
  link: '',
  heading: false,
  term: false,
  pre: '',
  isIndented: false,
}
