/** Three-way merge of texts: by lines, and by words if lines conflict. */

import type { Span } from './changes.ts'
import { type Lines, splitLines } from './lines.ts'
import { type MergePart, mergeSequences } from './merge-sequences.ts'
import { type Collision, settleByWords } from './merge-words.ts'
import type { WorkLimit } from './work-limit.ts'
import { createWorkspace } from './workspace.ts'

/** A merged text, or the result that the two sides changed the same place differently. */
export type Merge = { readonly merged: true; readonly text: string } | { readonly merged: false }

/** Unit that must separate two changes: lines, as in diff3 and MediaWiki, or words. */
export type MergeUnit = 'lines' | 'words'

export interface MergeTextsOptions {
  /** `words` if omitted: lines first, then words where lines conflict. */
  readonly by?: MergeUnit
  /** Counts the steps; no limit if omitted. */
  readonly work?: WorkLimit
}

/** A merged file, with conflicts marked as git marks them. */
export interface MarkedMerge {
  readonly text: string
  /** Number of marked conflicts. */
  readonly conflicts: number
}

export interface MarkerOptions extends MergeTextsOptions {
  /** Labels of the two sides in the markers. */
  readonly labels?: { readonly mine: string; readonly theirs: string }
  /** Length of the markers; 7 if omitted. */
  readonly markerSize?: number
}

/**
 * Merges two texts that are based on the same text. White space at the end of the texts is ignored; a merged text ends
 * with one line feed, or is empty. Adjacent changes without an unchanged line between them are merged by words; by
 * lines they conflict. A change that both sides made is taken once. No word is lost or duplicated. Exchanging the two
 * sides only changes the order of additions at one position: theirs comes first.
 *
 * Source: docs/reference/comparison.md#merging. As in git, and unlike GNU diff3, equal insertions are always taken
 * once.
 */
export function mergeTexts(base: string, mine: string, theirs: string, options: MergeTextsOptions = {}): Merge {
  let text = ''
  for (const piece of mergePieces(endOnce(base), endOnce(mine), endOnce(theirs), options)) {
    if (typeof piece !== 'string') return { merged: false }
    text += piece
  }
  return { merged: true, text: trimEnd(text) === '' ? '' : endOnce(text) }
}

/** A place that both sides changed differently. */
export type { Collision } from './merge-words.ts'

/** Merges as `mergeTexts` does and returns the merged text in pieces, with the conflicts between them. */
export function mergeInPieces(
  base: string,
  mine: string,
  theirs: string,
  options: MergeTextsOptions = {},
): (string | Collision)[] {
  return [...mergePieces(endOnce(base), endOnce(mine), endOnce(theirs), options)]
}

/** Merges two files that are based on the same file, byte for byte, with markers around conflicts. */
export function mergeWithMarkers(base: string, mine: string, theirs: string, options: MarkerOptions = {}): MarkedMerge {
  const pieces = [...mergePieces(endLine(base), endLine(mine), endLine(theirs), options)]
  const text = pieces.map(piece => (typeof piece === 'string' ? piece : markCollision(piece, options))).join('')
  const conflicts = pieces.filter(piece => typeof piece !== 'string').length
  const [baseEnds, mineEnds, theirsEnds] = [base, mine, theirs].map(side => side === '' || side.endsWith('\n'))
  const ends = mineEnds === baseEnds ? theirsEnds : mineEnds
  return { text: ends || conflicts > 0 || text === '' ? text : text.slice(0, -1), conflicts }
}

/** Yields the pieces of a merge lazily: merged text and unresolved conflicts. */
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

/** Returns the lines of one part. Lines that neither side changed are equal in all texts. */
function takePart({ take, mine, theirs }: MergePart, mineLines: Lines, theirsLines: Lines): string {
  return take === 'theirs' ? sliceLines(theirsLines, theirs) : sliceLines(mineLines, mine)
}

function sliceLines({ text, starts }: Lines, { start, end }: Span): string {
  return text.slice(starts[start], starts[end])
}

/** Source: git merge-file, its style `diff3`. */
function markCollision({ base, mine, theirs }: Collision, { labels, markerSize = 7 }: MarkerOptions): string {
  const marker = (sign: string, label = '') => `${sign.repeat(markerSize)}${label === '' ? '' : ` ${label}`}\n`
  return `${marker('<', labels?.mine)}${mine}${marker('|')}${base}${marker('=')}${theirs}${marker('>', labels?.theirs)}`
}

/** Appends a line feed to a last line without one. */
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
