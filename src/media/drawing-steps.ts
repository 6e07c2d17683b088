/**
 * Estimates the cost of rendering an SVG from its elements, before it is rendered: nested references let a few lines
 * draw one part exponentially often. The input need not be well-formed, so no XML parser is used.
 */

import { setImmediate } from 'node:timers/promises'

/** Steps that a drawing may take: an element is one, each time that it is drawn. */
const maximumSteps = 100_000

/** Depth of elements; the renderer's own bound is higher. */
const maximumDepth = 400

/** Characters of a tag, and of text, that count for one step beside the element's own. */
const tagCharacters = 100
const textCharacters = 10

/** Characters that entities may stand for altogether. */
const maximumEntityCharacters = 1024 * 1024

/** An element: what it takes itself, and what else is drawn for it. */
interface DrawnElement {
  steps: number
  readonly children: number[]
  /** Ids of elements that it shows or is drawn through: parts, patterns, masks, filters, markers. */
  readonly references: readonly string[]
}

/** Returns true if drawing an SVG takes no more steps than a drawing may. */
export async function isDrawable(bytes: Buffer): Promise<boolean> {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8')
  if (!hasFewEntities(text) || /data:image\/svg/i.test(text)) return false
  const drawing = await readElements(text)
  if (drawing === null) return false
  await setImmediate()
  return countSteps(drawing) <= maximumSteps
}

/** Entities within entities grow as powers, so none may hold another one. */
function hasFewEntities(text: string): boolean {
  let longest = 0
  for (const [, value] of text.matchAll(/<!ENTITY\s[^'">]{0,1000}("[^"]*"|'[^']*')/g)) {
    if (value!.includes('&')) return false
    longest = Math.max(longest, value!.length)
  }
  if (longest === 0) return true
  const uses = text.split('&').length - 1
  return uses * longest <= maximumEntityCharacters
}

interface Drawing {
  readonly elements: readonly DrawnElement[]
  readonly ids: ReadonlyMap<string, number>
  /** Ids that style sheets name: any element may be drawn through them. */
  readonly styled: readonly string[]
}

/** Elements that are read in one turn of the event loop: others are answered in between. */
const elementsAtOnce = 10_000

/** Reads the elements; null if they nest too deep, or are more than the steps that a drawing may take. */
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
    if (number === maximumSteps) return null
    if (number % elementsAtOnce === elementsAtOnce - 1) await setImmediate()
    elements.push({ steps: 1 + tag.length / tagCharacters, children: [], references: referencesIn(tag) })
    elements[open.at(-1) ?? -1]?.children.push(number)
    const id = /\sid\s*=\s*["']([^"']{1,1000})["']/.exec(tag)?.[1]
    if (id !== undefined && !ids.has(id)) ids.set(id, number)
    if (tag.endsWith('/>')) continue
    if (/^<(?:[\w.-]+:)?style[\s>]/.test(tag)) styled.push(...referencesIn(styleText(text, end)))
    if (open.push(number) > maximumDepth) return null
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

/** Returns the end of a tag: behind the first `>` outside quotes. */
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

/** Adds up what all elements take, with all that is shown through them; it stops growing far above the bound. */
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

/** Adds up one element and what it is made of. What leads back to itself the renderer leaves out. */
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
