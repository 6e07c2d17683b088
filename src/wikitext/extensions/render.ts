/** Renders the extension tags of a page and marks the results. */

import type { ExtensionTag } from '../preprocess/nodes.ts'
import { parseExtensionAttributes } from '../tokenize/attributes.ts'
import { pageOffset, type Scan } from '../tokenize/scan.ts'
import { type ChildNode, type ElementNode, element, type SourceRange } from '../tree/node.ts'
import { callData, type Extension, type ExtensionCall, type ExtensionContext } from './extension.ts'
import { unwrapNowiki } from './nowiki.ts'

/** Renders one tag and marks the result as the extension's. */
export function renderTag(
  call: ExtensionCall,
  extension: Extension,
  { context, about }: { context: ExtensionContext; about: () => string },
): ChildNode[] {
  const rendered = extension.render(call, context)
  if (rendered.length === 0) return []
  const hasNowiki = call.name !== 'nowiki' && call.body !== null && /<nowiki/i.test(call.body)
  const nodes = hasNowiki ? unwrapNowiki(rendered) : rendered
  return markNodes(nodes, call, about)
}

/** Describes an extension tag of a scanned text. */
export function callOf(tag: ExtensionTag, scan: Scan): ExtensionCall {
  const { text } = scan
  const { start, end, body, attributes, closeWidth } = tag
  const isPage = scan.base !== -1
  const openWidth = (body?.start ?? end) - start
  const range: SourceRange = { start: pageOffset(scan, start), end: pageOffset(scan, end), openWidth, closeWidth }
  return {
    name: tag.name,
    attributes: new Map(parseExtensionAttributes(text.slice(attributes.start, attributes.end))),
    body: body === null ? null : text.slice(body.start, body.end),
    bodyOffset: body === null || !isPage ? null : pageOffset(scan, body.start),
    source: text.slice(start, end),
    range: isPage ? range : null,
    inTemplate: !isPage,
    byFunction: scan.framedTags.get(start)?.made !== undefined,
  }
}

function markNodes(nodes: ChildNode[], call: ExtensionCall, about: () => string): ChildNode[] {
  const first = nodes.find(node => node.kind === 'element')
  if (first?.kind === 'element' && first.attributes.has('typeof')) return nodes
  const firstElement = nodes.findIndex(node => node.kind === 'element')
  const wrapped = nodes.map((node, i) =>
    node.kind === 'text' || (node.kind === 'comment' && i < firstElement) ? element('span', [], [node]) : node,
  )
  const marked = wrapped.filter((node): node is ElementNode => node.kind === 'element')
  const target = marked[0] ?? element('meta')
  if (marked.length === 0) wrapped.unshift(target)
  const value = about()
  for (const node of marked) node.attributes.set('about', value)
  target.attributes.set('typeof', `mw:Extension/${call.name}`)
  target.attributes.set('about', value)
  target.data = { ...target.data, mw: target.data.mw ?? callData(call), range: call.range }
  return wrapped
}
