/** Memory that git's settings allow for the caches of a server. */

import { parseCacheBytes } from '../../core/cache-shares.ts'
import { settingsEnvironment } from './environment.ts'
import { lastValue, readSettings } from './git-config.ts'
import type { Repository } from './repository.ts'

/** Returns `wiki.serverMemory`, which is megabytes, in bytes; undefined if it is not set. Errors: outofrange, wiki-bad-repository. */
export function serverMemory(repository: Repository): number | undefined {
  const value = lastValue(readSettings({ repository, environment: settingsEnvironment() }), 'wiki.servermemory')
  return value === undefined ? undefined : parseCacheBytes('wiki.serverMemory', value ?? '')
}
