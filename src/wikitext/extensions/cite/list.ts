/** The list of references for readers. */

import { appendChild, type ChildNode, type ElementNode, element, textNode } from '../../tree/node.ts'
import { type CiteError, distinctErrors, errorNode } from './errors.ts'
import { type Group, markId, noteId, type Reference, textId } from './references.ts'

export interface ListOptions {
  readonly group: string
  readonly pageHref: string
  /** Adds a wrapper element, with columns if the list has more references than the threshold; null for no wrapper. */
  readonly responsive: { readonly threshold: number } | null
}

/** Fills the element of a list, which becomes a `div` around an `ol`, or the `ol` itself. */
export function fillList(node: ElementNode, group: Group | undefined, options: ListOptions): void {
  const list = options.responsive === null ? node : element('ol')
  list.name = 'ol'
  list.attributes.set('class', 'mw-references references')
  if (options.group !== '') list.attributes.set('data-mw-group', options.group)
  const references = group?.references ?? []
  for (const reference of references) {
    appendChild(list, textNode('\n'))
    appendChild(list, entry(reference, options.pageHref))
  }
  if (references.length > 0) appendChild(list, textNode('\n'))
  if (options.responsive === null) return
  node.name = 'div'
  const columns = references.length > options.responsive.threshold
  node.attributes.set('class', columns ? 'mw-references-wrap mw-references-columns' : 'mw-references-wrap')
  appendChild(node, list)
}

/** Places a list's errors after it. */
export function showListErrors(node: ElementNode, errors: readonly CiteError[]): void {
  distinctErrors(errors).forEach((error, i) => {
    if (i > 0) appendChild(node, element('br'))
    appendChild(node, textNode('\n'))
    appendChild(node, errorNode(error))
  })
}

function entry(reference: Reference, pageHref: string): ElementNode {
  const { dir, group, parts } = reference
  const id = noteId(reference)
  const item = element('li', [
    ['about', `#${id}`],
    ['id', id],
  ])
  if (dir !== '') item.attributes.set('class', `mw-cite-dir-${dir}`)
  item.attributes.set('data-mw-footnote-number', reference.number)
  const text = element('span', [
    ['id', textId(reference)],
    ['class', 'mw-reference-text reference-text'],
  ])
  if (group !== '') text.attributes.set('data-mw-group', group)
  if (dir === 'auto') text.attributes.set('dir', 'auto')
  for (const child of reference.content ?? []) appendChild(text, child)
  const children: ChildNode[] = [backlinks(reference, pageHref), textNode(' '), text]
  for (const error of errorsOf(reference)) children.push(textNode(' '), errorNode(error))
  if (parts.size > 0) children.push(textNode('\n'), partList([...parts.values()], pageHref))
  for (const child of children) appendChild(item, child)
  return item
}

function partList(parts: readonly Reference[], pageHref: string): ElementNode {
  const list = element('ol', [['class', 'mw-subreference-list']])
  for (const part of parts) {
    appendChild(list, textNode('\n'))
    appendChild(list, entry(part, pageHref))
  }
  appendChild(list, textNode('\n'))
  return list
}

function errorsOf({ marks }: Reference): CiteError[] {
  const errors = marks.flatMap(mark => (mark.data.mw?.errors as CiteError[] | undefined) ?? [])
  return distinctErrors(errors)
}

/** A single mark has one arrow back; otherwise each mark has its number, and there may be none. */
function backlinks(reference: Reference, pageHref: string): ElementNode {
  const count = reference.marks.length
  const links = reference.marks.map((_, nth) =>
    backlink(reference, { nth, text: count === 1 ? '↑' : `${nth + 1}`, pageHref }),
  )
  if (count === 1) {
    links[0]!.attributes.set('rel', 'mw:referencedBy')
    return element('span', [['class', 'mw-cite-backlink']], links)
  }
  const spaced = links.flatMap((link, i) => (i === 0 ? [link] : [textNode(' '), link]))
  return element(
    'span',
    [
      ['rel', 'mw:referencedBy'],
      ['class', 'mw-cite-backlink'],
    ],
    spaced,
  )
}

function backlink(
  reference: Reference,
  { nth, text, pageHref }: { nth: number; text: string; pageHref: string },
): ElementNode {
  const link = element('a', [['href', `${pageHref}#${markId(reference, nth)}`]])
  if (reference.group !== '') link.attributes.set('data-mw-group', reference.group)
  appendChild(link, element('span', [['class', 'mw-linkback-text']], [textNode(text)]))
  return link
}
