/**
 * Finds problems in a page's wikitext in one pass over the page's tree, before its sections are wrapped.
 *
 * Of a node it reads, besides name and attributes:
 * - `data.range`: its range, also of the first node of a transclusion;
 * - `data.parsoid`: `stx` ('html' for a tag), `autoInsertedEnd`, `autoInsertedStart`, `selfClose`;
 * - `data.fostered` of a table: the content moved out of it;
 * - `meta typeof="mw:Placeholder/StrippedTag"` with `data.parsoid.name` for a dropped tag;
 * - `data.problems`: problems found while a construct was parsed (options of a file, a link in a link).
 */

import type { ElementNode, ParentNode, Problem } from '../tree/node.ts'
import type { Finding, LintPage, LintRule } from './rule.ts'
import { lintRules } from './rules.ts'
import { type Encapsulation, encapsulations } from './template-info.ts'
import type { LintRange, LintTemplate, LintType } from './types.ts'

/** One problem. Source: MediaWiki's lint errors; docs/lint.md. */
export interface Lint {
  readonly type: LintType
  readonly dsr: LintRange
  readonly templateInfo: LintTemplate | null
  /** An object, or an empty array if there are no parameters. */
  readonly params: Readonly<Record<string, unknown>> | readonly []
}

/** Finds the problems of a page, in order of their positions. `problems` are those without a node in the tree. */
export function lintTree(body: ParentNode, problems: readonly Problem[] = []): Lint[] {
  const elements = elementsOf(body)
  const page: LintPage = { ends: new Set(), ids: new Set(), runs: new Map() }
  const within = encapsulations(elements)
  const lints = problems.flatMap(loose)
  for (const node of elements) {
    for (const rule of lintRules) report(lints, node, rule(node, page), within.get(node) ?? null)
  }
  const sorted = lints.map((lint, i) => ({ lint, i })).sort((a, b) => a.lint.dsr[0] - b.lint.dsr[0] || a.i - b.i)
  return withRepeated(sorted.map(({ lint }) => lint))
}

function loose({ type, params, at }: Problem): Lint[] {
  if (at === undefined) return []
  return [{ type, dsr: [at.start, at.end, null, null], templateInfo: null, params: params ?? [] }]
}

/** The elements of a page in document order. */
function elementsOf(body: ParentNode): ElementNode[] {
  const found: ElementNode[] = []
  const stack: ParentNode[] = [body]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'element') found.push(node)
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i]!
      if (child.kind === 'element') stack.push(child)
    }
  }
  return found
}

function report(lints: Lint[], node: ElementNode, findings: ReturnType<LintRule>, within: Encapsulation | null): void {
  for (const finding of findings) {
    const dsr = within?.dsr ?? rangeOf(node, finding)
    if (dsr === null) continue
    lints.push({ type: finding.type, dsr, templateInfo: within?.info ?? null, params: finding.params ?? [] })
  }
}

/** The node's own range, or that of its nearest ancestor with one. */
function rangeOf(node: ElementNode, { at, isTagOnly = false }: Finding): LintRange | null {
  if (at !== undefined) return [at.start, at.end, null, null]
  const { range: own } = node.data
  if (isTagOnly && own && own.start >= 0 && own.openWidth !== null) {
    return [own.start, own.start + own.openWidth, own.openWidth, 0]
  }
  for (let place: ParentNode | null = node; place?.kind === 'element'; place = place.parent) {
    const { range } = place.data
    if (range && range.start >= 0) return [range.start, range.end, range.openWidth, range.closeWidth]
  }
  return null
}

/** Two or more unclosed tags that make text smaller or bigger add up, which is one more problem at the end. */
function withRepeated(lints: Lint[]): Lint[] {
  const unclosed = lints.filter(({ type, params }) => type === 'missing-end-tag' && isSizeTag(params))
  const first = unclosed.find(lint => unclosed.filter(other => nameIn(other.params) === nameIn(lint.params)).length > 1)
  if (first === undefined) return lints
  const { dsr, templateInfo, params } = first
  return [...lints, { type: 'multiple-unclosed-formatting-tags', params, dsr, templateInfo }]
}

function isSizeTag(params: Lint['params']): boolean {
  return ['small', 'big'].includes(nameIn(params))
}

function nameIn(params: Lint['params']): string {
  return 'name' in params ? `${params.name}` : ''
}
