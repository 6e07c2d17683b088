/**
 * Estimates the cost of rendering an SVG from its elements, before it is rendered: nested references let a few lines
 * draw one part exponentially often. The input need not be well-formed, so no XML parser is used.
 */

import { setImmediate } from 'node:timers/promises'

/** Maximum steps of a drawing: each drawing of an element is one. */
const maxSteps = 100_000

/** Maximum depth of elements; the renderer's own limit is higher. */
const maxDepth = 400

/** Characters of a tag or text that count as one step in addition to the element's own. */
const tagCharacters = 100
const textCharacters = 10

/** Maximum characters of all expanded entities together. */
const maxEntityCharacters = 1024 * 1024

/** An element: its own steps, and the elements that are drawn through it. */
interface DrawnElement {
  steps: number
  readonly children: number[]
  /** Ids of referenced elements: parts, patterns, masks, filters, markers. */
  readonly references: readonly string[]
}

/** Returns true if drawing an SVG takes no more than the maximum number of steps. */
export async function isDrawable(bytes: Buffer): Promise<boolean> {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8')
  if (!hasFewEntities(text) || /data:image\/svg/i.test(text)) return false
  const drawing = await readElements(text)
  if (drawing === null) return false
  await setImmediate()
  return countSteps(drawing) <= maxSteps
}

/** Nested entities grow exponentially, so no entity may contain another one. */
function hasFewEntities(text: string): boolean {
  let longest = 0
  for (const [, value] of text.matchAll(/<!ENTITY\s[^'">]{0,1000}("[^"]*"|'[^']*')/g)) {
    if (value!.includes('&')) return false
    longest = Math.max(longest, value!.length)
  }
  if (longest === 0) return true
  const uses = text.split('&').length - 1
  return uses * longest <= maxEntityCharacters
}

interface Drawing {
  readonly elements: readonly DrawnElement[]
  readonly ids: ReadonlyMap<string, number>
  /** Ids in style sheets: any element may be drawn through them. */
  readonly styled: readonly string[]
}

/** Elements that are read in one time slice. */
const elementsAtOnce = 10_000

/** Reads the elements; null if they nest too deep, or are more than the maximum number of steps. */
async function readElements(text: string): Promise<Drawing | null> {
  const elements: DrawnElement[] = []
  const ids = new Map<string, number>()
  const open: number[] = []
  const styled: string[] = []
  let textStart = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', textStart)) {
    const around = elements[open.at(-1) ?? -1]
    if (around !== undefined) around.steps += (at - textStart) / textCharacters
    const skipped = skipOther(text, at)
    if (skipped > at) {
      textStart = skipped
      continue
    }
    const end = tagEnd(text, at)
    const tag = text.slice(at, end)
    textStart = end
    if (tag[1] === '/') {
      open.pop()
      continue
    }
    const number = elements.length
    if (number === maxSteps) return null
    if (number % elementsAtOnce === elementsAtOnce - 1) await setImmediate()
    elements.push({ steps: 1 + tag.length / tagCharacters, children: [], references: referencesIn(tag) })
    elements[open.at(-1) ?? -1]?.children.push(number)
    const id = /\sid\s*=\s*["']([^"']{1,1000})["']/.exec(tag)?.[1]
    if (id !== undefined && !ids.has(id)) ids.set(id, number)
    if (tag.endsWith('/>')) continue
    if (/^<(?:[\w.-]+:)?style[\s>]/.test(tag)) styled.push(...referencesIn(styleText(text, end)))
    if (open.push(number) > maxDepth) return null
  }
  return { elements, ids, styled: [...new Set(styled)] }
}

/** Returns the end of the comment, instruction, declaration or CDATA section at `at`; `at` itself if there is none. */
function skipOther(text: string, at: number): number {
  for (const [start, end] of others) {
    if (!text.startsWith(start, at)) continue
    const found = text.indexOf(end, at + start.length)
    return found < 0 ? text.length : found + end.length
  }
  return at
}

const others = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

/** Returns the end of a tag: after the first `>` outside quotes. */
function tagEnd(text: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at]!
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
  }
  return text.length
}

function styleText(text: string, start: number): string {
  const end = text.indexOf('</', start)
  return text.slice(start, end < 0 ? text.length : end)
}

function referencesIn(text: string): string[] {
  const plain = text.replace(/\s+/g, ' ')
  return Array.from(plain.matchAll(/(?:href ?= ?["'] ?|url\( ?["']? ?)#([^"')\s]{1,1000})/g), found => found[1]!)
}

/** Sums the steps of all elements and their references; the sum saturates far above the limit. */
function countSteps({ elements, ids, styled }: Drawing): number {
  const sums = new Float64Array(elements.length).fill(Number.NaN)
  const parts = (number: number): number[] => {
    const { children, references } = elements[number]!
    const named = [...references, ...styled].map(id => ids.get(id)).filter(part => part !== undefined)
    return [...children, ...named]
  }
  let total = 0
  for (let root = 0; root < elements.length; root++) {
    if (Number.isNaN(sums[root]!)) sumFrom(root, { sums, parts, elements })
    total = Math.max(total, sums[root]!)
  }
  return total
}

interface Sums {
  readonly sums: Float64Array
  readonly parts: (number: number) => number[]
  readonly elements: readonly DrawnElement[]
}

/** Sums one element and its references. Circular references are skipped, as the renderer does. */
function sumFrom(root: number, { sums, parts, elements }: Sums): void {
  const path = [{ number: root, parts: parts(root), sum: elements[root]!.steps }]
  sums[root] = 0
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const part = top.parts.pop()
    if (part !== undefined && Number.isNaN(sums[part]!)) {
      sums[part] = 0
      path.push({ number: part, parts: parts(part), sum: elements[part]!.steps })
    } else if (part !== undefined) top.sum += sums[part]!
    else {
      sums[top.number] = Math.min(top.sum, 1e9)
      path.pop()
      const above = path.at(-1)
      if (above !== undefined) above.sum += sums[top.number]!
    }
  }
}
