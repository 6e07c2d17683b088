/**
 * Checks a wiki for title collisions, conflict copies, files without a valid title, broken and double redirects, folders so large that
 * they slow git down, and acknowledged edits missing from the branch.
 */

import { conflictCopy } from '../checks/conflict-copies.ts'
import { caseCollisions } from '../checks/file-names.ts'
import type { PageEntry } from '../store/format/entries.ts'
import { comparePrecedence } from '../store/pages.ts'
import type { Store } from '../store/store.ts'
import { copyMessage } from './checking/copy-message.ts'
import { unreadableNames } from './checking/file-problems.ts'
import { unreadMessage } from './checking/unread-message.ts'
import { redirectTarget } from './resources/redirect.ts'
import { type LostEdit, verifyWiki } from './verify-wiki.ts'
import type { Wiki } from './wiki.ts'

export interface WikiProblem {
  readonly kind:
    | 'title-collision'
    | 'case-collision'
    | 'illegal-title'
    | 'broken-redirect'
    | 'double-redirect'
    | 'large-folder'
    | 'lost-edit'
    | 'missing-content'
    | 'conflict-copy'
  /** Title of the page, reading form; null if a file has none. */
  readonly title: string | null
  readonly path: string
  /** One sentence for people. */
  readonly message: string
}

export interface CheckRequest {
  /** Rebuilds the index before the check. */
  readonly rebuild?: boolean | undefined
}

/** Lists the problems of the wiki at its tip. */
export async function checkWiki(
  wiki: Wiki,
  { rebuild = false }: CheckRequest = {},
): Promise<{ problems: WikiProblem[] }> {
  const { store } = wiki
  await (rebuild ? store.rebuild() : store.refresh())
  const verified = await verifyWiki(wiki)
  const lost = verified.lost.map(lostProblem)
  const unreadable = verified.branches.find(({ error }) => error !== null)
  if (unreadable?.error) throw unreadable.error
  const missing = await contentProblems(store)
  const misnamed = store.tip === null ? [] : await store.trees.misnamedPaths(store.tip)
  return {
    problems: [
      ...titleProblems(store),
      ...Array.from(unreadableNames(misnamed), ({ kind, path, message }) => ({ kind, title: null, path, message })),
      ...caseProblems(store),
      ...copyProblems(store),
      ...redirectProblems(store),
      ...folderProblems(store),
      ...missing,
      ...lost,
    ],
  }
}

/** Files that many disks take for one; of those the wiki shows the first. */
function* caseProblems(store: Store): Iterable<WikiProblem> {
  const titles = new Map([...store.pages(), ...store.files()].map(({ path, title }) => [path, title]))
  const paths = [...titles.keys(), ...[...store.problems()].map(({ path }) => path)].sort(comparePrecedence)
  for (const { path, other } of caseCollisions(paths)) {
    const message = `Its path differs from ${other} only in case or accents`
    yield { kind: 'case-collision', title: titles.get(path) ?? null, path, message }
  }
}

function* copyProblems(store: Store): Iterable<WikiProblem> {
  for (const { path, title } of [...store.pages(), ...store.files()]) {
    const copy = conflictCopy(path)
    if (copy !== null) yield { kind: 'conflict-copy', title, path, message: copyMessage(copy) }
  }
}

/** Lists pages and files whose content is missing in this clone: in Git LFS, or in git. */
async function contentProblems(store: Store): Promise<WikiProblem[]> {
  const pages = [...store.pages()].flatMap(page => {
    const revision = store.revision(page.latest)
    return revision === undefined ? [] : [{ ...page, blob: revision.blob }]
  })
  const all = [...store.files(), ...pages]
  const lacking = await store.lackingContent(all.map(({ blob }) => blob))
  const message = 'Its content is kept by Git LFS and is not in this clone; git lfs pull fetches it'
  const inLfs = all
    .filter(({ blob }) => lacking.has(blob))
    .map(({ title, path }): WikiProblem => ({ kind: 'missing-content', title, path, message }))
  const unread = [...store.unread()]
  const indexed = new Set(unread.map(({ blob }) => blob))
  const unreadable = await store.unreadable(all.map(({ blob }) => blob).filter(blob => !indexed.has(blob)))
  unread.push(...all.filter(({ blob }) => unreadable.has(blob)))
  const inGit = unread.map(
    ({ title, path, blob }): WikiProblem => ({ kind: 'missing-content', title, path, message: unreadMessage(blob) }),
  )
  return [...inLfs, ...inGit]
}

/** Predicate of the sentence that reports a lost edit, by kind of loss. */
const lossSentences: Readonly<Record<LostEdit['kind'], string>> = {
  lost: 'is not on the branch any more',
  undone: 'was undone by a commit that had not seen it',
  missing: 'is gone from the repository',
}

function lostProblem({ kind, commit, title, path, branch, restore }: LostEdit): WikiProblem {
  const advice = restore === null ? 'wiki verify says more' : `bring it back with: ${restore}`
  const message = `The acknowledged edit ${commit.slice(0, 10)} of ${branch} ${lossSentences[kind]}; ${advice}`
  return { kind: 'lost-edit', title, path: path ?? '', message }
}

function* titleProblems(store: Store): Iterable<WikiProblem> {
  for (const { path, shownAs, reason } of store.problems()) {
    const title = shownAs === null ? null : (store.pageAtPath(shownAs)?.title ?? null)
    yield { kind: shownAs === null ? 'illegal-title' : 'title-collision', title, path, message: reason }
  }
}

/**
 * Git rewrites a folder whenever a file in it changes. With this many files an edit takes three times the CPU time that it takes
 * in the layout `sharded` and adds 130 KB to the repository instead of 20; with ten thousand files five times and 250 KB; with
 * two thousand half as much again and 60 KB (`test/bench/layout.mjs`).
 */
const largeFolderEntries = 5000

function* folderProblems(store: Store): Iterable<WikiProblem> {
  const { path, entries } = store.largestFolder()
  if (entries < largeFolderEntries) return
  const advice =
    store.config.layout === 'sharded'
      ? 'spread its pages over subpages'
      : 'spread them with: wiki migrate-layout sharded'
  const message = `It holds ${entries} files and folders, which makes every edit of one slow; ${advice}`
  yield { kind: 'large-folder', title: null, path, message }
}

function* redirectProblems(store: Store): Iterable<WikiProblem> {
  for (const page of store.pages()) {
    const problem = redirectProblem(store, page)
    if (problem !== null) yield { ...problem, title: page.title, path: page.path }
  }
}

function redirectProblem(store: Store, page: PageEntry): Pick<WikiProblem, 'kind' | 'message'> | null {
  const target = redirectTarget(store, page)
  if (target === null || !target.local) return null
  if (target.page === null) {
    return { kind: 'broken-redirect', message: `It redirects to ${target.title}, which does not exist` }
  }
  if (target.page.redirect === null) return null
  return { kind: 'double-redirect', message: `It redirects to ${target.title}, which is a redirect itself` }
}
