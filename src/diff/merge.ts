/** The three-way merge of texts, by lines. */

import type { Span } from './changes.ts'
import { type Lines, splitLines } from './lines.ts'
import { type MergePart, mergeSequences } from './merge-sequences.ts'
import { createWorkspace } from './workspace.ts'

/** A merged text, or the statement that the two sides changed the same place in different ways. */
export type Merge = { readonly merged: true; readonly text: string } | { readonly merged: false }

/**
 * Merges two texts that were both made from a base. White space at the end of the texts does not count; a merged text
 * ends with one line feed, or is empty. Changes of lines that touch without an unchanged line between them conflict,
 * unless they are the same change: that one is taken once. No line is lost, none is doubled, and exchanging the two
 * sides changes nothing.
 *
 * Source: DIFF 12, REST 14; GNU diff3, but equal insertions are taken once always, as git does.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merge {
  const numbers = new Map<string, number>()
  const [baseLines, mineLines, theirsLines] = [base, mine, theirs].map(text => splitLines(endOnce(text), numbers)) as [
    Lines,
    Lines,
    Lines,
  ]
  const parts = mergeSequences(baseLines.ids, mineLines.ids, theirsLines.ids, createWorkspace(numbers.size))
  if (parts.some(({ take }) => take === 'conflict')) return { merged: false }
  const text = parts.map(part => takePart(part, mineLines, theirsLines)).join('')
  return { merged: true, text: trimEnd(text) === '' ? '' : endOnce(text) }
}

/** Returns the lines of one part. What is not changed by either side is the same in all texts. */
function takePart({ take, mine, theirs }: MergePart, mineLines: Lines, theirsLines: Lines): string {
  return take === 'theirs' ? sliceLines(theirsLines, theirs) : sliceLines(mineLines, mine)
}

function sliceLines({ text, starts }: Lines, { start, end }: Span): string {
  return text.slice(starts[start], starts[end])
}

function endOnce(text: string): string {
  return `${trimEnd(text)}\n`
}

/** Removes blanks, tabs, line feeds, carriage returns, NULs and vertical tabs from the end, as MediaWiki does. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\n\r\0\v'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
