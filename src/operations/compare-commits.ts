/** Comparing the whole wiki at two commits: which pages changed, and how much. */

import type { Comparison } from '../core/comparison.ts'
import { isWikiError, WikiError } from '../core/errors.ts'
import { unifiedPatch } from '../diff/unified.ts'
import { isTextHidden } from '../store/format/hidden-revisions.ts'
import { pathRules, titleOfPath } from '../store/format/paths.ts'
import type { Store } from '../store/store.ts'
import { isHidden } from './access/hidden.ts'
import { compare } from './comparing/comparison.ts'
import { type ComparisonSummary, summarizeComparison } from './comparing/comparison-summary.ts'
import type { Wiki } from './wiki.ts'

/** What happened to a page between two commits. */
export interface PageChange extends ComparisonSummary {
  readonly kind: 'changed' | 'added' | 'deleted' | 'moved'
  /** Prefixed title, reading form; the path where its name makes no legal title. */
  readonly title: string
  readonly path: string
  /** Title and path before, where the page has moved. */
  readonly from?: { readonly title: string; readonly path: string }
}

export interface CommitsComparison {
  /** Full hashes. */
  readonly from: string
  readonly to: string
  /** In bytewise order of their paths. */
  readonly pages: readonly PageChange[]
}

/** A page's change with its comparison and its patch. */
export interface PatchedChange extends PageChange {
  readonly comparison: Comparison
  readonly patch: string
}

export interface CompareCommitsQuery {
  /** Names of git's: a branch, a tag, a hash, `HEAD~2`. */
  readonly from: string
  readonly to: string
  /** Compares from where the two parted: what `to` has changed since then, and nothing of what `from` has. */
  readonly sinceParting?: boolean | undefined
}

/**
 * Compares the wiki at two commits, page by page as they are asked for, so that a wiki of any size takes little memory.
 *
 * Errors: wiki-bad-revision, where this clone does not hold a commit.
 */
export async function compareCommits(
  { store }: Wiki,
  query: CompareCommitsQuery,
): Promise<{ readonly from: string; readonly to: string; readonly changes: AsyncIterable<PatchedChange> }> {
  await store.refresh()
  const [named, to] = [await commitOf(store, query.from), await commitOf(store, query.to)]
  const from = query.sinceParting === true ? await partingOf(store, { from: named, to, query }) : named
  return { from, to, changes: listChanges(store, from, to) }
}

async function commitOf(store: Store, name: string): Promise<string> {
  const commit = await store.commitNamed(name)
  if (commit === null)
    throw new WikiError('wiki-bad-revision', { params: [name], hint: missingCommitHint(store, name) })
  return commit
}

/** Remote branches of names that git gives them; only `origin` is known to be one. */
const remoteBranch = /^(?:refs\/remotes\/)?origin\/([\w./-]+)/

/** Says how to get a commit that this clone does not hold. A clone of one branch does not know the others of its remote. */
function missingCommitHint(store: Store, name: string): string {
  const branch = remoteBranch.exec(name)?.[1]
  const depth = store.shallow ? '--depth=1 ' : ''
  if (branch !== undefined)
    return `Fetch it: git fetch ${depth}origin +refs/heads/${branch}:refs/remotes/origin/${branch}`
  if (/^[0-9a-f]{40}$/.test(name)) return `Fetch it: git fetch ${depth}origin ${name}`
  if (store.shallow) return 'This clone is shallow and may not hold it: git fetch --unshallow'
  return 'Name a branch, a tag, a commit, or HEAD~2'
}

interface Parting {
  readonly from: string
  readonly to: string
  readonly query: CompareCommitsQuery
}

async function partingOf(store: Store, { from, to, query }: Parting): Promise<string> {
  const base = await store.mergeBase(from, to)
  if (base !== null) return base
  throw new WikiError('wiki-bad-revision', {
    params: [`${query.from}...${query.to}`],
    hint: store.shallow
      ? 'This clone is shallow and does not hold the commit where the two parted: git fetch --unshallow origin, or git fetch --deepen=100 origin'
      : `The two have no commit in common; compare them as they are: ${query.from}..${query.to}`,
  })
}

/** A file of a page before and after; blobs, null if it is not there. */
interface FilePair {
  readonly fromPath: string
  readonly toPath: string
  readonly before: string | null
  readonly after: string | null
}

async function* listChanges(store: Store, from: string, to: string): AsyncIterable<PatchedChange> {
  for (const pair of pairMoves(await store.changesBetween(from, to))) yield await pageChange(store, pair)
}

/** A file that is gone and one that is new with the same bytes are one that has moved. */
function pairMoves(changes: Awaited<ReturnType<Store['changesBetween']>>): FilePair[] {
  const gone = new Map<string, string[]>()
  for (const { path, before, after } of changes) {
    if (after !== null) continue
    const paths = gone.get(before!)
    if (paths === undefined) gone.set(before!, [path])
    else paths.push(path)
  }
  const moved = new Set<string>()
  const pairs = changes.map(({ path, before, after }): FilePair => {
    const source = before === null ? gone.get(after!)?.shift() : undefined
    if (source === undefined) return { fromPath: path, toPath: path, before, after }
    moved.add(source)
    return { fromPath: source, toPath: path, before: after, after }
  })
  return pairs.filter(({ fromPath, after }) => after !== null || !moved.has(fromPath))
}

async function pageChange(store: Store, { fromPath, toPath, before, after }: FilePair): Promise<PatchedChange> {
  const [fromText, toText] = [await textOf(store, fromPath, before), await textOf(store, toPath, after)]
  const comparison = compare({ id: 0, text: fromText }, { id: 0, text: toText })
  const hasMoved = fromPath !== toPath
  return {
    kind: hasMoved ? 'moved' : before === null ? 'added' : after === null ? 'deleted' : 'changed',
    title: titleAt(store, toPath),
    path: toPath,
    ...(hasMoved && { from: { title: titleAt(store, fromPath), path: fromPath } }),
    ...summarizeComparison(comparison, Buffer.byteLength(toText) - Buffer.byteLength(fromText)),
    comparison,
    patch: hasMoved
      ? `diff --git a/${fromPath} b/${toPath}\nsimilarity index 100%\nrename from ${fromPath}\nrename to ${toPath}\n`
      : unifiedPatch(fromText, toText, {
          fromPath: before === null ? null : fromPath,
          toPath: after === null ? null : toPath,
        }),
  }
}

/** What stands for a text that readers may not see. */
const hiddenText = '(The text of this revision is hidden.)\n'

async function textOf(store: Store, path: string, blob: string | null): Promise<string> {
  if (blob === null) return ''
  return isHiddenAt(store, path, blob) ? hiddenText : (await store.bytes(blob)).toString('utf8')
}

/** Whether a text is hidden: in any revision, because a commit's file does not say which revision shows it. */
function isHiddenAt(store: Store, path: string, blob: string): boolean {
  if (!isTextHidden(store.config.hidden, blob)) return false
  // The latest text of a page is what everybody reads.
  const page = store.pageAtPath(path)
  const latest = page === undefined ? undefined : store.revision(page.latest)
  return latest?.blob !== blob || isHidden(latest, 'text')
}

function titleAt(store: Store, path: string): string {
  try {
    return titleOfPath(path, pathRules(store.config, store.titles))?.title.text ?? path
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return path
    throw error
  }
}
