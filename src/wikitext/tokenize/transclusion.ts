/** What the page says of a template where its text stands: `data-mw` and `data-parsoid`. */

import type { Expansion } from '../expand/expander.ts'
import type { Argument, Part, Template } from '../preprocess/nodes.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import type { Transclusion } from '../tree/node.ts'
import { pageOffset, type Scan } from './scan.ts'

/** Describes one use of a template, function or argument. */
export function transclusionOf(scan: Scan, node: Template | Argument, expansion: Expansion): Transclusion {
  const { parts, parameters } = describeParts(scan, node, expansion.kind !== 'function')
  const target = targetOf(scan, node, expansion)
  const kind =
    node.kind === 'argument' ? 'templatearg' : expansion.kind === 'function' ? kindOfFunction(expansion) : 'template'
  return {
    about: scan.run.about(),
    start: pageOffset(scan, node.start),
    end: pageOffset(scan, node.end),
    type: node.kind === 'argument' ? 'mw:Param' : 'mw:Transclusion',
    part: { [kind]: { target, params: parts } },
    parameters,
  }
}

function kindOfFunction(expansion: Expansion): string {
  void expansion
  return 'template'
}

function targetOf(scan: Scan, node: Template | Argument, expansion: Expansion): Record<string, unknown> {
  const [first] = node.parts
  const wt = trimStart(stripComments(scan.text.slice(first.start, first.end)))
  if (expansion.kind === 'function' && expansion.function !== null) return { wt, function: expansion.function }
  if (expansion.target === null) return { wt }
  const { key, fragment } = expansion.target
  return { wt, href: `./${escapeTitle(key)}${fragment === '' ? '' : `#${escapeTitle(fragment)}`}` }
}

/** Comments before the target are no part of it. */
function stripComments(text: string): string {
  return text.replace(/^(?:\s*<!--[\s\S]*?-->)+/, '')
}

function trimStart(text: string): string {
  return text.replace(/^\s+/, '')
}

interface PartsDescription {
  readonly parts: ReadonlyMap<string, unknown>
  readonly parameters: readonly unknown[]
}

/** A function has no named parameters: what it takes for such is a part of its text. */
function describeParts(scan: Scan, node: Template | Argument, hasNames: boolean): PartsDescription {
  const params = new Map<string, unknown>()
  const parameters: unknown[] = []
  let count = 0
  for (const part of node.parts.slice(1)) {
    const isNamed = hasNames && part.equals !== -1
    const keySource = isNamed ? scan.text.slice(part.start, part.equals) : String(++count)
    const key = keySource.replace(/<!--[\s\S]*?-->/g, '').trim()
    const value = partValue(scan, part, isNamed)
    const source = keySource.trim()
    params.set(key, { wt: value, ...(isNamed && source !== key && { key: { wt: source } }) })
    parameters.push({ k: key, ...(isNamed && { named: true }) })
  }
  return { parts: params, parameters }
}

function partValue({ text }: Scan, { start, equals, end }: Part, isNamed: boolean): string {
  return isNamed ? text.slice(equals + 1, end).trim() : text.slice(start, end)
}
