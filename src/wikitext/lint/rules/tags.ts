/** Obsolete tags, and tags that browsers show differently from older software. */

import type { ChildNode, ElementNode, ParentNode } from '../../tree/node.ts'
import { textOf } from '../../tree/walk.ts'
import { ancestorOf, isTag, seenChildren, styleOf } from '../node-queries.ts'
import type { Finding, LintPage, Run } from '../rule.ts'

const obsoleteNames: ReadonlySet<string> = new Set(['center', 'font', 'strike', 'tt'])
const cells: ReadonlySet<string> = new Set(['td', 'th'])
/** Inline elements. */
const inlineNames: ReadonlySet<string> = new Set(
  'a abbr b bdi big cite code em font i kbd mark q s samp small span strike strong sub sup tt u var'.split(' '),
)
/** Shortest unbroken run of text that is reported. Source: Parsoid, tidyWhitespaceBugMaxLength. */
const longRun = 100

/** The rule of obsolete tags. */
export function obsolete(node: ElementNode): readonly Finding[] {
  if (!obsoleteNames.has(node.name) || !isTag(node) || node.data.parsoid?.autoInsertedStart === true) return []
  return [{ type: 'obsolete-tag', params: { name: node.name } }]
}

/** The rule of `<font>` around a single link: a link has its own colour. */
export function fontAroundLink(node: ElementNode): readonly Finding[] {
  if (node.name !== 'font' || !isTag(node)) return []
  const [only, ...others] = seenChildren(node)
  if (others.length > 0 || only?.kind !== 'element' || (only.name !== 'a' && only.name !== 'figure')) return []
  return [{ type: 'tidy-font-bug', params: { name: 'font' } }]
}

/** The rule of a `<div>` as the only content of a `<span>`, if either has attributes. */
export function divInSpan(node: ElementNode): readonly Finding[] {
  if (node.name !== 'span' || !isTag(node)) return []
  const [only, ...others] = seenChildren(node)
  if (others.length > 0 || only?.kind !== 'element' || only.name !== 'div') return []
  if (node.attributes.size + only.attributes.size === 0) return []
  return [{ type: 'misc-tidy-replacement-issues', params: { subtype: 'div-span-flip' } }]
}

/** The rule of paragraphs inside an unbreakable line, in a cell. */
export function paragraphsInLine(node: ElementNode): readonly Finding[] {
  if (!inlineNames.has(node.name) || !isUnbroken(node)) return []
  const cell = ancestorOf(node, cells)
  if (cell === null || !node.children.some(child => child.kind === 'element' && child.name === 'p')) return []
  return [{ type: 'pwrap-bug-workaround', params: { root: cell.name, child: node.name } }]
}

/** The rule of spaces at the end of unbreakable pieces, in a long run of them. */
export function spaceInLine(node: ElementNode, { runs }: LintPage): readonly Finding[] {
  if (!inlineNames.has(node.name) || !isUnbroken(node) || node.parent === null) return []
  if (!/\s$/.test(textOf(node.children))) return []
  const { length, next } = runOf(node, node.parent, runs)
  if (length < longRun || next === null || /^\s/.test(textOf([next]))) return []
  const sibling = next.kind === 'element' ? next.name : '#text'
  return [{ type: 'tidy-whitespace-bug', params: { node: node.name, sibling } }]
}

function isUnbroken(node: ElementNode): boolean {
  return styleOf(node).get('white-space') === 'nowrap'
}

function runOf(node: ElementNode, parent: ParentNode, runs: LintPage['runs']): Run {
  const cached = runs.get(parent)
  if (cached !== undefined) return cached.get(node)!
  const found = new Map<ChildNode, Run>()
  runs.set(parent, found)
  const { children } = parent
  for (let start = 0; start < children.length; start++) {
    let end = start
    while (end < children.length && isInRun(children[end]!)) end++
    const { length } = textOf(children.slice(start, end))
    for (let i = start; i < end; i++) found.set(children[i]!, { length, next: i + 1 < end ? children[i + 1]! : null })
    start = end
  }
  return found.get(node)!
}

function isInRun(node: ChildNode): boolean {
  return node.kind === 'text' || (node.kind === 'element' && inlineNames.has(node.name))
}
