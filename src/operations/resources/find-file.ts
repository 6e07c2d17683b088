/** Resolves a caller's title to a media file. */

import { isWikiError, WikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { titleArgument } from '../../core/shell-quote.ts'
import { parseTitle, type Title } from '../../core/title.ts'
import type { FileEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { redirectTarget } from './redirect.ts'

/**
 * Finds the file with this title, with or without `File:`, also through a redirect page. Errors: rest-nonexistent-title
 * if there is neither a file nor a page, also for invalid titles; rest-cannot-load-file if there is only a page.
 */
export function findFile(store: Store, title: string): FileEntry {
  const parsed = parseFileTitle(store, title)
  const file = parsed === null ? undefined : fileOfTitle(store, parsed)
  if (file !== undefined) return file
  const page = parsed === null ? undefined : store.findPage(parsed.key)
  if (page === undefined || parsed === null)
    throw new WikiError('rest-nonexistent-title', { params: [title], hint: hintOf(parsed) })
  throw new WikiError('rest-cannot-load-file', { params: [parsed.key] })
}

function hintOf(title: Title | null): string {
  return `wiki file list${title === null ? '' : `; if it was deleted: wiki page restore ${titleArgument(title.text)}`}`
}

/** Parses the title of a file; null if it is invalid in this wiki. */
export function parseFileTitle(store: Store, title: string): Title | null {
  try {
    return parseTitle(title, store.titles, namespaceIds.file)
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return null
    throw error
  }
}

/** Finds the file of a title, following at most one redirect. */
export function fileOfTitle(store: Store, title: Title): FileEntry | undefined {
  if (title.namespace !== namespaceIds.file) return undefined
  return store.findFile(title.key) ?? targetOf(store, title)?.file
}

/** Returns the name of the file, without `File:`, that the page with this title redirects to; null if there is none. */
export function fileRedirect(store: Store, title: Title): string | null {
  return store.findFile(title.key) === undefined ? (targetOf(store, title)?.name ?? null) : null
}

function targetOf(store: Store, { key }: Title): { name: string; file: FileEntry | undefined } | undefined {
  const page = store.findPage(key)
  const target = page === undefined ? null : redirectTarget(store, page)
  const title = target?.local ? parseTitle(target.key, store.titles) : undefined
  if (title?.namespace !== namespaceIds.file) return undefined
  return { name: title.name, file: store.findFile(title.key) }
}
