/** HTML as a value: a template that escapes every inserted value, so no page can forget to. */

/** Complete HTML that is safe to send. Only `html` and `trusted` create it. */
export class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** A value in a template. Text is escaped, lists are joined, and null, undefined and false write nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

/** Builds HTML. Values are escaped for both text and double-quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0] ?? ''
  values.forEach((value, index) => {
    text += textOf(value) + parts[index + 1]
  })
  return new Markup(text)
}

/** Marks HTML as safe, for example the renderer's output. */
export function trusted(safe: string): Markup {
  return new Markup(safe)
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
  return new Markup(text)
}

function textOf(value: Content): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.toString()
  return Array.isArray(value) ? value.map(textOf).join('') : escaped(String(value))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, sign => entities[sign]!) : text
}
