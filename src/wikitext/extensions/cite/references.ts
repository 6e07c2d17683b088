/** The references of a page: groups, numbers and names. */

import type { ChildNode, ElementNode } from '../../tree/node.ts'

/** One entry of a list, or of the list below an entry. */
export interface Reference {
  /** '' where it has none. */
  readonly name: string
  readonly group: string
  /** Counts all references of the page. */
  readonly id: number
  /** Its number in the list: `2`, or `2.1` below another, or what the wiki writes for it. */
  readonly number: string
  /** Text of the mark: the number, after the group's name unless the wiki defines labels for the group. */
  readonly label: string
  content: readonly ChildNode[] | null
  dir: string
  /** Marks in the page that can be linked back to. */
  readonly marks: ElementNode[]
  /** All marks, also those inside a list's definitions. */
  readonly uses: ElementNode[]
  /** Entries below this one, by their details. */
  readonly parts: Map<string, Reference>
}

export interface Group {
  readonly name: string
  /** The wiki's labels for 1, 2, 3 ... in this group; null if it defines none. */
  readonly labels: readonly string[] | null
  readonly references: Reference[]
  readonly byName: Map<string, Reference>
  /** Contents of named references whose own nested references are being counted. */
  readonly claims: Map<string, readonly ChildNode[]>
}

/** State of a page's references so far. */
export interface Book {
  readonly groups: Map<string, Group>
  count: number
}

/** Makes an empty registry. */
export function newReferences(): Book {
  return { groups: new Map(), count: 0 }
}

/** Returns the name of the message with a wiki's labels for a group. */
export function groupMessage(group: string): string {
  return `cite_link_label_group-${group}`
}

/** Finds a group, or creates it. */
export function groupOf(book: Book, name: string, message: (key: string) => string | null): Group {
  const existing = book.groups.get(name)
  if (existing !== undefined) return existing
  const labels = name === '' ? null : (message(groupMessage(name))?.trim().split(/\s+/) ?? null)
  const group: Group = { name, labels, references: [], byName: new Map(), claims: new Map() }
  book.groups.set(name, group)
  return group
}

/** Adds an entry to a group. */
export function addReference(book: Book, group: Group, name: string): Reference {
  const count = group.references.length + 1
  const own = group.labels?.[count - 1]
  const number = own ?? `${count}`
  const label = own === undefined ? labelOf(group.name, number) : own
  const reference = newReference(book, { name, group: group.name, number, label })
  group.references.push(reference)
  if (name !== '') group.byName.set(name, reference)
  return reference
}

/** Adds an entry below another. */
export function addPart(book: Book, whole: Reference, details: string): Reference {
  const nth = `.${whole.parts.size + 1}`
  const { group, number, label } = whole
  const part = newReference(book, { name: '', group, number: number + nth, label: label + nth })
  whole.parts.set(details, part)
  return part
}

function labelOf(group: string, number: string): string {
  return group === '' ? number : `${group} ${number}`
}

type Label = Pick<Reference, 'name' | 'group' | 'number' | 'label'>

function newReference(book: Book, label: Label): Reference {
  book.count += 1
  return { ...label, id: book.count, content: null, dir: '', marks: [], uses: [], parts: new Map() }
}

/** Returns the id of an entry in its list. */
export function noteId({ name, id }: Reference): string {
  return `cite_note-${name === '' ? '' : `${anchorText(name)}-`}${id}`
}

/** Returns the id of the element with an entry's text. */
export function textId(reference: Reference): string {
  return `mw-reference-text-${noteId(reference)}`
}

/** Returns the id of the n-th mark of an entry, counted from 0. */
export function markId({ name, id }: Reference, nth: number): string {
  if (name !== '') return `cite_ref-${anchorText(name)}_${id}-${nth}`
  return nth === 0 ? `cite_ref-${id}` : `cite_ref-${id}-${nth}`
}

function anchorText(name: string): string {
  return name.replace(/[_\s]+/gu, '_')
}
