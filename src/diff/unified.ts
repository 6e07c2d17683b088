/** Writes the difference of two texts as a patch for `git apply` and `patch`. Source: POSIX diff -u; git-diff(1). */

import { formatPatch, type StructuredPatchHunk } from 'diff'
import { eachSpan } from './changes.ts'
import { findChanges } from './common-subsequence.ts'
import { type Lines, numberOf, splitLines } from './lines.ts'
import { createWorkLimit } from './work-limit.ts'
import { createWorkspace } from './workspace.ts'

export interface PatchOptions {
  /** Paths of the file before and after, from the repository's top; null if there is none. */
  readonly fromPath: string | null
  readonly toPath: string | null
}

/** Number of unchanged lines shown around each change. */
const contextLines = 3

/** Writes the patch; "" if the texts are equal. The line algorithm is that of `compareTexts`. Throws `wiki-texts-too-complex`. */
export function unifiedPatch(from: string, to: string, { fromPath, toPath }: PatchOptions): string {
  if (from === to) return ''
  return formatPatch({
    ...names(fromPath ?? toPath, toPath ?? fromPath),
    ...(fromPath === null ? { isCreate: true, oldFileName: '/dev/null' } : {}),
    ...(toPath === null ? { isDelete: true, newFileName: '/dev/null' } : {}),
    hunks: listHunks(from, to),
  })
}

/**
 * Writes the patch of a file that is moved, and perhaps changed; with `isCopy` the original stays. Source: git-diff(1),
 * extended headers. Throws `wiki-texts-too-complex`.
 */
export function movePatch(
  from: string,
  to: string,
  { fromPath, toPath, isCopy }: { readonly fromPath: string; readonly toPath: string; readonly isCopy: boolean },
): string {
  const verb = isCopy ? { isCopy } : { isRename: true }
  return formatPatch({ ...names(fromPath, toPath), ...verb, hunks: from === to ? [] : listHunks(from, to) })
}

function names(from: string | null, to: string | null) {
  return { isGit: true, oldFileName: `a/${from}`, newFileName: `b/${to}`, oldHeader: undefined, newHeader: undefined }
}

function listHunks(fromText: string, toText: string): StructuredPatchHunk[] {
  const numbers = new Map<string, number>()
  const from = splitLines(fromText, numbers)
  const to = splitLines(toText, numbers)
  markMissingFeed(from, numbers)
  markMissingFeed(to, numbers)
  const changes = findChanges(from.ids, to.ids, createWorkspace(numbers.size, createWorkLimit()), { shift: 'down' })
  const hunks: StructuredPatchHunk[] = []
  let open: StructuredPatchHunk | undefined
  eachSpan(changes, (fromStart, fromEqual, fromEnd, toStart, toEqual, toEnd) => {
    const isChange = fromEqual > fromStart || toEqual > toStart
    if (isChange) {
      open ??= startHunk(hunks, from, fromStart, toStart)
      pushLines(open, '-', from, fromStart, fromEqual)
      pushLines(open, '+', to, toStart, toEqual)
    }
    const equalLines = fromEnd - fromEqual
    const isLast = fromEnd === from.ids.length && toEnd === to.ids.length
    if (open === undefined) return
    if (!isLast && equalLines <= 2 * contextLines) return pushContext(open, from, fromEqual, fromEnd)
    pushContext(open, from, fromEqual, Math.min(fromEnd, fromEqual + contextLines))
    open = undefined
  })
  return hunks
}

/** A last line without a line feed equals only another such line, so it gets a number that no other line has. */
function markMissingFeed({ text, starts, ids }: Lines, numbers: Map<string, number>): void {
  const last = ids.length - 1
  if (last >= 0 && !text.endsWith('\n')) ids[last] = numberOf(`${text.slice(starts[last])}\n`, numbers)
}

function startHunk(hunks: StructuredPatchHunk[], from: Lines, fromStart: number, toStart: number): StructuredPatchHunk {
  const before = Math.min(contextLines, fromStart)
  const hunk: StructuredPatchHunk = {
    oldStart: fromStart - before + 1,
    oldLines: 0,
    newStart: toStart - before + 1,
    newLines: 0,
    lines: [],
  }
  hunks.push(hunk)
  pushContext(hunk, from, fromStart - before, fromStart)
  return hunk
}

function pushContext(hunk: StructuredPatchHunk, from: Lines, start: number, end: number): void {
  pushLines(hunk, ' ', from, start, end)
}

function pushLines(
  hunk: StructuredPatchHunk,
  sign: ' ' | '-' | '+',
  { text, starts }: Lines,
  start: number,
  end: number,
): void {
  for (let line = start; line < end; line++) {
    const content = text.slice(starts[line], starts[line + 1])
    const isWhole = content.endsWith('\n')
    hunk.lines.push(`${sign}${isWhole ? content.slice(0, -1) : content}`)
    if (!isWhole) hunk.lines.push('\\ No newline at end of file')
  }
  if (sign !== '+') hunk.oldLines += end - start
  if (sign !== '-') hunk.newLines += end - start
}
