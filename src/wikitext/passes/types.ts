/** The `typeof` of elements: a list of words. */

import type { ElementNode } from '../tree/node.ts'

/** Adds a type behind those that the element has. */
export function addType({ attributes }: ElementNode, type: string): void {
  const present = attributes.get('typeof')
  if (present === undefined) attributes.set('typeof', type)
  else if (!present.split(' ').includes(type)) attributes.set('typeof', `${present} ${type}`)
}

/** Puts a type before those that the element has. */
export function putType({ attributes }: ElementNode, type: string): void {
  const present = attributes.get('typeof')
  if (present === undefined) attributes.set('typeof', type)
  else if (!present.split(' ').includes(type)) attributes.set('typeof', `${type} ${present}`)
}
