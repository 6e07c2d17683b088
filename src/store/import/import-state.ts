/**
 * State of an import in progress, stored so that an interrupted one resumes or restarts without counting anything
 * twice.
 */

import { join } from 'node:path'
import { makeFolder, removeFolder } from '../../files/private-files.ts'
import { readText } from '../../files/read-file.ts'
import { replaceDurably } from '../repository/durable-file.ts'

/** Set when a dump has been read to its end. */
export interface ImportState {
  readonly version: number
  /** Dump, base commit and options of the import. With another identity an import starts over. */
  readonly identity: string
  /** Number of the spool's files. */
  readonly runs: number
  /** Names of the packs of the texts, without extension. */
  readonly packs: readonly string[]
  /** Data of the reader, returned on resumption. */
  readonly summary: unknown
}

/** Changed whenever the format of the files changes. */
export const importVersion = 2

/** Reads the state; null if there is none of this identity. */
export function readState(folder: string, identity: string): ImportState | null {
  try {
    const state = JSON.parse(readText(join(folder, 'state.json'))) as ImportState
    return state.version === importVersion && state.identity === identity ? state : null
  } catch {
    return null
  }
}

/** Writes the state, durably. */
export function writeState(folder: string, state: ImportState): void {
  replaceDurably(join(folder, 'state.json'), JSON.stringify(state))
}

/** Empties the folder, or creates it. */
export function clearFolder(folder: string): void {
  removeFolder(folder)
  makeFolder(join(folder, 'packs'))
}
