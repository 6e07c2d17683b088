/** Applies a patch to pages, in one commit. */

import { isUtf8 } from 'node:buffer'
import { isUnportable } from '../checks/file-names.ts'
import { modelOfPath } from '../core/content-models.ts'
import { WikiError } from '../core/errors.ts'
import { applyFilePatch, type FilePatch, readPatch } from '../diff/patch.ts'
import { unifiedPatch } from '../diff/unified.ts'
import { createWorkLimit } from '../diff/work-limit.ts'
import type { BranchRecord } from '../store/acknowledged/branch-record.ts'
import type { PageEntry } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { checkUnfiltered } from './access/filtered-text.ts'
import { isHidden } from './access/hidden.ts'
import { type ChangeRequest, planOf, readSaved } from './editing/edit.ts'
import { cleanComment } from './editing/edit-summary.ts'
import { latestOf } from './resources/find-page.ts'
import { checkCharacters, checkSource } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

export interface ApplyRequest extends ChangeRequest {
  /** A patch from git, `diff -u` or `wiki compare --unified`, with paths from the repository's top. */
  readonly patch: string
  readonly minor?: boolean | undefined
  readonly bot?: boolean | undefined
  /** If true, checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
}

/** A page that the patch changes. */
export interface PatchedPage {
  readonly title: string
  readonly path: string
  readonly kind: FilePatch['kind']
}

export interface AppliedPatch {
  readonly pages: readonly PatchedPage[]
  /** Hash of the commit; null in a dry run, and if the patch changes nothing. */
  readonly commit: string | null
  /** The resulting difference; only in a dry run. */
  readonly patch?: string
  readonly leftAlone: readonly string[]
}

interface Patched extends PatchedPage {
  /** Texts before and after; null if there is no page. */
  readonly before: string | null
  readonly after: string | null
}

/**
 * Applies a patch to the latest texts, as a whole or not at all. It may edit, create and delete pages. Errors:
 * wiki-bad-patch; wiki-patch-mismatch if a page lacks lines of it, a page to create exists, or a page to edit does not;
 * rest-permission-denied-revision, wiki-title-collision, wiki-conversion-failed, apierror-contenttoobig,
 * invalid-json-data, wiki-texts-too-complex, wiki-no-author, and those of the store's commit.
 */
export async function applyPatchToPages({ store }: Wiki, request: ApplyRequest): Promise<AppliedPatch> {
  const files = readPatch(request.patch)
  await store.refresh()
  if (request.dryRun) {
    const pages = await patchedPages(store, files, false)
    return { pages: pages.map(describe), commit: null, patch: pages.map(differenceOf).join(''), leftAlone: [] }
  }
  let pages: readonly Patched[] = []
  const committed = await store.commit(async () => {
    pages = (await patchedPages(store, files, true)).filter(({ before, after }) => before !== after)
    if (pages.length === 0) return null
    return planOf(request, {
      changes: pages.map(({ path, after }) => ({
        path,
        content: after === null ? null : Buffer.from(after),
        isBlob: true,
      })),
      comment: cleanComment(request.comment ?? ''),
      subject: pages.length === 1 ? `Apply a patch to ${pages[0]!.title}` : `Apply a patch to ${pages.length} pages`,
    })
  })
  if (committed.commit !== null) await readSaved(store, committed.commit, () => ({ tip: store.tip }))
  return { pages: pages.map(describe), ...committed }
}

function describe({ title, path, kind }: Patched): PatchedPage {
  return { title, path, kind }
}

function differenceOf({ path, before, after }: Patched): string {
  const names = { fromPath: before === null ? null : path, toPath: after === null ? null : path }
  return unifiedPatch(before ?? '', after ?? '', names)
}

async function patchedPages(store: Store, files: readonly FilePatch[], isWritten: boolean): Promise<Patched[]> {
  const record = await store.record()
  const limit = createWorkLimit()
  const pages: Patched[] = []
  for (const file of files) {
    const page = store.pageAtPath(file.path)
    const title = page?.title ?? newTitle(record, file)
    const kind = page === undefined && file.mayCreate ? 'create' : file.kind
    if ((page === undefined) !== (kind === 'create')) throw mismatch(file, title)
    if (page === undefined) checkFree(store, file, title)
    const before = page === undefined ? null : await textOf(store, page, isWritten)
    const applied = applyFilePatch(before ?? '', file, limit)
    if (applied === null) throw mismatch(file, title)
    const after = file.kind === 'delete' ? null : applied
    if (after !== null) {
      checkSource(after, page?.model ?? modelOf(file.path))
      checkCharacters(file.path, after, before ?? '')
    }
    pages.push({ title, path: file.path, kind, before, after })
  }
  return pages
}

/** Returns the title for a path. Errors: wiki-bad-patch for a path that no page of the wiki can have. */
function newTitle(record: BranchRecord, { path }: FilePatch): string {
  const title = record.kindOf(path) === 'page' && !isUnportable(path) ? record.titleOf(path) : null
  if (title !== null && path.split('/').every(part => part !== '' && part !== '.' && part !== '..')) return title
  const hint = 'Paths are from the top of the repository. Media files and settings have commands of their own'
  throw new WikiError('wiki-bad-patch', { params: [`${path} is not a page of this wiki`], hint })
}

function checkFree(store: Store, { path }: FilePatch, title: string): void {
  const holder = store.findPage(title.replaceAll(' ', '_'))
  if (holder !== undefined) throw new WikiError('wiki-title-collision', { params: [path, holder.path] })
}

function modelOf(path: string) {
  return modelOfPath(path) ?? 'wikitext'
}

async function textOf(store: Store, page: PageEntry, isWritten: boolean): Promise<string> {
  const revision = latestOf(store, page)
  if (isHidden(revision, 'text')) throw new WikiError('rest-permission-denied-revision', { params: [revision.id] })
  await checkUnfiltered(store, { path: page.path, blob: revision.blob }, isWritten)
  const bytes = await store.bytes(revision.blob)
  if (!isUtf8(bytes)) throw new WikiError('wiki-bad-patch', { params: [`${page.path} is not UTF-8`] })
  return bytes.toString('utf8')
}

function mismatch({ path, kind }: FilePatch, title: string): WikiError {
  const reasons = {
    create: 'The page is there already',
    edit: 'Lines that it changes, or lines around them, are not in the page',
    delete: 'The page is not there, or has another text',
  }
  return new WikiError('wiki-patch-mismatch', {
    params: [title],
    hint: `${reasons[kind]}; nothing was written. Make the patch again from the latest text`,
    data: { path },
  })
}
