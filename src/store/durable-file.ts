/** Files that are replaced in one step and stay replaced when the power fails. */

import { closeSync, fsyncSync } from 'node:fs'
import { dirname } from 'node:path'
import { openFile, removeFile, renameFile, writeAll } from '../files/private-files.ts'
import { pathBeside } from './lock-file.ts'
import { fitModes } from './shared-modes.ts'

/** Mode of a file that is not private, less the umask. */
const usualMode = 0o666

/** Replaces a file, durably: it is never there in part, nor with another mode than this one. */
export function replaceDurably(
  path: string,
  text: string,
  { mode = usualMode }: { readonly mode?: number } = {},
): void {
  const temporary = pathBeside(path, '-new')
  // What a killed process left there may have another mode.
  removeFile(temporary)
  const file = openFile(temporary, 'wx', mode)
  try {
    writeAll(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  // A private file stays private.
  if (mode === usualMode) fitModes(temporary)
  renameFile(temporary, path)
  syncFolder(dirname(path))
}

/** Makes a rename in a folder durable, where the system can. */
export function syncFolder(folder: string): void {
  try {
    const handle = openFile(folder, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch {
    // Windows opens no folders; its file systems order renames themselves.
  }
}
