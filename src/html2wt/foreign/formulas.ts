/** Formulas of other sites that record their TeX source. */

import { type ElementNode, textNode } from '../../wikitext/tree/node.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import { hasClass, type Rule } from './rewrite.ts'

/** Converts a formula that records its TeX source. */
export const formulaRule: Rule = node => {
  if (node.name !== 'math') return null
  const source = (texIn(node) ?? node.attributes.get('alttext') ?? '').trim()
  const tex = /^\{\\(?:displaystyle|textstyle)\s+(?!\s)([\s\S]*)\}$/.exec(source)?.[1]?.trim() ?? source
  if (tex === '' || /<\/math/i.test(tex)) return [textNode(textOf(node.children))]
  const made: ElementNode = {
    ...node,
    name: 'span',
    attributes: new Map([['typeof', 'mw:Extension/math']]),
    children: [],
  }
  made.data = { mw: { name: 'math', attrs: {}, body: { extsrc: tex } } }
  return [made]
}

function texIn(node: ElementNode): string | null {
  for (const child of node.children) {
    if (child.kind !== 'element') continue
    if (child.name === 'annotation' && child.attributes.get('encoding') === 'application/x-tex')
      return textOf(child.children)
    const found = child.name === 'semantics' ? texIn(child) : null
    if (found !== null) return found
  }
  return null
}

/** The box of a formula contains it twice: as MathML and as an image. */
export const formulaBox: Rule = node => {
  if (!hasClass(node, /^(?:mwe-math-element(?:-\w+)?|katex|katex-display|katex-mathml|mwe-math-mathml-\w+)$/))
    return null
  const formula = node.children.find(
    child => child.kind === 'element' && child.attributes.get('typeof') === 'mw:Extension/math',
  )
  return formula === undefined ? null : [formula]
}
