/** Records edited files of the work tree as revisions. A plain `git commit` is equally valid. */

import { isUtf8 } from 'node:buffer'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { placesIn } from '../checks/line-column.ts'
import { findConflictMarkers } from '../checks/text-checks.ts'
import { modelOfPath } from '../core/content-models.ts'
import { WikiError } from '../core/errors.ts'
import { unsayable } from '../core/line-ends.ts'
import { pathspecArgument } from '../core/shell-quote.ts'
import type { Title } from '../core/title.ts'
import type { CommitPlan, FileChange } from '../store/format/entries.ts'
import { hashBlob } from '../store/git/objects.ts'
import type { Store } from '../store/store.ts'
import type { WorkTrace } from '../store/work-tree/work-trace.ts'
import type { WorkTreeChange } from '../store/work-tree/work-tree.ts'
import { type EditRequest, planOf } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { emptyText } from './editing/empty-text.ts'
import { latestOf, parseWrittenTitle, writtenTitle } from './resources/find-page.ts'
import { checkCharacters } from './resources/source.ts'
import type { Wiki } from './wiki.ts'
import { staleTextError } from './work-tree/stale-text.ts'
import { type Behind, behindOf, isBehind, workBase } from './work-tree/work-base.ts'
import { type TitledChange, titledChanges } from './work-tree/work-changes.ts'
import { mergeWork, type Refused, throwRefused, unedited } from './work-tree/work-merge.ts'
import { readWorkFile } from './work-tree/work-text.ts'

export interface CommitWorkRequest extends Omit<EditRequest, 'source' | 'reverts'> {
  /** Pages and files whose changes to record; all of them if omitted or empty. */
  readonly titles?: readonly string[] | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Also records files without visible characters, which are otherwise refused. */
  readonly allowEmpty?: boolean | undefined
  /** Also records texts with conflict markers. */
  readonly allowMarkers?: boolean | undefined
}

/** A change that is recorded. */
export interface RecordedChange extends TitledChange {
  /** Revisions of others that the file did not include and was merged with; missing if there are none. */
  readonly merged?: Behind
}

export interface CommittedWork {
  /** Recorded changes, in order of the paths. */
  readonly recorded: readonly RecordedChange[]
  /** Hash of the commit; null if nothing had to be recorded, and in a dry run. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
  /** Paths of outdated files without changes of their own. They are not recorded. */
  readonly outdated: readonly string[]
  /** New files with names of conflict copies. They are recorded only if their titles are given. */
  readonly copies: readonly TitledChange[]
}

/** A change and the content that the branch gets. */
interface WorkEdit {
  readonly change: RecordedChange
  /** The current file; null if it is deleted. */
  readonly file: Buffer | null
  /** Content to record: the file, if necessary merged with newer edits of others; null for a deleted file. */
  readonly content: Buffer | null
  /** True if the branch has the content already. */
  readonly isOutdated: boolean
}

/**
 * Records edited, added and deleted files as one commit. A file based on an older text than the branch's is merged with
 * the newer edits, in the branch and in the work tree. If one file cannot be merged, nothing is recorded. Errors:
 * edit-conflict for a file whose edits conflict (its data are the two differences), that a git merge left in conflict,
 * or whose text has conflict markers; wiki-behind for a file that cannot be merged at all, apierror-invalidtitle for a
 * name that is not a valid title, wiki-title-collision, rest-nonexistent-title for a title without page and change,
 * wiki-empty-text, wiki-bad-character, wiki-no-author, wiki-bad-work-file, and those of the store's commit.
 */
export async function commitWork({ store }: Wiki, request: CommitWorkRequest): Promise<CommittedWork> {
  await store.refresh()
  if (store.operation() === 'merge') return commitMerge(store, request)
  if (request.dryRun) {
    const { edits, copies } = await chosenEdits(store, request)
    return { ...changesOf(edits), copies, commit: null, leftAlone: [] }
  }
  await store.checkout.settleBases()
  let changes = changesOf([])
  let copies: readonly TitledChange[] = []
  const committed = await store.commit(async () => {
    const chosen = await store.checkout.whenFollowed(() => chosenEdits(store, request))
    const { edits } = chosen
    copies = chosen.copies
    changes = changesOf(edits)
    return changes.recorded.length === 0 ? null : recordingPlan(edits, changes.recorded, request)
  })
  return { ...changes, copies, ...committed }
}

/**
 * Records a git merge with resolved conflicts. All its files are recorded at once, because git can only commit them
 * together.
 */
async function commitMerge(store: Store, request: CommitWorkRequest): Promise<CommittedWork> {
  if ((request.titles ?? []).length > 0) {
    const hint = 'Git records a merge as a whole: wiki commit without titles'
    throw new WikiError('wiki-repository-busy', { params: ['merge'], hint })
  }
  const recorded = titledChanges(store, await store.checkout.written(!request.dryRun).changes())
  for (const change of recorded) await checkSettled(store, change, request)
  const done = { recorded, outdated: [], copies: [], leftAlone: [] }
  if (request.dryRun) return { ...done, commit: null }
  const message = cleanComment(request.comment ?? '')
  const paths = recorded.map(({ path }) => path)
  return { ...done, commit: await store.finishMerge({ paths, message, author: request.author }) }
}

/** Throws if a file has visible unresolved conflicts. */
async function checkSettled(store: Store, change: TitledChange, request: CommitWorkRequest): Promise<void> {
  const { path, kind, title } = change
  if (kind !== 'conflicted') checkRecordable(store, change)
  const place = join(store.repository.workTree ?? '', path)
  const isGone = lstatSync(place, { throwIfNoEntry: false }) === undefined
  const file = isGone ? null : await readWorkFile(store, path, store.checkout.written(!request.dryRun))
  if (!request.allowEmpty && file !== null && isBlank(file)) throw emptyText(title ?? path)
  if (!request.allowMarkers && file !== null) checkMarkers(path, file)
  const reason = kind === 'conflicted' ? await store.checkout.unsettledReason(path, file) : null
  if (reason === null) return
  const hint = `If that is intended: git add -- ${pathspecArgument(path)}, or git rm -- ${pathspecArgument(path)}`
  throw new WikiError('edit-conflict', { params: [`${path}: ${reason}`], hint })
}

/** Throws for a page with a character that no page can hold, unless it had it: a file from git can be edited elsewhere. */
async function checkPageCharacters(store: Store, path: string, file: Buffer): Promise<void> {
  const text = file.toString('utf8')
  if (modelOfPath(path) === undefined || text.search(unsayable) < 0) return
  const page = store.pageAtPath(path)
  checkCharacters(path, text, page === undefined ? '' : await store.text(latestOf(store, page)))
}

/** Throws for a text that contains conflict markers. */
function checkMarkers(path: string, file: Buffer): void {
  if (modelOfPath(path) === undefined) return
  const text = file.toString('utf8')
  const [marker] = findConflictMarkers(text)
  if (marker === undefined) return
  const { line } = placesIn(text)(marker.start, marker.end)
  throw new WikiError('edit-conflict', {
    params: [`${path}, line ${line}`],
    hint: 'Resolve the conflict and remove its markers; --allow-markers records them as text',
  })
}

function changesOf(edits: readonly WorkEdit[]): Pick<CommittedWork, 'recorded' | 'outdated'> {
  return {
    recorded: edits.filter(({ isOutdated }) => !isOutdated).map(({ change }) => change),
    outdated: edits.filter(({ isOutdated }) => isOutdated).map(({ change }) => change.path),
  }
}

interface ChosenEdits {
  readonly edits: readonly WorkEdit[]
  readonly copies: readonly TitledChange[]
}

async function chosenEdits(store: Store, request: CommitWorkRequest): Promise<ChosenEdits> {
  const { titles = [] } = request
  const changes = titledChanges(store, await store.checkout.written(!request.dryRun).changes())
  const keys = new Set(titles.map(title => keyOf(store, title, changes)))
  const isNamed = ({ key }: TitledChange): boolean => key !== null && keys.has(key)
  const copies = titles.length === 0 ? changes.filter(({ copy }) => copy !== undefined) : []
  const chosen = titles.length === 0 ? changes.filter(({ copy }) => copy === undefined) : changes.filter(isNamed)
  for (const change of chosen) checkRecordable(store, change)
  return { edits: await readEdits(store, chosen, request), copies }
}

/** Throws after all files have been checked, so that a conflict lists every file that cannot be merged. */
async function readEdits(
  store: Store,
  changes: readonly TitledChange[],
  { allowEmpty = false, allowMarkers = false, dryRun = false, author }: CommitWorkRequest,
): Promise<readonly WorkEdit[]> {
  if (changes.length === 0) return []
  const traceOf = await store.checkout.traces(changes.map(({ path }) => path))
  const checkout = store.checkout.written(!dryRun)
  const edits: WorkEdit[] = []
  const refused: Refused[] = []
  for (const change of changes) {
    const { path, kind, title } = change
    const file = kind === 'deleted' ? null : await readWorkFile(store, path, checkout)
    if (!allowEmpty && file !== null && isBlank(file)) throw emptyText(title ?? path)
    if (!allowMarkers && file !== null) checkMarkers(path, file)
    if (file !== null) await checkPageCharacters(store, path, file)
    const edit = await readEdit(store, change, { file, trace: traceOf(path), writer: author.name })
    if ('error' in edit) refused.push({ path, error: edit.error })
    else edits.push(edit)
  }
  throwRefused(refused)
  return edits
}

async function readEdit(
  store: Store,
  change: TitledChange,
  { file, trace, writer }: { readonly file: Buffer | null; readonly trace: WorkTrace; readonly writer: string },
): Promise<WorkEdit | { readonly error: WikiError }> {
  const { path } = change
  const base = await workBase(store, { path, content: file }, trace)
  if (!isBehind(base, file)) {
    const error = file === null || trace.isSettled ? undefined : await olderText(store, path, { file, writer })
    return error === undefined ? { change, file, content: file, isOutdated: false } : { error }
  }
  if (file === null && base.base === null) return { change, file, content: null, isOutdated: true }
  const merge = await mergeWork(store, change, { ...base, file })
  if ('error' in merge) return merge
  const isOutdated = hashBlob(merge.content) === base.latest
  if (isOutdated && !(await isPassedBy(store, path, trace)))
    return { error: unedited(store, change, { ...base, file }) }
  return { change: { ...change, merged: behindOf(store, path, base) }, file, content: merge.content, isOutdated }
}

/** Returns the error for a file that seems to be made from an older text than git knows. */
async function olderText(
  store: Store,
  path: string,
  { file, writer }: { readonly file: Buffer; readonly writer: string },
): Promise<WikiError | undefined> {
  const page = store.pageAtPath(path)
  if (page === undefined || !isUtf8(file)) return undefined
  return staleTextError(store, page, { text: file.toString('utf8'), writer, name: path, file: path })
}

/**
 * Returns true if others moved the branch past the file. Otherwise its author may have restored an old text from git on purpose.
 */
async function isPassedBy(store: Store, path: string, { passed, latest }: WorkTrace): Promise<boolean> {
  return passed.length > 0 || (latest !== null && (await store.checkout.isFromElsewhere(path, latest)))
}

/** Maximum size of a file that may count as blank. */
const longestBlank = 64 * 1024

function isBlank(file: Buffer): boolean {
  return file.length < longestBlank && file.toString('utf8').trim() === ''
}

/** A title must name a page or a new file. */
function keyOf(store: Store, title: string, changes: readonly TitledChange[]): string {
  const isExisting = ({ key }: Title) =>
    store.findPage(key) ?? store.findFile(key) ?? changes.find(it => it.key === key)
  // A new file has the title of its name, in any spelling.
  const named = [parseWrittenTitle(title, store.titles), writtenTitle(store, title)].find(isExisting)
  if (named === undefined) throw new WikiError('rest-nonexistent-title', { params: [title] })
  return named.key
}

function checkRecordable(store: Store, { path, kind, key, problem }: TitledChange): void {
  if (kind === 'conflicted') {
    throw new WikiError('edit-conflict', {
      params: [path],
      hint: `Resolve it, then: git add -- ${pathspecArgument(path)}`,
    })
  }
  if (key === null && kind === 'added') {
    throw new WikiError('apierror-invalidtitle', { params: [path, problem ?? ''], hint: 'Give the file another name' })
  }
  const holder = kind === 'added' && key !== null ? store.findPage(key) : undefined
  if (holder !== undefined && holder.path !== path) {
    throw new WikiError('wiki-title-collision', { params: [path, holder.path] })
  }
}

function recordingPlan(
  edits: readonly WorkEdit[],
  recorded: readonly RecordedChange[],
  request: CommitWorkRequest,
): CommitPlan {
  const changed = edits.filter(({ file, isOutdated }) => !isOutdated || file !== null)
  const changes = changed.map(({ change, file, content }): FileChange => {
    return { path: change.path, content, work: file === null ? null : hashBlob(file), isBlob: true }
  })
  return planOf(request, { changes, comment: cleanComment(request.comment ?? ''), subject: subjectOf(recorded) })
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
