/** HTML as a value: a template that escapes every inserted value, so no page can forget to. */

import { documentText } from '../core/document-text.ts'
import { isLong, slicesOf } from '../operations/workers/long-text.ts'

/** A long text in HTML, which is escaped only when it is written. */
interface LongText {
  readonly raw: string
  readonly escape: (text: string) => string
}

/** Complete HTML that is safe to send. Only `html` and `trusted` create it. */
export class Markup {
  readonly #parts: readonly (string | LongText)[]

  constructor(parts: readonly (string | LongText)[]) {
    this.#parts = parts
  }

  toString(): string {
    return [...this.pieces()].join('')
  }

  /** Writes it piece by piece: a long text in slices, so that a server can serve others between two of them. */
  *pieces(): Generator<string> {
    for (const part of this.#parts) {
      if (typeof part === 'string') yield part
      else for (const slice of slicesOf(part.raw)) yield part.escape(slice)
    }
  }

  /** Adds its parts to a list, the first of them to the last text there. */
  addTo(parts: (string | LongText)[]): void {
    for (const part of this.#parts) add(parts, part)
  }
}

/** A value in a template. Text is escaped, lists are joined, and null, undefined and false write nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

/** Builds HTML. Values are escaped for both text and double-quoted attributes. */
export function html(texts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const parts: (string | LongText)[] = [texts[0] ?? '']
  for (const [index, value] of values.entries()) {
    addContent(parts, value)
    add(parts, texts[index + 1]!)
  }
  return new Markup(parts)
}

/** Marks HTML as safe, for example the renderer's output. */
export function trusted(safe: string): Markup {
  return new Markup([documentText(safe)])
}

/** Writes text that a form sends back, with every character that it has: another one would be saved in place of it. */
export function verbatim(text: string): Markup {
  return new Markup([isLong(text) ? { raw: text, escape: withEntities } : withEntities(text)])
}

/** Attributes by their names. Null and false omit an attribute; true writes its name alone. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Writes attributes, each after a space. */
export function attributes(values: Attributes): Markup {
  let text = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    text += value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"`
  }
  return new Markup([text])
}

function addContent(parts: (string | LongText)[], value: Content): void {
  if (value === null || value === undefined || value === false) return
  if (value instanceof Markup) value.addTo(parts)
  else if (Array.isArray(value)) for (const item of value) addContent(parts, item)
  else if (typeof value === 'string' && isLong(value)) parts.push({ raw: value, escape: escaped })
  else add(parts, escaped(String(value)))
}

function add(parts: (string | LongText)[], part: string | LongText): void {
  const last = parts.length - 1
  if (typeof part === 'string' && typeof parts[last] === 'string') parts[last] += part
  else parts.push(part)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return withEntities(documentText(text))
}

function withEntities(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, sign => entities[sign]!) : text
}
