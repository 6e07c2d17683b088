/** Parts common to all writes: the request, the author, and the result. */

import { type ContentModel, isContentModel } from '../../core/content-models.ts'
import { WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import type { Title } from '../../core/title.ts'
import type { Author, CommitPlan, Committed, FileChange, PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { retryIfDamaged } from '../access/damaged-index.ts'

/** Author and reason of a change. */
export interface ChangeRequest {
  /** Edit summary. If null or empty, the operation generates one. */
  readonly comment: string | null
  readonly author: Author
  /** Author time; now if omitted. */
  readonly time?: Date | undefined
}

/** A text to save. */
export interface EditRequest extends ChangeRequest {
  readonly source: string
  readonly minor?: boolean | undefined
  readonly bot?: boolean | undefined
  /** Hash of the commit that this edit reverts. */
  readonly reverts?: string | undefined
}

/** User and MediaWiki: namespaces in which the extension in a title determines the content model. */
const namespacesWithCode: ReadonlySet<number> = new Set([2, 8])
const modelsByEnding: readonly [ending: string, model: ContentModel][] = [
  ['.css', 'css'],
  ['.js', 'javascript'],
  ['.json', 'json'],
]

/** MediaWiki's content model for a removed extension. It has a name, but its texts cannot be saved. */
const uneditableModel = 'unknown'

/** Checks the name of a content model; null if none is named. Errors: rest-bad-content-model, apierror-no-direct-editing. */
export function namedModel(name: string | null | undefined): ContentModel | null {
  if (name === null || name === undefined || name === '') return null
  if (isContentModel(name)) return name
  const key = name === uneditableModel ? 'apierror-no-direct-editing' : 'rest-bad-content-model'
  throw new WikiError(key, { params: [name] })
}

/**
 * Returns the default content model of a new page: code where MediaWiki has code, Markdown in a Markdown wiki.
 * Templates are always wikitext.
 */
export function defaultModel(title: Title, store: Store): ContentModel {
  const model = modelOfTitle(title)
  if (model !== 'wikitext') return model
  return title.namespace !== namespaceIds.template && isMarkdownWiki(store) ? 'markdown' : 'wikitext'
}

/** Returns the content model that MediaWiki gives to a title. Source: MediaWiki ContentHandler::getDefaultModelFor. */
export function modelOfTitle(title: Title): ContentModel {
  if (!namespacesWithCode.has(title.namespace)) return 'wikitext'
  return modelsByEnding.find(([ending]) => title.name.endsWith(ending))?.[1] ?? 'wikitext'
}

/** Number of pages examined to find the main content model of a wiki. */
const maxExamined = 500

/** Returns true if most of the first pages, by title, are Markdown. */
function isMarkdownWiki(store: Store): boolean {
  let [markdown, wikitext, count] = [0, 0, 0]
  for (const { model } of store.pages()) {
    if (model === 'markdown') markdown++
    else if (model === 'wikitext') wikitext++
    if (++count === maxExamined) break
  }
  return markdown > wikitext
}

/** Completes the plan of a write. Errors: wiki-no-author. */
export function planOf(
  request: ChangeRequest & Partial<EditRequest>,
  change: { readonly changes: readonly FileChange[]; readonly comment: string; readonly subject: string },
): CommitPlan {
  const { author, minor = false, bot = false, time, reverts } = request
  if (author.name.trim() === '') throw new WikiError('wiki-no-author')
  return {
    ...change,
    author,
    minor,
    bot,
    ...(time !== undefined && { time }),
    ...(reverts !== undefined && { reverts }),
  }
}

/** A page and its revision in a commit. */
export interface CommittedPage {
  readonly page: PageEntry
  readonly revision: RevisionEntry
}

/** Finds the page with a key, and its revision, after a commit; null if nothing was committed. Errors: those of `readSaved`. */
export async function committedPage(store: Store, { commit }: Committed, key: string): Promise<CommittedPage | null> {
  return commit === null ? null : readSaved(store, commit, () => revisionOf(store, commit, key))
}

/**
 * Finds the result of a commit. If the index could not follow the branch, for example because git was packing, or is
 * damaged, it is retried once, because the client must not repeat the write. Errors: wiki-saved-unread, whose cause is
 * the failure; wiki-taken-out if the branch has lost the commit since.
 */
export async function readSaved<Found extends object>(
  store: Store,
  commit: string,
  find: () => Found | undefined,
): Promise<Found> {
  let cause: unknown
  const ask = async () => {
    await store.refresh({ force: true })
    return find()
  }
  const found = await retryIfDamaged(store, ask).catch(error => {
    cause = error
  })
  if (found) return found
  const isTakenOut = cause === undefined && !store.hasCommit(commit)
  throw new WikiError(isTakenOut ? 'wiki-taken-out' : 'wiki-saved-unread', {
    params: [commit],
    cause,
    ...(isTakenOut && { hint: `Bring it back: wiki restore ${commit.slice(0, 12)}` }),
  })
}

function revisionOf(store: Store, commit: string, key: string): CommittedPage | undefined {
  const page = store.findPage(key)
  if (page === undefined) return undefined
  // Another user's commit may have followed already.
  for (const revision of store.revisionsOf(page)) if (revision.commit === commit) return { page, revision }
  return undefined
}
