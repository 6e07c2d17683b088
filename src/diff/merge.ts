/** The three-way merge of texts: by lines, and by words where lines collide. */

import type { Span } from './changes.ts'
import { type Lines, splitLines } from './lines.ts'
import { type MergePart, mergeSequences } from './merge-sequences.ts'
import { type Collision, settleByWords } from './merge-words.ts'
import type { WorkLimit } from './work-limit.ts'
import { createWorkspace } from './workspace.ts'

/** A merged text, or the statement that the two sides changed the same place in different ways. */
export type Merge = { readonly merged: true; readonly text: string } | { readonly merged: false }

/** Unit that must separate two changes: lines, as in diff3 and MediaWiki, or words. */
export type MergeUnit = 'lines' | 'words'

export interface MergeTextsOptions {
  /** `words` where it is missing: lines first, words where lines collide. */
  readonly by?: MergeUnit
  /** Counts the steps; no bound if omitted. */
  readonly work?: WorkLimit
}

/** A merge as a file holds it, with conflicts marked as git marks them. */
export interface MarkedMerge {
  readonly text: string
  /** Number of places that are marked. */
  readonly conflicts: number
}

export interface MarkOptions extends MergeTextsOptions {
  /** Names of the two sides behind the marks. */
  readonly labels?: { readonly mine: string; readonly theirs: string }
  /** Length of the marks; 7 if omitted. */
  readonly markerSize?: number
}

/**
 * Merges two texts that were both made from a base. White space at the end of the texts does not count; a merged text
 * ends with one line feed, or is empty. Changes of lines that touch without an unchanged line between them are merged by
 * words; by lines they conflict. The same change of both sides is taken once. No word is lost, none is doubled, and
 * exchanging the two sides changes at most the order of what both added at one place: theirs comes first.
 *
 * Source: docs/reference/comparison.md#merging. As in git, and unlike GNU diff3, equal insertions are always taken once.
 */
export function mergeTexts(base: string, mine: string, theirs: string, options: MergeTextsOptions = {}): Merge {
  let text = ''
  for (const piece of mergePieces(endOnce(base), endOnce(mine), endOnce(theirs), options)) {
    if (typeof piece !== 'string') return { merged: false }
    text += piece
  }
  return { merged: true, text: trimEnd(text) === '' ? '' : endOnce(text) }
}

/** A place that both sides changed in different ways. */
export type { Collision } from './merge-words.ts'

/** Merges as `mergeTexts` does and returns the merged text in pieces, with the places that people have to settle. */
export function mergeInPieces(
  base: string,
  mine: string,
  theirs: string,
  options: MergeTextsOptions = {},
): (string | Collision)[] {
  return [...mergePieces(endOnce(base), endOnce(mine), endOnce(theirs), options)]
}

/** Merges two files that were both made from a base, byte for byte, and marks what conflicts for people to settle. */
export function mergeWithMarks(base: string, mine: string, theirs: string, options: MarkOptions = {}): MarkedMerge {
  const pieces = [...mergePieces(endLine(base), endLine(mine), endLine(theirs), options)]
  const text = pieces.map(piece => (typeof piece === 'string' ? piece : markCollision(piece, options))).join('')
  const conflicts = pieces.filter(piece => typeof piece !== 'string').length
  const [baseEnds, mineEnds, theirsEnds] = [base, mine, theirs].map(side => side === '' || side.endsWith('\n'))
  const ends = mineEnds === baseEnds ? theirsEnds : mineEnds
  return { text: ends || conflicts > 0 || text === '' ? text : text.slice(0, -1), conflicts }
}

/** Yields the pieces of a merge: what is settled, and the collisions that are not. Nothing is done for pieces nobody asks for. */
function* mergePieces(
  base: string,
  mine: string,
  theirs: string,
  { by = 'words', work }: MergeTextsOptions,
): Generator<string | Collision> {
  const numbers = new Map<string, number>()
  const lines = [base, mine, theirs].map(text => splitLines(text, numbers)) as [Lines, Lines, Lines]
  const [baseLines, mineLines, theirsLines] = lines
  const parts = mergeSequences(baseLines.ids, mineLines.ids, theirsLines.ids, createWorkspace(numbers.size, work))
  // Blanking a page must not discard concurrent additions, so it conflicts.
  const isByWords = by === 'words' && mine.trim() !== '' && theirs.trim() !== ''
  for (const part of parts) {
    if (part.take !== 'conflict') {
      yield takePart(part, mineLines, theirsLines)
      continue
    }
    const collision = {
      base: sliceLines(baseLines, part.base),
      mine: sliceLines(mineLines, part.mine),
      theirs: sliceLines(theirsLines, part.theirs),
    }
    yield (isByWords ? settleByWords(collision, work) : null) ?? collision
  }
}

/** Returns the lines of one part. What is not changed by either side is the same in all texts. */
function takePart({ take, mine, theirs }: MergePart, mineLines: Lines, theirsLines: Lines): string {
  return take === 'theirs' ? sliceLines(theirsLines, theirs) : sliceLines(mineLines, mine)
}

function sliceLines({ text, starts }: Lines, { start, end }: Span): string {
  return text.slice(starts[start], starts[end])
}

/** Source: git merge-file, its style `diff3`. */
function markCollision({ base, mine, theirs }: Collision, { labels, markerSize = 7 }: MarkOptions): string {
  const mark = (sign: string, label = '') => `${sign.repeat(markerSize)}${label === '' ? '' : ` ${label}`}\n`
  return `${mark('<', labels?.mine)}${mine}${mark('|')}${base}${mark('=')}${theirs}${mark('>', labels?.theirs)}`
}

/** Puts a line feed behind a last line that has none. */
function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
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
