/** Lists the media files that a page uses. Source: MediaWiki REST API reference, "Get files on page". */

import { isWikiError, WikiError } from '../core/errors.ts'
import type { FileObject } from '../core/file.ts'
import { namespaceIds } from '../core/namespaces.ts'
import { parseTitle } from '../core/title.ts'
import type { PageEntry } from '../store/format/entries.ts'
import { comparePaths } from '../store/format/paths.ts'
import type { Store } from '../store/store.ts'
import { type RenderQuery, renderEntry } from './render-page.ts'
import { type FileWithMetadata, fileObject, withMetadata } from './resources/file-object.ts'
import { fileOfTitle, fileRedirect } from './resources/find-file.ts'
import { findPage, latestOf } from './resources/find-page.ts'
import type { Wiki } from './wiki.ts'

/** Maximum number of file names in a page, including missing files. */
const nameLimit = 100

export interface PageFilesQuery {
  readonly title: string
  /** Absolute URL of the API, without a trailing slash. */
  readonly base: string
  /** Scheme and host in the page's HTML, which may be cached. */
  readonly server?: string | undefined
}

/**
 * Lists the files of a page, in order of the names that the page uses. A file redirect is listed under its own name, beside the
 * file. Errors: rest-nonexistent-title, also for impossible titles; rest-media-too-many-links, rest-permission-denied-revision.
 */
export async function pageFiles(wiki: Wiki, query: PageFilesQuery): Promise<{ files: FileObject[] }> {
  const files = await pageFilesWithMetadata(wiki, query)
  return { files: files.map(file => fileObject(file, { base: query.base, full: false })) }
}

/** Lists a page's files with their metadata. Errors: as `pageFiles`. */
export async function pageFilesWithMetadata(
  wiki: Wiki,
  { title, server }: Pick<PageFilesQuery, 'title' | 'server'>,
): Promise<readonly FileWithMetadata[]> {
  const { store } = wiki
  await store.refresh()
  const names = await namesOn(wiki, findExisting(store, title), { server })
  if (names.length > nameLimit) {
    throw new WikiError('rest-media-too-many-links', { params: [title, nameLimit] })
  }
  const files = names.flatMap(name => fileOfTitle(store, titleOf(store, name)) ?? [])
  return Promise.all(files.map(file => withMetadata(wiki, file)))
}

function findExisting(store: Store, title: string): PageEntry {
  try {
    return findPage(store, { title })
  } catch (error) {
    if (!isWikiError(error, 'rest-invalid-title')) throw error
    throw new WikiError('rest-nonexistent-title', { params: [title], cause: error })
  }
}

async function namesOn(wiki: Wiki, page: PageEntry, query: RenderQuery): Promise<string[]> {
  const { store } = wiki
  const { files } = (await renderEntry(wiki, { page, revision: latestOf(store, page) }, query)).references
  // Beyond the limit, targets are not needed.
  const targets = files.length > nameLimit ? [] : files.map(name => fileRedirect(store, titleOf(store, name)))
  return [...new Set([...files, ...targets.filter(name => name !== null)])].sort(comparePaths)
}

function titleOf(store: Store, name: string) {
  return parseTitle(`${store.titles.namespaces.get(namespaceIds.file)!.name}:${name}`, store.titles)
}
