/**
 * Two paths of a work tree may lead to one file: a disk may ignore case (Windows, macOS), the Unicode form of a name, dots and spaces at its
 * end, or have short names. Only the disk can tell, so it is asked.
 */

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { foldedName, isShortName, otherSpellings } from '../core/file-names.ts'
import { holdParent, type WorkTree } from './work-file.ts'

/**
 * Returns true if there is a file at a path that may have another name, too. Costs one or two system calls for each name of the
 * path, so that nothing else is done where the disk distinguishes names, as on Linux.
 */
export function mayHaveOtherNames({ top }: WorkTree, path: string): boolean {
  const names = path.split('/')
  if (!exists(join(top, path))) return false
  return names.some((name, depth) => {
    if (isShortName(name) || /[. ]$/.test(name)) return true
    return otherSpellings(name).some(other => exists(join(top, ...names.slice(0, depth), other)))
  })
}

/** Returns true if two paths lead to one file under one name of the disk. Two hard links are two files here. */
export function isSameFile(tree: WorkTree, one: string, other: string): boolean {
  if (one === other) return true
  const stats = [one, other].map(path => stat(join(tree.top, path)))
  const [first, second] = stats
  if (first === undefined || second === undefined) return false
  if (first.dev === second.dev && first.ino === second.ino && first.ino !== 0n && first.nlink === 1n) return true
  // Some file systems have no numbers that are the same under both names.
  const name = nameOnDisk(tree, one)
  return name !== null && name === nameOnDisk(tree, other)
}

/** Returns a path as the disk spells it; null if there is no such file. */
export function nameOnDisk(tree: WorkTree, path: string): string | null {
  const found: string[] = []
  for (const _ of path.split('/')) {
    const name = spelling(
      tree,
      path
        .split('/')
        .slice(0, found.length + 1)
        .join('/'),
    )
    if (name === null) return null
    found.push(name)
  }
  return found.join('/')
}

function spelling(tree: WorkTree, path: string): string | null {
  const held = holdParent(tree, path, false)
  if (typeof held === 'string') return null
  const { folder, name } = held
  try {
    const there = stat(folder.at(name))
    if (there === undefined) return null
    const names = readdirSync(folder.at('.'))
    if (names.includes(name)) return name
    const isIt = (one: string) => {
      const other = stat(folder.at(one))
      return other !== undefined && other.dev === there.dev && other.ino === there.ino
    }
    const equal = names.filter(one => foldedName(one) === foldedName(name))
    return equal.find(isIt) ?? (equal.length === 1 ? (equal[0] as string) : (names.find(isIt) ?? null))
  } finally {
    folder.release()
  }
}

function stat(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true })
  } catch {
    return undefined
  }
}

function exists(path: string): boolean {
  return stat(path) !== undefined
}
