/** `<math>`: formulas, shown as their source. */

import { element, textNode } from '../tree/node.ts'
import type { Extension } from './extension.ts'

/**
 * The extension of `<math>` and `<chem>`. Formulas are not typeset: the source is shown, with classes for a page's own script.
 * Source: the classes of MediaWiki's Math extension.
 */
export const math: Extension = {
  tags: ['math', 'chem', 'ce'],
  render({ name, body, attributes }) {
    const isBlock = attributes.get('display') === 'block'
    const kind = isBlock ? 'mwe-math-element-block' : 'mwe-math-element-inline'
    const source = element('code', [['class', `mwe-math-source mwe-${name === 'math' ? 'tex' : 'chem'}`]])
    source.children.push({ ...textNode((body ?? '').trim()), parent: source })
    return [element(isBlock ? 'div' : 'span', [['class', `mwe-math-element ${kind}`]], [source])]
  },
}
