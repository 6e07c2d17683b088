/** Lists the refs of a repository, without starting git. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Repository, readPackedRefs } from './repository.ts'

/** Folders of refs in which people keep commits. `refs/stash`, notes and the wiki's own refs are not among them. */
const userFolders = ['refs/heads', 'refs/remotes', 'refs/tags'] as const

/** Returns the full names of all refs in some folders, packed ones too: by default branches, remote-tracking branches and tags. */
export function listRefs(
  { commonDirectory }: Pick<Repository, 'commonDirectory'>,
  folders: readonly string[] = userFolders,
): Set<string> {
  const names = new Set<string>()
  for (const line of (readPackedRefs(commonDirectory) ?? '').split('\n')) {
    const name = /^[0-9a-f]{40} (refs\/[^\0-\x20]+)$/.exec(line)?.[1]
    if (name !== undefined && folders.some(folder => name.startsWith(`${folder}/`))) names.add(name)
  }
  for (const folder of folders)
    for (const path of looseIn(join(commonDirectory, folder))) names.add(`${folder}/${path}`)
  return names
}

function* looseIn(folder: string): Iterable<string> {
  for (const entry of entriesOf(folder))
    if (entry.isDirectory()) for (const path of looseIn(join(folder, entry.name))) yield `${entry.name}/${path}`
    else if (!entry.name.endsWith('.lock')) yield entry.name
}

/** A folder of refs may be removed by another git meanwhile. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
