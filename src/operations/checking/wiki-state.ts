/** The files of a wiki in one state: a commit, git's index, or the work tree. */

import { isWikiError } from '../../core/errors.ts'
import type { Store } from '../../store/store.ts'
import { isHiddenAt } from '../access/hidden-at.ts'
import { readWorkFile } from '../work-tree/work-text.ts'

export interface WikiState {
  /** Hash; null for an uncommitted state. */
  readonly commit: string | null
  /** Blob by path, for each page and media file; null for a file of the work tree. */
  readonly blobs: ReadonlyMap<string, string | null>
  /** Reads the text of a page; null if it is hidden or cannot be read. */
  readonly text: (path: string) => Promise<string | null>
  /** Reads the bytes of a text, which need not be UTF-8; null as for `text`. */
  readonly bytes: (path: string) => Promise<Buffer | null>
  /** Returns true for a text that readers may see and that is too long to be checked; `text` gives null for it. */
  readonly isTooLong: (path: string) => Promise<boolean>
  /** Reads many texts, in any order; null as for one. */
  readonly texts: (paths: readonly string[]) => AsyncIterable<readonly [path: string, text: string | null]>
  /** Lists all files and symbolic links, which links may lead to as well. */
  readonly otherPaths: () => Promise<readonly string[]>
  /** Lists the bytes, as Latin-1, of paths that are not UTF-8. In a work tree, those of the tip. */
  readonly misnamedPaths: () => Promise<readonly string[]>
}

/** Maximum size of a checked text, in bytes. */
const largestText = 4 * 1024 * 1024

export async function stateOfCommit(store: Store, commit: string): Promise<WikiState> {
  const blobs = await store.trees.filesOf(commit)
  const misnamedPaths = () => store.trees.misnamedPaths(commit)
  return stateOf(store, { commit, blobs, otherPaths: () => store.trees.pathsOf(commit), misnamedPaths })
}

/** Returns the state of a repository without commits. */
export function emptyState(store: Store): WikiState {
  const none = async () => []
  return stateOf(store, { commit: null, blobs: new Map(), otherPaths: none, misnamedPaths: none })
}

/** Returns the state that `git commit` would record. */
export async function stagedState(store: Store): Promise<WikiState> {
  const { files, links } = await store.checkout.staged()
  const blobs = new Map([...files].filter(([path]) => store.isPageOrFile(path)))
  const misnamedPaths = () => store.checkout.misnamedPaths()
  return stateOf(store, { commit: null, blobs, otherPaths: async () => [...files.keys(), ...links], misnamedPaths })
}

/**
 * Returns the state of the work tree, tracked by git or not. Files that are neither pages nor media are taken from the
 * tip.
 */
export async function workState(store: Store): Promise<WikiState> {
  const { tip } = store
  const blobs = new Map<string, string | null>(tip === null ? [] : await store.trees.filesOf(tip))
  for (const { path, kind } of await store.checkout.changes()) {
    if (kind === 'deleted') blobs.delete(path)
    else blobs.set(path, null)
  }
  const otherPaths = async () => (tip === null ? [] : store.trees.pathsOf(tip))
  const misnamedPaths = async () => (tip === null ? [] : store.trees.misnamedPaths(tip))
  return stateOf(store, { commit: null, blobs, otherPaths, misnamedPaths })
}

type Files = Pick<WikiState, 'commit' | 'blobs' | 'otherPaths' | 'misnamedPaths'>

function stateOf(store: Store, files: Files): WikiState {
  const { blobs } = files
  const bytes = async (path: string): Promise<Buffer | null> => {
    const blob = blobs.get(path)
    return shortEnough(await (blob === null ? contentOf(store, path) : readBlob(store, path, blob)))
  }
  const text = async (path: string): Promise<string | null> => (await bytes(path))?.toString('utf8') ?? null
  const isTooLong = async (path: string): Promise<boolean> =>
    ((await sizeAt(store, path, blobs.get(path))) ?? 0) > largestText
  return { ...files, text, bytes, isTooLong, texts: paths => manyTexts(store, { blobs, text }, paths) }
}

/** Requests blobs in batches, because single requests take longer than the checks. */
async function* manyTexts(
  store: Store,
  { blobs, text }: Pick<WikiState, 'blobs' | 'text'>,
  paths: readonly string[],
): AsyncIterable<readonly [path: string, text: string | null]> {
  const [stored, others] = [new Map<string, string>(), [] as string[]]
  for (const path of paths) {
    const blob = blobs.get(path)
    if (typeof blob === 'string' && !isHiddenAt(store, path, blob)) stored.set(path, blob)
    else others.push(path)
  }
  const names = stored.keys()
  for await (const content of store.manyBytes(stored.values()))
    yield [names.next().value as string, shortEnough(content)?.toString('utf8') ?? null]
  for (const path of others) yield [path, await text(path)]
}

async function contentOf(store: Store, path: string): Promise<Buffer | null> {
  try {
    return await readWorkFile(store, path)
  } catch (error) {
    if (isWikiError(error, 'wiki-bad-work-file')) return null
    throw error
  }
}

/** Bytes of a text; null for one that is not there, cannot be read or is hidden. */
async function sizeAt(store: Store, path: string, blob: string | null | undefined): Promise<number | null> {
  if (blob === null) return (await contentOf(store, path))?.length ?? null
  if (blob === undefined || isHiddenAt(store, path, blob)) return null
  return (await store.sizesOf([blob]))[0] ?? null
}

async function readBlob(store: Store, path: string, blob: string | undefined): Promise<Buffer | null> {
  // A content that git or Git LFS lacks is a problem of its own.
  return blob === undefined || isHiddenAt(store, path, blob) ? null : store.readableBytes(blob)
}

function shortEnough(content: Buffer | null): Buffer | null {
  return content === null || content.length > largestText ? null : content
}
