/**
 * State of an import in progress, stored so that an interrupted one resumes or restarts without counting anything
 * twice.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, removeFolder } from '../../files/private-files.ts'
import { replaceDurably } from '../repository/durable-file.ts'

/** Kept when a dump has been read to its end. */
export interface ImportState {
  readonly version: number
  /** Dump, base commit and options of the import. With another identity an import starts over. */
  readonly identity: string
  /** Number of the spool's files. */
  readonly runs: number
  /** Names of the packs of the texts, without ending. */
  readonly packs: readonly string[]
  /** Data of the reader, returned on resumption. */
  readonly summary: unknown
}

/** Changes when the files are written differently. */
export const importVersion = 2

/** Reads the state; null if there is none of this identity. */
export function readState(folder: string, identity: string): ImportState | null {
  try {
    const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as ImportState
    return state.version === importVersion && state.identity === identity ? state : null
  } catch {
    return null
  }
}

/** Keeps the state, durably. */
export function writeState(folder: string, state: ImportState): void {
  replaceDurably(join(folder, 'state.json'), JSON.stringify(state))
}

/** Empties the folder, or makes it. */
export function clearFolder(folder: string): void {
  removeFolder(folder)
  makeFolder(join(folder, 'packs'))
}
