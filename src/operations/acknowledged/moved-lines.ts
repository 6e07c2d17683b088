/** Lines that a commit moves from one page to another: a page split in two, pages that exchange their names, a rename with edits. */

import type { BranchRecord } from '../../store/acknowledged/branch-record.ts'
import type { OpenLoss } from '../../store/acknowledged/verified.ts'
import type { CommitChanges, PathChange } from '../../store/git/backend.ts'
import { countWords } from '../comparing/word-bag.ts'
import { type LineChange, lineChange } from './held-change.ts'
import type { Texts } from './text-cache.ts'

/** Maximum number of pages of a commit that are compared. */
const pageLimit = 200

/** Fewer words may be in another page by chance. */
const fewestWords = 8

/** Leaves out the edits whose lines a commit moved from their page to another one. */
export async function withoutMoved(
  record: BranchRecord,
  texts: Texts,
  { changes }: CommitChanges,
  losses: readonly OpenLoss[],
): Promise<readonly OpenLoss[]> {
  const pages = changes.filter(({ path }) => record.kindOf(path) === 'page')
  if (losses.length === 0 || pages.length < 2 || pages.length > pageLimit) return losses
  const left: OpenLoss[] = []
  for (const loss of losses) if (!(await isMoved(record, texts, loss, { pages, losses }))) left.push(loss)
  return left
}

/** Pages that a commit changed, and the edits that it may have undone. */
interface Step {
  readonly pages: readonly PathChange[]
  readonly losses: readonly OpenLoss[]
}

/**
 * A page that the edit itself changed does not count: it gets its former text back. Nor do lines that come back because another
 * edit that took them away is undone as well.
 */
async function isMoved(
  record: BranchRecord,
  texts: Texts,
  { commit, path }: OpenLoss,
  { pages, losses }: Step,
): Promise<boolean> {
  const here = pages.find(page => page.path === path)
  const edit = (await record.changes(commit))?.changes ?? []
  const change = edit.find(one => one.path === path) ?? (edit.length === 1 ? edit[0] : undefined)
  if (here === undefined || change === undefined) return false
  const { added } = await linesOf(texts, change)
  const { removed } = await linesOf(texts, here)
  const touched = new Set([path, ...edit.map(one => one.path)])
  for (const page of pages) {
    if (touched.has(page.path)) continue
    const there = new Set((await linesOf(texts, page)).added)
    const back = await linesBack(record, texts, losses, page.path)
    const moved = removed.filter(line => there.has(line) && !back.has(line))
    const isThere = added.length > 0 && added.every(line => moved.includes(line))
    if (isThere && countWords(moved.join('\n')) >= fewestWords) return true
  }
  return false
}

/** Lists the lines that undone edits of a page had taken away. */
async function linesBack(
  record: BranchRecord,
  texts: Texts,
  losses: readonly OpenLoss[],
  path: string,
): Promise<ReadonlySet<string>> {
  const lines = new Set<string>()
  for (const loss of losses) {
    if (loss.path !== path) continue
    const change = (await record.changes(loss.commit))?.changes.find(one => one.path === path)
    if (change !== undefined) for (const line of (await linesOf(texts, change)).removed) lines.add(line)
  }
  return lines
}

async function linesOf(texts: Texts, { before, after }: PathChange): Promise<Pick<LineChange, 'added' | 'removed'>> {
  const [old, now] = [await texts.of(before), await texts.of(after)]
  return old === null || now === null ? { added: [], removed: [] } : lineChange({ before: old, after: now })
}
