/** The mark of a reference in the text: `[1]`. */

import { type ElementNode, element, textNode } from '../../tree/node.ts'
import { noteErrors } from './errors.ts'
import type { RefTag } from './ref-tag.ts'
import { markId, noteId, type Reference } from './references.ts'

/** Type of the placeholder for a `<ref>` that has no number yet. */
export const sealed = 'mw:DOMFragment/sealed/ref'

/** Options for the HTML of a reference mark. */
export interface MarkOptions {
  /** True if it is not shown in the page, so nothing links back to it. */
  readonly embedded: boolean
  /** True if it only continues another reference's text. */
  readonly continues: boolean
  readonly pageHref: string
}

/** Turns the placeholder of a `<ref>` into its mark. */
export function showMark(node: ElementNode, tag: RefTag, reference: Reference, options: MarkOptions): void {
  const { embedded, continues, pageHref } = options
  const types = (node.attributes.get('typeof') ?? '').split(' ').filter(type => type !== '' && type !== sealed)
  node.attributes.delete('typeof')
  node.attributes.set('class', continues ? 'mw-ref reference mw-ref-follow' : 'mw-ref reference')
  if (!embedded && !continues) node.attributes.set('id', markId(reference, reference.marks.length))
  node.attributes.set('rel', 'dc:references')
  node.attributes.set('typeof', [...types, 'mw:Extension/ref'].join(' '))
  if (!continues) {
    reference.uses.push(node)
    if (!embedded) reference.marks.push(node)
  }
  noteErrors(node, tag.errors)
  const link = element('a', [['href', `${pageHref}#${noteId(reference)}`]])
  if (reference.group !== '') link.attributes.set('data-mw-group', reference.group)
  link.children.push(linkText(reference.label))
  link.children[0]!.parent = link
  node.children.length = 0
  node.children.push(link)
  link.parent = node
}

function linkText(label: string): ElementNode {
  const bracket = (text: string) => element('span', [['class', 'cite-bracket']], [textNode(text)])
  return element('span', [['class', 'mw-reflink-text']], [bracket('['), textNode(label), bracket(']')])
}
