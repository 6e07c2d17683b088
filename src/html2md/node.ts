/** Nodes of a Markdown syntax tree: the subset of mdast that is written. Source: mdast 5, GFM. */

export type Flow =
  | { readonly type: 'paragraph'; readonly children: Phrasing[] }
  | { readonly type: 'heading'; readonly depth: 1 | 2 | 3 | 4 | 5 | 6; readonly children: Phrasing[] }
  | { readonly type: 'blockquote'; readonly children: Flow[] }
  | List
  | { readonly type: 'code'; readonly lang: string | null; readonly value: string }
  | { readonly type: 'thematicBreak' }
  | Table
  | NoteText

export interface List {
  readonly type: 'list'
  readonly ordered: boolean
  readonly start: number | null
  readonly spread: boolean
  readonly children: ListItem[]
}

export interface ListItem {
  readonly type: 'listItem'
  readonly spread: boolean
  /** Null for an item that is not a task. */
  readonly checked: boolean | null
  readonly children: Flow[]
}

export type Alignment = 'left' | 'right' | 'center' | null

/** Rows of cells; the first row is the head. */
export interface Table {
  readonly type: 'table'
  readonly align: Alignment[]
  readonly rows: Phrasing[][][]
}

/** The text of a note, at the end of the page. */
export interface NoteText {
  readonly type: 'footnoteDefinition'
  readonly identifier: string
  readonly children: Flow[]
}

export type Phrasing =
  | { readonly type: 'text'; value: string }
  | { readonly type: 'inlineCode'; value: string }
  /** Written verbatim. */
  | { readonly type: 'html'; readonly value: string }
  | { readonly type: 'break' }
  | Mark
  | { readonly type: 'link'; readonly url: string; children: Phrasing[] }
  | { readonly type: 'image'; readonly url: string; readonly alt: string }
  | { readonly type: 'footnoteReference'; readonly identifier: string }

export interface Mark {
  readonly type: 'emphasis' | 'strong' | 'delete'
  children: Phrasing[]
}
