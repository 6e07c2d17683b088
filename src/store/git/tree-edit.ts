/** Makes new trees from an old one and a few changed paths, without decoding unchanged entries. */

import { WikiError } from '../../core/errors.ts'
import { fileModes, treeMode } from './objects.ts'

/** The new entry of a name; null removes it. */
export interface TreeEdit {
  readonly hash: string
  readonly isFolder: boolean
}

const newFileMode = '100644'

/**
 * Applies edits to the bytes of a tree. An existing file keeps its mode. Returns an empty buffer for an empty tree. Throws
 * `wiki-title-collision` if a file would replace a folder or a link, or a folder anything else.
 */
export function editTree(content: Buffer, edits: ReadonlyMap<string, TreeEdit | null>, folder: string): Buffer {
  const pending = [...edits].map(([name, edit]) => ({ name, edit, key: sortKey(name, edit?.isFolder ?? false) }))
  pending.sort((a, b) => Buffer.compare(a.key, b.key))
  const parts: Buffer[] = []
  let copied = 0
  let at = 0
  let next = 0
  while (at < content.length) {
    const entry = entryAt(content, at)
    for (; next < pending.length && Buffer.compare((pending[next] as Pending).key, entry.key) < 0; next++) {
      parts.push(content.subarray(copied, at), newEntry(pending[next] as Pending, newFileMode))
      copied = at
    }
    const edit = edits.get(entry.name)
    if (edit !== undefined) {
      checkKind(entry, edit, folder)
      parts.push(content.subarray(copied, at), newEntry({ name: entry.name, edit }, entry.mode))
      copied = entry.end
      if (pending[next]?.name === entry.name) next++
    }
    at = entry.end
  }
  parts.push(content.subarray(copied))
  for (; next < pending.length; next++) parts.push(newEntry(pending[next] as Pending, newFileMode))
  return Buffer.concat(parts)
}

interface Pending {
  readonly name: string
  readonly edit: TreeEdit | null
  readonly key: Buffer
}

interface Entry {
  readonly name: string
  readonly mode: string
  readonly key: Buffer
  readonly end: number
}

function entryAt(content: Buffer, at: number): Entry {
  const space = content.indexOf(0x20, at)
  const nul = content.indexOf(0, space)
  const mode = content.toString('latin1', at, space)
  const bytes = content.subarray(space + 1, nul)
  const key = mode === treeMode ? Buffer.concat([bytes, slash]) : bytes
  return { name: bytes.toString('utf8'), mode, key, end: nul + 21 }
}

const slash = Buffer.from('/')

/** Git sorts folders as if their names ended in a slash. */
function sortKey(name: string, isFolder: boolean): Buffer {
  return Buffer.from(isFolder ? `${name}/` : name)
}

function newEntry({ name, edit }: Pick<Pending, 'name' | 'edit'>, fileMode: string): Buffer {
  if (edit === null) return Buffer.alloc(0)
  const mode = edit.isFolder ? treeMode : fileMode
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(edit.hash, 'hex')])
}

function checkKind(entry: Entry, edit: TreeEdit | null, folder: string): void {
  const isFolder = entry.mode === treeMode
  const isFile = fileModes.has(entry.mode)
  if (edit !== null && !(edit.isFolder ? isFolder : isFile))
    throw new WikiError('wiki-title-collision', {
      params: [`${folder}${entry.name}`, isFolder ? 'a folder of subpages' : isFile ? 'a page' : 'a link'],
      hint: 'Choose another title, or move the other page first',
    })
}
