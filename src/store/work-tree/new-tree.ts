/** The tree of a new commit: its parent's, with some paths changed. */

import { WikiError } from '../../core/errors.ts'
import type { FileChange, KnownBlob } from '../format/entries.ts'
import type { NewObjects } from '../git/new-objects.ts'
import { findEntry, treeMode } from '../git/objects.ts'
import { editTree, type TreeEdit } from '../git/tree-edit.ts'
import { blobsAt } from '../git/tree-file.ts'
import type { ReadObject } from '../git/walk.ts'
import type { FollowedPath } from './staged.ts'

/** Returns the paths that really change: writing the current text, or deleting a missing file, changes nothing. */
export async function changedPaths(
  read: ReadObject,
  parent: string | null,
  changes: readonly FileChange[],
  objects: NewObjects,
): Promise<FollowedPath[]> {
  const paths = changes.map(({ path }) => path)
  const blobs = parent === null ? new Map<string, string>() : await blobsAt(read, parent, paths)
  const followed = changes.map(({ path, content, work }): FollowedPath => {
    const after = content === null ? null : blobOf(content, objects)
    return { path, before: blobs.get(path) ?? null, after, ...(work !== undefined && { work }) }
  })
  const isChange = ({ before, after }: FollowedPath) => before !== after
  // A file may have to follow although the branch has its text already, but no commit is made for that alone.
  const isFollowed = ({ after, work }: FollowedPath) => work !== undefined && work !== after
  return followed.some(isChange) ? followed.filter(one => isChange(one) || isFollowed(one)) : []
}

function blobOf(content: Uint8Array | KnownBlob, objects: NewObjects): string {
  return content instanceof Uint8Array ? objects.add('blob', Buffer.from(content)) : content.blob
}

/** Writes the trees above the changed paths; returns the root's hash. */
export async function applyChanges(
  read: ReadObject,
  root: string | null,
  paths: readonly FollowedPath[],
  objects: NewObjects,
): Promise<string> {
  const content = await editFolder(read, root, '', paths, objects)
  return objects.add('tree', content ?? Buffer.alloc(0))
}

/** New bytes of a folder; null if it is empty. Folders nest no deeper than paths are long. */
async function editFolder(
  read: ReadObject,
  tree: string | null,
  prefix: string,
  paths: readonly FollowedPath[],
  objects: NewObjects,
): Promise<Buffer | null> {
  const old = tree === null ? Buffer.alloc(0) : (await read(tree)).content
  const edits = new Map<string, TreeEdit | null>()
  const folders = new Map<string, FollowedPath[]>()
  for (const followed of paths) {
    const [name, ...rest] = followed.path.slice(prefix.length).split('/') as [string, ...string[]]
    const inside = folders.get(name)
    if (rest.length === 0) edits.set(name, followed.after === null ? null : { hash: followed.after, isFolder: false })
    else if (inside) inside.push(followed)
    else folders.set(name, [followed])
  }
  for (const [name, inside] of folders) {
    if (edits.has(name))
      throw new WikiError('wiki-title-collision', { params: [`${prefix}${name}`, 'a folder of subpages'] })
    const child = await editFolder(read, folderIn(old, name, prefix), `${prefix}${name}/`, inside, objects)
    edits.set(name, child === null ? null : { hash: objects.add('tree', child), isFolder: true })
  }
  const content = editTree(old, edits, prefix)
  return content.length === 0 ? null : content
}

function folderIn(tree: Buffer, name: string, prefix: string): string | null {
  const entry = findEntry(tree, name)
  if (entry !== null && entry.mode !== treeMode)
    throw new WikiError('wiki-title-collision', { params: [`${prefix}${name}`, 'a file'] })
  return entry?.hash ?? null
}
