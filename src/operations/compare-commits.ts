/** Compares the whole wiki at two commits: which pages changed, and how much. */

import type { Comparison } from '../core/comparison.ts'
import { isWikiError } from '../core/errors.ts'
import { unifiedPatch } from '../diff/unified.ts'
import { pathRules, titleOfPath } from '../store/format/paths.ts'
import type { Store } from '../store/store.ts'
import { isHiddenAt } from './access/hidden-at.ts'
import { type CommitRange, findCommits } from './comparing/commits.ts'
import { compare } from './comparing/comparison.ts'
import { type ComparisonSummary, summarizeComparison } from './comparing/comparison-summary.ts'
import type { Wiki } from './wiki.ts'

/** Change of a page between two commits. */
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

export type CompareCommitsQuery = CommitRange

/**
 * Compares the wiki at two commits, page by page on demand, so that a wiki of any size takes little memory. Errors:
 * wiki-bad-revision if this clone lacks a commit.
 */
export async function compareCommits(
  { store }: Wiki,
  query: CompareCommitsQuery,
): Promise<{ readonly from: string; readonly to: string; readonly changes: AsyncIterable<PatchedChange> }> {
  await store.refresh()
  const { from, to } = await findCommits(store, query)
  return { from, to, changes: listChanges(store, from, to) }
}

/** A page's file before and after; blobs, null if it does not exist. */
interface FilePair {
  readonly fromPath: string
  readonly toPath: string
  readonly before: string | null
  readonly after: string | null
}

async function* listChanges(store: Store, from: string, to: string): AsyncIterable<PatchedChange> {
  for (const pair of pairMoves(await store.changesBetween(from, to))) yield await pageChange(store, pair)
}

/** A deleted file and a new one with the same bytes are one moved file. */
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

/** Replaces a text that readers may not see. */
const hiddenText = '(The text of this revision is hidden.)\n'

async function textOf(store: Store, path: string, blob: string | null): Promise<string> {
  if (blob === null) return ''
  return isHiddenAt(store, path, blob) ? hiddenText : (await store.bytes(blob)).toString('utf8')
}

function titleAt(store: Store, path: string): string {
  try {
    return titleOfPath(path, pathRules(store.config, store.titles))?.title.text ?? path
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return path
    throw error
  }
}
