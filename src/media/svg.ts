/**
 * The size of an SVG drawing, from its root element alone. No XML parser is used, because the drawing need not be well-formed.
 */

export interface Size {
  readonly width: number
  readonly height: number
}

/** Bytes that must contain the start of the root element. */
const headBytes = 256 * 1024

/** Constructs allowed before the root element; each match begins at the end of the previous one. */
const prolog = /\s+|<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/iuy
const rootTag = /<(?:[\w.-]{1,100}:)?svg(?=[\s/>])/uy
const attribute = /\s*([\w:.-]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)')/uy

/** Width of a drawing that names none, and the base of percentages. Source: MediaWiki 1.43 SVGReader. */
const usualWidth = 512

/** Pixels of a unit, as MediaWiki converts them: 90 to the inch. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 1.25,
  pc: 15,
  mm: 3.543307,
  cm: 35.43307,
  in: 90,
  em: 16,
  ex: 12,
  '%': usualWidth / 100,
}

/** True if the first element is `svg`, under any prefix. */
export function isSvg(head: Buffer): boolean {
  return rootOf(head) !== null
}

/**
 * Returns the size of a drawing in whole pixels; null if the text is not a drawing, or has no extent.
 *
 * Source: MediaWiki 1.43 SVGReader (512 pixels wide by default, in the proportions of the viewBox).
 */
export function svgSize(head: Buffer): Size | null {
  const root = rootOf(head)
  if (root === null) return null
  const { width, height, viewBox } = attributesAt(root.text, root.end)
  const aspect = aspectOf(viewBox)
  const [wide, high] = [lengthOf(width), lengthOf(height)]
  const sized = wide ?? (high === null ? usualWidth : high * aspect)
  const size = { width: Math.round(sized), height: Math.round(high ?? sized / aspect) }
  return isExtent(size.width) && isExtent(size.height) ? size : null
}

function isExtent(length: number): boolean {
  return length >= 1 && length <= 1_000_000
}

/** Finds the start of the attributes of the root element. */
function rootOf(head: Buffer): { readonly text: string; readonly end: number } | null {
  const text = decode(head.subarray(0, headBytes))
  let at = 0
  for (;;) {
    prolog.lastIndex = at
    const skipped = prolog.exec(text)
    if (skipped === null) break
    at = prolog.lastIndex
  }
  rootTag.lastIndex = at
  return rootTag.test(text) ? { text, end: rootTag.lastIndex } : null
}

function decode(head: Buffer): string {
  const isWide = head[0] === 0xff && head[1] === 0xfe
  return head.toString(isWide ? 'utf16le' : 'utf8').replace(/^\ufeff/, '')
}

function attributesAt(text: string, start: number): Partial<Record<'width' | 'height' | 'viewBox', string>> {
  const found = new Map<string, string>()
  attribute.lastIndex = start
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    found.set(match[1] as string, match[2] ?? match[3] ?? '')
  }
  return Object.fromEntries(found)
}

function aspectOf(viewBox = ''): number {
  const numbers = viewBox
    .slice(0, 200)
    .trim()
    .split(/[\s,]+/)
  const [width, height] = [lengthOf(numbers[2]), lengthOf(numbers[3])]
  return numbers.length === 4 && width !== null && height !== null ? width / height : 1
}

/** Pixels; null if the value is not a length above 0. */
function lengthOf(text = ''): number | null {
  const match =
    /^\s{0,9}\+?(\d{0,9}(?:\.\d{1,20}|\d)(?:e[-+]?\d{1,2})?)\s{0,9}(px|pt|pc|mm|cm|in|em|ex|%|)\s{0,9}$/iu.exec(text)
  if (match === null) return null
  const pixels = Number(match[1]) * (units[(match[2] as string).toLowerCase()] as number)
  return pixels > 0 ? pixels : null
}
