/**
 * Deleted pages, found by path and text, by path, and by title; and the commits that changed a media file, by its path. Lookup keys are numbers: the first 48 bits of a SHA-1. Rows are
 * compared with the query, so a restored page is not found.
 */

import { createHash } from 'node:crypto'
import type { RevisionIndex } from './revision-index.ts'

/** Maximum deleted pages examined for one path or title: those with the highest ids. */
const maxDeleted = 100

/** Adds a deleted page, with the text that its path held before. */
export function addDeletion(index: RevisionIndex, page: number, blob: string): void {
  const { path } = index.pages.at(page)
  index.deletions.add(numberOf('text', `${blob} ${path}`), page)
  index.deletions.add(numberOf('path', path), page)
  nameDeletion(index, page)
}

/** Makes a deleted page findable by its current title. */
export function nameDeletion(index: RevisionIndex, page: number): void {
  const { key } = index.pages.at(page)
  if (key !== '') index.deletions.add(numberOf('title', key), page)
}

/** Returns the page that was deleted last at a path with this text. */
export function deletedWith(index: RevisionIndex, path: string, blob: string): number | undefined {
  return deleted(index, numberOf('text', `${blob} ${path}`)).find(page => index.pages.at(page).path === path)
}

/** Returns the page that was deleted last at a path. */
export function deletedAt(index: RevisionIndex, path: string): number | undefined {
  return deleted(index, numberOf('path', path)).find(page => index.pages.at(page).path === path)
}

/** Returns the deleted pages that had a title, the one that was deleted last first. */
export function deletedTitled(index: RevisionIndex, key: string): number[] {
  return deleted(index, numberOf('title', key)).filter(page => index.pages.at(page).key === key)
}

/** Adds a commit that deleted a media file. */
export function addFileDeletion(index: RevisionIndex, key: string, commit: number): void {
  if (key !== '') index.deletions.add(numberOf('file', key), commit)
}

/** Returns the last commit that deleted a media file with a title. */
export function deletionOfFile({ deletions }: RevisionIndex, key: string): number | undefined {
  return deletions.find(numberOf('file', key)).reduce<number | undefined>((a, b) => Math.max(a ?? 0, b), undefined)
}

/** Adds a commit that changed a media file, or moved it to this path. */
export function addFileChange(index: RevisionIndex, path: string, commit: number): void {
  index.deletions.add(numberOf('change', path), commit)
}

/** Returns the commits that changed the media file at a path, or moved it there, the latest first. */
export function changesOfFile({ deletions }: RevisionIndex, path: string): number[] {
  return deletions.find(numberOf('change', path)).sort((a, b) => b - a)
}

function deleted({ deletions, pages }: RevisionIndex, number: number): number[] {
  const found = deletions.find(number).sort((a, b) => b - a)
  const gone = found.slice(0, maxDeleted).filter(page => pages.at(page).deleted)
  return gone.sort((a, b) => (pages.at(b).deletedBy ?? 0) - (pages.at(a).deletedBy ?? 0) || b - a)
}

function numberOf(kind: 'text' | 'path' | 'title' | 'file' | 'change', text: string): number {
  return createHash('sha1').update(`${kind} ${text}`).digest().readUIntBE(0, 6)
}
