/** Compares the whole wiki at two commits: the changed pages, and the size of their changes. */

import type { Comparison } from '../core/comparison.ts'
import { isWikiError } from '../core/errors.ts'
import { movePatch, unifiedPatch } from '../diff/unified.ts'
import { pathRules, titleOfPath } from '../store/format/paths.ts'
import type { PathChange } from '../store/git/backend.ts'
import type { Store } from '../store/store.ts'
import { isHiddenAt } from './access/hidden-at.ts'
import { type CommitRange, findCommits } from './comparing/commits.ts'
import { compare } from './comparing/comparison.ts'
import { type ComparisonSummary, summarizeComparison } from './comparing/comparison-summary.ts'
import { type ComparedFile, compareMedia } from './comparing/media-changes.ts'
import { similarFiles } from './comparing/similar-files.ts'
import type { Wiki } from './wiki.ts'

/** A page that differs between two commits. */
export interface ChangedPage {
  readonly kind: 'changed' | 'added' | 'deleted' | 'moved'
  /** Prefixed title, in reading form; the path if its name is not a valid title. */
  readonly title: string
  readonly path: string
  /** Title and path before, if the page has moved. */
  readonly from?: { readonly title: string; readonly path: string }
}

/** Change of a page between two commits. */
export interface PageChange extends ChangedPage, ComparisonSummary {}

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

/** Two commits and their differences. */
export interface ComparedCommits {
  readonly from: string
  readonly to: string
  /** The pages of `changes`, in the same order, known before their texts are compared. */
  readonly pages: readonly ChangedPage[]
  readonly changes: AsyncIterable<PatchedChange>
  /** Media files in bytewise order of their paths, then files whose names are not UTF-8. */
  readonly files: readonly ComparedFile[]
}

/**
 * Compares the wiki at two commits, page by page on demand, so that a wiki of any size takes little memory. Errors:
 * wiki-bad-revision if this clone lacks a commit.
 */
export async function compareCommits({ store }: Wiki, query: CompareCommitsQuery): Promise<ComparedCommits> {
  await store.refresh()
  const { from, to } = await findCommits(store, query)
  const pairs = await pairMoves(store, await store.trees.changesBetween(from, to))
  const pages = pairs.map(pair => changedPage(store, pair))
  return { from, to, pages, changes: listChanges(store, pairs), files: await compareMedia(store, from, to) }
}

/** A page's file before and after, as blobs; null if it does not exist. */
interface FilePair {
  readonly fromPath: string
  readonly toPath: string
  readonly before: string | null
  readonly after: string | null
}

async function* listChanges(store: Store, pairs: readonly FilePair[]): AsyncIterable<PatchedChange> {
  for (const pair of pairs) yield await pageChange(store, pair)
}

/** Pairs a deleted file and a new one with equal or similar text as a moved file. */
async function pairMoves(store: Store, changes: readonly PathChange[]): Promise<FilePair[]> {
  const blobs = new Map(changes.map(({ path, before, after }) => [path, { before, after }]))
  const moves = await similarFiles({
    gone: new Map(changes.flatMap(({ path, before, after }) => (after === null ? [[path, before] as const] : []))),
    come: new Map(changes.flatMap(({ path, before, after }) => (before === null ? [[path, after] as const] : []))),
    goneText: path => textOf(store, path, blobs.get(path)!.before),
    comeText: path => textOf(store, path, blobs.get(path)!.after),
  })
  const sources = new Map([...moves].map(([from, to]) => [to, from]))
  return changes.flatMap(({ path, before, after }): FilePair[] => {
    if (moves.has(path)) return []
    const source = sources.get(path)
    if (source === undefined) return [{ fromPath: path, toPath: path, before, after }]
    return [{ fromPath: source, toPath: path, before: blobs.get(source)!.before, after }]
  })
}

function changedPage(store: Store, { fromPath, toPath, before, after }: FilePair): ChangedPage {
  const hasMoved = fromPath !== toPath
  return {
    kind: hasMoved ? 'moved' : before === null ? 'added' : after === null ? 'deleted' : 'changed',
    title: titleAt(store, toPath),
    path: toPath,
    ...(hasMoved && { from: { title: titleAt(store, fromPath), path: fromPath } }),
  }
}

async function pageChange(store: Store, pair: FilePair): Promise<PatchedChange> {
  const { fromPath, toPath, before, after } = pair
  const [fromText, toText] = [await textOf(store, fromPath, before), await textOf(store, toPath, after)]
  const comparison = compare({ id: 0, text: fromText }, { id: 0, text: toText })
  return {
    ...changedPage(store, pair),
    ...summarizeComparison(comparison, Buffer.byteLength(toText) - Buffer.byteLength(fromText)),
    comparison,
    patch:
      fromPath !== toPath
        ? movePatch(fromText, toText, { fromPath, toPath, isCopy: false })
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
  return isHiddenAt(store, path, blob) ? hiddenText : (await store.bytes(blob, path)).toString('utf8')
}

function titleAt(store: Store, path: string): string {
  try {
    return titleOfPath(path, pathRules(store.config, store.titles))?.title.text ?? path
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return path
    throw error
  }
}
