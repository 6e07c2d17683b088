/** Comments that are alone on their line: expanded text lacks that line. */

import type { PreNode } from './nodes.ts'

/** The list that receives nodes, and the offset from which they may claim text. */
export interface NodeTarget {
  readonly nodes: PreNode[]
  readonly from: number
}

/**
 * Adds a comment, with those after it on its line and, if nothing else is on it, with the line's white space and end. Returns
 * the offset after the added nodes.
 *
 * Source: MediaWiki Preprocessor ABNF; help page on comments: a line of comments alone leaves no empty line.
 */
export function addCommentLine(text: string, comment: PreNode, { nodes, from }: NodeTarget): number {
  const start = lineStartBefore(text, comment.start, from)
  const line = start === -1 ? undefined : commentsOfLine(text, comment)
  if (line === undefined) {
    nodes.push(comment)
    return comment.end
  }
  let at = start
  for (const one of line.comments) {
    addBlank(nodes, at, one.start)
    nodes.push(one)
    at = one.end
  }
  addBlank(nodes, at, line.end)
  return line.end
}

/** Offset of the white space at the beginning of the line; -1 if something else or no line break precedes. */
function lineStartBefore(text: string, offset: number, from: number): number {
  let at = offset
  while (at > from && isBlank(text[at - 1])) at--
  return at > 0 && text[at - 1] === '\n' ? at : -1
}

function commentsOfLine(text: string, first: PreNode): { comments: PreNode[]; end: number } | undefined {
  const comments = [first]
  let at = skipBlank(text, first.end)
  while (text.startsWith('<!--', at)) {
    const close = text.indexOf('-->', at + 4)
    if (close === -1) return undefined
    comments.push({ kind: 'comment', start: at, end: close + 3, closed: true })
    at = skipBlank(text, close + 3)
  }
  return text[at] === '\n' ? { comments, end: at + 1 } : undefined
}

function addBlank(nodes: PreNode[], start: number, end: number): void {
  if (end > start) nodes.push({ kind: 'text', start, end, onCommentLine: true })
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (isBlank(text[at])) at++
  return at
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
