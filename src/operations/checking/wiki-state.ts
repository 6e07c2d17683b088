/** The files of a wiki at one state: a commit, git's index, or the work tree. */

import { isWikiError } from '../../core/errors.ts'
import type { Store } from '../../store/store.ts'
import { isHiddenAt } from '../access/hidden-at.ts'
import { readWorkFile } from '../work-tree/work-text.ts'

export interface WikiState {
  /** Hash; null for a state that is not committed. */
  readonly commit: string | null
  /** Path of each page and media file, to its blob; null for a file of the work tree. */
  readonly blobs: ReadonlyMap<string, string | null>
  /** Reads the text of a page; null if readers may not see it, or it cannot be read. */
  readonly text: (path: string) => Promise<string | null>
  /** Lists files known to git that are neither pages nor media: links may lead to them. */
  readonly otherPaths: () => Promise<readonly string[]>
}

/** Largest text that is checked, in bytes. */
const largestText = 4 * 1024 * 1024

export async function stateOfCommit(store: Store, commit: string): Promise<WikiState> {
  const blobs = await store.filesOfCommit(commit)
  return {
    commit,
    blobs,
    text: path => readBlob(store, path, blobs.get(path)),
    otherPaths: () => store.pathsOfCommit(commit),
  }
}

/** Other files are taken from the tip: a change to them alone breaks no link in them. */
async function pathsOfTip(store: Store): Promise<string[]> {
  return store.tip === null ? [] : store.pathsOfCommit(store.tip)
}

/** The state that `git commit` would record. */
export async function stagedState(store: Store): Promise<WikiState> {
  const blobs = await store.stagedFiles()
  return {
    commit: null,
    blobs,
    text: path => readBlob(store, path, blobs.get(path)),
    otherPaths: () => pathsOfTip(store),
  }
}

/** The state of the files as they lie, tracked by git or not. */
export async function workState(store: Store): Promise<WikiState> {
  const blobs = new Map<string, string | null>(store.tip === null ? [] : await store.filesOfCommit(store.tip))
  for (const { path, kind } of await store.workTreeChanges()) {
    if (kind === 'deleted') blobs.delete(path)
    else blobs.set(path, null)
  }
  return {
    commit: null,
    blobs,
    text: async path => {
      const blob = blobs.get(path)
      return blob === null ? readFile(store, path) : readBlob(store, path, blob)
    },
    otherPaths: () => pathsOfTip(store),
  }
}

async function readFile(store: Store, path: string): Promise<string | null> {
  try {
    const content = await readWorkFile(store, path)
    return content.length > largestText ? null : content.toString('utf8')
  } catch (error) {
    if (isWikiError(error, 'wiki-bad-work-file')) return null
    throw error
  }
}

async function readBlob(store: Store, path: string, blob: string | undefined): Promise<string | null> {
  if (blob === undefined || isHiddenAt(store, path, blob)) return null
  const content = await store.bytes(blob)
  return content.length > largestText ? null : content.toString('utf8')
}
