/** Replaces a text, or the matches of a pattern, on many pages in one commit. */

import { WikiError } from '../core/errors.ts'
import { unifiedPatch } from '../diff/unified.ts'
import { patternReplacer } from '../search/query/pattern.ts'
import type { FileChange, PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { openRewriteCheck, type RewriteCheck } from './access/filtered-text.ts'
import { isHidden } from './access/hidden.ts'
import { type ChangeRequest, planOf, readSaved } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { latestOf } from './resources/find-page.ts'
import { readSearch } from './searching/search-request.ts'
import type { Wiki } from './wiki.ts'

export interface ReplaceRequest extends ChangeRequest {
  readonly find: string
  readonly replacement: string
  /** True if `find` is a pattern of RE2. */
  readonly isPattern?: boolean | undefined
  readonly ignoreCase?: boolean | undefined
  /** Id of the namespace of the pages; all namespaces if omitted. */
  readonly namespace?: number | undefined
  /** Search query that pages must match; all pages if omitted. */
  readonly search?: string | undefined
  readonly minor?: boolean | undefined
  readonly bot?: boolean | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Result of an earlier dry run. Pages that have changed since are not written. */
  readonly planned?: ReplacedText | undefined
}

/** A page whose text changes. */
export interface ReplacedPage {
  readonly key: string
  readonly title: string
  /** Number of matches. */
  readonly count: number
  /** Hash of the revision's blob that was read. */
  readonly blob: string
}

export interface ReplacedText {
  readonly pages: readonly ReplacedPage[]
  /** Titles of matching pages that cannot be changed: not UTF-8, or too large after the replacement. */
  readonly unread: readonly string[]
  /** Hash of the commit; null in a dry run, and if nothing matches. */
  readonly commit: string | null
  /** Difference as a patch; only in a dry run. */
  readonly patch?: string
  readonly leftAlone: readonly string[]
}

/** Maximum pages that a search may return. */
const maxFound = 100_000

/**
 * Replaces a text on all pages, or on those of a namespace or a search. Pages with hidden text are skipped. Errors:
 * wiki-bad-pattern, missingparam, wiki-no-author; edit-conflict if a page has changed since the dry run; those of the store's
 * commit.
 */
export async function replaceText(wiki: Wiki, request: ReplaceRequest): Promise<ReplacedText> {
  const { store } = wiki
  if (request.find === '') throw new WikiError('missingparam', { params: ['find'] })
  await store.refresh()
  const found = await findReplacements(wiki, request)
  const { pages, unread } = found
  if (request.dryRun) return { pages, unread, commit: null, patch: found.patch(), leftAlone: [] }
  let done = found
  const committed = await store.commit(async () => {
    if (store.tip !== found.tip) done = await findReplacements(wiki, request)
    checkPlanned(done.pages, request.planned)
    if (done.changes.length === 0) return null
    return planOf(request, {
      changes: done.changes,
      comment: cleanComment(request.comment ?? ''),
      subject: `Replace ${request.find.slice(0, 100)} by ${request.replacement.slice(0, 100)}`.replace(/\s+/g, ' '),
    })
  })
  if (committed.commit !== null) await readSaved(store, committed.commit, () => ({ tip: store.tip }))
  return { pages: done.pages, unread: done.unread, commit: committed.commit, leftAlone: committed.leftAlone }
}

function checkPlanned(pages: readonly ReplacedPage[], planned: ReplacedText | undefined): void {
  if (planned === undefined) return
  const blobs = new Map(planned.pages.map(({ key, blob }) => [key, blob]))
  const moved =
    pages.find(({ key, blob }) => blobs.get(key) !== blob) ??
    planned.pages.find(({ key }) => !pages.some(page => page.key === key))
  if (moved === undefined) return
  throw new WikiError('edit-conflict', {
    params: [moved.title],
    hint: 'Nothing was replaced. Review the difference again',
  })
}

interface Replacements {
  readonly tip: string | null
  readonly pages: readonly ReplacedPage[]
  readonly unread: readonly string[]
  readonly changes: readonly FileChange[]
  readonly patch: () => string
}

async function findReplacements(wiki: Wiki, request: ReplaceRequest): Promise<Replacements> {
  const check = await openRewriteCheck(wiki.store, !request.dryRun)
  return findWith(check, wiki, request).finally(check.end)
}

async function findWith(check: RewriteCheck, wiki: Wiki, request: ReplaceRequest): Promise<Replacements> {
  const { store } = wiki
  const { find, replacement, isPattern = false, ignoreCase = false } = request
  const replace = patternReplacer({ find, isPattern, ignoreCase }, replacement)
  const asked = await pagesAsked(wiki, request)
  const { tip } = store
  const pages: ReplacedPage[] = []
  const unread: string[] = []
  const changes: FileChange[] = []
  const patches: (() => string)[] = []
  const left = asked.values()
  for await (const [revision, text] of store.presentTexts(asked.map(page => latestOf(store, page)))) {
    const { key, title, path } = left.next().value as PageEntry
    if (text === null) {
      unread.push(title)
      continue
    }
    const replaced = replace(text)
    if (replaced.count === 0 || replaced.text === text) continue
    const { blob } = revision
    if (isTooLarge(store, text, replaced.text) || !(await check.isRewritable({ path, blob }, text))) {
      unread.push(title)
      continue
    }
    pages.push({ key, title, count: replaced.count, blob })
    changes.push({ path, content: Buffer.from(replaced.text), isBlob: true })
    patches.push(() => unifiedPatch(text, replaced.text, { fromPath: path, toPath: path }))
  }
  return { tip, pages, unread, changes, patch: () => patches.map(write => write()).join('') }
}

function isTooLarge(store: Store, text: string, replaced: string): boolean {
  return Buffer.byteLength(replaced) > Math.max(store.config.limits.source, Buffer.byteLength(text))
}

async function pagesAsked(wiki: Wiki, { namespace, search }: ReplaceRequest): Promise<PageEntry[]> {
  const { store } = wiki
  const found = search === undefined ? null : await idsFound(wiki, search)
  const isAsked = (page: PageEntry) =>
    (namespace === undefined || page.namespace === namespace) &&
    (found === null || found.has(page.id)) &&
    !isHidden(latestOf(store, page), 'text')
  return [...store.pages()].filter(isAsked)
}

/** Uses only pages that match the whole query, without the relaxed matches of a search for readers. */
async function idsFound(wiki: Wiki, q: string): Promise<ReadonlySet<number>> {
  const request = readSearch({ q }, wiki.store, await wiki.language())
  if (request.query.filters.some(({ kind }) => kind === 'source'))
    throw new WikiError('wiki-usage', {
      params: ['insource: cannot select pages here'],
      hint: 'Use a pattern that contains the whole condition',
    })
  const answer = await wiki.search(({ index }) =>
    index.search(request.query, { ...request, limit: maxFound, any: false }),
  )
  return new Set(answer.mode === 'all' ? answer.hits.map(({ id }) => id) : [])
}
