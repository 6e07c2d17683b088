/** Resolves a title to a file, and decides whether the file may be shown on a page. */

import { namespaceIds } from '../../core/namespaces.ts'
import { parseRedirect } from '../../core/redirect.ts'
import type { Title } from '../../core/title.ts'
import type { FileMetadata } from '../wiki-source.ts'

/** The file of a title, or of its redirect. */
export interface FoundFile {
  readonly title: Title
  /** Null if there is none, or it is unknown so far. */
  readonly metadata: FileMetadata | null
}

/** Lookups for finding a file. Undefined results are unknown so far. */
export interface FileLookups {
  readonly file: (name: string) => FileMetadata | null | undefined
  /** Text of a page; null if there is none. */
  readonly pageText: (title: Title) => string | null | undefined
  readonly readTitle: (text: string) => Title | null
  /** Language of the content. */
  readonly language: string
}

/** Finds a file; if it is missing, its page may redirect to another file. */
export function findFile(title: Title, { file, pageText, readTitle, language }: FileLookups): FoundFile {
  const metadata = file(title.name)
  if (metadata !== null) return { title, metadata: metadata ?? null }
  const redirect = parseRedirect(pageText(title) ?? '', language)
  const target = redirect === null ? null : readTitle(redirect)
  if (target?.namespace !== namespaceIds.file) return { title, metadata: null }
  const found = file(target.name)
  return found === null || found === undefined ? { title, metadata: null } : { title: target, metadata: found }
}

/** Key of the page that lists files shown on certain pages only. */
export const badFilesPage = 'Bad image list'

/**
 * Reads the list of files that are only links: in each list item the first link is a file, the others are pages that may show it.
 * Returns keys of pages by names of files. Source: MediaWiki BadFileLookup.
 */
export function readBadFiles(
  text: string,
  readTitle: (text: string) => Title | null,
): ReadonlyMap<string, ReadonlySet<string>> {
  const files = new Map<string, ReadonlySet<string>>()
  for (const line of text.split('\n')) {
    if (!line.startsWith('*') || line.startsWith('**')) continue
    const titles = [...line.matchAll(/\[\[:?([^[\]|]{1,1024})/g)].map(([, target]) => readTitle(target!))
    const [file, ...pages] = titles
    if (file?.namespace !== namespaceIds.file) continue
    files.set(file.name, new Set(pages.flatMap(page => (page === null ? [] : [page.key]))))
  }
  return files
}
