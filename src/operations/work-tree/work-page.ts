/** A page as its file in the work tree, committed or not. */

import { type ContentModel, contentModels } from '../../core/content-models.ts'
import { isWikiError, WikiError } from '../../core/errors.ts'
import type { Title } from '../../core/title.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import { legalMeaning, pathRules } from '../../store/format/paths.ts'
import { hashBlob } from '../../store/git/objects.ts'
import type { Store } from '../../store/store.ts'
import { isHiddenAt } from '../access/hidden-at.ts'
import { defaultModel } from '../editing/edit.ts'
import { parsePossibleTitle } from '../resources/find-page.ts'
import { readWorkFile } from './work-text.ts'

export interface WorkPage {
  readonly key: string
  readonly title: string
  /** Path of the file from the repository's top, with slashes. */
  readonly path: string
  readonly model: ContentModel
  readonly text: string
}

/**
 * Reads a page's file in the work tree, even if the page is not committed yet. Errors: rest-nonexistent-title,
 * apierror-invalidtitle, apierror-pagecannotexist, rest-permission-denied-revision, wiki-no-work-tree,
 * wiki-bad-work-file.
 */
export async function readWorkPage(store: Store, name: string): Promise<WorkPage> {
  const atPath = store.pageAtPath(name)
  if (atPath !== undefined) return ofPage(store, atPath)
  const title = parsePossibleTitle(name, store.titles)
  const page = store.findPage(title.key)
  if (page !== undefined) return ofPage(store, page)
  const added = await addedPage(store, name, title)
  if (added !== null) return added
  for (const model of Object.keys(contentModels) as ContentModel[]) {
    const path = store.newPath(title, model)
    const text = await readIfThere(store, path)
    if (text !== null) return { key: title.key, title: title.text, path, model, text }
  }
  throw new WikiError('rest-nonexistent-title', {
    params: [name],
    hint: `There is no such page, and no file ${store.newPath(title, defaultModel(title, store))} in the work tree`,
  })
}

/** Finds a file that is not committed yet by its path or its title, however it is named. */
async function addedPage(store: Store, name: string, { key }: Title): Promise<WorkPage | null> {
  const rules = pathRules(store.config, store.titles)
  for (const { path, kind } of await store.checkout.changes()) {
    const meaning = kind === 'added' ? legalMeaning(path, rules) : null
    if (meaning?.kind !== 'page' || (path !== name && meaning.title.key !== key)) continue
    const { title, model } = meaning
    const text = await readIfThere(store, path)
    if (text !== null) return { key: title.key, title: title.text, path, model, text }
  }
  return null
}

async function ofPage(store: Store, { key, title, path, model }: PageEntry): Promise<WorkPage> {
  return { key, title, path, model, text: await readText(store, path) }
}

/** An unedited file may contain the text of a hidden revision. */
async function readText(store: Store, path: string): Promise<string> {
  const content = await readWorkFile(store, path)
  if (!isHiddenAt(store, path, hashBlob(content))) return content.toString('utf8')
  throw new WikiError('rest-permission-denied-revision', { params: [path] })
}

async function readIfThere(store: Store, path: string): Promise<string | null> {
  try {
    return await readText(store, path)
  } catch (error) {
    if (isWikiError(error, 'wiki-bad-work-file')) return null
    throw error
  }
}
