/** The form of an output without its texts: what a name or a message must not change. */

import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { SaxesParser } from 'saxes'

type Node = DefaultTreeAdapterTypes.ChildNode

/** The form of a text: of JSON its keys, of HTML and XML its elements and attributes, of other text its lines and columns. */
export function formOf(text: string): unknown {
  if (/^\s*[[{]/.test(text)) return jsonForm(text)
  if (/^<(?:!doctype html|html|section|p|div)/i.test(text)) return htmlForm(text)
  if (/^<(?:\?xml|mediawiki)/.test(text)) return xmlForm(text)
  return text.split('\n').map(line => line.split('\t').length)
}

/** Whole, or each line for itself. */
function jsonForm(text: string): unknown {
  try {
    return valueForm(JSON.parse(text))
  } catch {
    return text.split('\n').map(line => (/^[[{]/.test(line) ? valueForm(JSON.parse(line)) : line.split('\t').length))
  }
}

function valueForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueForm)
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? embedded(value) : typeof value
  return Object.entries(value).map(([key, inner]) => [key.replace(/planted.*/s, ''), valueForm(inner)])
}

/** A string with HTML has its form; any other is a string. */
function embedded(text: string): unknown {
  return /^<(?:!DOCTYPE html|section|p|div|ul|table)\b/i.test(text) ? htmlForm(text) : 'string'
}

function htmlForm(text: string): unknown {
  return [...elementsIn(parse(text).childNodes)]
}

function* elementsIn(nodes: readonly Node[]): Iterable<string> {
  for (const node of nodes) {
    if (!('tagName' in node)) continue
    // A character reference in a text is such an element.
    if (node.tagName !== 'span' || node.attrs.some(({ name }) => name === 'class'))
      yield `${node.tagName} ${node.attrs.map(attributeForm).join(' ')}`
    yield* elementsIn(node.tagName === 'template' && 'content' in node ? node.content.childNodes : node.childNodes)
  }
}

/** An address keeps its place; a class and an id are the program's own. */
function attributeForm({ name, value }: { readonly name: string; readonly value: string }): string {
  if (/^(?:href|src|action|formaction)$/.test(name))
    return `${name}=${/^(?:[a-z]+:(?:\/\/[^/?#]*)?)?/i.exec(value)![0]}`
  return /^(?:class|type|name|rel|method|style)$/.test(name) ? `${name}=${value}` : name
}

/** Throws for XML that is not well-formed. */
export function xmlForm(text: string): string[] {
  const form: string[] = []
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => form.push(`${name} ${Object.keys(attributes).join(' ')}`))
  parser.write(text).close()
  return form
}

const direction = /[\u202a-\u202e\u2066-\u2069]/

/**
 * Texts of a page that may turn the text after them around: in no element that isolates its content, and not in the text of the
 * wiki's own page, whose direction is its author's.
 */
export function looseDirections(html: string): string[] {
  return [...looseIn(parse(html).childNodes)]
}

function* looseIn(nodes: readonly Node[]): Iterable<string> {
  for (const node of nodes) {
    if (node.nodeName === '#text' && 'value' in node && direction.test(node.value)) yield node.value
    if (!('tagName' in node)) continue
    const attribute = (name: string) => node.attrs.find(one => one.name === name)?.value
    if (
      node.tagName === 'bdi' ||
      attribute('dir') === 'auto' ||
      /\b(?:content|mw-parser-output)\b/.test(attribute('class') ?? '')
    )
      continue
    for (const { name, value } of node.attrs)
      if (/^(?:aria-label|alt|placeholder)$/.test(name) && direction.test(value)) yield value
    yield* looseIn(node.childNodes)
  }
}
