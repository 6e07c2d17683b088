/** `<templatedata>`: a description of a template's parameters, as JSON for tools and as a table for people. */

import { type ChildNode, type ElementNode, element, textNode } from '../tree/node.ts'
import type { Extension, ExtensionCall } from './extension.ts'

/** Maximum length of the JSON, UTF-16 units. */
const maxLength = 65_535

interface Parameter {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly type: string
  readonly status: string
}

/** The extension of `<templatedata>`. Source: MediaWiki's TemplateData extension. */
export const templatedata: Extension = {
  tags: ['templatedata'],
  render: call => [documentation(call)],
}

function documentation({ body }: ExtensionCall): ElementNode {
  const data = readObject(body ?? '')
  if (data === null) return element('div', [['class', 'error']], [textNode('Invalid JSON in <templatedata>.')])
  const description = textIn(data, 'description')
  const intro = element('p', [], [textNode(description === '' ? 'No description.' : description)])
  return element('section', [['class', 'mw-templatedata-doc-wrap']], [intro, parameterTable(parametersOf(data))])
}

function parametersOf(data: Readonly<Record<string, unknown>>): Parameter[] {
  const parameters = objectIn(data, 'params')
  const order = Array.isArray(data.paramOrder) ? data.paramOrder.filter(name => Object.hasOwn(parameters, name)) : []
  return [...new Set([...order, ...Object.keys(parameters)])].map(name => {
    const parameter = objectIn(parameters, name)
    return {
      name,
      label: textIn(parameter, 'label'),
      description: textIn(parameter, 'description'),
      type: textIn(parameter, 'type'),
      status: statusOf(parameter),
    }
  })
}

function statusOf(parameter: Readonly<Record<string, unknown>>): string {
  if (parameter.required === true) return 'required'
  if (parameter.suggested === true) return 'suggested'
  return parameter.deprecated === undefined || parameter.deprecated === false ? 'optional' : 'deprecated'
}

function parameterTable(parameters: readonly Parameter[]): ElementNode {
  const head = row(
    'th',
    ['Parameter', 'Description', 'Type', 'Status'].map(text => [textNode(text)]),
  )
  const rows = parameters.map(({ name, label, description, type, status }) => {
    const shownName = element('code', [], [textNode(name)])
    const first: ChildNode[] = label === '' ? [shownName] : [textNode(label), element('br'), shownName]
    return row('td', [first, [textNode(description)], [textNode(type)], [textNode(status)]])
  })
  return element('table', [['class', 'wikitable mw-templatedata-doc-params']], [element('tbody', [], [head, ...rows])])
}

function row(cell: 'td' | 'th', contents: readonly (readonly ChildNode[])[]): ElementNode {
  return element(
    'tr',
    [],
    contents.map(content => element(cell, [], content)),
  )
}

function readObject(json: string): Readonly<Record<string, unknown>> | null {
  if (json.length > maxLength) return null
  try {
    return asObject(JSON.parse(json))
  } catch {
    return null
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

function objectIn(data: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return (Object.hasOwn(data, name) ? asObject(data[name]) : null) ?? {}
}

/** A text, or the English one of a multilingual text. */
function textIn(data: Readonly<Record<string, unknown>>, name: string): string {
  const value = data[name]
  if (typeof value === 'string') return value
  const texts = asObject(value)
  const text = texts === null ? undefined : (texts.en ?? Object.values(texts)[0])
  return typeof text === 'string' ? text : ''
}
