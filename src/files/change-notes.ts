/**
 * Journal of changes to a work tree that are in progress, so that the next process can complete what a killed one
 * started.
 */

import { createHash } from 'node:crypto'
import { appendFileSync, lstatSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './private-files.ts'
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
  /** Deletes the journal, because all changes are complete. */
  readonly end: () => void
}

/**
 * Starts a journal in a file, which is created with the first entry. Entries of an earlier process must have been
 * handled by `recoverChanges`.
 */
export function beginNotes(file: string): ChangeNotes {
  return {
    add: (path, known) => {
      makeFolder(dirname(file))
      const note: Note = { path, id: randomName(), known: known.map(hashOf) }
      appendFileSync(file, `${JSON.stringify(note)}\n`)
      return note.id
    },
    end: () => rmSync(file, { force: true }),
  }
}

/** Returns true if a killed process left a journal, or a running one is writing it. */
export function hasNotes(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

/** Completes the changes that a killed process recorded, and deletes the journal. `replaced` is the folder for old files. */
export function recoverChanges(tree: WorkTree, file: string, replaced: string): void {
  for (const { path, id, known } of readNotes(file))
    recoverFile(tree, path, { id, replaced, mayDelete: content => known.includes(hashOf(content)) })
  rmSync(file, { force: true })
}

/** A line that was incomplete when the process ended belongs to a change that never started. */
function readNotes(file: string): Note[] {
  if (!hasNotes(file)) return []
  const lines = readText(file).split('\n').slice(0, -1)
  return lines.flatMap(line => {
    try {
      return [JSON.parse(line) as Note]
    } catch {
      return []
    }
  })
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
