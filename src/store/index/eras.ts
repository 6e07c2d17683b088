/**
 * Ids that must not be given out again, because a history that had them was rewritten. Unlike the index this cannot be
 * derived from git, so it is kept in a file of its own and synced to disk.
 */

import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { WikiError } from '../../core/errors.ts'
import { makeFolder } from '../../files/private-files.ts'
import { replaceDurably } from '../repository/durable-file.ts'
import type { Era } from './ledger.ts'
import type { RevisionIndex } from './revision-index.ts'

/** Reads the eras kept in an index folder, oldest first. Throws `wiki-bad-repository` where the file is damaged. */
export function readEras(folder: string): Era[] {
  const text = readText(folder)
  if (text === null) return []
  const [json = '', sum = ''] = text.split('\n')
  const eras = sum === '' || sum === checksumOf(json) ? parseEras(json) : null
  if (eras === null) throw damaged(folder, 'its file eras.json is damaged')
  return eras
}

/** Only a file that is not there means that no history was rewritten: ids must not be given twice for want of a permission. */
function readText(folder: string): string | null {
  try {
    return readFileSync(`${folder}/eras.json`, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw damaged(folder, `its file eras.json cannot be read (${code})`)
  }
}

function damaged(folder: string, reason: string): WikiError {
  return new WikiError('wiki-bad-repository', {
    params: [folder, reason],
    hint: 'Delete that file; ids of revisions that are gone may then be given again',
  })
}

function parseEras(json: string): Era[] | null {
  try {
    const eras: unknown = JSON.parse(json)
    return Array.isArray(eras) && eras.every(isEra) ? eras : null
  } catch {
    return null
  }
}

function isEra(value: unknown): value is Era {
  const { after, revision, page } = (value ?? {}) as Partial<Era>
  return (after === null || typeof after === 'string') && Number.isSafeInteger(revision) && Number.isSafeInteger(page)
}

function checksumOf(json: string): string {
  return String(crc32(json))
}

/** Keeps the eras: a line of JSON, and its checksum. Only the holder of the index lock may. */
export function writeEras(folder: string, eras: readonly Era[]): void {
  makeFolder(folder)
  const json = JSON.stringify(eras)
  replaceDurably(`${folder}/eras.json`, `${json}\n${checksumOf(json)}\n`)
}

/** The era that begins when an index's history is left after the given commit: ids go on above all that were used. */
export function nextEra(index: RevisionIndex, eras: readonly Era[], after: string | null): Era {
  return {
    after,
    revision: Math.max(index.revisionId(index.revisionCount), ...eras.map(era => era.revision)),
    page: Math.max(index.pageId(index.pages.count), ...eras.map(era => era.page)),
  }
}
