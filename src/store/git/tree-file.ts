/** Reads one file of a commit without its neighbours. */

import { posix } from 'node:path'
import { decomposed, fullCaseFold } from '../../core/composed-text.ts'
import { foldedName } from '../../core/file-names.ts'
import { fileModes, findEntry, linkMode, parseTree, type TreeEntry, treeMode, treeOfCommit } from './objects.ts'
import type { ReadObject } from './walk.ts'

/** Hash of the blob at a path of a commit; null if there is none. */
export async function blobAt(read: ReadObject, commit: string, path: string): Promise<string | null> {
  return (await blobsAt(read, commit, [path])).get(path) ?? null
}

/** Returns true if a commit has a folder at a path. */
export async function hasFolder(read: ReadObject, commit: string, path: string): Promise<boolean> {
  let tree: string | undefined = treeOfCommit((await read(commit)).content)
  for (const name of path.split('/')) {
    const entry: TreeEntry | null | undefined = tree === undefined ? null : findEntry((await read(tree)).content, name)
    tree = entry?.mode === treeMode ? entry.hash : undefined
  }
  return tree !== undefined
}

/** A path in the folders of a commit, and the entry that stands in its way. */
export interface Standing {
  /** The path, with the spelling of folders that differ from it only in case or Unicode form. */
  readonly path: string
  /** Path of another entry that some disk takes for the file or one of its folders; null if there is none. */
  readonly other: string | null
}

/** Looks where a file would stand in a commit. A file at the path itself is not in the way. */
export async function standingOf(read: ReadObject, commit: string, path: string): Promise<Standing> {
  const names = path.split('/')
  let [tree, prefix] = [treeOfCommit((await read(commit)).content), '']
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1
    const entry = entryLike((await read(tree)).content, name)
    const rest = names.slice(at).join('/')
    if (entry === undefined || (isLast && entry.name === name)) return { path: prefix + rest, other: null }
    if (isLast || entry.mode !== treeMode) return { path: prefix + rest, other: prefix + entry.name }
    tree = entry.hash
    prefix += `${entry.name}/`
  }
  return { path, other: null }
}

/** The entry of a name, or else one that some disk takes for it. */
function entryLike(content: Buffer, name: string): TreeEntry | undefined {
  const exact = findEntry(content, name)
  if (exact !== null) return exact
  const [folded, first] = [foldedName(name), firstLetter(name)]
  // To fold all names of a large folder would take half a second.
  return parseTree(content).find(
    entry => (firstLetter(entry.name) === first || ignored.test(entry.name)) && foldedName(entry.name) === folded,
  )
}

const ignored = /^\p{Default_Ignorable_Code_Point}/u

/** The first letter of a name in any case and Unicode form. */
function firstLetter(name: string): string | undefined {
  const first = String.fromCodePoint(name.codePointAt(0) ?? 0)
  return fullCaseFold(decomposed(first))[0]
}

/** From this many names on a folder is decoded whole: a search for each would cost more. */
const manyNames = 8

/** Hashes of the blobs at many paths of a commit, each folder read once; paths without a file are omitted. */
export async function blobsAt(
  read: ReadObject,
  commit: string,
  paths: readonly string[],
  modes = fileModes,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const folders = [{ tree: treeOfCommit((await read(commit)).content), prefix: '', paths }]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { tree, prefix } = folder
    const inside = groupByName(folder.paths, prefix)
    const entries = entriesOf((await read(tree)).content, inside.size)
    for (const [name, asked] of inside) {
      const entry = entries(name)
      if (entry?.mode === treeMode) folders.push({ tree: entry.hash, prefix: `${prefix}${name}/`, paths: asked })
      else if (entry && modes.has(entry.mode) && asked.includes(prefix + name)) found.set(prefix + name, entry.hash)
    }
  }
  return found
}

function groupByName(paths: readonly string[], prefix: string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    if (path.length <= prefix.length) continue
    const slash = path.indexOf('/', prefix.length)
    const name = path.slice(prefix.length, slash < 0 ? undefined : slash)
    const group = groups.get(name)
    if (group) group.push(path)
    else groups.set(name, [path])
  }
  return groups
}

/** Finds entries of a tree by name. */
function entriesOf(content: Buffer, names: number): (name: string) => TreeEntry | null | undefined {
  if (names < manyNames) return name => findEntry(content, name)
  const entries = new Map(parseTree(content).map(entry => [entry.name, entry]))
  return name => entries.get(name)
}

const linkModes: ReadonlySet<string> = new Set([linkMode])
/** Maximum bytes of a symbolic link's content: longer than the system allows, and shorter than a file that pretends to be one. */
const longestLink = 4096

/**
 * Returns the path in the repository that the symbolic link at a path of a commit names; null if there is no link, or it leads out of
 * the repository.
 */
export async function linkAt(read: ReadObject, commit: string, path: string): Promise<string | null> {
  const blob = (await blobsAt(read, commit, [path], linkModes)).get(path)
  const content = blob === undefined ? null : (await read(blob)).content
  if (content === null || content.length > longestLink) return null
  const target = posix.join(posix.dirname(path), content.toString('utf8'))
  return content[0] === 0x2f || target === '..' || target.startsWith('../') ? null : target
}
