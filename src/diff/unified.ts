/** The difference of two texts as a patch that `git apply` and `patch` take. Source: POSIX diff -u; git-diff(1). */

import { eachStretch } from './changes.ts'
import { findChanges } from './common-subsequence.ts'
import { type Lines, numberOf, splitLines } from './lines.ts'
import { createWorkLimit } from './work-limit.ts'
import { createWorkspace } from './workspace.ts'

export interface PatchOptions {
  /** Paths of the file before and after, from the repository's top; null if there is none. */
  readonly fromPath: string | null
  readonly toPath: string | null
}

/** Unchanged lines shown around each change. */
const contextLines = 3

/** Lines of both texts that one hunk shows; ends are exclusive. */
interface Hunk {
  readonly from: number
  fromEnd: number
  readonly to: number
  toEnd: number
  readonly lines: string[]
}

/** Writes the patch; "" if the texts are equal. The line algorithm is that of `compareTexts`. Throws `wiki-texts-too-complex`. */
export function unifiedPatch(from: string, to: string, { fromPath, toPath }: PatchOptions): string {
  if (from === to) return ''
  const hunks = listHunks(from, to).map(
    ({ from, fromEnd, to, toEnd, lines }) =>
      `@@ -${hunkRange(from, fromEnd)} +${hunkRange(to, toEnd)} @@\n${lines.join('')}`,
  )
  return `${headerOf(fromPath, toPath)}${hunks.join('')}`
}

/**
 * Writes the patch of a file that gets another path, and perhaps another text; with `isCopy` the first file stays. Source:
 * git-diff(1), extended headers. Throws `wiki-texts-too-complex`.
 */
export function movePatch(
  from: string,
  to: string,
  { fromPath, toPath, isCopy }: { readonly fromPath: string; readonly toPath: string; readonly isCopy: boolean },
): string {
  const verb = isCopy ? 'copy' : 'rename'
  const paths = `${verb} from ${quotePath(fromPath)}\n${verb} to ${quotePath(toPath)}\n`
  const header = `diff --git ${quotePath(`a/${fromPath}`)} ${quotePath(`b/${toPath}`)}\n`
  if (from === to) return `${header}similarity index 100%\n${paths}`
  const [, ...lines] = unifiedPatch(from, to, { fromPath, toPath }).split('\n')
  return `${header}${paths}${lines.join('\n')}`
}

function headerOf(fromPath: string | null, toPath: string | null): string {
  const [a, b] = [quotePath(`a/${fromPath ?? toPath}`), quotePath(`b/${toPath ?? fromPath}`)]
  const kind = fromPath === null ? 'new file mode 100644\n' : toPath === null ? 'deleted file mode 100644\n' : ''
  return `diff --git ${a} ${b}\n${kind}--- ${fromPath === null ? '/dev/null' : a}\n+++ ${toPath === null ? '/dev/null' : b}\n`
}

/** As git writes paths with characters that would end a line or a quotation. */
function quotePath(path: string): string {
  if (!/[\0-\x1f"\\\x7f]/.test(path)) return path
  const quoted = path.replace(/[\0-\x1f"\\\x7f]/g, char =>
    char === '"' || char === '\\' ? `\\${char}` : `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${quoted}"`
}

function hunkRange(start: number, end: number): string {
  const count = end - start
  // An empty range is named by the line before it.
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`
}

function listHunks(fromText: string, toText: string): Hunk[] {
  const numbers = new Map<string, number>()
  const from = splitLines(fromText, numbers)
  const to = splitLines(toText, numbers)
  markMissingFeed(from, numbers)
  markMissingFeed(to, numbers)
  const changes = findChanges(from.ids, to.ids, createWorkspace(numbers.size, createWorkLimit()), { shift: 'down' })
  const hunks: Hunk[] = []
  let open: Hunk | undefined
  eachStretch(changes, (fromStart, fromKept, fromEnd, toStart, toKept, toEnd) => {
    const isChange = fromKept > fromStart || toKept > toStart
    if (isChange) {
      open ??= startHunk(hunks, from, fromStart, toStart)
      pushLines(open, '-', from, fromStart, fromKept)
      pushLines(open, '+', to, toStart, toKept)
    }
    const kept = fromEnd - fromKept
    const isLast = fromEnd === from.ids.length && toEnd === to.ids.length
    if (open === undefined) return
    if (!isLast && kept <= 2 * contextLines) return pushContext(open, from, fromKept, fromEnd)
    pushContext(open, from, fromKept, Math.min(fromEnd, fromKept + contextLines))
    open = undefined
  })
  return hunks
}

/** A last line without a line feed equals only another such line: it is numbered as a line that no split line can be. */
function markMissingFeed({ text, starts, ids }: Lines, numbers: Map<string, number>): void {
  const last = ids.length - 1
  if (last >= 0 && !text.endsWith('\n')) ids[last] = numberOf(`${text.slice(starts[last])}\n`, numbers)
}

function startHunk(hunks: Hunk[], from: Lines, fromStart: number, toStart: number): Hunk {
  const before = Math.min(contextLines, fromStart)
  const hunk: Hunk = {
    from: fromStart - before,
    fromEnd: fromStart - before,
    to: toStart - before,
    toEnd: toStart - before,
    lines: [],
  }
  hunks.push(hunk)
  pushContext(hunk, from, fromStart - before, fromStart)
  return hunk
}

function pushContext(hunk: Hunk, from: Lines, start: number, end: number): void {
  pushLines(hunk, ' ', from, start, end)
}

function pushLines(hunk: Hunk, sign: ' ' | '-' | '+', { text, starts }: Lines, start: number, end: number): void {
  for (let line = start; line < end; line++) {
    const content = text.slice(starts[line], starts[line + 1])
    hunk.lines.push(content.endsWith('\n') ? `${sign}${content}` : `${sign}${content}\n\\ No newline at end of file\n`)
  }
  if (sign !== '+') hunk.fromEnd += end - start
  if (sign !== '-') hunk.toEnd += end - start
}
