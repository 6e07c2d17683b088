/** Plans the moves of files to another layout, and finds folders that have grown large. */

import type { WikiConfig } from '../core/wiki-config.ts'
import { pathInLayout } from './format/paths.ts'
import type { IndexView } from './revisions.ts'

/** A file whose bytes and title stay while its path changes. */
export interface FileMove {
  readonly from: string
  readonly to: string
  readonly blob: string
}

/** A folder, from the repository's top, with the number of its wiki files and of its folders that contain some. */
export interface FolderSize {
  readonly path: string
  readonly entries: number
}

/** Returns the pages and media files whose paths differ in a layout. */
export function* layoutMoves({ index, rules }: IndexView, layout: WikiConfig['layout']): Iterable<FileMove> {
  for (const { path, blob } of filesAtTip(index)) {
    const to = pathInLayout(path, rules, layout)
    if (to !== path) yield { from: path, to, blob }
  }
}

/** Finds the largest folder: git rewrites all of it when a file in it changes. */
export function largestFolder({ index }: IndexView): FolderSize {
  const folders = new Set<string>()
  const sizes = new Map<string, number>()
  for (const { path } of filesAtTip(index)) {
    let folder = folderOf(path)
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
    for (; folder !== '.' && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder)
      sizes.set(folderOf(folder), (sizes.get(folderOf(folder)) ?? 0) + 1)
    }
  }
  let largest: FolderSize = { path: '.', entries: 0 }
  for (const [path, entries] of sizes) if (entries > largest.entries) largest = { path, entries }
  return largest
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : path.slice(0, slash)
}

function* filesAtTip(index: IndexView['index']): Iterable<{ readonly path: string; readonly blob: string }> {
  for (let ordinal = 0; ordinal < index.pages.count; ordinal++) {
    const { path, latest, deleted } = index.pages.at(ordinal)
    if (!deleted) yield { path, blob: index.revision(latest).blob }
  }
  for (let ordinal = 0; ordinal < index.files.count; ordinal++) {
    const { path, blob, deleted } = index.files.at(ordinal)
    if (!deleted) yield { path, blob }
  }
}
