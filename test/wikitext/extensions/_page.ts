/** A page without an engine: extension tags in plain text, rendered and finished, written as HTML. */

import type { Extension, ExtensionCall, ExtensionContext } from '../../../src/wikitext/extensions/extension.ts'
import { callData } from '../../../src/wikitext/extensions/extension.ts'
import { type ChildNode, type ElementNode, element, fragment, textNode } from '../../../src/wikitext/tree/node.ts'

export interface PageOptions {
  readonly messages?: Record<string, string>
  /** Tags of these calls are treated as output of `{{#tag:}}`. */
  readonly byFunction?: readonly string[]
  readonly inTemplate?: boolean
}

/** Renders text with the tags of the extensions in it; everything else is plain text. */
export async function renderPage(
  text: string,
  extensions: readonly Extension[],
  options: PageOptions = {},
): Promise<string> {
  return write((await finishedPage(text, extensions, options)).children)
}

export async function finishedPage(text: string, extensions: readonly Extension[], options: PageOptions = {}) {
  const context = contextOf(extensions, options)
  const body = fragment(context.parseBlocks(text, { offset: 0 }))
  for (const extension of extensions) await extension.finish?.(body, context)
  return body
}

function contextOf(
  extensions: readonly Extension[],
  { messages = {}, byFunction = [], inTemplate = false }: PageOptions,
) {
  const states = new Map<string, unknown>()
  const byTag = new Map(extensions.flatMap(extension => extension.tags.map(tag => [tag, extension] as const)))
  let abouts = 0
  const parse = (text: string, { offset = null }: { offset?: number | null } = {}): ChildNode[] => {
    const nodes: ChildNode[] = []
    const pattern = /<(\w+)((?:\s+\w+(?:="[^"]*")?)*)\s*(?:\/>|>(.*?)<\/\1>)/gs
    let from = 0
    for (const found of text.matchAll(pattern)) {
      const extension = byTag.get(found[1]!)
      if (extension === undefined) continue
      if (found.index > from) nodes.push(textNode(text.slice(from, found.index)))
      from = found.index + found[0].length
      nodes.push(...decorated(extension, callOf(found, offset)))
    }
    if (from < text.length) nodes.push(textNode(text.slice(from)))
    return nodes
  }
  const callOf = (found: RegExpMatchArray, offset: number | null): ExtensionCall => ({
    name: found[1]!,
    attributes: new Map(
      [...found[2]!.matchAll(/(\w+)(?:="([^"]*)")?/g)].map(attribute => [attribute[1]!, attribute[2] ?? '']),
    ),
    body: found[3] ?? null,
    bodyOffset: offset === null ? null : offset + found.index! + found[0].indexOf('>') + 1,
    source: found[0],
    range: null,
    inTemplate,
    byFunction: byFunction.some(name => found[2]!.includes(`name="${name}"`)),
  })
  const decorated = (extension: Extension, call: ExtensionCall): ChildNode[] => {
    const nodes = extension.render(call, context)
    const first = nodes.find((node): node is ElementNode => node.kind === 'element')
    if (first !== undefined && !first.attributes.has('typeof')) {
      first.attributes.set('typeof', `mw:Extension/${call.name}`)
      first.data.mw ??= callData(call)
    }
    return nodes
  }
  const context: ExtensionContext = {
    parseBlocks: parse,
    parseInline: parse,
    parseMedia: (target, parts, { size }) =>
      target.startsWith('#')
        ? null
        : {
            title: `File:${target}`,
            figure: element(
              'figure',
              [['typeof', 'mw:File']],
              [element('a', [], [element('img', [['alt', size]])]), element('figcaption', [], parse(parts))],
            ),
          },
    state: <State>(name: string, make: () => State) => {
      if (!states.has(name)) states.set(name, make())
      return states.get(name) as State
    },
    inTime: work => work(),
    about: () => `#mwt${++abouts}`,
    message: key => messages[key] ?? null,
    pageHref: './Tides',
    language: 'en',
    title: 'Tides',
  }
  return context
}

/** Writes nodes as HTML with `data-mw`, without internal counters. */
export function write(nodes: readonly ChildNode[]): string {
  return nodes.map(writeNode).join('')
}

function writeNode(node: ChildNode): string {
  if (node.kind === 'text') return node.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  if (node.kind === 'comment') return `<!--${node.text}-->`
  const attributes = [...node.attributes].filter(([name]) => name !== 'about')
  if (node.data.mw !== undefined) attributes.push(['data-mw', JSON.stringify(node.data.mw, fragmentsAsHtml)])
  const open = attributes
    .map(
      ([name, value]) =>
        ` ${name}='${value.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&apos;')}'`,
    )
    .join('')
  return `<${node.name}${open}>${write(node.children)}</${node.name}>`
}

function fragmentsAsHtml(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  const isFragment = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'fragment'
  return isFragment ? write((value as unknown as { children: ChildNode[] }).children) : value
}
