/** Describes the transclusion of a template: `data-mw` and `data-parsoid`. */

import type { Expansion } from '../expansion/expansion.ts'
import type { Argument, Part, Template } from '../preprocess/nodes.ts'
import { trimArgument } from '../preprocess/trim.ts'
import { escapeTitle } from '../sanitize/urls.ts'
import type { Transclusion } from '../tree/node.ts'
import { pageOffset, type Scan } from './scan.ts'

/** Describes one use of a template, function or argument. */
export function transclusionOf(scan: Scan, node: Template | Argument, expansion: Expansion): Transclusion {
  const place = { about: scan.run.about(), start: pageOffset(scan, node.start), end: pageOffset(scan, node.end) }
  const isNewForm = expansion.isOwn === true || scan.run.describesFunctions
  if (expansion.kind === 'function' && isNewForm) return { ...place, ...functionOf(scan, node, expansion) }
  const { parts, parameters } = describeParts(scan, node, expansion.kind !== 'function' && node.kind === 'template')
  const target = targetOf(scan, node, expansion)
  const kind = node.kind === 'argument' ? 'templatearg' : 'template'
  const type = node.kind === 'argument' ? 'mw:Param' : 'mw:Transclusion'
  const isWide = expansion.kind === 'function' && isWideColon(scan, colonOf(scan, node.parts[0]))
  return { ...place, type, part: { [kind]: { target, params: parts } }, parameters, ...(isWide && { colon: '：' }) }
}

/** Describes a parser function in the form of HTML 3.0: the text after the colon is its first parameter. */
function functionOf(scan: Scan, node: Template | Argument, expansion: Expansion): FunctionDescription {
  const [first, ...rest] = node.parts
  const colon = colonOf(scan, first)
  const key = expansion.function!
  const target = { wt: scan.text.slice(first.start, colon).trim(), key }
  const argument = colon < first.end ? [argumentOf(scan, first, colon + 1)] : []
  const { params, parameters } = orderedParts(scan, [...argument, ...rest], expansion.isOwn === true)
  const part = { parserfunction: { target, params } }
  const wide = isWideColon(scan, colon) && { colon: '：' as const }
  return { type: 'mw:Transclusion', subtype: `mw:ParserFunction/${key}`, part, parameters, ...wide }
}

type FunctionDescription = Omit<Transclusion, 'about' | 'start' | 'end'>

/** Offset of the first colon of a part, outside of preprocessor nodes; its end if there is none. */
function colonOf({ text }: Scan, { children, end }: Part): number {
  for (const { kind, start, end } of children) {
    const found = kind === 'text' ? text.slice(start, end).search(/[:\uff1a]/) : -1
    if (found !== -1) return start + found
  }
  return end
}

function isWideColon({ text }: Scan, colon: number): boolean {
  return text[colon] === '：'
}

/** The part of a target after its colon, as a separate part. */
function argumentOf({ text }: Scan, { end }: Part, start: number): Part {
  const equals = text.slice(start, end).indexOf('=')
  return { start, end, equals: equals === -1 ? -1 : start + equals, children: [] }
}

/** Parameters with their order, if it does not follow from their names. */
function orderedParts(scan: Scan, parts: readonly Part[], hasNames: boolean): OrderedParts {
  const params = new Map<string, unknown>()
  const parameters: unknown[] = []
  let count = 0
  for (const [index, part] of parts.entries()) {
    const isNamed = hasNames && part.equals !== -1
    const name = isNamed ? trimArgument(scan.text.slice(part.start, part.equals)) : String(++count)
    const key = params.has(name) ? `=${index}=${name}` : name
    const value = { wt: partValue(scan, part, isNamed) }
    const sign = isNamed && /^\d+$/.test(name) && { eq: true }
    params.set(key, { ...value, ...sign, ...(String(index + 1) !== key && { order: index + 1 }) })
    parameters.push({ k: name, ...(isNamed && { named: true, ...partSource(scan, part, `${name}=${value.wt}`) }) })
  }
  return { params, parameters }
}

interface OrderedParts {
  readonly params: ReadonlyMap<string, unknown>
  readonly parameters: readonly unknown[]
}

function targetOf(scan: Scan, node: Template | Argument, expansion: Expansion): Record<string, unknown> {
  const [first] = node.parts
  const wt = trimStart(stripComments(scan.text.slice(first.start, first.end)))
  if (expansion.kind === 'function' && expansion.function !== null) return { wt, function: expansion.function }
  if (expansion.target === null) return { wt }
  const { key, fragment } = expansion.target
  return { wt, href: `./${escapeTitle(key)}${fragment === '' ? '' : `#${escapeTitle(fragment)}`}` }
}

/** Comments before the target are not part of it. */
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

/** A function has no named parameters: a name before `=` is part of the text. */
function describeParts(scan: Scan, node: Template | Argument, hasNames: boolean): PartsDescription {
  const params = new Map<string, unknown>()
  const parameters: unknown[] = []
  let count = 0
  for (const part of node.parts.slice(1)) {
    const isNamed = hasNames && part.equals !== -1
    const keySource = isNamed ? scan.text.slice(part.start, part.equals) : String(++count)
    const source = trimArgument(keySource)
    const key = source.includes('<!--') ? trimArgument(keySource.replace(/<!--[\s\S]*?-->/g, '')) : source
    const wt = partValue(scan, part, isNamed)
    params.set(key, isNamed && source !== key ? { wt, key: { wt: source } } : { wt })
    parameters.push(isNamed ? namedParameter(scan, part, key, wt) : { k: key })
  }
  return { parts: params, parameters }
}

function namedParameter({ text }: Scan, { start, equals, end }: Part, k: string, value: string): object {
  const isUsual = equals - start === k.length && end - equals - 1 === value.length && text.startsWith(k, start)
  return isUsual && text.endsWith(value, end) ? { k, named: true } : { k, named: true, src: text.slice(start, end) }
}

/** A named parameter as written, if it has spaces. */
function partSource({ text }: Scan, { start, end }: Part, usual: string): { readonly src?: string } {
  const source = text.slice(start, end)
  return source === usual ? {} : { src: source }
}

function partValue({ text }: Scan, { start, equals, end }: Part, isNamed: boolean): string {
  return isNamed ? trimArgument(text.slice(equals + 1, end)) : text.slice(start, end)
}
