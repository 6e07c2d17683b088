/** Expands the nodes that the preprocessor found. */

import type { Expanding } from '../expansion/expanding.ts'
import type { Frame } from '../expansion/frame.ts'
import { overLimit, spendNode, spendSize } from '../expansion/limits.ts'
import type { Argument, ExtensionTag, PreNode } from '../preprocess/nodes.ts'
import { trimArgument } from '../preprocess/trim.ts'
import { plainBraces } from './plain-braces.ts'
import { expandInText } from './template.ts'

/** Expands nodes of the frame's text to one text; extension tags become markers. */
export function expandNodes(context: Expanding, nodes: readonly PreNode[], frame: Frame): string {
  const { budget } = context
  let text = ''
  budget.depth++
  for (const node of nodes) {
    const problem = spendNode(budget)
    if (problem !== undefined) {
      text += problem
      break
    }
    text += expandOne(context, node, frame)
  }
  budget.depth--
  return text
}

function expandOne(context: Expanding, node: PreNode, frame: Frame): string {
  switch (node.kind) {
    case 'text':
      return node.onCommentLine && context.purpose === 'show' ? '' : frame.text.slice(node.start, node.end)
    case 'template':
      return expandInText(context, node, frame)
    case 'argument':
      return expandArgument(context, node, frame)
    case 'extension':
      return markTag(context, node, frame)
    case 'comment':
      return context.purpose === 'save' ? keepSource(context, node, frame) : ''
    case 'inclusion':
      return context.purpose === 'save' && frame.parent === null ? frame.text.slice(node.start, node.end) : ''
  }
}

function markTag({ markers }: Expanding, { start, end }: ExtensionTag, frame: Frame): string {
  return markers.keep({ source: frame.text.slice(start, end), frame })
}

function keepSource({ markers }: Expanding, { start, end }: PreNode, frame: Frame): string {
  return markers.keep({ source: frame.text.slice(start, end), frame: null })
}

/**
 * Expands `{{{name|default}}}`.
 *
 * Source: MediaWiki Parser::argSubstitution, help page on template parameters.
 */
export function expandArgument(context: Expanding, { parts }: Argument, frame: Frame): string {
  const name = expandNodes(context, parts[0].children, frame)
  const value = frame.argument?.(trimArgument(name)) ?? defaultOf(context, parts, frame)
  if (value === undefined) return plainBraces(context, { open: '{{{', first: name, parts, frame })
  if (spendSize(context.budget, 'arguments', value.length)) return value
  return overLimit(context.budget, '<!-- WARNING: argument omitted, expansion size too large -->')
}

function defaultOf(context: Expanding, parts: Argument['parts'], frame: Frame): string | undefined {
  const isForSaving = context.purpose === 'save' && frame.parent === null
  if (parts[1] === undefined || isForSaving) return undefined
  return expandNodes(context, parts[1].children, frame)
}
