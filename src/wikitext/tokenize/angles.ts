/** Scans the constructs that begin with `<`: comments, extension tags, inclusion tags, HTML tags. */

import { isTransparentNode } from '../passes/walk.ts'
import type { ExtensionTag, Inclusion, PreNode } from '../preprocess/nodes.ts'
import { isAllowedTag, voidTags } from '../sanitize/allowed.ts'
import { isAllowedWith } from '../sanitize/attributes.ts'
import { type ChildNode, element } from '../tree/node.ts'
import { scanAnnotation } from './annotations.ts'
import { readAttributes } from './attributes.ts'
import { commentToken } from './comments.ts'
import { scanImage } from './images.ts'
import { drop, emit, nodeFrom, pageOffset, type Scan } from './scan.ts'
import type { AtomToken } from './token.ts'

/** Scans the construct at a `<`; false if it is text. */
export function scanAngle(scan: Scan): boolean {
  const node = scan.nodeAt.get(scan.at)
  if (node !== undefined) return scanNode(scan, node)
  if (scanAnnotation(scan)) return true
  const unit = scan.text.charCodeAt(scan.at + 1)
  const isLetter = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)
  return (isLetter || unit === 47) && scanTag(scan)
}

function scanNode(scan: Scan, node: PreNode): boolean {
  const { start, end } = node
  if (node.kind === 'comment') {
    emit(scan, commentToken(scan, node), start, end)
    return true
  }
  if (node.kind === 'inclusion') return scanInclusion(scan, node)
  if (node.kind !== 'extension') return false
  scanExtension(scan, node)
  return true
}

function scanInclusion(scan: Scan, { start, end, name, form }: Inclusion): boolean {
  if (scan.base === -1) {
    drop(scan, start, end)
    return true
  }
  const title = { noinclude: 'NoInclude', includeonly: 'IncludeOnly', onlyinclude: 'OnlyInclude' }[name]
  const source = scan.text.slice(start, end)
  const metas: ChildNode[] = []
  if (form === 'dropped') metas.push(inclusionMeta(title, source, { src: source }), inclusionMeta(`${title}/End`, ''))
  else metas.push(inclusionMeta(form === 'open' ? title : `${title}/End`, source))
  emit(
    scan,
    { kind: 'atom', level: 'transparent', nodes: metas, start: pageOffset(scan, start), end: pageOffset(scan, end) },
    start,
    end,
  )
  return true
}

function inclusionMeta(type: string, source: string, mw?: Record<string, unknown>): ChildNode {
  const meta = element('meta', [['typeof', `mw:Includes/${type}`]])
  meta.data = { parsoid: { src: source }, ...(mw && { mw }) }
  return meta
}

/** Block elements. */
const blockNames: ReadonlySet<string> = new Set(
  'table h1 h2 h3 h4 h5 h6 pre p ul ol dl div center blockquote hr figure aside section article video gallery'.split(
    ' ',
  ),
)

function scanExtension(scan: Scan, node: ExtensionTag): void {
  const nodes = scan.run.renderTag(node, scan)
  const { start, end } = node
  if (nodes.length === 0) {
    drop(scan, start, end)
    return
  }
  emit(
    scan,
    { kind: 'atom', level: levelOf(nodes), nodes, start: pageOffset(scan, start), end: pageOffset(scan, end) },
    start,
    end,
  )
}

function levelOf(nodes: readonly ChildNode[]): AtomToken['level'] {
  if (nodes.some(node => node.kind === 'element' && blockNames.has(node.name))) return 'block'
  return nodes.every(isTransparentNode) ? 'transparent' : 'inline'
}

/** Scans an allowed HTML tag; false if it is none. */
function scanTag(scan: Scan): boolean {
  const { at, text } = scan
  const isClose = text.charCodeAt(at + 1) === 47
  const nameStart = isClose ? at + 2 : at + 1
  const nameEnd = endOfName(text, nameStart)
  const name = text.slice(nameStart, nameEnd).toLowerCase()
  const isImage = name === 'img' && !isClose
  if (!isAllowedTag(name) && !isImage) return false
  const end = endOfTag(scan, nameEnd)
  if (end === -1) return false
  if (isImage) return scanImage(scan, nameEnd, end)
  const isSelfClosed = text.charCodeAt(end - 2) === 47 && end - 2 >= nameEnd
  return isClose ? closeTag(scan, name, end) : openTag(scan, { name, nameEnd, end, isSelfClosed })
}

function endOfName(text: string, from: number): number {
  let at = from
  for (;;) {
    const unit = text.charCodeAt(at) | 32
    if (!((unit >= 97 && unit <= 122) || (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57))) return at
    at++
  }
}

/** Offset after the `>` that ends a tag, skipping quoted values; -1 if the tag does not end. */
function endOfTag(scan: Scan, from: number): number {
  const { text, end } = scan
  let at = from
  if (!endsName(scan, at)) return -1
  while (at < end) {
    const node = nodeFrom(scan, at) ?? scan.annotations.get(at)
    if (node !== undefined) {
      at = node.end
      continue
    }
    const unit = text.charCodeAt(at)
    if (unit === 62) return at + 1
    if (unit === 60) return -1
    at = unit === 61 ? endOfValue(scan, at + 1) : at + 1
  }
  return -1
}

/**
 * Returns true if a tag's name ends here. A directly following extension tag becomes part of the name, which is then not
 * allowed.
 */
function endsName({ text, nodeAt }: Scan, at: number): boolean {
  const node = nodeAt.get(at)
  return node === undefined ? /^[\s/>]?$/.test(text[at] ?? '') : node.kind !== 'extension'
}

/** Offset after a quoted value, or the start of an unquoted one. */
function endOfValue({ text, end }: Scan, from: number): number {
  let at = from
  while (at < end && /\s/.test(text[at]!)) at++
  const quote = text[at]
  if (quote !== '"' && quote !== "'") return at
  const bound = Math.min(end, at + longestValue)
  for (let close = at + 1; close < bound; close++) {
    const unit = text[close]
    if (unit === quote) return close + 1
    if (unit === '>' || unit === '<') return at + 1
  }
  return at + 1
}

const longestValue = 100_000

function closeTag(scan: Scan, name: string, end: number): boolean {
  const { at } = scan
  emit(scan, { kind: 'close', name, syntax: 'html', start: pageOffset(scan, at), end: pageOffset(scan, end) }, at, end)
  return true
}

interface OpenTag {
  readonly name: string
  readonly nameEnd: number
  readonly end: number
  readonly isSelfClosed: boolean
}

function openTag(scan: Scan, { name, nameEnd, end, isSelfClosed }: OpenTag): boolean {
  const { at } = scan
  const { attributes, data } = readAttributes(scan, name, nameEnd, end - (isSelfClosed ? 2 : 1))
  if (!isAllowedWith(name, attributes)) return false
  const parsoid = { ...data.parsoid, stx: 'html', ...(isSelfClosed && { selfClose: true }) }
  const token = {
    name,
    attributes,
    syntax: 'html',
    data: { ...data, parsoid },
    start: pageOffset(scan, at),
    end: pageOffset(scan, end),
  } as const
  if (voidTags.has(name)) {
    emit(scan, { kind: 'void', ...token }, at, end)
    return true
  }
  emit(scan, { kind: 'open', ...token }, at, end)
  return true
}
