/** Creates a page. Source: MediaWiki REST API reference, "Create page". */

import type { ContentModel } from '../core/content-models.ts'
import { WikiError } from '../core/errors.ts'
import type { PageSource } from '../core/page.ts'
import type { Title } from '../core/title.ts'
import type { CommitPlan } from '../store/format/entries.ts'
import type { Store } from '../store/store.ts'
import { committedPage, defaultModel, type EditRequest, namedModel, planOf } from './editing/edit.ts'
import { editSummary } from './editing/edit-summary.ts'
import { freePath } from './editing/free-path.ts'
import { savedText } from './editing/saved-text.ts'
import { underSettings } from './editing/under-settings.ts'
import { writtenTitle } from './resources/find-page.ts'
import { writtenPage } from './resources/page-object.ts'
import { checkSource } from './resources/source.ts'
import type { Wiki } from './wiki.ts'

export interface CreatePageRequest extends EditRequest {
  readonly title: string
  /** Null, empty or missing: the title's default. */
  readonly contentModel?: string | null | undefined
}

export interface CreatedPage {
  readonly page: PageSource
  /** Work-tree files left unchanged because they have uncommitted changes. */
  readonly leftAlone: readonly string[]
}

/**
 * Creates a page as one commit.
 *
 * Errors: rest-bad-content-model, apierror-invalidtitle, apierror-pagecannotexist, apierror-contenttoobig,
 * invalid-json-data, apierror-articleexists, wiki-no-author, wiki-work-limit, and those of the store's commit.
 */
export async function createPage(wiki: Wiki, request: CreatePageRequest): Promise<CreatedPage> {
  const { store } = wiki
  await store.refresh()
  const named = namedModel(request.contentModel)
  const prepared = underSettings(store, async () => {
    const title = writtenTitle(store, request.title)
    const model = named ?? defaultModel(title, store)
    return { title, model, text: await savedText(wiki, request, { title, model }) }
  })
  let page = await prepared()
  const committed = await store.commit(async () => {
    page = await prepared()
    if (store.findPage(page.title.key) !== undefined)
      throw new WikiError('apierror-articleexists', { params: [page.title.text] })
    return creationPlan(store, page, request)
  })
  const { title, text } = page
  const written = await committedPage(store, committed, title.key)
  if (written === null) throw new Error(`The commit ${committed.commit} does not hold the new page ${title.key}`)
  return { page: writtenPage(store, written.page, written.revision, text), leftAlone: committed.leftAlone }
}

/**
 * Plans the commit of a new page; `text` is the file's. Errors: apierror-articleexists if its file would differ from another only in case,
 * apierror-contenttoobig, invalid-json-data.
 */
export async function creationPlan(
  store: Store,
  page: { readonly title: Title; readonly model: ContentModel; readonly text: string },
  request: EditRequest,
): Promise<CommitPlan> {
  const { title, model, text } = page
  checkSource(text, model, store.config.limits.source)
  return planOf(request, {
    changes: [{ path: await freePath(store, store.newPath(title, model)), content: Buffer.from(text) }],
    comment: editSummary(request.comment, { before: null, after: text, model, language: store.config.language }),
    subject: `Create ${title.text}`,
  })
}
