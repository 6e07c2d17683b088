/** HTML as a value: a template that escapes all that is put into it, so that no page can forget to. */

/** HTML that is complete and safe to send. It is made by `html` and `trusted` alone. */
export class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** A value in a template: text is escaped, lists are joined, nothing is written for null, undefined and false. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

/** Writes HTML. Values are escaped for text and for attributes in double quotes alike. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0] ?? ''
  values.forEach((value, index) => {
    text += textOf(value) + parts[index + 1]
  })
  return new Markup(text)
}

/** Takes HTML that another part of the program made safe, such as the engine's, for what it is. */
export function trusted(safe: string): Markup {
  return new Markup(safe)
}

/** Writes attributes with a blank before each: those that are null or false are left out, true stands by its name alone. */
export function attributes(values: Readonly<Record<string, string | number | boolean | null | undefined>>): Markup {
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
