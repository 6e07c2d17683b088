/** Finds the text that an edited work-tree file is based on, and whether the branch has moved on since. */

import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import { hashBlob } from '../../store/git/objects.ts'
import type { Store } from '../../store/store.ts'
import type { WorkTrace } from '../../store/work-tree/work-trace.ts'
import { comesFromNewer } from '../comparing/word-bag.ts'

/** A file of the work tree; null if it is deleted. */
export interface WorkFile {
  readonly path: string
  readonly content: Buffer | null
}

/** Blobs; null if there is no file. */
export interface WorkBase {
  /** Text that the file is based on. */
  readonly base: string | null
  /** The branch's text. */
  readonly latest: string | null
}

/** Ids of revisions; null if there was no page, or if it was deleted. */
export interface Behind {
  /** The revision that the file is based on. */
  readonly base: number | null
  /** The page's latest revision. */
  readonly latest: number | null
}

/**
 * Finds the text that a file is based on. If two are possible, the older one is used, because merging with it loses
 * nothing.
 */
export async function workBase(store: Store, file: WorkFile, trace: WorkTrace): Promise<WorkBase> {
  const { latest } = trace
  for (const [at, { from, to }] of trace.passed.entries()) {
    const isSeen = at < trace.passed.length - 1 || trace.isSeen
    if (!isSeen || !(await knows(store, file.content, { from, to, latest }))) return { base: from, latest }
  }
  return { base: await baseInIndex(store, file, { entry: trace.entry, latest }), latest }
}

/**
 * Returns true if git's index shows that a file at the branch's state is based on that text, or if the branch has
 * dropped the later edits.
 */
async function knows(
  store: Store,
  content: Buffer | null,
  { from, to, latest }: { from: string | null; to: string | null; latest: string | null },
): Promise<boolean> {
  if (content === null || latest === from) return true
  const textOf = async (blob: string | null) => (blob === null ? '' : (await store.bytes(blob)).toString())
  const [older, newer] = [await textOf(from), await textOf(to).catch(() => null)]
  // Git may have pruned objects that left the branch.
  if (newer === null) return false
  if (comesFromNewer(content.toString(), older, newer)) return true
  return latest !== to && !comesFromNewer(await textOf(latest), older, newer)
}

/** Git's index contains the text that the file is based on, unless the user staged another one. */
async function baseInIndex(
  store: Store,
  { path, content }: WorkFile,
  { entry, latest }: { entry: string | null; latest: string | null },
): Promise<string | null> {
  if (entry === latest || latest === null) return latest
  // A page pushed by others looks like one that was deleted here with `git rm`.
  if (entry === null) return content !== null || (await store.checkout.isFromElsewhere(path, latest)) ? null : latest
  const page = store.pageAtPath(path)
  return page !== undefined && revisionWith(store, page, entry) !== undefined ? entry : latest
}

/** Returns the newest revision of a page with a given text. */
export function revisionWith(store: Store, page: PageEntry, blob: string): RevisionEntry | undefined {
  for (const revision of store.revisionsOf(page)) if (revision.blob === blob) return revision
  return undefined
}

/** Returns true if the branch has a text that the file does not include. */
export function isBehind({ base, latest }: WorkBase, content: Buffer | null): boolean {
  return base !== latest && (content === null ? null : hashBlob(content)) !== latest
}

/** Returns the revision that a file is based on, and the latest one of its page. */
export function behindOf(store: Store, path: string, { base, latest }: WorkBase): Behind {
  const page = latest === null ? undefined : store.pageAtPath(path)
  const made = base === null ? undefined : madeFrom(store, page, base)
  return { base: made?.id ?? null, latest: page?.latest ?? null }
}

/**
 * Finds the revision of a text. If the page was moved or deleted since, all revisions are searched, and a text of
 * several pages identifies none.
 */
export function madeFrom(store: Store, page: PageEntry | undefined, blob: string): RevisionEntry | undefined {
  const own = page && revisionWith(store, page, blob)
  if (own !== undefined) return own
  let found: RevisionEntry | undefined
  for (const revision of store.allRevisions()) {
    if (revision.blob !== blob) continue
    if (found !== undefined && found.page !== revision.page) return undefined
    found ??= revision
  }
  return found
}
