/** The table for one list: in a large wiki the first one of a process is read without the links. */

import type { Store } from '../../store/store.ts'
import type { LinkTable } from './link-table.ts'
import { readTable, type TableState } from './table-file.ts'
import { linkFolder, stateOf } from './table-state.ts'
import type { Readers } from './text-links.ts'

/** Repositories of which a list was requested. */
const asked = new WeakSet<Store['repository']>()

/**
 * Returns a table for one list, by the name of its segment. The first one of a process comes from the file, without the
 * links, if the wiki has not changed since; a server that is asked again has all of them in memory.
 */
export async function listTable(readers: Readers, segment: string): Promise<LinkTable> {
  const { store } = readers
  if (!asked.has(store.repository)) {
    asked.add(store.repository)
    const stored = await readTable(linkFolder(store), segment)
    if (stored !== null && isState(stateOf(store), stored.state)) return stored.table
  }
  // Loaded late, because it reads texts with the whole engine.
  const { linkGraph } = await import('./link-graph.ts')
  return (await linkGraph(readers)).table
}

function isState(state: TableState, stored: TableState): boolean {
  return Object.entries(state).every(([name, value]) => stored[name as keyof TableState] === value)
}
