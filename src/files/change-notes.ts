/** Notes of changes to a work tree that are in progress, so that the next process can end what a killed one began. */

import { createHash } from 'node:crypto'
import { appendFileSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { randomName } from './random-name.ts'
import { recoverFile } from './replace-file.ts'
import type { WorkTree } from './work-file.ts'

/** A change that is about to begin. */
interface Note {
  readonly path: string
  /** Random part of the names that it uses. */
  readonly id: string
  /** SHA-256 of the contents that may be removed. */
  readonly known: readonly string[]
}

/** Notes that are being written. One process at a time writes them. */
export interface ChangeNotes {
  /** Notes a change before it begins; returns the random part of its names. `known` may be removed when it is ended. */
  readonly add: (path: string, known: readonly Uint8Array[]) => string
  /** Removes the notes: all changes are done. */
  readonly end: () => void
}

/** Begins notes in a file, which is made at the first of them. Earlier notes must have been ended by `recoverChanges`. */
export function beginNotes(file: string): ChangeNotes {
  return {
    add: (path, known) => {
      mkdirSync(dirname(file), { recursive: true })
      const note: Note = { path, id: randomName(), known: known.map(hashOf) }
      appendFileSync(file, `${JSON.stringify(note)}\n`)
      return note.id
    },
    end: () => rmSync(file, { force: true }),
  }
}

/** Returns whether there are notes of a process that was killed, or of one that is at work. */
export function hasNotes(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

/** Ends the changes that a killed process noted, and removes the notes. */
export function recoverChanges(tree: WorkTree, file: string): void {
  for (const { path, id, known } of readNotes(file))
    recoverFile(tree, path, { id, isKnown: content => known.includes(hashOf(content)) })
  rmSync(file, { force: true })
}

/** A line that was being written when its process ended belongs to a change that never began. */
function readNotes(file: string): Note[] {
  if (!hasNotes(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
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
