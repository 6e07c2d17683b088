/** Writes galleries from their boxes. */

import type { ChildNode, ElementNode } from '../../wikitext/tree/node.ts'
import { pageContext } from '../context.ts'
import { hasType } from '../node-queries.ts'
import { finish, innerWriter, type Writer } from '../writer.ts'
import { type BoxWords, changedLine, type SourceLine, type SourceLines, sourceLines } from './gallery-lines.ts'
import { fileParts } from './media.ts'

function hasClass(node: ElementNode, name: string): boolean {
  return (node.attributes.get('class') ?? '').split(/\s+/).includes(name)
}

function below(node: ElementNode, test: (node: ElementNode) => boolean): ElementNode | null {
  const pending = [node]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next !== node && test(next)) return next
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index]!
      if (child.kind === 'element') pending.push(child)
    }
  }
  return null
}

function textIn(writer: Writer, node: ElementNode): string {
  const inner = innerWriter(writer)
  writer.children(inner, node, { ...pageContext, link: 'media', isLine: true })
  return finish(inner).trim()
}

/** Writes the caption of a gallery as an attribute. */
export function galleryCaption(writer: Writer, node: ElementNode): string {
  const text = captionText(writer, node)
  return text === '' ? '' : ` caption="${text.replaceAll('"', '&quot;')}"`
}

function captionText(writer: Writer, node: ElementNode): string {
  const held = captionItem(node)
  return held === null ? '' : textIn(writer, held)
}

function captionItem(node: ElementNode): ElementNode | null {
  return below(node, one => hasClass(one, 'gallerycaption'))
}

const captionAttribute = /(\scaption\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>/]+)/i

/** Returns the source of the opening tag with the current caption. */
export function galleryTag(writer: Writer, node: ElementNode, source: string): string {
  const held = captionItem(node)
  if (held !== null && writer.original?.same.has(held)) return source
  const text = captionText(writer, node)
  const [whole = '', before = '', quoted = ''] = captionAttribute.exec(source) ?? []
  const captionBefore = quoted.replace(/^["']|["']$/g, '').replaceAll('&quot;', '"')
  if (captionBefore.trim() === text) return source
  if (text === '') return source.replace(whole, '')
  const value = `"${text.replaceAll('"', '&quot;')}"`
  if (whole !== '') return source.replace(whole, () => before + value)
  const end = source.endsWith('/>') ? 2 : 1
  return `${source.slice(0, -end).trimEnd()} caption=${value}${source.slice(-end)}`
}

/** Writes the lines of a gallery, one for each box; null if it has no boxes. */
export function galleryBody(writer: Writer, node: ElementNode): string | null {
  const boxes = boxesOf(node)
  const source = bodySource(writer, node)
  if (source !== null) return bodyFromLines(writer, node, { boxes, lines: sourceLines(source, writer.site) })
  const text = boxes
    .map(box => lineOf(writer, box))
    .filter(line => line !== '')
    .join('\n')
  if (text === '' && node.data.mw?.body === undefined) return null
  return text === '' ? '' : `\n${text}\n`
}

function boxesOf({ children }: ElementNode): ElementNode[] {
  const isBox = (child: ChildNode): child is ElementNode => child.kind === 'element' && hasClass(child, 'gallerybox')
  return children.filter(isBox)
}

/** Returns the source of the body; null if the element does not record it. */
function bodySource(writer: Writer, node: ElementNode): string | null {
  const source = wholeSource(writer, node)
  const [open] = /^<gallery(?:"[^"]*"|'[^']*'|[^>"'])*>/i.exec(source ?? '') ?? []
  if (source === null || open === undefined) return null
  const end = source.lastIndexOf('</')
  return end < open.length ? null : source.slice(open.length, end)
}

/** Returns the source that the element records, or the range of the page that it was made from. */
function wholeSource({ original }: Writer, node: ElementNode): string | null {
  const [, whole] = Array.isArray(node.data.parsoid?.whole) ? (node.data.parsoid.whole as unknown[]) : []
  if (typeof whole === 'string') return whole
  const twin = original?.twins.get(node)
  const place = twin === undefined ? undefined : original?.places.of.get(twin)
  return place === undefined ? null : (original?.source.slice(place.start, place.end) ?? null)
}

interface Gallery {
  readonly boxes: readonly ElementNode[]
  readonly lines: SourceLines
}

/** Writes the body line by line, and takes the lines of unchanged boxes from the page. */
function bodyFromLines(writer: Writer, node: ElementNode, { boxes, lines }: Gallery): string {
  const pairs = pairBoxes(writer, node, { boxes, lines })
  const used = new Set(pairs.values())
  const out: string[] = []
  let at = 0
  for (const box of boxes) {
    const line = pairs.get(box)
    const place = line === undefined ? -1 : lines.items.indexOf(line)
    // Comments before removed lines stay.
    for (; at < place; at++) if (!used.has(lines.items[at]!)) out.push(...lines.items[at]!.lead.filter(isComment))
    if (line !== undefined) out.push(...line.lead)
    const text = line === undefined ? lineOf(writer, box) : lineOfPair(writer, box, line)
    if (text !== '') out.push(text)
    at = Math.max(at, place + 1)
  }
  const gone = lines.items.slice(at).filter(line => !used.has(line))
  if (out.length === 0 || lines.items.length === 0) out.unshift('')
  else if (out[0]?.trim() !== '' && lines.items[0]!.lead.length > 0) out.unshift('')
  return [
    ...out,
    ...gone.flatMap(({ lead }) => lead.filter(isComment)),
    ...(lines.rest.length > 0 || lines.items.length > 0 ? lines.rest : ['']),
  ].join('\n')
}

function isComment(line: string): boolean {
  return line.trim() !== ''
}

/** Pairs boxes with lines: by their original position in the gallery, then by file name. */
function pairBoxes(writer: Writer, node: ElementNode, { boxes, lines }: Gallery): Map<ElementNode, SourceLine> {
  const pairs = new Map<ElementNode, SourceLine>()
  const left = new Map<string, SourceLine[]>()
  const twin = writer.original?.twins.get(node)
  const places = new Map(twin?.kind === 'element' ? boxesOf(twin).map((box, index) => [box, index] as const) : [])
  const taken = new Set<SourceLine>()
  for (const box of places.size === lines.items.length ? boxes : []) {
    const then = writer.original?.twins.get(box)
    const line = then?.kind === 'element' ? lines.items[places.get(then) ?? -1] : undefined
    if (line === undefined || taken.has(line) || fileName(box) !== line.name) continue
    pairs.set(box, line)
    taken.add(line)
  }
  for (const line of lines.items) if (!taken.has(line)) left.set(line.name, [...(left.get(line.name) ?? []), line])
  for (const box of boxes) {
    const line = pairs.has(box) ? undefined : left.get(fileName(box) ?? '')?.shift()
    if (line !== undefined) pairs.set(box, line)
  }
  return pairs
}

/** File name of a box, in URL form; null if it names none. */
function fileName(box: ElementNode): string | null {
  const shown = below(box, one => one.attributes.has('resource'))
  const resource = shown?.attributes.get('resource')?.replace(/^(?:\.\/)+/, '')
  if (resource === undefined) return null
  try {
    return decodeURIComponent(resource).replace(/^[^:]*:/, '')
  } catch {
    return resource.replace(/^[^:]*:/, '')
  }
}

function lineOfPair(writer: Writer, box: ElementNode, line: SourceLine): string {
  if (writer.original?.same.has(box)) return line.text
  const then = writer.original?.twins.get(box)
  const before = then?.kind === 'element' && fileName(then) === line.name ? wordsOf(writer, then) : null
  return changedLine(line.text, wordsOf(writer, box), { before, site: writer.site })
}

function wordsOf(writer: Writer, box: ElementNode): BoxWords {
  const file = fileOf(box)
  const held = captionHolder(box)
  const parts = file === null ? null : fileParts(writer, file, pageContext)
  return { caption: held === null ? '' : captionOf(writer, held), options: parts?.slice(1) ?? [] }
}

function fileOf(box: ElementNode): ElementNode | null {
  return below(box, one => hasType(one, /^mw:(?:File|Image|Video|Audio)/))
}

function captionHolder(box: ElementNode): ElementNode | null {
  return below(box, one => hasClass(one, 'gallerytext'))
}

function lineOf(writer: Writer, box: ElementNode): string {
  const file = fileOf(box)
  if (file === null) return ''
  const held = captionHolder(box)
  const parts = fileParts(writer, file, pageContext)
  const caption = held === null ? '' : captionOf(writer, held)
  return parts === null ? '' : [...parts, ...(caption === '' ? [] : [caption])].join('|')
}

/** Returns a caption without the file name that a gallery may show above it. */
function captionOf(writer: Writer, node: ElementNode): string {
  const named = below(node, one => hasClass(one, 'galleryfilename'))
  if (named?.parent) named.parent.children.splice(named.parent.children.indexOf(named), 1)
  return textIn(writer, node)
}
