/**
 * Compares two revisions of a page line by line, as docs/reference/comparison.md describes. Source: MediaWiki REST API
 * reference, "Compare revisions".
 */

import type { Comparison } from '../core/comparison.ts'
import { WikiError } from '../core/errors.ts'
import { unifiedPatch } from '../diff/unified.ts'
import type { Store } from '../store/store.ts'
import { isHidden } from './access/hidden.ts'
import { checkCompared, compare } from './comparing/comparison.ts'
import { type ComparisonSummary, summarizeComparison } from './comparing/comparison-summary.ts'
import { findPage } from './resources/find-page.ts'
import { sourceOfFile } from './resources/source.ts'
import type { Wiki } from './wiki.ts'
import { readWorkText, type WorkText } from './work-tree/work-text.ts'

/** A text that is not a revision, or not yet. */
export interface LooseText {
  readonly text: string
}

/** A revision by its id, a file of the work tree, or any text. */
export type Comparable = number | WorkText | LooseText

export interface CompareQuery {
  readonly from: Comparable
  readonly to: Comparable
  /** Approximate maximum bytes of the comparison as JSON; that of a response if omitted. */
  readonly maxBytes?: number
}

/** One side, before its text is read. `id` is 0 if it is not a revision, `page` null if it belongs to no page. */
interface Side {
  readonly id: number
  readonly page: number | null
  readonly text: () => Promise<string>
}

/**
 * Compares two revisions of one page, in either order. A text that is not a revision has the id 0. Revisions and files are compared by
 * their `source`, so that all offsets lie in the texts that other routes return.
 *
 * Errors: rest-compare-nonexistent, rest-compare-inaccessible, rest-compare-page-mismatch, rest-compare-wrong-content,
 * rest-resource-limit-exceeded.
 */
export async function compareRevisions({ store }: Wiki, query: CompareQuery): Promise<Comparison> {
  await store.refresh()
  const { from, to, fromText, toText } = await sourcesOf(store, query)
  return compare({ id: from.id, text: fromText }, { id: to.id, text: toText })
}

/** UTF-16 units of both texts up to which the main thread is faster than a worker. */
const smallTexts = 20_000

/**
 * Compares as `compareRevisions` does and returns the JSON. Large texts are compared and serialised in a worker if
 * there is one, because transferring the objects would take long. Errors: as `compareRevisions`, and wiki-work-limit.
 */
export async function compareRevisionsAsJson(wiki: Wiki, query: CompareQuery): Promise<string> {
  const { store, client } = wiki
  await store.refresh()
  const { from, to, fromText, toText } = await sourcesOf(store, query)
  checkCompared(fromText, toText)
  const sides = { from: { id: from.id, text: fromText }, to: { id: to.id, text: toText } }
  const workerPool = fromText.length + toText.length > smallTexts ? wiki.workerPool() : null
  const { maxBytes } = query
  if (workerPool === null) return JSON.stringify(compare(sides.from, sides.to, maxBytes))
  return workerPool.run({ task: 'comparison', client, maxBytes, ...sides })
}

/**
 * Compares the latest revision of a page with its file in the work tree.
 *
 * Errors: rest-invalid-title, rest-nonexistent-title, wiki-no-work-tree, wiki-bad-work-file, rest-compare-wrong-content.
 */
export async function compareWork(wiki: Wiki, { title }: { readonly title: string }): Promise<Comparison> {
  await wiki.store.refresh()
  const page = findPage(wiki.store, { title })
  return compareRevisions(wiki, { from: page.latest, to: await readWorkText(wiki.store, page) })
}

/** Computes the statistics of a comparison. Errors: as `compareRevisions`. */
export async function summarizeRevisions(wiki: Wiki, query: CompareQuery): Promise<ComparisonSummary> {
  const comparison = await compareRevisions(wiki, query)
  const { fromText, toText } = await sourcesOf(wiki.store, query)
  return summarizeComparison(comparison, Buffer.byteLength(toText) - Buffer.byteLength(fromText))
}

/**
 * Formats the difference as a patch of the page's file, for `git apply` and `patch`.
 *
 * Errors: as `compareRevisions`.
 */
export async function patchRevisions({ store }: Wiki, query: CompareQuery): Promise<string> {
  await store.refresh()
  const { from, to, fromText, toText } = await textsOf(store, query)
  checkCompared(fromText, toText)
  const path = store.pageById(from.page ?? to.page ?? 0, { deleted: true })?.path ?? 'text'
  return unifiedPatch(fromText, toText, { fromPath: path, toPath: path })
}

interface Texts {
  readonly from: Side
  readonly to: Side
  readonly fromText: string
  readonly toText: string
}

/** The texts as the API returns them. A loose text is one already. */
async function sourcesOf(store: Store, query: CompareQuery): Promise<Texts> {
  const texts = await textsOf(store, query)
  const sourceOf = (side: Comparable, text: string): string =>
    typeof side === 'number' || 'page' in side ? sourceOfFile(text) : text
  return { ...texts, fromText: sourceOf(query.from, texts.fromText), toText: sourceOf(query.to, texts.toText) }
}

/** The texts of the files. */
async function textsOf(store: Store, query: CompareQuery): Promise<Texts> {
  const from = sideOf(store, query.from, 'from')
  const to = sideOf(store, query.to, 'to')
  if (from.page !== to.page && from.page !== null && to.page !== null) throw new WikiError('rest-compare-page-mismatch')
  return { from, to, fromText: await textOf(from, 'from'), toText: await textOf(to, 'to') }
}

function sideOf(store: Store, comparable: Comparable, parameter: 'from' | 'to'): Side {
  if (typeof comparable !== 'number') {
    const page = 'page' in comparable ? comparable.page.id : null
    return { id: 0, page, text: async () => comparable.text }
  }
  const revision = store.revision(comparable, { deleted: true })
  if (revision === undefined) throw new WikiError('rest-compare-nonexistent', { params: [parameter] })
  if (isHidden(revision, 'text')) throw new WikiError('rest-compare-inaccessible', { params: [parameter] })
  return { id: revision.id, page: revision.page, text: () => store.text(revision) }
}

/** A text with a NUL is binary, as in git. */
async function textOf(side: Side, parameter: 'from' | 'to'): Promise<string> {
  const text = await side.text()
  if (text.includes('\0')) throw new WikiError('rest-compare-wrong-content', { params: [parameter] })
  return text
}
