/** Renders pages that are not wikitext to nodes. */

import type { ContentModel } from '../../core/content-models.ts'
import { type ChildNode, element } from '../tree/node.ts'
import { codeBlock, plainBlock } from './code.ts'
import { jsonTable } from './json.ts'
import { type MarkdownOptions, markdownNodes } from './markdown.ts'

/**
 * Makes the nodes of a page's body. Links to pages are unresolved `mw:WikiLink`s. Text that is invalid for its model is shown
 * as source, invalid JSON with a mark.
 */
export async function modelNodes(
  text: string,
  model: Exclude<ContentModel, 'wikitext'>,
  options: MarkdownOptions,
): Promise<ChildNode[]> {
  switch (model) {
    case 'json':
      return jsonNodes(text)
    case 'css':
    case 'javascript':
      return [await codeBlock(text, model, options.inTime)]
    case 'text':
      return [plainBlock(text)]
    case 'markdown':
      return (await markdownNodes(text, options)) ?? [plainBlock(text)]
  }
}

function jsonNodes(text: string): ChildNode[] {
  const table = jsonTable(text)
  return table === null ? [invalidJson(), plainBlock(text)] : [table]
}

function invalidJson(): ChildNode {
  const node = element('table', [['typeof', 'mw:Error']], [element('tbody')])
  node.data.mw = { errors: [{ key: 'bad-json' }] }
  return node
}
