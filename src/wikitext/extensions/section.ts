/** `<section begin="..."/>`: marks a part for transclusion by other pages. */

import { element } from '../tree/node.ts'
import type { Extension } from './extension.ts'

/** The extension of `<section>` markers, which are invisible. Source: Labeled Section Transclusion in Parsoid. */
export const section: Extension = {
  tags: ['section'],
  render: () => [element('link')],
}
