/** `<section begin="..."/>`: marks of a part that other pages may show. */

import { element } from '../tree/node.ts'
import type { Extension } from './extension.ts'

/** The extension of `<section>` marks, which show nothing. Source: Labeled Section Transclusion in Parsoid. */
export const section: Extension = {
  tags: ['section'],
  render: () => [element('link')],
}
