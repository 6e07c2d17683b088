/** Applies automatic fixes to pages, in one commit. */

import type { Problem } from '../checks/problem.ts'
import { WikiError } from '../core/errors.ts'
import { unifiedPatch } from '../diff/unified.ts'
import { openRewriteCheck, type RewriteCheck } from './access/filtered-text.ts'
import { isHidden } from './access/hidden.ts'
import { type ChangeRequest, planOf, readSaved } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { latestOf } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

export interface FixRequest extends ChangeRequest {
  /** Problems of pages on the branch. Those without a fix are ignored. */
  readonly problems: readonly Problem[]
  /** Writes nothing. */
  readonly dryRun?: boolean | undefined
}

/** A page with applied fixes. */
export interface FixedPage {
  readonly title: string
  readonly path: string
  /** Number of problems. */
  readonly count: number
}

export interface FixedProblems {
  readonly pages: readonly FixedPage[]
  /** Problems of the request that the difference fixes. */
  readonly fixed: readonly Problem[]
  /** Number of fixes left out, because they lie within another one or the text has changed. */
  readonly left: number
  /** Paths of pages left out because their files have uncommitted changes, which the problems may belong to. */
  readonly edited: readonly string[]
  /** Paths of pages left out because a fix cannot be saved: not UTF-8, or stored by a filter or Git LFS in another form. */
  readonly unread: readonly string[]
  /** The resulting difference. */
  readonly patch: string
  /** Hash of the commit; null in a dry run, and if there is nothing to fix. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
}

interface FixedText extends FixedPage {
  readonly blob: string
  readonly problems: readonly Problem[]
  readonly before: string
  readonly after: string
}

/**
 * Applies the fixes of problems. Errors: edit-conflict if a page changes meanwhile; wiki-no-author; those of the
 * store's commit.
 */
export async function fixProblems(wiki: Wiki, { dryRun = false, ...request }: FixRequest): Promise<FixedProblems> {
  const { store } = wiki
  await store.refresh()
  const changed = new Set((await store.checkout.written(!dryRun).changes()).map(({ path }) => path))
  const problems = request.problems.filter(({ fix }) => fix !== undefined)
  const fixable = problems.filter(({ path }) => !changed.has(path))
  const found = store.tip
  const { texts, unread } = await fixedPages(wiki, fixable, !dryRun)
  const result = {
    unread,
    edited: [...new Set(problems.flatMap(({ path }) => (changed.has(path) ? [path] : [])))],
    pages: texts.map(({ title, path, count }) => ({ title, path, count })),
    fixed: texts.flatMap(one => one.problems),
    left:
      fixable.filter(({ path }) => !unread.includes(path)).length - texts.reduce((sum, { count }) => sum + count, 0),
    patch: texts.map(one => unifiedPatch(one.before, one.after, { fromPath: one.path, toPath: one.path })).join(''),
  }
  if (dryRun || texts.length === 0) return { ...result, commit: null, leftAlone: [] }
  const committed = await store.commit(async () => {
    if (store.tip !== found) checkSame(texts, (await fixedPages(wiki, fixable, true)).texts)
    return planOf(request, {
      changes: texts.map(({ path, after }) => ({ path, content: Buffer.from(after), isBlob: true })),
      comment: cleanComment(request.comment ?? ''),
      subject: subjectOf(request.problems),
    })
  })
  if (committed.commit !== null) await readSaved(store, committed.commit, () => ({ tip: store.tip }))
  return { ...result, commit: committed.commit, leftAlone: committed.leftAlone }
}

/** Throws `edit-conflict` if the branch has moved and a page would not be fixed as it was shown. */
function checkSame(shown: readonly FixedText[], now: readonly FixedText[]): void {
  const texts = new Map(now.map(({ path, blob, after }) => [path, `${blob} ${after}`]))
  const changed = shown.find(({ path, blob, after }) => texts.get(path) !== `${blob} ${after}`)
  if (changed !== undefined)
    throw new WikiError('edit-conflict', { params: [changed.title], hint: 'Nothing was fixed. Run the command again' })
}

function subjectOf(problems: readonly Problem[]): string {
  const kinds = [...new Set(problems.flatMap(({ kind, fix }) => (fix === undefined ? [] : [kind])))].sort()
  return `Fix ${kinds.join(', ')}`.slice(0, 200)
}

async function fixedPages(wiki: Wiki, problems: readonly Problem[], isWritten: boolean): Promise<FixedPages> {
  const check = await openRewriteCheck(wiki.store, isWritten)
  return fixWith(check, wiki, problems).finally(check.end)
}

interface FixedPages {
  readonly texts: readonly FixedText[]
  readonly unread: readonly string[]
}

async function fixWith(check: RewriteCheck, { store }: Wiki, problems: readonly Problem[]): Promise<FixedPages> {
  const texts: FixedText[] = []
  const unread: string[] = []
  const byPath = new Map<string, Problem[]>()
  for (const problem of problems) byPath.set(problem.path, [...(byPath.get(problem.path) ?? []), problem])
  for (const [path, found] of byPath) {
    const page = store.pageAtPath(path)
    if (page === undefined) continue
    const latest = latestOf(store, page)
    const before = isHidden(latest, 'text') ? null : await store.text(latest)
    if (before === null) continue
    const { text: after, problems: fixed } = applied(before, found)
    if (after === before) continue
    const { blob } = latest
    if (await check.isRewritable({ path, blob }, before))
      texts.push({ ...{ title: page.title, path, count: fixed.length, before, after, problems: fixed }, blob })
    else unread.push(path)
  }
  return { texts, unread }
}

/** Applies fixes in order. One within another is left out, and so is one whose text has changed. */
function applied(text: string, found: readonly Problem[]): { readonly text: string; readonly problems: Problem[] } {
  let [fixed, at] = ['', 0]
  const problems: Problem[] = []
  for (const problem of [...found].sort((a, b) => a.fix!.start - b.fix!.start)) {
    const { start, end, was, text: replacement } = problem.fix!
    if (start < at || text.slice(start, end) !== was) continue
    fixed += text.slice(at, start) + replacement
    at = end
    problems.push(problem)
  }
  return { text: fixed + text.slice(at), problems }
}
