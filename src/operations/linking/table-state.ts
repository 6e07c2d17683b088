/** The state of a wiki on which its links depend, without the parts that read links. */

import { join } from 'node:path'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { Store } from '../../store/store.ts'
import { linkDialect } from '../resources/link-dialect.ts'
import type { TableState } from './table-file.ts'

/** Folder of the records of a wiki, and of the graph made from them. */
export function linkFolder({ cacheDirectory }: Store): string {
  return join(cacheDirectory, 'links')
}

/** Returns the state of the wiki that a table of it has. */
export function stateOf(store: Store): TableState {
  const { tip, lineage, lastRevisionId: lastRevision } = store
  return {
    ...{ tip, lineage, rules: rulesOf(store), lastRevision },
    ...{ files: store.countFiles(), filesStamp: store.filesStamp() },
    pagesStamp: store.pagesStamp(),
  }
}

/** Settings that affect neither titles, nor link targets, nor hidden texts. */
const otherSettings: ReadonlySet<string> = new Set<keyof WikiConfig>([
  ...(['license', 'contact', 'searchedNamespaces', 'stemming', 'anonymousEdits', 'editableFiles'] as const),
  ...(['allowedOrigins', 'bots', 'merge', 'checks'] as const),
])

/** Returns the settings that determine link targets. */
export function rulesOf(store: Store): string {
  const settings = Object.entries(store.config).filter(([name]) => !otherSettings.has(name))
  return JSON.stringify([linkDialect(store), store.isVault, settings])
}
