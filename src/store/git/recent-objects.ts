/**
 * Trees and commits that were read last. An edit reads the commit, and the folders, that the edit before it wrote, a dozen times
 * each. An object never changes under its hash; that it still exists is a question for `NewObjects.areLoose`.
 */

import { createLruCache } from '../../core/lru-cache.ts'
import type { GitObject } from './backend.ts'

export interface RecentObjects {
  readonly get: (hash: string) => GitObject | undefined
  /** Stores a tree or a commit, unless it takes half of the cache; returns the object. */
  readonly set: <Found extends GitObject | null>(hash: string, object: Found) => Found
}

/** Creates an empty cache of this many bytes. */
export function recentObjects(total: number): RecentObjects {
  const objects = createLruCache<GitObject>({
    total,
    each: total / 2,
    // The content may be a view of more.
    sizeOf: ({ content }) => content.buffer.byteLength,
  })
  return {
    get: objects.get,
    set: (hash, object) => {
      if (object !== null && (object.type === 'tree' || object.type === 'commit')) objects.set(hash, object)
      return object
    },
  }
}
