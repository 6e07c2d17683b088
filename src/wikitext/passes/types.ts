/** The `typeof` of elements: a list of words. */

import type { ElementNode } from '../tree/node.ts'

/** Adds a type after those of the element. */
export function addType({ attributes }: ElementNode, type: string): void {
  const present = attributes.get('typeof')
  if (present === undefined) attributes.set('typeof', type)
  else if (present !== type && !present.split(' ').includes(type)) attributes.set('typeof', `${present} ${type}`)
}

/** Adds a type before those of the element, but after that of an extension. */
export function prependType(node: ElementNode, type: string): void {
  const types = node.attributes.get('typeof')
  if (types === undefined) {
    node.attributes.set('typeof', type)
    return
  }
  const present = types.split(' ')
  if (present.some(one => one.startsWith('mw:Extension/') || one === 'mw:Nowiki')) addType(node, type)
  else if (!present.includes(type)) node.attributes.set('typeof', [type, ...present].join(' '))
}
