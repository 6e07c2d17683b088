/**
 * Ids that must not be given out again, because a history that had them was rewritten. Unlike the index this cannot be
 * derived from git, so it is kept in a file of its own and synced to disk.
 */

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { WikiError } from '../../core/errors.ts'
import type { Era } from './ledger.ts'
import type { RevisionIndex } from './revision-index.ts'

/** Reads the eras kept in an index folder, oldest first. Throws `wiki-bad-repository` where the file is damaged. */
export function readEras(folder: string): Era[] {
  let text: string
  try {
    text = readFileSync(`${folder}/eras.json`, 'utf8')
  } catch {
    return []
  }
  try {
    return JSON.parse(text) as Era[]
  } catch (cause) {
    throw new WikiError('wiki-bad-repository', {
      params: [folder, 'its file eras.json is damaged'],
      hint: 'Delete that file; ids of revisions that are gone may then be given again',
      cause,
    })
  }
}

/** Keeps the eras. Only the holder of the index lock may. */
export function writeEras(folder: string, eras: readonly Era[]): void {
  mkdirSync(folder, { recursive: true })
  const temporary = `${folder}/eras.json.tmp`
  const file = openSync(temporary, 'w')
  writeSync(file, `${JSON.stringify(eras)}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, `${folder}/eras.json`)
}

/** The era that begins when an index's history is left after the given commit: ids go on above all that were used. */
export function nextEra(index: RevisionIndex, eras: readonly Era[], after: string | null): Era {
  return {
    after,
    revision: Math.max(index.revisionId(index.revisionCount), ...eras.map(era => era.revision)),
    page: Math.max(index.pageId(index.pages.count), ...eras.map(era => era.page)),
  }
}
