/**
 * Journal of changes to a work tree that are in progress, so that the next process can complete what a killed one
 * started.
 */

import { createHash } from 'node:crypto'
import { closeSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { contentSynced } from './durable.ts'
import { appendLines, cutFile, makeFolder, openFile } from './private-files.ts'
import { randomName } from './random-name.ts'
import { readText } from './read-file.ts'
import { recoverFile } from './replace-file.ts'
import type { WorkTree } from './work-file.ts'

/** A change that is about to start. */
interface Note {
  readonly path: string
  /** Random part of the file names that the change uses. */
  readonly id: string
  /** SHA-256 of the contents that may be deleted. */
  readonly known: readonly string[]
}

/** An open journal. Only one process writes it at a time. */
export interface ChangeNotes {
  /**
   * Records a change before it starts, and returns the random part of its file names. Recovery may delete contents in
   * `known`.
   */
  readonly add: (path: string, known: readonly Uint8Array[]) => string
  /** Resolves when what was recorded is on the disk: a file that is aside at a power failure must be found again. */
  readonly synced: () => Promise<void>
  /** Empties the journal, because all changes are complete. */
  readonly end: () => void
}

/**
 * Starts a journal in a file, which is created with the first entry, and stays: its name need not be synced again. Entries of an earlier
 * process must have been handled by `recoverChanges`.
 */
export function beginNotes(file: string): ChangeNotes {
  return {
    add: (path, known) => {
      makeFolder(dirname(file))
      const note: Note = { path, id: randomName(), known: known.map(hashOf) }
      appendLines(file, `${JSON.stringify(note)}\n`)
      return note.id
    },
    synced: async () => {
      if (!hasNotes(file)) return
      const opened = openFile(file, 'r')
      await contentSynced(opened).finally(() => closeSync(opened))
    },
    end: () => empty(file),
  }
}

/** Returns true if a killed process left entries in a journal, or a running one is writing it. */
export function hasNotes(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Completes the changes that a killed process recorded, and empties the journal. `replaced` is the folder for old files. */
export function recoverChanges(tree: WorkTree, file: string, replaced: string): void {
  for (const { path, id, known } of readNotes(file))
    recoverFile(tree, path, { id, replaced, mayDelete: content => known.includes(hashOf(content)) })
  empty(file)
}

/** Entries that come back after a power failure do no harm: the names of complete changes are gone. */
function empty(file: string): void {
  if (!hasNotes(file)) return
  const opened = openFile(file, 'r+')
  try {
    cutFile(opened, 0)
  } finally {
    closeSync(opened)
  }
}

/** A line that is not whole belongs to a change that never started. */
function readNotes(file: string): Note[] {
  if (!hasNotes(file)) return []
  return readText(file).split('\n').flatMap(noteIn)
}

function noteIn(line: string): Note[] {
  try {
    const { path, id, known } = JSON.parse(line) as Note
    return isText(path) && isText(id) && Array.isArray(known) ? [{ path, id, known }] : []
  } catch {
    return []
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
