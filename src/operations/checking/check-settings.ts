/**
 * Settings and baseline that judge a change: those of its older state. A change with its own could silence itself.
 */

import { type Baseline, baselineFile, readBaseline } from '../../checks/baseline.ts'
import { configFile, defaultConfig, parseConfig } from '../../core/config.ts'
import { isWikiError } from '../../core/errors.ts'
import type { CheckConfig } from '../../core/wiki-config.ts'
import type { Store } from '../../store/store.ts'
import type { WikiState } from './wiki-state.ts'

export interface CheckSettings {
  readonly checks: CheckConfig
  /** Known problems; null if there is no older commit. */
  readonly baseline: Baseline | null
  /** True if the newer commit has other `checks` or another baseline, which count from the next change on. */
  readonly isChanged: boolean
}

/** Maximum size of either file, in bytes. */
const largestFile = 16 * 1024 * 1024

/** Reads the settings that judge a change, or those of the wiki if there is no older commit. */
export async function checkSettingsOf(
  store: Store,
  { before, after }: { readonly before: WikiState | null; readonly after: WikiState },
): Promise<CheckSettings> {
  if (before === null || before.commit === null)
    return { checks: store.config.checks, baseline: null, isChanged: false }
  const older = await filesAt(store, before.commit)
  const newer = after.commit === null ? older : await filesAt(store, after.commit)
  const checks = checksIn(older.settings)
  const isChanged =
    older.baseline !== newer.baseline || JSON.stringify(checks) !== JSON.stringify(checksIn(newer.settings))
  return { checks, baseline: baselineIn(older.baseline), isChanged }
}

/** Reads wiki.json and the baseline of a commit; "" for one that is missing or too large. */
async function filesAt(
  store: Store,
  commit: string,
): Promise<{ readonly settings: string; readonly baseline: string }> {
  const read = async (path: string): Promise<string> => {
    const blob = await store.trees.blobAt(commit, path)
    const [size = null] = blob === null ? [] : await store.sizesOf([blob])
    return blob === null || size === null || size > largestFile ? '' : (await store.bytes(blob)).toString('utf8')
  }
  return { settings: await read(configFile), baseline: await read(baselineFile) }
}

/** An invalid wiki.json sets nothing, so that the change that fixes it can be checked. */
function checksIn(text: string): CheckConfig {
  return (fallback(() => (text.trim() === '' ? null : parseConfig(text))) ?? defaultConfig()).checks
}

/** An invalid baseline covers nothing, likewise. */
function baselineIn(text: string): Baseline {
  return fallback(() => (text.trim() === '' ? null : readBaseline(text, baselineFile))) ?? {}
}

function fallback<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isWikiError(error)) return null
    throw error
  }
}
