/**
 * Finds the text that an edit is based on. Clients name it by the id of a revision. A pull may reassign a provisional id, and
 * another branch may have given the id to another revision. Each revision that has had the id is then a possible base.
 */

import { WikiError } from '../../core/errors.ts'
import type { PageEntry, RevisionEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { isHiddenText } from '../access/hidden.ts'

/** The base revision in an edit request. */
export interface NamedBase {
  readonly id: number
  /** Commit of that revision, if the caller knows it. No other revision is then considered. */
  readonly commit?: string | undefined
}

/** A text that an edit may be based on. */
export interface BaseText {
  /** Blob of the text. */
  readonly blob: string
  /** A revision with that text; null if the page has none any more. */
  readonly revision: RevisionEntry | null
}

/** Returns the texts of a page that an edit may be based on, each once; empty if the page has no such revision. */
export function baseTexts(store: Store, page: PageEntry, { id, commit }: NamedBase): BaseText[] {
  if (commit !== undefined) return unique([revisionOfCommit(store, page, commit)])
  const present = store.revision(id)
  const others = [...store.formerRevisions(id), ...store.revisionsOnLeftBranches(id)]
  const former = others.map(({ commit, blob, key }): BaseText | undefined => {
    const revision = revisionOfCommit(store, page, commit)
    // If the page has had another title since, only its commit identifies it.
    return revision ?? (key === page.key && isGone(store, commit) ? lostText(store, page, { commit, blob }) : undefined)
  })
  return unique([present?.page === page.id ? { blob: present.blob, revision: present } : undefined, ...former])
}

function unique(texts: readonly (BaseText | undefined)[]): BaseText[] {
  const found = new Map<string, BaseText>()
  for (const text of texts) if (text !== undefined && !found.has(text.blob)) found.set(text.blob, text)
  return [...found.values()]
}

function revisionOfCommit(store: Store, page: PageEntry, commit: string): BaseText | undefined {
  const revision = store.commits(commit).find(made => made.page === page.id)
  return revision && { blob: revision.blob, revision }
}

function isGone(store: Store, commit: string): boolean {
  return store.commits(commit).length === 0
}

/** A rebase creates new commits of the same texts. */
function lostText(store: Store, page: PageEntry, { commit, blob }: { commit: string; blob: string }): BaseText {
  if (isHiddenText(store, commit, blob)) throw new WikiError('edit-conflict', { params: [page.title] })
  for (const revision of store.revisionsOf(page)) if (revision.blob === blob) return { blob, revision }
  return { blob, revision: null }
}

/** Throws `edit-conflict` if the id of a page's latest revision may name another text of the page, which a client has read. */
export function checkCertain(store: Store, { id }: Pick<RevisionEntry, 'id'>): void {
  const revision = store.revision(id)
  const page = revision && store.pageById(revision.page)
  if (page !== undefined && baseTexts(store, page, { id }).length > 1) throw uncertainBase(page, id)
}

/**
 * Creates the error for a base that is not a revision of the page. MediaWiki reports an edit conflict, but nobody has changed the page, and
 * there are no differences to show.
 */
export function foreignBase(store: Store, page: Pick<PageEntry, 'title'>, id: number): WikiError {
  const hint = 'Read the page again: its latest revision is the base of an edit'
  return store.revision(id, { deleted: true }) === undefined
    ? new WikiError('rest-nonexistent-revision', { params: [id], hint })
    : new WikiError('rest-nonexistent-title-revision', { params: [id, page.title], hint })
}

/** Creates the error for an edit whose base is unknown. It is never saved on a guess. */
export function uncertainBase(page: PageEntry, id: number): WikiError {
  return new WikiError('edit-conflict', {
    params: [page.title],
    hint: `Since git pulled, rewrote commits or switched branches, ${id} names another revision. Read the page again and send its ETag as If-Match, or name the commit: --base <commit>`,
  })
}

/** Newest revisions of a page in which a text is searched for. */
const searched = 1000

/** Returns the newest revision of a page with this text: the hash of its blob, or the beginning of it. */
export function revisionOfText(store: Store, key: string, blob: string): RevisionEntry | undefined {
  const page = store.findPage(key)
  let left = searched
  for (const revision of page === undefined ? [] : store.revisionsOf(page)) {
    if (revision.blob.startsWith(blob)) return revision
    if (--left === 0) break
  }
  return undefined
}
