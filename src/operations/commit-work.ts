/** Recording edited files of the work tree as revisions. A plain `git commit` is equally valid. */

import { WikiError } from '../core/errors.ts'
import type { CommitPlan, FileChange } from '../store/entries.ts'
import type { Store } from '../store/store.ts'
import type { WorkTreeChange } from '../store/work-tree.ts'
import { type EditRequest, planOf } from './edit.ts'
import { cleanComment } from './edit-summary.ts'
import { parseWrittenTitle } from './find-page.ts'
import type { Wiki } from './wiki.ts'
import { type TitledChange, titledChanges } from './work-changes.ts'
import { readWorkFile } from './work-text.ts'

export interface CommitWorkRequest extends Omit<EditRequest, 'source' | 'reverts'> {
  /** Pages and files whose changes to record; all of them if omitted or empty. */
  readonly titles?: readonly string[] | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
}

export interface CommittedWork {
  /** What was recorded, in order of the paths. */
  readonly recorded: readonly TitledChange[]
  /** Hash of the commit; null if nothing was to be recorded, and in a dry run. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
}

/**
 * Records edited, added and deleted files as one commit.
 *
 * Errors: edit-conflict for a file that a merge left in conflict, apierror-invalidtitle for a name that makes no title,
 * wiki-title-collision, rest-nonexistent-title for a title without page and change, wiki-no-author,
 * wiki-bad-work-file, and those of the store's commit.
 */
export async function commitWork({ store }: Wiki, request: CommitWorkRequest): Promise<CommittedWork> {
  await store.refresh()
  if (request.dryRun) return { recorded: await chosenChanges(store, request), commit: null, leftAlone: [] }
  let recorded: readonly TitledChange[] = []
  const committed = await store.commit(async () => {
    recorded = await chosenChanges(store, request)
    return recorded.length === 0 ? null : recordingPlan(store, recorded, request)
  })
  return { recorded, ...committed }
}

async function chosenChanges(store: Store, { titles = [] }: CommitWorkRequest): Promise<readonly TitledChange[]> {
  const changes = titledChanges(store, await store.workTreeChanges())
  const keys = new Set(titles.map(title => keyOf(store, title, changes)))
  const chosen = titles.length === 0 ? changes : changes.filter(({ key }) => key !== null && keys.has(key))
  for (const change of chosen) checkRecordable(store, change)
  return chosen
}

/** A title must mean something: a page, or a file that is new. */
function keyOf(store: Store, title: string, changes: readonly TitledChange[]): string {
  const { key } = parseWrittenTitle(title, store.titles)
  const isKnown = store.findPage(key) ?? store.findFile(key) ?? changes.find(change => change.key === key)
  if (isKnown === undefined) throw new WikiError('rest-nonexistent-title', { params: [title] })
  return key
}

function checkRecordable(store: Store, { path, kind, key, problem }: TitledChange): void {
  if (kind === 'conflicted') {
    throw new WikiError('edit-conflict', { params: [path], hint: `Resolve it, then: git add -- "${path}"` })
  }
  if (key === null && kind === 'added') {
    throw new WikiError('apierror-invalidtitle', { params: [path, problem ?? ''], hint: 'Give the file another name' })
  }
  const holder = kind === 'added' && key !== null ? store.findPage(key) : undefined
  if (holder !== undefined && holder.path !== path) {
    throw new WikiError('wiki-title-collision', { params: [path, holder.path] })
  }
}

async function recordingPlan(
  store: Store,
  recorded: readonly TitledChange[],
  request: CommitWorkRequest,
): Promise<CommitPlan> {
  const changes: FileChange[] = []
  for (const change of recorded) changes.push({ path: change.path, content: await contentOf(store, change) })
  return planOf(request, { changes, comment: cleanComment(request.comment ?? ''), subject: subjectOf(recorded) })
}

async function contentOf(store: Store, { path, kind }: WorkTreeChange): Promise<Buffer | null> {
  return kind === 'deleted' ? null : readWorkFile(store, path)
}

const verbs: Readonly<Record<WorkTreeChange['kind'], string>> = {
  added: 'Create',
  modified: 'Edit',
  deleted: 'Delete',
  conflicted: 'Edit',
}

function subjectOf(recorded: readonly TitledChange[]): string {
  const [only, ...more] = recorded
  return more.length === 0 ? `${verbs[only!.kind]} ${only!.title ?? only!.path}` : `Edit ${recorded.length} pages`
}
