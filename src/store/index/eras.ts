/**
 * Ids that must not be assigned again, because a rewritten history used them. Unlike the index this cannot be derived from git,
 * so it has a file of its own, synced to disk.
 */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { WikiError } from '../../core/errors.ts'
import { pathArgument } from '../../core/shell-quote.ts'
import { syncFolder } from '../../files/durable.ts'
import { makeFolder } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { replaceDurably } from '../repository/durable-file.ts'
import type { Era } from './record-writer.ts'
import type { RevisionIndex } from './revision-index.ts'

/** Reads the eras of an index folder, oldest first. Throws `wiki-bad-repository` if the file is damaged. */
export function readEras(folder: string): Era[] {
  const text = textIn(folder)
  if (text === null) return []
  const [json = '', sum = ''] = text.split('\n')
  const eras = sum === '' || sum === checksumOf(json) ? parseEras(json) : null
  if (eras === null) throw damaged(folder, 'its file eras.json is damaged')
  return eras
}

/** Only a missing file means that no history was rewritten: a missing permission must not lead to reused ids. */
function textIn(folder: string): string | null {
  try {
    return readText(`${folder}/eras.json`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    const reason = `its file eras.json cannot be read (${code})`
    throw code === 'EACCES' ? closed(folder, reason) : damaged(folder, reason)
  }
}

/** Root, or another user, has made the folder. It also holds the record of saved edits, so that nobody should remove it. */
function closed(folder: string, reason: string): WikiError {
  const hint = `Another user has made it; give it to this one: sudo chown -R ${process.geteuid?.()} ${pathArgument(dirname(folder))}`
  return new WikiError('wiki-bad-repository', { params: [folder, reason], hint })
}

function damaged(folder: string, reason: string): WikiError {
  return new WikiError('wiki-bad-repository', {
    params: [folder, reason],
    hint: 'Delete that file; ids of removed revisions may then be reused',
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

/** Writes the eras: a line of JSON, and its checksum. Requires the index lock. */
export function writeEras(folder: string, eras: readonly Era[]): void {
  makeFolder(folder)
  const json = JSON.stringify(eras)
  replaceDurably(`${folder}/eras.json`, `${json}\n${checksumOf(json)}\n`)
  // The ids are retired before an index that assigns others gets its name; the index lock keeps nobody from writing.
  syncFolder(folder)
}

/**
 * Takes the used ids over from the index folders of the branch's former names, the last one first: they were used under any name.
 * Requires the index lock.
 */
export function adoptEras(folder: string, former: readonly string[]): void {
  if (existsSync(`${folder}/eras.json`)) return
  const eras = former.map(readEras).find(found => found.length > 0)
  if (eras !== undefined) writeEras(folder, eras)
}

/** The era that begins when an index's history is left after the given commit: ids continue above all used ones. */
export function nextEra(index: RevisionIndex, eras: readonly Era[], after: string | null): Era {
  return {
    after,
    revision: Math.max(index.revisionId(index.revisionCount), ...eras.map(era => era.revision)),
    page: Math.max(index.pageId(index.pages.count), ...eras.map(era => era.page)),
  }
}
