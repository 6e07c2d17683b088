/** Comparing two revisions of a page line by line. Source: SPEC 4.21, REST.md 10, DIFF.md 1. */

import type { ComparedRevision, Comparison } from '../core/comparison.ts'
import { WikiError } from '../core/errors.ts'
import { compareTexts } from '../diff/compare-texts.ts'
import { listSections } from '../diff/sections.ts'
import type { Store } from '../store/store.ts'
import { findPage } from './find-page.ts'
import { isHidden } from './hidden.ts'
import type { Wiki } from './wiki.ts'
import { readWorkText, type WorkText } from './work-text.ts'

/** A revision by its id, or what lies in the work tree. */
export type Comparable = number | WorkText

export interface CompareQuery {
  readonly from: Comparable
  readonly to: Comparable
}

/** One side, before its text is read. `id` is 0 for the work tree. */
interface Side {
  readonly id: number
  readonly page: number
  readonly text: () => Promise<string>
}

/**
 * Compares two revisions of one page, in either order; a text of the work tree has the id 0.
 *
 * Errors: rest-compare-nonexistent, rest-compare-inaccessible, rest-compare-page-mismatch, rest-compare-wrong-content.
 */
export async function compareRevisions({ store }: Wiki, query: CompareQuery): Promise<Comparison> {
  await store.refresh()
  const from = sideOf(store, query.from, 'from')
  const to = sideOf(store, query.to, 'to')
  if (from.page !== to.page) throw new WikiError('rest-compare-page-mismatch')
  const fromText = await textOf(from, 'from')
  const toText = await textOf(to, 'to')
  return {
    from: compared(from, fromText),
    to: compared(to, toText),
    diff: fromText === toText ? [] : compareTexts(fromText, toText),
  }
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

function sideOf(store: Store, comparable: Comparable, parameter: 'from' | 'to'): Side {
  if (typeof comparable !== 'number') {
    return { id: 0, page: comparable.page.id, text: async () => comparable.text }
  }
  const revision = store.revision(comparable)
  if (revision === undefined) throw new WikiError('rest-compare-nonexistent', { params: [parameter] })
  if (isHidden(revision, 'text')) throw new WikiError('rest-compare-inaccessible', { params: [parameter] })
  return { id: revision.id, page: revision.page, text: () => store.text(revision) }
}

/** A text with a NUL is none: git takes such a file for binary, too. */
async function textOf(side: Side, parameter: 'from' | 'to'): Promise<string> {
  const text = await side.text()
  if (text.includes('\0')) throw new WikiError('rest-compare-wrong-content', { params: [parameter] })
  return text
}

function compared({ id }: Side, text: string): ComparedRevision {
  return { id, slot_role: 'main', sections: listSections(text) }
}
