/** Updates a page, or creates it under its title. Source: MediaWiki REST API reference, "Update page". */

import { isUtf8 } from 'node:buffer'
import type { ContentModel } from '../core/content-models.ts'
import { WikiError } from '../core/errors.ts'
import { withLineEndsOf, withMarkOf } from '../core/line-ends.ts'
import type { PageSource } from '../core/page.ts'
import type { Title } from '../core/title.ts'
import type { CommitPlan, PageEntry, RevisionEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkMadeOfPlain } from './access/filtered-text.ts'
import { checkVisible, isHidden } from './access/hidden.ts'
import { editConflict } from './comparing/edit-conflict.ts'
import type { MergedEdits } from './comparing/merge-edits.ts'
import { creationPlan } from './create-page.ts'
import { type BaseText, baseTexts, foreignBase, uncertainBase } from './editing/base-texts.ts'
import { committedPage, defaultModel, type EditRequest, namedModel, planOf } from './editing/edit.ts'
import { editSummary } from './editing/edit-summary.ts'
import { savedText } from './editing/saved-text.ts'
import { underSettings } from './editing/under-settings.ts'
import { latestOf, writtenTitle } from './resources/find-page.ts'
import { writtenPage } from './resources/page-object.ts'
import { checkSource, fileOfSource } from './resources/source.ts'
import type { Wiki } from './wiki.ts'
import { longText, type MergeFunction, rememberedMerge } from './workers/long-merge.ts'

export interface UpdatePageRequest extends EditRequest {
  readonly title: string
  /** Id of the revision that was edited (`latest.id`); missing, or less than 1, creates the page. */
  readonly base?: number | undefined
  /** Commit of that revision, if the caller knows it, because ids of unshared revisions may be reassigned. */
  readonly baseCommit?: string | undefined
  /** If null, empty or omitted, that of the page. */
  readonly contentModel?: string | null | undefined
  /** Expected commit of the page's latest revision, null for no page; not checked if missing. */
  readonly expected?: string | null | undefined
  /** Blob of the work-tree file that the text was taken from: the file gets the saved text. */
  readonly work?: string | undefined
}

export interface UpdatedPage {
  readonly created: boolean
  /** False if the page already had the text, so that nothing was written. */
  readonly changed: boolean
  /** True if the edit was merged with newer edits of others. */
  readonly merged: boolean
  readonly page: PageSource
  /** Work-tree files left unchanged because they have uncommitted changes. */
  readonly leftAlone: readonly string[]
}

/**
 * Decision of one run of the plan. `plan` is null if nothing has to be written; `text` is the resulting text of the
 * file.
 */
interface Decision {
  readonly created: boolean
  readonly merged: boolean
  readonly text: string
  readonly plan: CommitPlan | null
}

/** A write after its request was parsed and validated. */
interface ParsedUpdate {
  readonly title: Title
  readonly model: ContentModel | null
  /** Submitted text, in the form of the file. */
  readonly text: string
  readonly base: number | null
  readonly request: UpdatePageRequest
  /** Merges edits. The last merge is cached, so that a repeated plan need not wait for it. */
  readonly merge: MergeFunction
}

/**
 * Saves a text as the next revision of a page, merging it with newer revisions as `merge` in wiki.json allows.
 *
 * Errors: rest-bad-content-model, apierror-invalidtitle, apierror-pagecannotexist, rest-update-cannot-create-page,
 * apierror-missingtitle, apierror-contenttoobig, invalid-json-data, edit-conflict (its data are the two differences),
 * rest-nonexistent-revision, rest-nonexistent-title-revision, rest-precondition-failed, wiki-not-utf8, wiki-no-author, rest-resource-limit-exceeded, wiki-work-limit, and those of the store's commit.
 */
export async function updatePage(wiki: Wiki, request: UpdatePageRequest): Promise<UpdatedPage> {
  const { store } = wiki
  await store.refresh()
  const model = namedModel(request.contentModel)
  const base = request.base !== undefined && request.base > 0 ? request.base : null
  const merge = rememberedMerge(wiki)
  const parsed = underSettings(store, async (): Promise<ParsedUpdate> => {
    const title = writtenTitle(store, request.title)
    const saved = { title, model: model ?? store.findPage(title.key)?.model ?? defaultModel(title, store) }
    return { title, model, text: await savedText(wiki, request, saved), base, request, merge }
  })
  let wanted = await parsed()
  // A long merge is computed before the lock is acquired, so that others need not wait for it.
  if (needsLongMerge(store, wanted)) await decide(store, wanted)
  let decision: Decision | undefined
  const committed = await store.commit(async () => {
    wanted = await parsed()
    decision = await decide(store, wanted)
    return decision.plan
  })
  const { created, merged } = decision!
  const { title } = wanted
  const written = await committedPage(store, committed, title.key)
  const { page, revision } = written ?? currentPage(store, title)
  return {
    created,
    changed: committed.commit !== null,
    merged,
    page: writtenPage(store, page, revision, decision!.text),
    leftAlone: committed.leftAlone,
  }
}

async function decide(store: Store, wanted: ParsedUpdate): Promise<Decision> {
  const { title, model, base, text, request } = wanted
  const page = store.findPage(title.key)
  const latest = page === undefined ? null : latestOf(store, page).commit
  if (request.expected !== undefined && request.expected !== latest)
    throw new WikiError('rest-precondition-failed', { params: [title.text], hint: 'Read the page again' })
  if (page !== undefined) return decideUpdate(store, page, wanted)
  if (base !== null) throw new WikiError('apierror-missingtitle', { params: [title.text] })
  const plan = await creationPlan(store, { title, model: model ?? defaultModel(title, store), text }, request)
  return { created: true, merged: false, text, plan }
}

async function decideUpdate(store: Store, page: PageEntry, submitted: ParsedUpdate): Promise<Decision> {
  if (submitted.base === null) {
    throw new WikiError('rest-update-cannot-create-page', { params: [page.title], hint: 'Read the page, then edit it' })
  }
  if (submitted.model !== null && submitted.model !== page.model) {
    throw new WikiError('rest-bad-content-model', {
      params: [submitted.model],
      hint: `The page's content model is ${page.model}`,
    })
  }
  checkSource(submitted.text, page.model, store.config.limits.source)
  const stored = await store.text(latestOf(store, page))
  const current = fileOfSource(stored)
  const text = withMarkOf(current, submitted.text)
  const wanted = { ...submitted, text }
  const merged = await mergedText(store, page, current, wanted)
  const decision = { created: false, merged: merged !== text && merged !== current }
  if (merged === current) return { ...decision, text: stored, plan: null }
  // Browsers and many clients send LF, whatever the file has. Changing all line ends would make every line of the file an edit.
  const after = withLineEndsOf(stored, merged)
  await checkBytesUnchanged(store, page, { stored, text: after })
  await checkMadeOfPlain(store, page, { blob: latestOf(store, page).blob, text: after })
  const { work } = wanted.request
  const plan = planOf(wanted.request, {
    changes: [{ path: page.path, content: Buffer.from(after), ...(work !== undefined && { work }) }],
    comment: editSummary(wanted.request.comment, {
      before: stored,
      after,
      model: page.model,
      language: store.config.language,
    }),
    subject: `Edit ${page.title}`,
  })
  return { ...decision, text: after, plan }
}

/**
 * A file committed with git may contain bytes that are not UTF-8. Readers see U+FFFD in their place, so an edit that
 * contains it would overwrite the bytes; an edit without it has replaced them intentionally.
 */
async function checkBytesUnchanged(store: Store, page: PageEntry, { stored, text }: { stored: string; text: string }) {
  if (!stored.includes('\uFFFD') || !text.includes('\uFFFD')) return
  if (isUtf8(await store.bytes(latestOf(store, page).blob))) return
  const hint = `Save a text without U+FFFD, or convert the file ${page.path} to UTF-8 (iconv) and commit it`
  throw new WikiError('wiki-not-utf8', { params: [page.title], hint })
}

/**
 * Returns the text to save: the submitted one if the base is the latest revision, otherwise the merge of both sides.
 */
async function mergedText(store: Store, page: PageEntry, current: string, wanted: ParsedUpdate): Promise<string> {
  const id = wanted.base!
  const [first, ...others] = baseTexts(store, page, { id, commit: wanted.request.baseCommit })
  if (first === undefined) throw foreignBase(store, page, id)
  if (wanted.text === current) return current
  if (others.length === 0 && first.revision !== null)
    return mergedFrom(store, { page, current, wanted, base: first.revision })
  // The base is uncertain. If all possible bases give the same result, that is right in any case.
  const texts = new Set<string | null>()
  for (const base of [first, ...others]) texts.add(await mergedFromText(store, { page, current, wanted, base }))
  const [text] = texts
  if (texts.size !== 1 || typeof text !== 'string') throw uncertainBase(page, id)
  return text
}

interface Merge<Base> {
  readonly page: PageEntry
  readonly current: string
  readonly wanted: ParsedUpdate
  readonly base: Base
}

async function mergedFrom(store: Store, merge: Merge<RevisionEntry>): Promise<string> {
  const { page, current, base, wanted } = merge
  if (base.id === page.latest) return wanted.text
  // A conflict would reveal hidden texts.
  checkVisible(base)
  checkVisible(latestOf(store, page))
  if (await isSentAgain(store, merge)) return current
  const merged = await mergeWith(store, merge, await store.text(base))
  if ('text' in merged) return merged.text
  throw editConflict(page, base, merged)
}

/** Returns true if the author has saved this text on this base before, and did not get the answer or sent a form twice. */
async function isSentAgain(store: Store, { page, base, wanted }: Merge<RevisionEntry>): Promise<boolean> {
  const [next] = store.history(page, { newerThan: base.id, limit: 1 }).revisions
  if (next?.previous !== base.id || next.user.name !== wanted.request.author.name || isHidden(next, 'text'))
    return false
  return fileOfSource(await store.text(next)) === wanted.text
}

/** Null if it cannot be merged, or its text no longer exists. */
async function mergedFromText(store: Store, merge: Merge<BaseText>): Promise<string | null> {
  const { base, page, wanted } = merge
  const { revision, blob } = base
  if (revision?.id === page.latest) return wanted.text
  const shown = [latestOf(store, page), ...(revision === null ? [] : [revision])]
  if (shown.some(one => isHidden(one, 'text'))) return null
  const text = await store.bytes(blob).catch(() => null)
  const merged = text && (await mergeWith(store, merge, text.toString('utf8')))
  return merged && 'text' in merged ? merged.text : null
}

function mergeWith(store: Store, { current, wanted, page }: Merge<unknown>, text: string): Promise<MergedEdits> {
  const base = fileOfSource(text)
  const { merge: policy, limits } = store.config
  return wanted.merge({ base, current, submitted: wanted.text, policy, model: page.model, limit: limits.source })
}

function needsLongMerge(store: Store, { title, base, text }: ParsedUpdate): boolean {
  const page = store.findPage(title.key)
  return base !== null && page !== undefined && page.latest !== base && text.length >= longText
}

function currentPage(store: Store, title: Title): { page: PageEntry; revision: RevisionEntry } {
  const page = store.findPage(title.key)
  if (page === undefined) throw new WikiError('apierror-missingtitle', { params: [title.text] })
  return { page, revision: latestOf(store, page) }
}
