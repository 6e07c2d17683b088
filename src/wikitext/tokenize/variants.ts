/** Language variants: `-{...}-` is kept as written; nothing is converted. */

import { isBlock } from '../passes/loose-text.ts'
import { type ElementNode, element, type FragmentNode, fragment } from '../tree/node.ts'
import { fragmentsIn } from '../tree/walk.ts'
import { maxDepth } from './depth.ts'
import { emit, expandedText, pageRange, type Scan, scanPart } from './scan.ts'
import { parseVariant, type VariantRule } from './variant-rules.ts'

/** Scans `-{...}-` if the language has variants; false if it is text. */
export function scanVariant(scan: Scan): boolean {
  const { at, text } = scan
  if (text.charCodeAt(at + 1) !== 123) return false
  const end = scan.brackets.get(at)
  if (end === undefined || end > scan.end || scan.depth >= maxDepth) return false
  const node = variantNode(scan, at + 2, end - 2)
  const level = node.name === 'div' ? 'block' : 'inline'
  emit(scan, { kind: 'atom', level, nodes: [node], ...pageRange(scan, at, end) }, at, end)
  return true
}

/** Members of `data-mw-variant`; `isShown` is true if the page shows the text. */
interface Variant {
  readonly members: Readonly<Record<string, unknown>>
  readonly isShown: boolean
}

function variantNode(scan: Scan, start: number, end: number): ElementNode {
  const { members, isShown } = readVariant(scan, start, end)
  const holdsBlock = fragmentsIn(members).some(({ children }) => children.some(isBlock))
  const node = element(isShown ? (holdsBlock ? 'div' : 'span') : 'meta', [['typeof', 'mw:LanguageVariant']])
  node.data = {
    keepsSource: true,
    variant: Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1))),
  }
  return node
}

/** Source: MediaWiki LanguageConverter, help page on writing variants; Parsoid's cases of them. */
function readVariant(scan: Scan, start: number, end: number): Variant {
  const { flags, names, textStart, rules } = parseVariant(scan, start, end)
  const content = () => html(scan, textStart, end)
  if (names.length > 0) return { members: { filter: { l: names, t: content() } }, isShown: true }
  if (flags.has('N')) return { members: { name: { t: scan.text.slice(textStart, end).trim() } }, isShown: true }
  if (flags.has('R')) return { members: { disabled: { t: content() } }, isShown: true }
  const changes = ruleMembers(scan, rules)
  if (flags.has('-')) return { members: { remove: true, ...(changes ?? wildcard(content())) }, isShown: false }
  const isAdded = flags.has('A') || flags.has('H')
  if (changes === undefined && !isAdded && !flags.has('T'))
    return { members: { disabled: { t: content() } }, isShown: true }
  return {
    members: {
      ...(isAdded && { add: true }),
      ...(flags.has('D') && { describe: true }),
      ...(flags.has('T') && { title: true }),
      ...(changes ?? (isAdded ? wildcard(content()) : { disabled: { t: content() } })),
    },
    isShown: showsSomething(flags),
  }
}

function showsSomething(flags: ReadonlySet<string>): boolean {
  if (flags.has('H')) return flags.has('D')
  if (flags.has('D')) return !flags.has('A')
  return !flags.has('T') || flags.has('A')
}

/** A text for all variants. */
function wildcard(text: unknown): Record<string, unknown> {
  return { twoway: [{ l: '*', t: text }] }
}

function ruleMembers(scan: Scan, rules: readonly VariantRule[]): Record<string, unknown> | undefined {
  if (rules.length === 0) return undefined
  const oneway = rules
    .filter(rule => rule.from !== null)
    .map(rule => ({ f: plain(scan, rule.from!), ...written(scan, rule) }))
  const twoway = rules.filter(rule => rule.from === null).map(rule => written(scan, rule))
  return { ...(oneway.length > 0 && { oneway }), ...(twoway.length > 0 && { twoway }) }
}

function written(scan: Scan, { language, text }: VariantRule): { l: string; t: unknown } {
  return { l: language, t: quotedText(scan, text) ?? html(scan, text.start, text.end) }
}

interface Span {
  readonly start: number
  readonly end: number
}

/** The text of a part that is only a `<nowiki>`. */
function quotedText({ nodeAt, text }: Scan, { start, end }: Span): string | undefined {
  const node = nodeAt.get(start)
  const isQuoted = node?.kind === 'extension' && node.name === 'nowiki' && node.end === end && node.body !== null
  return isQuoted ? text.slice(node.body!.start, node.body!.end) : undefined
}

function plain(scan: Scan, span: Span): string {
  return quotedText(scan, span) ?? expandedText(scan, span.start, span.end).trim()
}

function html(scan: Scan, start: number, end: number): FragmentNode {
  const inner = scanPart(scan, start, end, { hasLines: true })
  scan.run.scanTo(inner, end)
  return fragment(scan.run.inlineNodes(inner.out))
}
