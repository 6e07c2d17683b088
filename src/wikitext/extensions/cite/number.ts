/** Gives a `<ref>` its number, its place in a list, and its mark. */

import { appendChild, type ChildNode, type ElementNode, element, fragment, textNode } from '../../tree/node.ts'
import { copyNodes } from '../../tree/walk.ts'
import { type CiteError, noteErrors } from './errors.ts'
import { showMark } from './mark.ts'
import type { RefTag } from './ref-tag.ts'
import { addPart, addReference, type Book, type Group, groupOf, type Reference, textId } from './references.ts'
import { type ContentMatch, compareContents } from './same-text.ts'

/** A list whose definitions are being read. */
export interface OpenList {
  readonly group: string
  readonly definitions: { readonly reference: Reference; readonly errors: readonly CiteError[] }[]
}

/** Place of a `<ref>` in the page. */
export interface Place {
  readonly embedded: boolean
  /** The list in which it is defined; null in the text. */
  readonly list: OpenList | null
}

/** The page during numbering. */
export interface Numbering {
  readonly book: Book
  readonly pageHref: string
  readonly message: (key: string) => string | null
  /** Numbers the references inside a content. */
  readonly nested: (content: readonly ChildNode[], embedded: boolean) => void
}

/** Numbers a `<ref>` and turns the element in its place into its mark. */
export function numberRef(node: ElementNode, tag: RefTag, place: Place, numbering: Numbering): void {
  const group = groupOf(numbering.book, place.list?.group ?? tag.group ?? '', numbering.message)
  const content = tag.follow === '' ? tag.content : [followNode(node, tag.content)]
  const continued = tag.name === '' && tag.follow !== '' ? group.byName.get(tag.follow) : undefined
  if (continued !== undefined) {
    continueText(node, { tag, content, reference: continued }, place, numbering)
    return
  }
  const before = group.byName.get(tag.name)?.content ?? group.claims.get(tag.name)
  const match = tag.hasText && before !== undefined ? compareContents(content, before) : null
  numberNested(group, { tag, content, match, place }, numbering)
  const reference = group.byName.get(tag.name) ?? addReference(numbering.book, group, tag.name)
  const definition = { tag, content, match }
  const errors = define(reference, definition, place)
  const shown = isPart(tag, place) ? partFor(node, reference, definition, numbering.book) : reference
  if (shown === reference) noteBody(node, reference, definition)
  showMark(node, tag, shown, {
    ...place,
    embedded: place.embedded || place.list !== null,
    continues: false,
    ...numbering,
  })
  noteErrors(node, errors)
}

interface Definition {
  readonly tag: RefTag
  readonly content: readonly ChildNode[]
  readonly match: ContentMatch | null
}

/** The references inside come first; an outer definition of the same name precedes theirs. */
function numberNested(
  group: Group,
  { tag, content, match, place }: Definition & { place: Place },
  to: Numbering,
): void {
  const claims = tag.name !== '' && tag.hasText && match === null
  if (claims) group.claims.set(tag.name, content)
  to.nested(content, place.embedded || place.list !== null || match !== null)
  if (claims) group.claims.delete(tag.name)
}

/** Adds a tag's content to its reference; returns the errors of the tag itself. */
function define(reference: Reference, { tag, content, match }: Definition, { list }: Place): CiteError[] {
  const conflict = reference.content !== null && tag.dir !== '' && tag.dir !== reference.dir
  if (tag.hasText && match === null) {
    reference.content = content
    reference.dir = tag.dir
  }
  const duplicate: CiteError[] =
    match === 'different' ? [{ key: 'cite_error_references_duplicate_key', params: [tag.name] }] : []
  if (list !== null) {
    list.definitions.push({ reference, errors: [...listErrors(tag, list), ...duplicate] })
    return []
  }
  const conflicts: CiteError[] = conflict ? [{ key: 'cite_error_ref_conflicting_dir', params: [tag.name] }] : []
  return [...emptiness(tag), ...duplicate, ...conflicts]
}

/** Returns the errors of a tag in the text that has neither a name nor content. */
function emptiness(tag: RefTag): CiteError[] {
  if (tag.name !== '' || tag.hasText || tag.errors.length > 0) return []
  if (hasDetails(tag.details)) return [{ key: 'cite_error_details_missing_parent' }]
  return [{ key: tag.hasBody ? 'cite_error_ref_no_input' : 'cite_error_ref_no_key' }]
}

/** Returns the errors of a definition inside a list. */
function listErrors(tag: RefTag, { group }: OpenList): CiteError[] {
  const errors: CiteError[] = []
  if (tag.group !== null && tag.group !== group) {
    errors.push({ key: 'cite_error_references_group_mismatch', params: [tag.group] })
  }
  if (tag.details !== null) errors.push({ key: 'cite_error_details_unsupported_context', params: [tag.name] })
  if (tag.name === '') errors.push({ key: 'cite_error_references_no_key' })
  else if (!tag.hasText) {
    errors.push({ key: 'cite_error_empty_references_define', params: [tag.name, tag.group ?? group] })
  }
  return errors
}

/** Records in `data-mw` that the text of a tag is now in the list, or nowhere else. */
function noteBody(node: ElementNode, reference: Reference, { tag, content, match }: Definition): void {
  if (!tag.hasBody) return
  const inList = tag.hasText && (match === null || match === 'same')
  node.data.mw = { ...node.data.mw, body: inList ? { id: textId(reference) } : { html: fragment(content) } }
}

function isPart(tag: RefTag, place: Place): boolean {
  return place.list === null && tag.follow === '' && hasDetails(tag.details) && (tag.name !== '' || tag.hasText)
}

function hasDetails(details: string | null): details is string {
  return details !== null && details.trim() !== ''
}

/** Finds the entry below a reference that has these details, or adds it. */
function partFor(node: ElementNode, whole: Reference, { tag, content }: Definition, book: Book): Reference {
  const details = tag.details ?? ''
  const part = whole.parts.get(details) ?? addPart(book, whole, details)
  part.content ??= tag.detailsContent
  const body = { body: { id: textId(part) } }
  node.data.mw = {
    ...node.data.mw,
    ...(tag.hasBody ? body : {}),
    ...(tag.name === '' ? {} : { mainRef: tag.name }),
    ...(tag.hasBody ? {} : body),
    ...(tag.hasText ? { mainBody: textId(whole), mainBodyHtml: copyNodes(content) } : {}),
  }
  return part
}

function followNode(node: ElementNode, content: readonly ChildNode[]): ElementNode {
  const span = element('span', [['typeof', 'mw:Cite/Follow']], [textNode(' ')])
  const about = node.attributes.get('about')
  if (about !== undefined) span.attributes.set('about', about)
  for (const child of content) appendChild(span, child)
  return span
}

/** Appends the text of a `follow` to the reference that it continues. */
function continueText(
  node: ElementNode,
  { tag, content, reference }: { tag: RefTag; content: readonly ChildNode[]; reference: Reference },
  place: Place,
  numbering: Numbering,
): void {
  numbering.nested(content, place.embedded)
  reference.content = [...(reference.content ?? []), ...content]
  if (tag.hasBody) node.data.mw = { ...node.data.mw, body: { id: textId(reference) } }
  showMark(node, tag, reference, { embedded: place.embedded, continues: true, ...numbering })
}
