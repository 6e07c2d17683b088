/** Merges an edited work-tree file with newer edits on the branch, or explains why that is impossible. */

import { isUtf8 } from 'node:buffer'
import { WikiError } from '../../core/errors.ts'
import { commonEnd, withLineEndsOf, withPlainEnds } from '../../core/line-ends.ts'
import { pathArgument, pathspecArgument, titleArgument } from '../../core/shell-quote.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { isHidden } from '../access/hidden.ts'
import { editConflict } from '../comparing/edit-conflict.ts'
import { mergeEdits } from '../comparing/merge-edits.ts'
import { latestOf } from '../resources/find-page.ts'
import { fileOfSource } from '../resources/source.ts'
import { madeFrom, type WorkBase } from './work-base.ts'
import type { TitledChange } from './work-changes.ts'

/** A file of the work tree under the title of its page. */
export type Changed = Pick<TitledChange, 'path' | 'title'>

/** A file that is behind. */
export interface BehindFile extends WorkBase {
  /** Null if it is deleted. */
  readonly file: Buffer | null
}

/** Returns the merged file, or the error that prevents committing it: edit-conflict or wiki-behind. */
export async function mergeWork(
  store: Store,
  change: Changed,
  behind: BehindFile,
): Promise<{ readonly content: Buffer } | { readonly error: WikiError }> {
  const { file, base, latest } = behind
  const found = find(store, change, behind)
  const { page, made } = found
  if (file === null || base === null || latest === null || page === undefined || made?.page !== page.id)
    return { error: collision(found) }
  const blobs = [await store.bytes(base), file, await store.bytes(latest)]
  if (!blobs.every(isUtf8)) return { error: collision(found) }
  const texts = blobs.map(blob => blob.toString('utf8')) as [string, string, string]
  const [from, submitted, current] = texts.map(fileOfSource) as [string, string, string]
  const { merge: policy, limits } = store.config
  const edits = { base: from, submitted, current, policy, model: page.model, limit: limits.source }
  const merged = mergeEdits(edits)
  if ('text' in merged)
    return { content: merged.text === submitted ? file : Buffer.from(withMergedEnds(texts, merged.text)) }
  // The differences would show a hidden text.
  if ([made, latestOf(store, page)].some(revision => isHidden(revision, 'text'))) return { error: collision(found) }
  return { error: editConflict(page, made, merged, resolveHint(page, change.path)) }
}

/** Gives a merged text the characters and line ends of the file, or the line ends of the latest text if only that has others. */
function withMergedEnds([base, file, latest]: readonly [string, string, string], merged: string): string {
  const text = withLineEndsOf(file, merged)
  const [before, mine, theirs] = [base, file, latest].map(commonEnd)
  return theirs == null || mine !== before || mine === theirs ? text : withPlainEnds(text).replaceAll('\n', theirs)
}

/**
 * Returns the revision that a file is based on, if it belongs to the page at its path. Throws wiki-behind if the page
 * was created, moved or deleted meanwhile.
 */
export function checkedBase(store: Store, change: Changed, behind: BehindFile): RevisionEntry {
  const found = find(store, change, behind)
  if (found.page === undefined || found.made?.page !== found.page.id) throw collision(found)
  return found.made
}

/**
 * Creates the error for a file that equals an older text of the page: only its author knows whether that text should
 * return.
 */
export function unedited(store: Store, change: Changed, behind: BehindFile): WikiError {
  const { page, made } = find(store, change, behind)
  return new WikiError('wiki-behind', {
    params: [change.path, `it is the text of revision ${made?.id}, and others have saved newer ones`],
    hint: `To take the latest: git checkout HEAD -- ${pathspecArgument(change.path)}; to return to this one: wiki page edit ${titleArgument(page?.title ?? '')} --base ${page?.latest} -f ${pathArgument(change.path)}`,
    data: { path: change.path, base: made?.id ?? null, current: page?.latest ?? null },
  })
}

function find(store: Store, change: Changed, behind: BehindFile): UnmergeableFile {
  const { base, latest } = behind
  const page = latest === null ? undefined : store.pageAtPath(change.path)
  const made = base === null ? undefined : madeFrom(store, page, base)
  return { change, behind, page, made, moved: movedPage(store, made, page) }
}

/** A file that cannot be merged, and the state of the branch at its path. */
interface UnmergeableFile {
  readonly change: Changed
  readonly behind: BehindFile
  /** The page at the file's path. */
  readonly page: PageEntry | undefined
  /** The revision that the file is based on. */
  readonly made: RevisionEntry | undefined
  /** The page that the file is based on, if it now has another path. */
  readonly moved: PageEntry | undefined
}

function movedPage(store: Store, made: RevisionEntry | undefined, page: PageEntry | undefined): PageEntry | undefined {
  return made === undefined || made.page === page?.id ? undefined : store.pageById(made.page)
}

/** Creates the error for a file that cannot be merged with the branch. */
function collision(found: UnmergeableFile): WikiError {
  const { change, made, page } = found
  const [reason, hint] = reasonOf(found)
  const data = { path: change.path, base: made?.id ?? null, current: page?.latest ?? null }
  return new WikiError('wiki-behind', { params: [change.path, reason], hint, data })
}

function reasonOf({ change, behind, page, made, moved }: UnmergeableFile): [reason: string, hint: string] {
  const { path } = change
  const [title, file] = [titleArgument(change.title ?? path), pathArgument(path)]
  const takeTheirs = `To take theirs: git checkout HEAD -- ${pathspecArgument(path)}`
  if (moved !== undefined)
    return [
      `the page is now "${moved.title}"`,
      `Save your text there: wiki page edit ${titleArgument(moved.title)} --base ${made?.id} -f ${file}; then remove the file`,
    ]
  if (behind.latest === null)
    return ['somebody else deleted it', `Remove the file, or create it again: wiki page create ${title} -f ${file}`]
  if (behind.file === null) return ['it is deleted here, but somebody else edited it', takeTheirs]
  if (behind.base === null)
    return ['somebody else created it, too', `Move the file away, and put both together: wiki page edit ${title}`]
  if (page === undefined)
    return ['somebody else replaced it, and it is not text', `${takeTheirs}; or keep yours: wiki file add ${file}`]
  return ['it cannot be merged with the newer edits', resolveHint(page, path)]
}

/** A user who has merged both edits by hand names the latest revision as the base. */
function resolveHint({ title, latest }: PageEntry, path: string): string {
  return `Put both edits together in the file, then: wiki page edit ${titleArgument(title)} --base ${latest} -f ${pathArgument(path)}`
}

/** A change that cannot be recorded. */
export interface Refused {
  readonly path: string
  readonly error: WikiError
}

/** Throws one error that names every file that cannot be recorded; does nothing if there is none. */
export function throwRefused(refused: readonly Refused[]): void {
  const [first, ...more] = refused
  if (first === undefined) return
  if (more.length === 0) throw first.error
  throw new WikiError('wiki-behind', {
    params: [refused.map(({ path }) => path).join(', '), 'others have saved newer edits that conflict with yours'],
    hint: 'Commit one at a time to see how to resolve it: wiki commit <title>',
    data: { conflicts: refused.map(({ path, error }) => ({ path, ...error.data })) },
  })
}
